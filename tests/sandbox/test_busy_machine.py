"""A machine that is short of time costs nobody anything; who waits by himself is stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.evidence.records import Run
from autograder.sandbox import child
from autograder.sandbox.box import Box
from autograder.sandbox.child import Starved
from autograder.sandbox.driver import run
from autograder.sandbox.handle import PidFd
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Cell, Job, Limits

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").is_file(), reason="this kernel does not count waiting"
)
BESIDE = 6  # endless programs on the one processor that the box may use
COMPUTES = "import time\nend = time.process_time() + 0.8\nwhile time.process_time() < end: pass"
SLEEPS = "import time\ntime.sleep(600)"


@pytest.fixture(scope="module")
def busy() -> Iterator[Box]:
    """A box on one processor, which others use as well."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})
    try:
        with Box() as box, beside():
            yield box
    finally:
        os.sched_setaffinity(0, everywhere)


@contextmanager
def beside() -> Iterator[None]:
    endless = [sys.executable, "-c", "while True: pass"]
    # a session each: the kernel shares its time among sessions first
    loops = [subprocess.Popen(endless, start_new_session=True) for _ in range(BESIDE)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def job(source: str, wall_s: float) -> Job:
    limits = Limits(cell_cpu_s=5, cell_wall_s=wall_s, submission_wall_s=wall_s, memory_mb=1024)
    return Job((Cell(1, source, "e"),), (("e", 1),), (), 1, limits, draw=False)


@pytest.mark.slow
def test_time_for_which_no_processor_was_free_does_not_count(busy: Box) -> None:
    found = run(job(COMPUTES, 3.0), busy).cells[0]
    assert found.stop is None and found.claim is not None
    assert found.spent.wall_s > 3.0  # else nothing was tried


def test_who_waits_by_himself_is_stopped_in_time(busy: Box) -> None:
    found = run(job(SLEEPS, 1.0), busy).cells[0]
    assert found.stop is not None and found.stop.cause == "wall"
    assert found.spent.wall_s < 60.0


def test_a_machine_without_time_is_our_fault_and_tried_again(
    busy: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "PATIENCE", 1)
    with pytest.raises(Starved):
        run(job(COMPUTES, 1.0), busy)
    tries: list[Job] = []

    def second_time_lucky(asked: Job, box: Box, *, watch: object, doubt_kills: bool = False) -> Run:
        tries.append(asked)
        if len(tries) == 1:
            raise Starved("no time")
        return run(job("x = 1", 30.0), box)

    monkeypatch.setattr("autograder.sandbox.lazy.run", second_time_lucky)
    lazy = LazyBox(lambda: busy, require="none")
    assert lazy.run(job("x = 1", 30.0)).cells[0].stop is None
    assert len(tries) == 2 and lazy.box() is busy  # the box was not lost


def test_a_process_that_has_ended_has_not_waited() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as process:
        handle = PidFd(os.pidfd_open(process.pid))
        process.wait()
        assert handle.waited_s() == 0.0
        handle.close()
