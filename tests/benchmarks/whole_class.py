"""One class: `autograder grade` against nbconvert on the same notebooks, and `regrade` after it."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.assignment.load import Loaded
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.files import scratch_folder
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import apply_variant
from tests.benchmarks.measure import Ratio, command, nbconvert, without_packages, write_notebook


def measured(loaded: Loaded, *, students: int) -> Iterator[Ratio]:
    """Known mistakes have been run ahead of the class, as `autograder prepare` does."""
    with scratch_folder() as folder:
        course = copied(loaded, folder)
        (folder / "class").mkdir()
        notebooks = [
            write_notebook(one, folder / "class" / f"student-{number:03}.ipynb")
            for number, one in enumerate(hand_ins(loaded, students))
        ]
        command("autograder", "prepare", course)
        spent, took = zip(*(_graded(course, folder, workers) for workers in (1, 2)), strict=True)
        changed, out = _double_a_tolerance(course), folder / "out-1"
        judged = command("autograder", "regrade", out, "--yes", "--workers", "1")
        executed = sum(map(nbconvert, notebooks))
    yield Ratio(f"nbconvert over grading, {students} notebooks", [executed / spent[0]])
    why = "one tolerance" if changed else "no change"
    yield Ratio(f"regrading after {why} over grading", [judged / spent[0]])
    yield Ratio("elapsed time with one worker over two (needs idle cores)", [took[0] / took[1]])


def _graded(course: Path, folder: Path, workers: int) -> tuple[float, float]:
    """Processor seconds and elapsed seconds of the command."""
    begun, out = time.monotonic(), folder / f"out-{workers}"
    spent = command(
        *("autograder", "grade", course, folder / "class", "--out", out),
        *("--workers", str(workers), "--devices", "none", "--seed", "1"),
    )
    return spent, time.monotonic() - begun


def hand_ins(loaded: Loaded, count: int) -> Iterator[Submission]:
    """Variants of the solution, evenly chosen among wrong and right ones."""
    solution = read_solution(loaded)
    lacking = {exercise.id for exercise in loaded.spec.exercise if exercise.requires}
    every = [*variants_in(loaded, "mistakes"), *variants_in(loaded, "equivalents")]
    variants = [one for one in every if one.exercise not in lacking]
    for number in range(count):
        variant = variants[number * len(variants) // count]
        yield without_packages(apply_variant(solution, variant), loaded)


def copied(loaded: Loaded, target: Path) -> Path:
    """A copy of the assignment with its solution and template; returns its folder."""
    folder = target / "assignments" / loaded.spec.id
    shutil.copytree(loaded.folder, folder)
    if loaded.solutions != loaded.folder:
        shutil.copytree(loaded.solutions, target / "solutions" / loaded.spec.id)
    if loaded.template.is_file():
        (target / "student_templates").mkdir()
        shutil.copy(loaded.template, target / "student_templates")
    return folder


def _double_a_tolerance(folder: Path) -> int:
    """Of the first check that states one; how many were changed."""
    path = folder / "assignment.toml"
    text, changed = re.subn(
        r"atol = ([0-9.e-]+)",
        lambda found: f"atol = {2 * float(found[1]):g}",
        path.read_text("utf-8"),
        count=1,
    )
    path.write_text(text, "utf-8")
    return changed
