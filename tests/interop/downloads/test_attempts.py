"""Which attempts count, and who handed in nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.gradebook.people import Person, Roster
from autograder.interop.downloads.arrival import Arrival
from autograder.interop.downloads.attempts import Rule, chosen, not_handed_in
from autograder.notebook.formats.find import FoundFile


def arrival(
    student: str, hour: int | None, attempt: int = 1, place: str = "p", error: str = ""
) -> Arrival:
    at = None if hour is None else datetime(2026, 10, 25, hour, tzinfo=UTC)
    return Arrival(
        student, FoundFile(student, place, Path("x"), error=error), place, at, None, attempt
    )


FOUR = (arrival("a", 3, 2), arrival("b", 1), arrival("a", 2, 3), arrival("a", None, 1))


@pytest.mark.parametrize(
    ("rule", "hours"),
    [("last", [[3], [1]]), ("first", [[None], [1]]), ("best", [[None, 2, 3], [1]])],
)
def test_attempts_are_in_the_order_of_time(rule: Rule, hours: list[list[int | None]]) -> None:
    attempts = chosen(FOUR, rule)
    assert [attempt.student for attempt in attempts] == ["a", "b"]
    got = [
        [a.submitted_at and a.submitted_at.hour for a in attempt.arrivals] for attempt in attempts
    ]
    assert got == hours
    assert chosen(reversed(FOUR), rule)[0] == attempts[0]


def test_attempts_of_one_time_are_in_the_order_of_number_then_place() -> None:
    three = [arrival("a", None, 2, "x"), arrival("a", None, 1, "z"), arrival("a", None, 1, "y")]
    (one,) = chosen(three, "best")
    assert [a.place for a in one.arrivals] == ["y", "z", "x"]


def test_what_is_left_out_is_said() -> None:
    first, second = chosen(FOUR, "last")
    assert first.arrivals[0].found.notes == ("3 attempts were submitted; the last one is graded.",)
    assert second.arrivals[0].found.notes == ()
    (one,) = chosen([arrival("a", 1), arrival("a", 2, 2, error="a pdf.")], "last")
    error = one.arrivals[0].found.error
    assert error == "a pdf. 2 attempts were submitted; the last one is graded."
    assert all(not a.found.notes for one in chosen(FOUR, "best") for a in one.arrivals)


def test_ids_that_differ_only_in_case_get_files_of_their_own() -> None:
    four = [arrival(id, hour) for hour, id in enumerate(("ab", "AB", "ab-2", "aB"))]
    attempts = chosen(four, "last")
    names = [attempt.student for attempt in attempts]
    assert names == ["ab", "AB-3", "ab-2", "aB-4"]
    assert len({name.casefold() for name in names}) == 4
    renamed = attempts[1].arrivals[0]
    assert (renamed.student, renamed.found.student) == ("AB-3", "AB-3")
    assert "'AB' differs from another student's id" in renamed.found.notes[0]


def test_who_handed_in_nothing() -> None:
    roster = Roster((Person("c"), Person("a"), Person("007"), Person("7")))
    assert not_handed_in(roster, (*FOUR, arrival("7", 1))) == ("c", "007")
