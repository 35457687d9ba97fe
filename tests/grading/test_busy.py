"""Which runs lacked time: the clock stopped what had hardly computed."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from autograder.evidence.records import Cause, CellRun, ProbeRun, Run, Stop, TimeSpent
from autograder.evidence.stops import TOO_MUCH
from autograder.grading import watched_run
from autograder.grading.watched_run import WatchedBox, lacked_time
from autograder.wire.messages import Job, Limits
from tests.support.made_run import JOB, RUN

LIMITS = Limits(cell_wall_s=60, call_wall_s=40, submission_wall_s=200)


def cell(cause: Cause, cpu_s: float, wall_s: float) -> CellRun:
    return CellRun(1, None, Stop(cause, ""), TimeSpent(cpu_s, wall_s))


def call(cause: Cause, cpu_s: float, wall_s: float) -> ProbeRun:
    return ProbeRun("p", None, Stop(cause, ""), TimeSpent(cpu_s, wall_s))


def run(*records: CellRun | ProbeRun, cpu_s: float = 10.0, wall_s: float = 100.0) -> Run:
    cells = tuple(record for record in records if isinstance(record, CellRun))
    probes = tuple(record for record in records if isinstance(record, ProbeRun))
    return Run(cells, probes, replace(RUN.measured, limits=LIMITS, cpu_s=cpu_s, wall_s=wall_s))


NEVER_ASKED = call("budget", 0.0, 0.0)
TOO_MANY_SIMULATED = ProbeRun("p", None, TOO_MUCH, TimeSpent(0.0, 0.0))


@pytest.mark.parametrize(
    ("found", "lacked"),
    [
        (run(cell("wall", 1.0, 60.2)), True),
        (run(cell("wall", 45.0, 60.2)), False),
        (run(cell("wall", 45.0, 300.0)), False),  # most of it without a processor
        (run(cell("cpu", 20.0, 60.0)), False),
        (run(cell("died", 0.1, 0.1)), False),
        (run(cell("memory", 0.1, 90.0)), False),
        (run(call("wall", 1.0, 40.2)), True),
        (run(call("wall", 25.0, 40.2)), False),
        (run(call("wall", 12.0, 30.1)), True),  # a question with a shorter limit
        (run(call("wall", 20.0, 30.1)), False),
        (run(NEVER_ASKED, cpu_s=50.0, wall_s=200.3), True),
        (run(NEVER_ASKED, cpu_s=150.0, wall_s=200.3), False),
        (run(NEVER_ASKED, cpu_s=5.0, wall_s=20.0), False),  # too many answers, or starts
        (run(cell("wall", 2.0, 2.0), cpu_s=50.0, wall_s=200.3), True),
        (run(cell("wall", 2.0, 2.0), cpu_s=150.0, wall_s=200.3), False),
        (run(TOO_MANY_SIMULATED, cpu_s=10.0, wall_s=55.0), True),
        (run(TOO_MANY_SIMULATED, cpu_s=40.0, wall_s=55.0), False),
        (run(TOO_MANY_SIMULATED, cpu_s=10.0, wall_s=20.0), False),
        (run(wall_s=500.0), False),
    ],
)
def test_time_on_the_clock_without_time_on_a_processor(found: Run, lacked: bool) -> None:
    assert lacked_time(found) is lacked


@pytest.mark.parametrize("alone", [True, False])
def test_what_is_made_again_is_told_to_nobody(alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    late = run(cell("wall", 1.0, 60.2))
    told: list[Run] = []

    class Late:
        def run(self, job: Job, *, watch: Any = None) -> Run:
            watch(late)
            return late

        def accepts(self, level: str) -> bool:
            return True

    monkeypatch.setattr(watched_run, "_looks", lambda look, _: contextlib.nullcontext(look))
    monkeypatch.setattr(watched_run, "verdicts_so_far", lambda *_: ())
    context: Any = SimpleNamespace(alone=alone, draw=JOB.draw)
    box = WatchedBox(Late(), context, RUN, tell=lambda _, run: told.append(run))
    assert box.run(JOB) is late
    assert told == ([late] if alone else [])
