"""PrairieLearn's results.json: a score from 0 to 1 or none, nothing hidden, never too large."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.errors import UsageError
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import NO_ROSTER
from autograder.gradebook.points import points
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Options
from autograder.interop.prairielearn.results import external_results
from autograder.interop.score_formats import export
from autograder.judging.verdict import Status, Verdict
from autograder.reports.feedback.feedback import feedback
from tests.support.canary_homework import FILE, SECRET, SPEC, grade, no_score, standing
from tests.support.strict_readers import hostile_class, prairielearn
from tests.support.strict_readers.prairielearn import Results


def read(held: Standing, found: Grade | None) -> Results:
    data = external_results(held, feedback(found, SPEC) if found else None)
    assert SECRET.encode() not in data and b"\x1b" not in data
    return prairielearn.read(data)


def test_a_share_of_the_maximum_and_every_test() -> None:
    found = read(standing(), grade(a=Status.FAILED))
    assert found.score == Decimal("0.25")
    held = {t["name"]: (t.get("points"), t.get("max_points")) for t in found.tests}
    assert held == {
        "The <first>: title of shape": (Decimal("0.33"), Decimal("0.33")),
        "The <first>: further checks": (Decimal("0.33"), Decimal("0.67")),
        "Answers graded by hand": (0, 3),
        "More: title of bonus": (None, None),
    }
    assert "1 of 4 points." in found.message


@pytest.mark.parametrize(("score", "share"), [(0, "0"), (4_000, "1"), (5_500, "1"), (1, "0.0003")])
def test_the_share_lies_between_0_and_1(score: int, share: str) -> None:
    assert read(standing(score=score), grade()).score == Decimal(share)


@pytest.mark.parametrize("state", ["ungraded", "rejected", "absent", "excused", "open"])
def test_there_is_no_score_where_there_is_none(state: Any) -> None:
    rejected = no_score("rejected", "cut off") if state == "rejected" else None
    found = read(standing(state, None), rejected)
    assert found.score is None and found.errors
    assert state != "rejected" or "cut off" in found.errors[0]


def test_the_file_is_never_larger_than_a_megabyte() -> None:
    check = {"id": "shape", "title": "t", "points": 1, "kind": "value", "name": "x", "public": True}
    exercise = {"title": "An exercise \u20ac", "defines": ["x"], "check": [check]}
    many = [{"id": f"e{n}", **exercise} for n in range(300)]
    spec = Assignment.model_validate({**SPEC.model_dump(by_alias=True), "exercise": many})
    made = [
        Verdict(f"e{n}", "shape", "value", True, Status.FAILED, 0, 1_000, "\u20ac" * 3_000)
        for n in range(300)
    ]
    whole = points(spec, FILE, made, None, student="s")
    data = external_results(standing(), feedback(whole, spec))
    assert len(prairielearn.read(data).tests) == 300


def test_by_name_and_for_one_student() -> None:
    other = msgspec.structs.replace(standing(score=5_000), student="t")
    made = export("prairielearn", [other, standing()], NO_ROSTER, Options(student="t"))
    assert made.written == ("t",) and "above the maximum" in made.notes[0]
    with pytest.raises(UsageError, match="'u'"):
        export("prairielearn", [standing()], NO_ROSTER, Options(student="u"))


@pytest.mark.parametrize("one", hostile_class.STANDINGS, ids=lambda one: ascii(one.student))
def test_a_hostile_class(one: Standing) -> None:
    options = Options(student=one.student)
    data = export("prairielearn", hostile_class.STANDINGS, hostile_class.ROSTER, options).data
    found = prairielearn.read(data)
    assert (found.score is None) == (one.score is None)
