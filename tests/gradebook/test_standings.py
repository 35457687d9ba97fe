"""Grades, lateness and people's decisions counted together; and what each rule costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from pydantic import ValidationError

from autograder.assignment.late import LateSpec
from autograder.assignment.model import Assignment
from autograder.gradebook.decisions import Decision
from autograder.gradebook.export import gradebook_rows
from autograder.gradebook.grade import Grade
from autograder.gradebook.late import lateness, penalty
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import standings
from autograder.gradebook.store import ArrivalRecord
from autograder.judging.verdict import Status
from tests.support.made_standings import graded
from tests.support.tables import rows_beside

TABLES = rows_beside(__file__)
TWO = "2 attempts were submitted; the last one is graded"
DUE = datetime(2026, 3, 1, 22, 59, tzinfo=UTC)


def check(id_: str, points: float, kind: str = "value") -> dict[str, Any]:
    own = {"name": id_}
    if kind == "written":
        own["rubric"] = "one point for each reason"
    return {"id": id_, "kind": kind, "title": f"title of {id_}", "points": points, **own}


def assignment(**late: Any) -> Assignment:
    fields: dict[str, Any] = {
        "format": 1,
        "id": "a1",
        "title": "The first",
        "exercise": [
            {"id": "e", "title": "by machine", "defines": ["x"], "check": [check("x", 6)]},
            {"id": "w", "title": "in words", "defines": ["y"], "check": [check("y", 4, "written")]},
        ],
    }
    stretch = {"id": "s", "title": "on top", "defines": ["z"], "stretch": True}
    fields["exercise"].append({**stretch, "check": [check("z", 2)]})
    if late:
        fields["late"] = {"due": DUE, **late}
    return Assignment.model_validate(fields)


def decided(kind: Any, id_: int, **keys: Any) -> Decision:
    fields = {"student": "1", "who": "ta-1", "why": "why", "at": DUE, **keys}
    return Decision(assignment="a1", kind=kind, id=id_, **fields)


POINTS = decided("points", 1, exercise="w", task="y", amount=3500)


def one(
    *decisions: Decision, grade: Grade | None = None, late_s: int | None = None, **late: Any
) -> Standing:
    when = None if late_s is None else DUE + timedelta(seconds=late_s)
    arrivals = [ArrivalRecord("a1", "1", "plain", "1.ipynb", "1", 1, when)]
    (found,) = standings(assignment(**late), [grade or graded()], decisions, arrivals=arrivals)
    return found


# ---------------------------------------------------------------- notes for the instructor


def repaired(*repairs: str) -> Grade:
    whole = graded()
    return msgspec.structs.replace(
        whole, submission=msgspec.structs.replace(whole.submission, repairs=repairs)
    )


@pytest.mark.parametrize(
    ("repairs", "note"),
    [
        ((), ""),
        (("2 attempts were submitted; the last one is graded.", "b."), f"{TWO}; b"),
        (("a.", "b.", "c.", "d.", "e."), "a; b; c; 2 more notes about the file"),
    ],
)
def test_what_was_noted_about_the_file_reaches_the_instructor(
    repairs: tuple[str, ...], note: str
) -> None:
    assert one(grade=repaired(*repairs)).note == note


def test_gradebook_csv_says_who_was_late_and_what_it_cost() -> None:
    grade = repaired("a.")
    for late_s, taken, said in (
        (3700, 0, "a; late by 1 h 1 min; 6 so far"),
        (90_000, 10, "a; late by 1 d 1 h, 2 points deducted; 4 so far"),
        (0, 10, "a; 6 so far"),
    ):
        standing = one(grade=grade, late_s=late_s, per_day=taken)
        _header, row = gradebook_rows([grade], ["e"], lambda student, grade: standing)  # noqa: B023
        assert said in row.decode(), row


# ---------------------------------------------------------------- points, overrides and the rest


def override(amount: int, id_: int = 1, exercise: str = "") -> Decision:
    return decided("override", id_, amount=amount, exercise=exercise)


@pytest.mark.parametrize(
    ("decisions", "grade", "state", "score", "manual_open"),
    [
        ([], {}, "open", None, 4000),
        ([POINTS], {}, "final", 9500, 0),
        ([decided("points", 1, exercise="w", task="y", amount=0)], {}, "final", 6000, 0),
        ([], {"words": Status.MISSING}, "final", 6000, 0),
        ([POINTS], {"top": 2000}, "final", 11500, 0),  # a stretch exercise
        ([override(1000, exercise="w")], {}, "final", 7000, 0),
        ([POINTS, override(0, 2, "e")], {}, "final", 3500, 0),
        ([POINTS, *(decided("extra", n, amount=250) for n in (2, 3))], {}, "final", 10000, 0),
        ([POINTS, decided("extra", 2, amount=-20000)], {}, "final", 0, 0),
        ([override(5000), decided("excuse", 2)], {}, "excused", None, 0),
    ],
)
def test_what_people_decide_is_counted(
    decisions: list[Decision],
    grade: dict[str, Any],
    state: str,
    score: int | None,
    manual_open: int,
) -> None:
    found = one(*decisions, grade=graded(**grade))
    assert (found.state, found.score, found.max_score) == (state, score, 10000)
    assert found.manual_open == manual_open


def test_each_exercise_has_its_own_points_and_so_far_there_are_some() -> None:
    found = one()
    assert found.so_far == 6000 and [e.score for e in found.exercises] == [6000, None, 0]
    found = one(POINTS, decided("comment", 2, text="Well done."))
    assert found.manual == 3500 and [e.score for e in found.exercises] == [6000, 3500, 0]
    assert found.comments == ("Well done.",)


def test_an_override_of_the_whole_is_the_score_whatever_else_there_is() -> None:
    extra = decided("extra", 2, amount=500)
    found = one(override(7255), extra, late_s=10 * 86400, per_day=50)
    assert (found.state, found.score, found.penalty, found.overridden) == ("final", 7260, 0, True)
    assert "ta-1: why" in found.note


@pytest.mark.parametrize("status", ["rejected", "ungraded"])
def test_what_was_not_graded_has_no_score_until_a_person_gives_one(status: Any) -> None:
    grade = msgspec.structs.replace(graded(), status=status, score=None, exercises=(), reason="R")
    found = one(grade=grade)
    assert (found.state, found.score, found.so_far, found.note) == (status, None, None, "R")
    found = one(decided("override", 1, amount=0), grade=grade)
    assert (found.state, found.score) == ("final", 0)


def test_everybody_of_the_roster_and_everybody_who_handed_in_stands_there() -> None:
    found = standings(assignment(), [graded("02")], roster=Roster((Person("10"), Person("01"))))
    states = [(s.student, s.state) for s in found]
    assert states == [("01", "absent"), ("02", "open"), ("10", "absent")]
    assert found[0].score is None and found[0].max_score == 10000


# ---------------------------------------------------------------- lateness


@pytest.mark.parametrize(("late_s", "policy", "cost"), TABLES["lateness"])
def test_what_lateness_costs(late_s: int, policy: dict[str, Any], cost: int) -> None:
    found = one(POINTS, late_s=late_s, **policy)
    assert found.penalty == cost
    assert found.late_s == max(0, late_s)
    assert found.score is not None and abs(found.score - (9500 - cost)) <= 5


def test_what_is_rounded_is_rounded_half_up_once() -> None:
    found = one(POINTS, late_s=1, per_day=Decimal("0.05"))
    assert (found.penalty, found.score) == (5, 9500)  # 9.495 is 9.5


def test_an_extension_moves_the_due_time_of_one_student() -> None:
    until = DUE + timedelta(days=3)
    assert one(POINTS, decided("extend", 2, until=until), late_s=86_400, per_day=10).penalty == 0
    late = one(POINTS, decided("extend", 2, until=until), late_s=4 * 86_400, per_day=10)
    assert (late.penalty, late.late_s) == (1000, 86_400)


def test_what_the_platform_calls_late_without_a_time_costs_nothing_and_is_told() -> None:
    arrivals = [ArrivalRecord("a1", "1", "canvas", "1.ipynb", "x", 1, None, late=True)]
    (found,) = standings(assignment(per_day=10), [graded()], [POINTS], arrivals=arrivals)
    assert found.penalty == 0 and "late according to the download" in found.note


def test_the_time_of_the_attempt_that_was_graded_counts() -> None:
    arrivals = [
        ArrivalRecord("a1", "1", "canvas", "0.ipynb", "x", 1, DUE),
        ArrivalRecord("a1", "1", "canvas", "1.ipynb", "y", 2, DUE + timedelta(1)),
    ]
    (found,) = standings(assignment(per_day=10), [graded()], [POINTS], arrivals=arrivals)
    assert found.penalty == 1000


@pytest.mark.parametrize(("due", "zone", "utc"), TABLES["due times"])
def test_due_times_are_understood_where_the_course_is(due: str, zone: str, utc: str) -> None:
    policy = LateSpec(due=datetime.fromisoformat(due), timezone=zone)
    assert policy.due_at.isoformat() == utc


@pytest.mark.parametrize(
    "wrong",
    [
        {"due": datetime(2026, 3, 1)},  # noqa: DTZ001
        {"due": DUE, "timezone": "Europe/Nowhere"},
        {"due": DUE, "timezone": "../../etc/passwd"},
        {"due": DUE, "per_day": 101},
        {"due": DUE, "per_day": Decimal("0.0001")},
        {"due": DUE, "grace_minutes": -1},
        {"due": DUE, "unknown": 1},
        {"per_day": 1},
    ],
)
def test_a_policy_that_means_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LateSpec.model_validate(wrong)


def test_nothing_is_late_without_a_time_or_a_policy() -> None:
    policy = LateSpec(due=DUE, per_day=Decimal(10))
    assert lateness(policy, None).late_s == 0
    assert lateness(None, DUE + timedelta(9)).days == 0
    assert penalty(None, lateness(policy, DUE + timedelta(1)), earned=5, whole=5) == 0
