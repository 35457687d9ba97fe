"""Gradescope's results.json: sums that are right, and nothing hidden in it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from autograder.errors import UsageError
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import NO_ROSTER
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Options
from autograder.interop.gradescope.scores import results_json
from autograder.interop.score_formats import export
from autograder.judging.verdict import Status
from autograder.reports.feedback.feedback import feedback
from tests.support import canary_homework
from tests.support.canary_homework import SECRET, SPEC, no_score
from tests.support.strict_readers import gradescope
from tests.support.strict_readers.gradescope import Results


def grade(**changed: Status) -> Grade:
    return canary_homework.grade(a=Status.FAILED, **changed)


def standing(state: Any = "final", score: int | None = 5_667, **keys: Any) -> Standing:
    return canary_homework.standing(state, score, **{"manual": 3_000, **keys})


def read(held: Standing, found: Grade | None) -> Results:
    data = results_json(held, feedback(found, SPEC) if found else None)
    assert SECRET.encode() not in data and b"\\u001b" not in data and b"\x1b" not in data
    return gradescope.read(data)


def test_a_final_score_and_tests_that_add_up() -> None:
    found = read(standing(), grade())
    assert found.total == Decimal("5.67")
    assert found.worth == 4
    scores = {t["name"]: (t.get("score"), t.get("max_score"), t.get("status")) for t in found.tests}
    assert scores == {
        "The <first>: title of shape": (Decimal("0.33"), Decimal("0.33"), "passed"),
        "The <first>: further checks": (Decimal("0.33"), Decimal("0.67"), "failed"),
        "More: title of bonus": (None, None, "passed"),
        "Answers graded by hand": (3, 3, None),
    }
    outputs = "\n".join(test["output"] for test in found.tests)
    assert "1 of 2 passed." in outputs and "Think again." in outputs
    assert "Bonus: 2 of 2 points." in outputs
    assert [test["number"] for test in found.tests] == ["1", "2", "3", "4"]


def test_everything_is_visible_so_that_the_total_is() -> None:
    raw = json.loads(results_json(standing(), feedback(grade(), SPEC)))
    assert raw["visibility"] == "visible"
    assert {test["visibility"] for test in raw["tests"]} == {"visible"}
    assert raw["stdout_visibility"] == "hidden"


def test_a_person_still_has_to_grade() -> None:
    found = read(standing("open", None, manual=0, manual_open=3_000, so_far=2_667), grade())
    waiting = standing("open", None, manual_open=3_000)
    raw = json.loads(results_json(waiting, feedback(grade(), SPEC)))
    assert "score" not in raw
    by_hand = next(test for test in found.tests if "by hand" in test["name"])
    assert "score" not in by_hand and by_hand["max_score"] == 3
    assert found.worth == 4
    assert "by hand" in found.output


@pytest.mark.parametrize("state", ["ungraded", "rejected", "absent", "excused"])
def test_there_is_no_score_where_there_is_none(state: Any) -> None:
    grades: dict[str, Grade | None] = {
        "ungraded": grade(shape=Status.UNGRADED),
        "rejected": no_score("rejected", "cut off"),
        "absent": None,
        "excused": grade(),
    }
    found = read(standing(state, None), grades[state])
    assert found.total is None
    assert found.worth == 0
    assert found.tests
    assert found.output
    if state == "rejected":
        assert "cut off" in found.output


def test_zero_is_a_score() -> None:
    assert read(standing(score=0), grade()).total == 0


def test_an_override_counts_where_nothing_could_be_graded() -> None:
    found = read(standing(score=2_500, overridden=True), grade(shape=Status.UNGRADED))
    assert (found.total, found.worth) == (Decimal("2.5"), 4)
    assert "set by hand" in found.output


def test_what_lateness_cost_is_told() -> None:
    found = read(standing(penalty=1_005, extra=500, comments=("Well done =1",)), grade())
    assert "Late penalty: 1.01 points." in found.output
    assert "Extra points: 0.5." in found.output
    assert "Well done =1" in found.output


def test_by_name_and_for_one_student() -> None:
    other = msgspec.structs.replace(standing(), student="t")
    told = {"s": feedback(grade(), SPEC)}
    made = export("gradescope", [other, standing()], NO_ROSTER, Options(student="s", feedback=told))
    assert made.data == results_json(standing(), told["s"])
    assert made.written == ("s",)
    with pytest.raises(UsageError, match="'u'"):
        export("gradescope", [standing()], NO_ROSTER, Options(student="u"))
