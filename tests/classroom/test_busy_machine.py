"""A class on a machine that is too busy for some of it: what lacked time runs once more, alone and
last, and that counts. No clock is waited for: the box is made to say that it stopped something."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace

from autograder.evidence.records import Run, Stop, TimeSpent
from autograder.sandbox.child import Starved
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job
from tests.support.in_process import command, done
from tests.support.tiny_course import (
    DOUBLES,
    SOLUTION,
    SUMS,
    notebook,
    scores,
    write_assignment,
    write_class,
)

pytestmark = pytest.mark.usefixtures("lent_box")

TOO_LONG = Stop("wall", "it took more than 60 seconds of elapsed time")
ALL, DOUBLES_ONLY = 6.0, 4.0


def stopped(run: Run, cpu_s: float) -> Run:
    """The run, as if the clock had stopped its first cell after a minute."""
    first, *others = run.cells
    cell = replace(first, claim=None, stop=TOO_LONG, spent=TimeSpent(cpu_s, 60.1))
    probes = [replace(p, claim=None, stop=TOO_LONG) if "sums" in p.id else p for p in run.probes]
    return replace(run, cells=(cell, *others), probes=tuple(probes))


def starved(run: Run) -> NoReturn:
    raise Starved("the machine was too busy to run it: no result in 600 seconds")


@dataclass(frozen=True)
class Ending:
    """How the first runs of a submission end, and what it earns."""

    of: Callable[[Run], Run]
    times: int
    score: float | str


ENDINGS = {
    "delayed": Ending(lambda run: stopped(run, 0.2), 1, ALL),
    "sleeping": Ending(lambda run: stopped(run, 0.2), 9, DOUBLES_ONLY),
    "computing": Ending(lambda run: stopped(run, 45.0), 9, DOUBLES_ONLY),
    "starved": Ending(starved, 1, ALL),
    "starving": Ending(starved, 9, ""),
    "quick": Ending(lambda run: run, 0, ALL),
}
AGAIN = ["delayed", "sleeping", "starved", "starving"]


@dataclass
class BusyBox:
    """Runs jobs; each ends as the comment in its first cell says."""

    results: Path
    really: Callable[[LazyBox, Job], Run]
    begun: list[str] = field(default_factory=list)
    at_once: list[int] = field(default_factory=list)  # how many jobs ran when each began
    graded: list[set[str]] = field(default_factory=list)  # who had a result when each began
    during: Callable[[str], object] = lambda name: None
    _running: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, box: LazyBox, job: Job) -> Run:
        name = next((name for name in ENDINGS if f"# {name}" in job.cells[0].source), "solution")
        with self._lock:
            self._running += 1
            self.begun.append(name)
            self.at_once.append(self._running)
            self.graded.append({path.stem for path in self.results.glob("*.json")})
            ending = ENDINGS.get(name, ENDINGS["quick"])
            ends = self.begun.count(name) <= ending.times
        try:
            self.during(name)
            run = self.really(box, job)
            return ending.of(run) if ends else run
        finally:
            with self._lock:
                self._running -= 1


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BusyBox:
    busy = BusyBox(tmp_path / "out" / "results", LazyBox.run)
    monkeypatch.setattr(LazyBox, "run", lambda own, job, *, watch=None: busy.run(own, job))
    return busy


def class_of(folder: Path, *names: str) -> tuple[object, ...]:
    """A class with a right submission of each name; returns the command that grades it."""
    course = write_assignment(folder)
    texts = {f"{name}.ipynb": notebook(f"{SUMS}\n# {name}", DOUBLES) for name in names}
    handed = write_class(folder / "class", texts)
    return ("grade", course, handed, "--out", folder / "out", "--seed", 7, "--workers", 2)


@pytest.mark.slow
def test_what_lacked_time_runs_once_more_alone_and_last(tmp_path: Path, box: BusyBox) -> None:
    grade = class_of(tmp_path, *ENDINGS)
    assert command(*grade).code != 0  # one is not graded
    earned = {name: ending.score for name, ending in ENDINGS.items()}
    assert scores(tmp_path / "out") == earned
    assert box.begun[-len(AGAIN) :] == AGAIN
    assert {name: box.begun.count(name) for name in ENDINGS} == {
        name: 2 if name in AGAIN else 1 for name in ENDINGS
    }
    assert box.at_once[-len(AGAIN) :] == [1] * len(AGAIN)
    # Nobody has a result of a first run.
    in_time = ENDINGS.keys() - set(AGAIN)
    assert box.graded[-len(AGAIN) :] == [in_time.union(AGAIN[:n]) for n in range(len(AGAIN))]

    before = len(box.begun)
    command("regrade", tmp_path / "out", "--yes")
    command(*grade)
    assert scores(tmp_path / "out") == earned
    assert box.begun[before:] == ["starving"] * 2  # the others' second runs are kept


def test_who_waits_for_the_second_run_is_graded_after_an_interrupt(
    tmp_path: Path, box: BusyBox
) -> None:
    grade = class_of(tmp_path, "delayed", "quick")
    main = threading.main_thread().ident
    assert main is not None
    first_ran = threading.Event()

    def interrupt(name: str) -> None:
        if name == "delayed":
            first_ran.set()
        elif name == "quick":  # while the other one has begun
            first_ran.wait()
            signal.pthread_kill(main, signal.SIGINT)

    box.during = interrupt
    ran = command(*grade)
    assert ran.code == 128 + signal.SIGINT and "1 of 2 are graded" in ran.err
    assert box.begun.count("delayed") == 1
    assert not (tmp_path / "out" / "gradebook.csv").exists()

    box.during = lambda name: None
    done(*grade)
    assert scores(tmp_path / "out") == {"delayed": ALL, "quick": ALL}
    assert box.begun.count("delayed") == 2 and box.begun.count("quick") == 1


def test_a_solution_that_lacked_time_is_run_once_more(tmp_path: Path, box: BusyBox) -> None:
    grade = class_of(tmp_path, "quick")
    solution = tmp_path / "assignments" / "tiny" / "solution.py"
    solution.write_text(SOLUTION.replace(SUMS.splitlines()[0], "total = 0.1 + 0.2  # delayed"))
    done(*grade)
    assert scores(tmp_path / "out") == {"quick": ALL}
    assert box.begun.count("delayed") >= 2
