"""The exam of explanations: wrong answers of every family, and whether what is said is true."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.execution.engines.local import Local
from autograder.judging.verdict import (
    Cause,
    Mismatch,
    Mistake,
    Numbers,
    SmallestCall,
    Status,
    Verdict,
)
from docs.tools.exam import HELD_OUT, MISSING, OTHERWISE, TWO_STEPS, hold_exam, kind_of, view
from docs.tools.measuring import course_of
from docs.tools.small_call_sizes import numbers_in
from tests.support.courses import SMALL, write_course
from tests.support.in_process import Lent
from tests.support.progress import QUIET


@pytest.mark.slow
def test_an_exam_of_a_small_assignment(lent_box: Lent, tmp_path: Path) -> None:
    folder = write_course(tmp_path, SMALL).folder
    course = course_of(folder, TrialEngine(Local(1), QUIET), require="weak", seed=3)
    table = hold_exam(course, 2)
    families = {MISSING, HELD_OUT, TWO_STEPS, OTHERWISE}  # no two of its mistakes can be merged
    assert {answer.family for answer in table.answers} == families
    assert table.valid and not any(answer.unclear for answer in table.answers)
    assert any(answer.small for answer in table.answers)
    assert all(answer.small or answer.without for answer in table.answers)
    assert f"| all | {len(table.answers)} |" in view(table)


def test_how_a_check_is_explained() -> None:
    failed = Verdict("ex", "c", "function", False, Status.FAILED, 0, 1000)
    mistake, nothing = Mistake("m", "a mistake"), Cause("nothing")
    counted = Mismatch("f(1)", "value", "1", "2", numbers=Numbers(1, 2, 0, 0.5, 0.5, (0,)))
    text = Mismatch("x", "type", "a", "b", text="No.")
    for expected, fields in (
        ("mistake", {"cause": Cause("named", (mistake,))}),
        ("mistake", {"cause": Cause("ambiguous", (mistake, mistake))}),
        ("mistakes", {"cause": Cause("named", (mistake, mistake))}),
        ("change", {"cause": Cause("named", (), "negated")}),
        ("mutant", {"cause": Cause("named", mutant="as if")}),
        ("property", {"cause": nothing, "diagnosis": "Wrong in all 9 calls in which ..."}),
        ("nothing", {"cause": nothing, "mismatches": (counted,)}),
        ("message", {"mismatches": (text,)}),
        ("message", {"status": Status.RAISED}),
    ):
        assert kind_of(msgspec.structs.replace(failed, **fields)) == expected
    call = SmallestCall("rotate(torch.tensor([[1., 2.]]), 1)", "tensor([-2., 1.])", "[2.0, 1e-05]")
    assert numbers_in(call) == 7
