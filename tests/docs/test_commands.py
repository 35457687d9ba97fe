"""The commands that the pages show run: the tutorial's as they are, others on a tiny class.

A fence that is not run says why (docs/tools/pages.py).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from docs.tools.pages import PAGES, fences
from tests.support.in_process import Lent, command, done
from tests.support.tiny_course import (
    DOUBLES,
    SQUARES,
    SUMS,
    TOML,
    notebook,
    write_assignment,
    write_class,
)

ALONE = ("tutorial.md", "README.md")  # begin in an empty folder, with their own course
# What the other pages' names and placeholders are in the tiny class:
WORDS = {
    **dict.fromkeys(("ASSIGNMENT", "ID", "embeddings-and-position", "first"), "tiny"),
    **dict.fromkeys(("PATH...", "PATHS", "DOWNLOAD"), "download"),
    "assignments/embeddings-and-position/examples": "hand-ins",
    "assignments/first/examples/student-02.ipynb": "hand-ins/student-02.ipynb",
    **dict.fromkeys(("DIR", "results"), "out"),
    "COURSE": "course",
    "pe_heatmap": "sums",
}
WRITTEN = """
[late]
due = 2026-03-01T23:59:00
timezone = "Europe/Berlin"

[[exercise]]
id = "predictions"
title = "Why"
defines = ["why"]

[[exercise.check]]
id = "answer"
kind = "written"
title = "Two reasons"
points = 2
name = "why"
rubric = "One point for each reason."
"""
ROSTER = "id,name,canvas_id\n007,Student Seven,1007\n008,Student Eight,1008\n"
SHEET = """Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (4711)
    Points Possible,,,,,8
Student Seven,1007,007,,one,
"""


@pytest.fixture(scope="module")
def tiny_class(lent_box: Lent, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a course, what a platform gave, and its results."""
    root = tmp_path_factory.mktemp("course")
    folder = write_assignment(root)
    (folder / "assignment.toml").write_text(TOML + WRITTEN)
    with (folder / "solution.py").open("a") as solution:
        solution.write(
            '\n# %% exercise="predictions"\n# BEGIN SOLUTION\nwhy = "so"\n# END SOLUTION\n'
        )
    why = "why = 'because it is so'"
    write_class(
        root / "hand-ins",
        {f"student-0{n}.ipynb": notebook(SUMS, f"{DOUBLES}\n{why}") for n in (1, 2, 4)},
    )
    canvas = {"sevenstudent_1007_1_tiny.ipynb": DOUBLES, "eightstudent_1008_2_tiny.ipynb": SQUARES}
    answers = {name: notebook(SUMS, f"{code}\n{why}") for name, code in canvas.items()}
    write_class(root / "download", answers)
    (root / "roster.csv").write_text(ROSTER)
    (root / "gradebook.csv").write_text(SHEET)
    done("release", folder)
    done("grade", folder, root / "download", "--roster", root / "roster.csv", "--out", root / "out")
    return root


def here(words: Sequence[str], page: Path) -> list[str]:
    """The words of a command as the test runs it."""
    if page.name not in ALONE:
        return [WORDS.get(word, word) for word in words]
    again = ["--changed"] if words[0] == "validate" else []  # saves half a minute
    return [*words, *again]


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What one page validates need not be run for the next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(fence.runs for fence in fences(page))],
    ids=lambda p: p.name,
)
def test_the_commands_of_a_page_run_and_print_what_it_shows(
    page: Path, tiny_class: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page.name not in ALONE:
        shutil.copytree(tiny_class, tmp_path, dirs_exist_ok=True)
    place = tmp_path
    for fence in fences(page):
        if fence.mark in ("file", "append"):
            with (place / fence.value).open("a" if fence.mark == "append" else "w") as file:
                file.write("\n\n" * (fence.mark == "append") + fence.text)
        for step in fence.steps if fence.runs else ():
            program, *rest = step.words
            monkeypatch.chdir(place)
            if program == "cd":
                place = place / rest[0]
                continue
            assert program == "autograder", f"{fence.place}: run it, or say why not: {program}"
            ran = command(*here(rest, page))
            code = int(fence.value) if fence.mark == "exit status" else 0
            assert ran.code == code, f"{fence.place}: {step.words}\n{ran.out}{ran.err}"
            for line in step.shown if page.name in ALONE else ():
                shown = plain(line.replace("/home/you", str(tmp_path))).strip()
                assert shown == "..." or shown in plain(ran.out), f"{fence.place}\n{ran.out}"
