"""Files of a single student, for Gradescope and PrairieLearn: sums that are right, nothing hidden
in them, and no score where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
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
from autograder.interop.gradescope.scores import results_json
from autograder.interop.prairielearn.results import external_results
from autograder.interop.score_formats import export
from autograder.judging.verdict import Status, Verdict
from autograder.reports.feedback.feedback import feedback
from tests.support.canary_homework import FILE, SECRET, SPEC, grade, no_score, standing
from tests.support.strict_readers import gradescope, hostile_class, prairielearn

WRONG = grade(a=Status.FAILED)
UNGRADED = grade(a=Status.FAILED, shape=Status.UNGRADED)
WRITERS: dict[str, Callable[..., bytes]] = {
    "gradescope": results_json,
    "prairielearn": external_results,
}
GRADES: dict[str, Grade | None] = {
    "ungraded": UNGRADED,
    "rejected": no_score("rejected", "cut off"),
    "absent": None,
    "excused": WRONG,
    "open": WRONG,
}


def written(form: str, held: Standing, found: Grade | None) -> bytes:
    data = WRITERS[form](held, feedback(found, SPEC) if found else None)
    assert SECRET.encode() not in data and b"\\u001b" not in data and b"\x1b" not in data
    return data


def judged(**keys: Any) -> Standing:
    """A final standing with three points given by hand."""
    return standing(**{"score": 5_667, "manual": 3_000, **keys})


def read(held: Standing, found: Grade | None) -> gradescope.Results:
    return gradescope.read(written("gradescope", held, found))


def shared(held: Standing, found: Grade | None) -> prairielearn.Results:
    return prairielearn.read(written("prairielearn", held, found))


# ---------------------------------------------------------------- both


@pytest.mark.parametrize("state", GRADES)
def test_there_is_no_score_where_there_is_none(state: str) -> None:
    held = standing(state, None, manual_open=3_000 if state == "open" else 0)
    there, here = read(held, GRADES[state]), shared(held, GRADES[state])
    assert "score" not in json.loads(written("gradescope", held, GRADES[state]))
    assert here.score is None and here.errors
    assert there.tests and there.output
    if state != "open":  # what is earned so far is told
        assert there.total is None and there.worth == 0
    assert (state == "rejected") == ("cut off" in there.output) == ("cut off" in here.errors[0])


@pytest.mark.parametrize("form", WRITERS)
def test_of_a_class_one_student_is_written(form: str) -> None:
    other = msgspec.structs.replace(standing(score=5_000), student="t")
    told = {"s": feedback(WRONG, SPEC)} if form == "gradescope" else {}
    chosen = Options(student="s", feedback=told) if told else Options(student="s")
    made = export(form, [other, standing()], NO_ROSTER, chosen)
    assert made.written == ("s",)
    if told:
        assert made.data == results_json(standing(), told["s"])
    with pytest.raises(UsageError, match="'u'"):
        export(form, [standing()], NO_ROSTER, Options(student="u"))


@pytest.mark.parametrize("one", hostile_class.STANDINGS, ids=lambda one: ascii(one.student))
def test_a_hostile_class(one: Standing) -> None:
    options = Options(student=one.student)
    everybody, roster = hostile_class.STANDINGS, hostile_class.ROSTER
    assert gradescope.read(export("gradescope", everybody, roster, options).data).tests
    here = prairielearn.read(export("prairielearn", everybody, roster, options).data)
    assert (here.score is None) == (one.score is None)


# ---------------------------------------------------------------- Gradescope


def test_a_final_score_and_tests_that_add_up() -> None:
    found = read(judged(), WRONG)
    assert (found.total, found.worth) == (Decimal("5.67"), 4)
    scores = {t["name"]: (t.get("score"), t.get("max_score"), t.get("status")) for t in found.tests}
    assert scores == {
        "The <first>: title of shape": (Decimal("0.33"), Decimal("0.33"), "passed"),
        "The <first>: further checks": (Decimal("0.33"), Decimal("0.67"), "failed"),
        "More: title of bonus": (None, None, "passed"),
        "Answers graded by hand": (3, 3, None),
    }
    outputs = "\n".join(test["output"] for test in found.tests)
    for part in ("1 of 2 passed.", "Think again.", "Bonus: 2 of 2 points."):
        assert part in outputs
    assert [test["number"] for test in found.tests] == ["1", "2", "3", "4"]
    assert read(judged(score=0), WRONG).total == 0


def test_everything_is_visible_so_that_the_total_is() -> None:
    raw = json.loads(written("gradescope", judged(), WRONG))
    assert raw["visibility"] == "visible"
    assert {test["visibility"] for test in raw["tests"]} == {"visible"}
    assert raw["stdout_visibility"] == "hidden"


def test_a_person_still_has_to_grade() -> None:
    found = read(standing("open", None, manual_open=3_000, so_far=2_667), WRONG)
    by_hand = next(test for test in found.tests if "by hand" in test["name"])
    assert "score" not in by_hand and by_hand["max_score"] == 3
    assert found.worth == 4
    assert "by hand" in found.output


def test_what_was_decided_is_told() -> None:
    found = read(judged(score=2_500, overridden=True), UNGRADED)
    assert (found.total, found.worth) == (Decimal("2.5"), 4)
    assert "set by hand" in found.output
    found = read(judged(penalty=1_005, extra=500, comments=("Well done =1",)), WRONG)
    for part in ("Late penalty: 1.01 points.", "Extra points: 0.5.", "Well done =1"):
        assert part in found.output


# ---------------------------------------------------------------- PrairieLearn


def test_a_share_of_the_maximum_and_every_test() -> None:
    found = shared(standing(), WRONG)
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
    assert shared(standing(score=score), grade()).score == Decimal(share)
    made = export("prairielearn", [standing(score=score)], NO_ROSTER, Options(student="s"))
    assert (score > 4_000) == any("above the maximum" in note for note in made.notes)


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
