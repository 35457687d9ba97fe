"""Grades a class on a disk that is too small, makes it a little larger, and again, until all is
there.

``python -m tests.support.filled FOLDER`` prints one JSON object. It mounts a tmpfs in a mount
namespace of its own, so nothing of the machine is touched. Every failure must be an error that
names the file and the remedy, leave no half-written file, and let no grade count without its
evidence.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from autograder.gradebook.store import GradeStore
from autograder.sandbox.box import Box
from tests.support.cases import write_files
from tests.support.in_process import command, lending
from tests.support.killed import OPTIONS, course

STUDENTS = 3
FIRST_KB, STEP_KB, LAST_KB = 4, 8, 8192
GROWTH = 1.12  # each try leaves a little more in the database: steps must outgrow that


def write_course(folder: Path) -> None:
    """The course, and a class for it."""
    write_files(folder / "course", course(2))
    for number in range(STUDENTS):
        name = f"student-{number:02}"
        text = f"# %%\nstudent = {name!r}\nattempt = {1 + number % 2}\n"
        write_files(folder / "class", {f"{name}.py": text})


def grade(folder: Path, out: Path) -> tuple[int, str]:
    """Status and what was said of one command in this process."""
    ran = command("grade", folder / "course", folder / "class", "--out", out, *OPTIONS)
    return ran.code, ran.out + ran.err


def outcome(out: Path) -> dict[str, str]:
    """All that a class comes to, times apart."""
    found = {name: (out / name).read_text() for name in ("gradebook.csv", "summary.json")}
    for path in sorted((out / "results").iterdir()):
        result = json.loads(path.read_text())
        result.pop("timing")
        found[path.name] = json.dumps(result, sort_keys=True)
    found |= {p.name: p.read_text() for p in sorted((out / "feedback").iterdir())}
    return found


def problems(out: Path, said: str) -> list[str]:
    """What is wrong about a failure."""
    wrong = [f"left over: {path}" for path in out.rglob("*.tmp")]
    if "error: " not in said or str(out) not in said or "same command again" not in said:
        wrong.append(f"not told: {said}")
    if (out / "grades.db").exists() and "grades.db" not in said:
        with GradeStore(out / "grades.db") as store:
            for one in store.latest("small"):
                if one.status != "graded" or not (out / "results" / f"{one.student}.json").exists():
                    wrong.append(f"{one.student} counts without its evidence: {one.status}")
    return wrong


def failed_file(said: str, out: Path) -> str:
    """What kind of file could not be written."""
    found = re.search("error: " + re.escape(str(out)) + r"/([^:]*):", said)
    name = found.group(1) if found else said
    return name.split("/")[0]


def swept(folder: Path) -> dict[str, object]:
    """Failures by kind of file, what was wrong, and whether the end is that of a large disk."""
    write_course(folder)
    whole, out = folder / "whole", folder / "disk" / "out"
    (folder / "disk").mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={FIRST_KB}k", "none", str(folder / "disk")],
        check=True,
    )
    failures: Counter[str] = Counter()
    wrong: list[str] = []
    with Box() as box, lending(box):
        assert grade(folder, whole)[0] == 0
        size, code = FIRST_KB, 1
        while code and size < LAST_KB:
            code, said = grade(folder, out)
            if code:
                failures[failed_file(said, out)] += 1
                wrong += problems(out, said)
            size = int(GROWTH * size) + STEP_KB
            resize = f"remount,size={size}k"
            subprocess.run(["mount", "-o", resize, str(folder / "disk")], check=True)
    same = not code and outcome(out) == outcome(whole)
    return {"failures": failures, "wrong": wrong[:5], "same": same, "size_kb": size}


if __name__ == "__main__":
    print(json.dumps(swept(Path(sys.argv[1]))))
