"""Kills Dask workers while a large class is graded, and looks whether anybody was lost.

``python -m tests.support.killed_workers --count 2000`` grades a generated class of that size with
``--engine dask`` and two workers, one of which is killed every few seconds, and then once more with
the local engine. Every hand-in must have exactly one grade, equal to the local one's, and nothing
may be left on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from autograder.gradebook.store import GradeStore
from tests.support.killed import COURSE, SOLUTION

LIMITS = """
[limits]
cell_cpu_s = 1
cell_wall_s = 10
"""
KINDS = {  # how hand-ins end, and one of how many ends so
    "attempt = 1": 1,
    "attempt = 7": 3,
    "attempt = 1 / 0": 7,
    "pass": 11,
    "import os\nos._exit(3)": 50,
    "while True: pass": 200,
    "attempt = [0] * 10**10": 100,
}


def grown(folder: Path, count: int) -> Path:
    """A small course with a class of so many, of every kind."""
    for name in ("assignments/small", "solutions/small", "class", "tmp"):
        (folder / name).mkdir(parents=True)
    course = COURSE.replace("POINTS", "2") + LIMITS
    (folder / "assignments" / "small" / "assignment.toml").write_text(course)
    (folder / "solutions" / "small" / "solution.py").write_text(SOLUTION)
    for number in range(count):
        source = [text for text, every in KINDS.items() if number % every == 0][-1]
        text = f"# %%\nstudent = 'student-{number:05}'\n{source}\n"
        (folder / "class" / f"student-{number:05}.py").write_text(text)
    return folder


@dataclass
class Killer:
    """Kills one of the workers of a grader, again and again, ``seconds`` apart on average."""

    process: subprocess.Popen[bytes]
    seconds: float
    draw: random.Random
    kills: int = 0

    def __call__(self) -> None:
        while self.process.poll() is None:
            time.sleep(self.draw.uniform(0.5, 1.5) * self.seconds)
            there = workers_of(self.process.pid)
            if there:
                self.draw.choice(there).send_signal(signal.SIGKILL)
                self.kills += 1


def workers_of(pid: int) -> list[psutil.Process]:
    """The worker processes of a grader: those of its children that are no box."""
    try:
        children = psutil.Process(pid).children()
        return [
            c
            for c in children
            if "multiprocessing" in " ".join(c.cmdline())
            and "resource_tracker" not in " ".join(c.cmdline())
        ]
    except psutil.Error:
        return []


def graded(folder: Path, out: str, *options: str, kill_s: float = 0) -> tuple[int, float]:
    """Grade the class; how many workers were killed, and how long it took in seconds."""
    command = [sys.executable, "-m", "autograder", "grade", "small", "class", "--out", out]
    more = ["--seed", "5", "--require", "weak", "--no-figures", "--workers", "2", *options]
    started = time.monotonic()
    with (folder / f"{out}.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *more],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "OMP_NUM_THREADS": "1", "TMPDIR": str(folder / "tmp")},
        )
    killer = Killer(process, kill_s, random.Random(1))
    thread = threading.Thread(target=killer)
    if kill_s:
        thread.start()
    status = process.wait()
    if kill_s:
        thread.join()
    assert status == 0, (folder / f"{out}.log").read_text()[-3_000:]
    return killer.kills, time.monotonic() - started


def results(folder: Path) -> dict[str, Any]:
    """Every result, without times."""
    found = {}
    for path in sorted((folder / "results").glob("*.json")):
        data = json.loads(path.read_text())
        data.pop("timing", None)
        found[path.stem] = data
    return found


def compared(folder: Path, count: int) -> None:
    """Raises ``AssertionError`` unless each of so many has one grade, the same in both."""
    there, here = results(folder / "there"), results(folder / "here")
    assert len(there) == len(here) == count, (len(there), len(here))
    other = [name for name in here if here[name] != there[name]]
    assert not other, f"{len(other)} differ: {other[:5]}"
    for name in ("gradebook.csv", "summary.json"):
        assert (folder / "there" / name).read_bytes() == (folder / "here" / name).read_bytes(), name
    with GradeStore(folder / "there" / "grades.db") as store:
        for student in here:
            times = len(store.history(student, assignment="small"))
            assert times == 1, f"{student} was graded {times} times"


def left(folder: Path) -> list[str]:
    """What graders have left behind: processes below this one, mounts, temporary files."""
    time.sleep(3)
    found = [f"process {p.pid} {p.name()}" for p in psutil.Process().children(recursive=True)]
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    found += [line for line in mounts if str(folder) in line]
    return found + [str(path) for path in (folder / "tmp").iterdir()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two kills")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = grown(Path(name), asked.count)
        kills, took = graded(folder, "there", "--engine", "dask", kill_s=asked.every)
        print(f"dask: {asked.count} in {took:.0f} s, {kills} workers killed", flush=True)
        _, took = graded(folder, "here")
        print(f"local: {asked.count} in {took:.0f} s", flush=True)
        compared(folder, asked.count)
        assert not left(folder), f"left behind: {left(folder)}"
    print("each has exactly one grade, equal to the local one's; nothing is left")


if __name__ == "__main__":
    main()
