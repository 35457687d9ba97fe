"""The class: who is in it, and what each of them handed in when. A pure function of a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.support.cases import CASES
from tests.support.tables import read_table

ZONE = ZoneInfo("Europe/Berlin")
DUE = datetime(2026, 10, 25, 10, 0, tzinfo=UTC)  # the day on which the clocks go back
IN_COURSE = 62
ABSENT = (30, 61)  # places of those who never hand in
ASSIGNMENT = "homework"
MAX_ATTEMPTS = 3

_CLASS = read_table(CASES / "class_of_sixty.yaml")
NAMES, TOML, SOLUTION = _CLASS["names"], _CLASS["assignment"], _CLASS["solution"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt. ``at`` is UTC at a full minute; ``number`` counts from 1."""

    number: int
    at: datetime
    data: bytes

    @property
    def late(self) -> bool:
        return self.at > DUE


@dataclass(frozen=True, slots=True)
class Student:
    """One student, with the keys under which each platform has them."""

    id: str
    first: str
    last: str
    login: str
    email: str
    section: str
    canvas_id: str
    moodle_id: str
    attempts: tuple[Attempt, ...]

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


@dataclass(frozen=True, slots=True)
class Klass:
    """The class; two of ``students`` have no attempts."""

    students: tuple[Student, ...]


def tiny(student: str, attempt: int) -> bytes:
    """The smallest notebook that tells whose it is."""
    source = f"student = {student!r}\nattempt = {attempt}"
    cell: dict[str, object] = {"cell_type": "code", "source": source, "execution_count": None}
    cell |= {"outputs": [], "metadata": {}}
    made = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(made).encode()


def klass(seed: int = 60, *, notebook: Callable[[str, int], bytes] = tiny) -> Klass:
    """62 students, of whom 60 hand in one to three attempts around ``DUE``.

    ``notebook`` gives the file's bytes for a student's id and the number of the attempt.
    """
    draw = random.Random(seed)
    numbers = draw.sample(range(1000, 9000), 3 * IN_COURSE)
    students = []
    for place in range(IN_COURSE):
        first, last = (part.format(f"{place:02}") for part in NAMES[place % len(NAMES)])
        id = f"{place * 37 + 11:07}" if place % 3 else f"m{place:03}x"
        login = f"st_{place:02}" if place % 2 else f"login.{place:02}"
        canvas_id, moodle_id, _ = (str(n) for n in numbers[3 * place : 3 * place + 3])
        count = 0 if place in ABSENT else draw.choice((1, 1, 2, MAX_ATTEMPTS))
        attempts = tuple(
            Attempt(number, at, notebook(id, number))
            for number, at in enumerate(_times(draw, count, place), 1)
        )
        email, section = f"{login}@uni.example", f"Group {place % 4 + 1}"
        keys = (login, email, section, canvas_id, moodle_id)
        students.append(Student(id, first, last, *keys, attempts))
    return Klass(tuple(students))


def _times(draw: random.Random, count: int, place: int) -> list[datetime]:
    """Times from twelve hours before to four hours after the deadline, the earliest first.

    The hour from 01:00 to 02:00 UTC is left out: in Berlin it is 02:00 to 03:00 for the second
    time, which no local time can tell from the first.
    """
    minutes = sorted(draw.sample(range(-12 * 60, 4 * 60), count))
    if count and place % 5 == 0:
        minutes[0] = -9 * 60 - 30 - place  # around 02:30 for the first time, and before
    times = (DUE + timedelta(minutes=m) for m in minutes)
    return sorted({at - timedelta(hours=1) if at.hour == 1 else at for at in times})
