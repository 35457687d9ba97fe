"""A bound on what a task costs: it stretches on a slow machine, and still ends."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.support import effort


def busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.mark.parametrize(("slower", "holds"), [(0.5, False), (1, False), (3, False), (30, True)])
def test_a_bound_stretches_as_far_as_the_machine_is_slow(
    monkeypatch: pytest.MonkeyPatch, slower: float, holds: bool
) -> None:
    monkeypatch.setattr(effort, "least_cost", lambda task, times: slower * effort.QUIET_S)
    with effort.costs_at_most(0.2):
        busy(0.01)
    if holds:
        with effort.costs_at_most(0.01):
            busy(0.1)
    else:
        with pytest.raises(AssertionError, match="times slower"), effort.costs_at_most(0.01):
            busy(0.1)


def test_no_test_compares_clocks_by_itself() -> None:
    """What a task costs depends on the machine: tests/support/effort.py takes that into account."""
    tests = Path(__file__).parent
    spent = re.compile(r"(process_time|perf_counter|thread_time)(_ns)?\(\) - ")
    apart = {"attacks", "benchmarks"}  # what measures, and what is no code of ours
    ours = (path for path in tests.rglob("*.py") if not apart & {*path.parts})
    assert [path.name for path in ours if spent.search(path.read_text())] == ["effort.py"]
