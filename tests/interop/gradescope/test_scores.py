"""Gradescope's results.json: sums that are right, and nothing hidden in it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.errors import UsageError
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.people import NO_ROSTER
from autograder.gradebook.points import points, unscored
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Options
from autograder.interop.gradescope.scores import results_json
from autograder.interop.score_formats import export
from autograder.judging.verdict import Mismatch, Status, Verdict
from autograder.reports.feedback.feedback import feedback
from tests.support.strict_readers import gradescope
from tests.support.strict_readers.gradescope import Results

SECRET = "canary7531"


def check(id_: str, worth: str, **keys: Any) -> dict[str, Any]:
    base = {"id": id_, "title": f"title of {id_}", "points": Decimal(worth), "kind": "value"}
    return {**base, "name": "x", **keys}


SPEC = Assignment.model_validate(
    {
        "format": 1,
        "id": "hw-1",
        "title": "Homework",
        "exercise": [
            {
                "id": "first",
                "title": "The <first>",
                "defines": ["x"],
                "check": [
                    check("shape", "0.333", public=True, hint="Look at the shape."),
                    check(f"{SECRET}-a", "0.333", title=f"{SECRET} title", hint="Think again."),
                    check(f"{SECRET}-b", "0.334"),
                ],
            },
            {
                "id": "said",
                "title": "In words",
                "defines": ["x"],
                "check": [
                    {
                        "id": "why",
                        "title": "Why",
                        "points": Decimal(3),
                        "kind": "written",
                        "name": "why",
                        "rubric": "Says clearly why.",
                    },
                ],
            },
            {
                "id": "more",
                "title": "More",
                "defines": ["x"],
                "stretch": True,
                "check": [check("bonus", "2", public=True)],
            },
        ],
    }
)
WORTH = 4_000
EARNED = {"shape": 333, f"{SECRET}-a": 0, f"{SECRET}-b": 334, "why": 0, "bonus": 2_000}


def verdicts(**changed: Status) -> list[Verdict]:
    made = []
    for exercise in SPEC.exercise:
        for one in exercise.check:
            earned, worth = EARNED[one.id], int(one.points * 1000)
            status = Status.PASSED if earned == worth else Status.FAILED
            status = Status.MANUAL if one.id == "why" else changed.get(one.id, status)
            wrong = (Mismatch(SECRET, "value", SECRET, SECRET),) if earned == 0 else ()
            said = "said in public \x1b[2J" if one.public else f"{SECRET} =1+1 \x1b[2J"
            points_ = 0 if one.id in changed else earned
            made.append(
                Verdict(
                    exercise.id, one.id, one.kind, one.public, status, points_, worth, said, wrong
                )
            )
    return made


def grade(**changed: Status) -> Grade:
    return points(SPEC, SubmittedFile("x.ipynb", "0" * 64), verdicts(**changed), None, student="s")


def standing(state: Any = "final", score: int | None = 5_667, **keys: Any) -> Standing:
    told = {"manual": 3_000, "note": f"{SECRET} note", **keys}
    return Standing("hw-1", "s", state, score, WORTH, **told)


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
        "rejected": unscored(
            SPEC,
            SubmittedFile("x.ipynb", "0" * 64),
            student="s",
            status="rejected",
            reason="cut off",
        ),
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
