"""Public courses of otter-grader and nbgrader: each assignment graded by its own tool and here.

``python -m docs.tools.public_courses`` fetches the courses of ``COURSES`` from GitHub, imports
every assignment, makes submissions from it by rule, grades them with the real tool and with ours,
and prints one row per assignment. ``--from DIR`` takes clones that are there already, as
``DIR/OWNER+NAME``. A course that cannot be fetched is "not reached"; an assignment "needs" the
packages that it imports and that are not installed. Nothing is written but below ``--into``.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from docs.tools.course_variants import read, source_of
from docs.tools.graded_there import NotCompared, Scores, graded_by_nbgrader, graded_by_otter
from docs.tools.public_course_list import COURSES, Course
from tests.support.graded_here import results
from tests.support.in_process import command
from tests.support.real_programs import NBGRADER, OTTER

ROUNDING = {"otter": 0.0011, "nbgrader": 0.0006}  # points here are thousandths
HEAD = (
    "| course | notebook | submissions | compared | equal | differing |\n"
    "| --- | --- | --- | --- | --- | --- |"
)
LIMITED = """#!/bin/sh
ulimit -t 3600 -f 4194304
exec unshare --map-root-user --net -- sh -c 'ip link set lo up; exec "$0" "$@"' "{python}" "$@"
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """As said above; 1 if a difference has no explanation."""
    parser = argparse.ArgumentParser(prog="python -m docs.tools.public_courses")
    parser.add_argument("--into", type=Path, default=Path("out/public-courses"))
    parser.add_argument("--from", type=Path, dest="clones")
    parser.add_argument("--host", default="https://github.com")
    parser.add_argument("--only", default="", help="courses whose tool and name contain this")
    options = parser.parse_args(arguments)
    into = options.into.resolve()
    unexplained = 0
    pythons: Mapping[str, Path] = {}
    print(HEAD)
    for course in (
        course for course in COURSES if options.only in f"{course.tool} {course.repository}"
    ):
        clone = (
            found(course, options.clones) if options.clones else fetched(course, into, options.host)
        )
        if clone is None:
            print(f"| {course.repository} | not reached | | | | |", flush=True)
            continue
        pythons = pythons or prepared(into / "tools")
        for name in course.notebooks:
            row, unclear = compared(course, name, clone, into / "work", pythons[course.tool])
            print(f"| {course.repository} | {PurePosixPath(name).stem} | {row} |", flush=True)
            unexplained += unclear
    return int(unexplained > 0)


# Courses


def found(course: Course, clones: Path) -> Path | None:
    """The clone of a course below ``clones``, bare or not."""
    folder = clones / course.repository.replace("/", "+")
    places = (folder, folder / ".git", folder / "repo", folder / "repo/.git")
    return next((place for place in places if (place / "HEAD").is_file()), None)


def fetched(course: Course, into: Path, host: str) -> Path | None:
    """A bare clone of the one commit; None without a network."""
    clone = into / "clones" / course.repository.replace("/", "+")
    clone.mkdir(parents=True, exist_ok=True)
    source = f"{host}/{course.repository}.git"
    try:
        git(clone, "init", "--quiet", "--bare", ".")
        git(clone, "fetch", "--quiet", "--depth", "1", source, course.commit)
    except (subprocess.SubprocessError, OSError):
        shutil.rmtree(clone)
        return None
    return clone


def git(clone: Path, *arguments: str) -> bytes:
    """What a git command prints, in a bare clone."""
    ran = subprocess.run(
        ["git", "--git-dir", ".", *arguments],
        cwd=clone,
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        capture_output=True,
        check=True,
        timeout=600,
    )
    return ran.stdout


def extracted(course: Course, name: str, clone: Path, into: Path) -> Path:
    """Write the folder of a notebook; its path. Files that the clone lacks are empty."""
    folder = "." if course.shared else PurePosixPath(name).parent.as_posix()
    for entry in git(clone, "ls-tree", "-r", "-z", course.commit, "--", folder).split(b"\0"):
        meta, _, path = entry.decode().partition("\t")
        if not path or meta.split()[1] != "blob" or meta.startswith("120000"):
            continue
        target = into / PurePosixPath(path).relative_to(folder)
        if ".." in target.parts or ".ipynb_checkpoints" in target.parts:
            continue
        try:
            content = git(clone, "cat-file", "blob", meta.split()[2])
        except subprocess.CalledProcessError:
            content = b""
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return into / PurePosixPath(name).relative_to(folder)


def prepared(into: Path) -> Mapping[str, Path]:
    """A Python for each tool that has the grader's packages as well, and no network."""
    try:
        subprocess.run(["unshare", "--map-root-user", "--net", "true"], check=True)
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            "not tried: without `unshare --net`, strangers' code would not be limited"
        ) from None
    pythons = {}
    for program in (OTTER, NBGRADER):
        folder = into / program.name
        python = program.with_grader(folder)
        limited = folder / "limited"
        limited.write_text(LIMITED.format(python=python))
        limited.chmod(0o755)
        pythons[program.name] = limited
    return pythons


def missing_packages(path: Path) -> Sequence[str]:
    """What a notebook and the modules beside it import that is not installed."""
    cells = read(path)["cells"]
    names = imported("\n".join(source_of(cell) for cell in cells if cell["cell_type"] == "code"))
    for module in path.parent.glob("*.py"):
        if module.stem in names:
            names |= imported(module.read_text())
    beside = {file.stem for file in path.parent.iterdir()} | {"otter"}
    return sorted(name for name in names - beside if importlib.util.find_spec(name) is None)


def imported(code: str) -> set[str]:
    """The packages that code imports at its left margin."""
    return set(re.findall(r"^(?:import|from)\s+([A-Za-z]\w*)", code, re.MULTILINE))


def give_points(path: Path) -> None:
    """One point for each graded cell of a notebook in which all are worth nothing."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    marks = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    graded = [mark for mark in marks if mark.get("grade")]
    if not any(mark.get("points") for mark in graded):
        for mark in graded:
            mark["points"] = 1
        path.write_text(json.dumps(notebook), encoding="utf-8")


# Comparison


def compared(course: Course, name: str, clone: Path, into: Path, python: Path) -> tuple[str, int]:
    """A row without its first two cells, and how many differences have no explanation."""
    stem = re.sub(r"\W+", "-", PurePosixPath(name).stem)
    folder = into / course.repository.replace("/", "+") / stem
    shutil.rmtree(folder, ignore_errors=True)
    try:
        path = extracted(course, name, clone, folder / "given")
        if missing := missing_packages(path):
            raise NotCompared(f"needs {', '.join(missing)}")
        if course.tool == "nbgrader":
            give_points(path)
        (folder / "here").mkdir()
        options = ["--into", folder / "here", "--id", "hw"]
        options += ["--course", folder / "given"] if course.shared else []
        ran = command("import", course.tool, path, *options)
        (folder / "import.txt").write_text(ran.out + ran.err)
        if ran.code:
            raise NotCompared("import refused")
        grade = {"otter": graded_by_otter, "nbgrader": graded_by_nbgrader}[course.tool]
        theirs = grade(path, folder, python)
        ours = graded_here(folder, course.tool)
    except NotCompared as reason:
        return f"{reason} | | | ", 0
    return row(course, name, theirs, ours, folder)


def row(course: Course, name: str, theirs: Scores, ours: Scores, folder: Path) -> tuple[str, int]:
    """The figures; every difference is written to ``folder``."""
    total, differing = 0, []
    for student, scores in theirs.items():
        for question in {**scores, **ours.get(student, {})}:
            total += 1
            pair = scores.get(question, math.nan), ours.get(student, {}).get(question, math.nan)
            if not same(*pair, ROUNDING[course.tool]):
                differing.append(f"{student} {question}: {pair[0]} there, {pair[1]} here")
    (folder / "differing.txt").write_text("\n".join(differing))
    cause = course.causes.get(PurePosixPath(name).name, "") if differing else ""
    text = f"{len(differing)}: {cause or 'not explained'}" if differing else "0"
    figures = f"{len(theirs)} | {total} | {total - len(differing)} | {text}"
    return figures, 0 if cause else len(differing)


def same(theirs: float | None, ours: float | None, rounding: float) -> bool:
    if theirs is None or ours is None:
        return theirs is ours
    return abs(theirs - ours) <= rounding


def graded_here(folder: Path, tool: str) -> Scores:
    """The scores that `autograder grade` gives the submissions."""
    ran = command(
        "grade",
        folder / "here/assignments/hw",
        folder / ("in" if tool == "otter" else "submitted"),
        "--out",
        folder / "out",
        "--no-figures",
        "--seed",
        7,
    )
    (folder / "grade.txt").write_text(ran.out + ran.err)
    if ran.code:
        raise NotCompared("grade failed here")
    return {student: scored(result) for student, result in results(folder / "out").items()}


def scored(result: Mapping[str, Any]) -> Mapping[str, float | None]:
    """Scores of a result; None where a grader gives the points."""
    return {
        exercise["title"]: None
        if any(check["status"] == "manual" for check in exercise["checks"])
        else exercise["score"]
        for exercise in result.get("exercises") or ()
    }


if __name__ == "__main__":
    sys.exit(main())
