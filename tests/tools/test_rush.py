"""`bench --rush`: a small class hands in while server, worker and database are killed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.classroom.known_mistakes import WorkProgress
from autograder.tools.bench.rush import GOAL_S, Rush, rush
from tests.support import postgres
from tests.support.tiny_course import SOLUTION, write_assignment

FINE = Rush(3, 1.0, 0, 0, 0.1, 0.2, 0.2, 1.0, (), ())


def test_a_rush_is_well_when_nothing_is_lost_or_late() -> None:
    assert FINE.well and FINE.plain()["well"]
    late = GOAL_S + 0.1
    for changed in ({"lost": ("student-1",)}, {"twice": ("attempt 1",)}, {"p99_s": late}):
        assert not replace(FINE, **changed).well
    assert replace(FINE, p99_s=late, kills=1).well  # people tried again


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield ""
        return
    if postgres.lacking():
        pytest.skip(postgres.lacking())
    with postgres.server() as found:
        yield found


@pytest.mark.nightly
def test_kills_lose_nothing_and_nothing_is_graded_twice(tmp_path: Path, url: str) -> None:
    at = write_assignment(tmp_path / "source")
    (at / "solution.py").write_text(SOLUTION)
    told: list[object] = []
    found = rush(
        load(at),
        tmp_path,
        students=9,
        over_s=15,
        kills=6,
        url=url,
        progress=WorkProgress(lambda *_: None, told.append),
    )
    assert found.well, found
    assert len(told) == 9 and found.students == 9
