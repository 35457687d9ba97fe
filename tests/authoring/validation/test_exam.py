"""The exam of explanations: wrong answers of every family, and whether what is said is true."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from autograder.authoring.validation.exam import (
    HELD_OUT,
    MISSING,
    OTHERWISE,
    TWO_STEPS,
    hold_exam,
    kind_of,
)
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.execution.engines.local import Local
from autograder.judging.verdict import Cause, Mismatch, Mistake, Numbers, Status, Verdict
from autograder.reports.validation.exam import WORDS
from tests.support.courses import SMALL, write_course
from tests.support.in_process import Lent
from tests.support.progress import QUIET


def test_how_a_check_is_explained() -> None:
    mistake, wrong = Mistake("m", "a mistake"), Status.FAILED
    counted = Mismatch("f(1)", "value", "1", "2", numbers=Numbers(1, 2, 0, 0.5, 0.5, (0,)))
    for expected, verdict in (
        ("mistake", _verdict(wrong, Cause("named", (mistake,)))),
        ("mistake", _verdict(wrong, Cause("ambiguous", (mistake, mistake)))),
        ("mistakes", _verdict(wrong, Cause("named", (mistake, mistake)))),
        ("change", _verdict(wrong, Cause("named", (), "negated"))),
        ("mutant", _verdict(wrong, Cause("named", mutant="as if"))),
        ("property", _verdict(wrong, Cause("nothing"), "Wrong in all 9 calls in which ...")),
        ("nothing", _verdict(wrong, Cause("nothing"), mismatches=(counted,))),
        ("message", _verdict(wrong, mismatches=(Mismatch("x", "type", "a", "b", text="No."),))),
        ("message", _verdict(Status.RAISED)),
    ):
        assert kind_of(verdict) == expected


def _verdict(
    status: Status,
    cause: Cause | None = None,
    diagnosis: str = "",
    mismatches: tuple[Mismatch, ...] = (),
) -> Verdict:
    made = Verdict("ex", "c", "function", False, status, 0, 1000)
    return msgspec.structs.replace(made, cause=cause, diagnosis=diagnosis, mismatches=mismatches)


@pytest.mark.slow
def test_an_exam_of_a_small_assignment(lent_box: Lent, tmp_path: Path) -> None:
    course = write_course(tmp_path / "course", SMALL)
    trials = TrialEngine(Local(1), QUIET)
    table = hold_exam(course.folder, trials, require="weak", seed=3, most=2)
    families = {MISSING, HELD_OUT, TWO_STEPS, OTHERWISE}  # no two of its mistakes can be merged
    assert {answer.family for answer in table.answers} == families
    assert table.valid and not any(answer.unclear for answer in table.answers)
    assert any(answer.small for answer in table.answers)
    assert all(answer.small or answer.without for answer in table.answers)
    assert all(answer.explained in WORDS for answer in table.answers)
