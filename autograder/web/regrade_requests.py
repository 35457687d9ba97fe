"""Regrade requests: a student asks about one exercise, and a thread of messages answers.

Covered: requests and messages are only added; a student has one open request for an exercise, and
writes no more than ``UNANSWERED`` messages before somebody answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from autograder.errors import UsageError
from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import INTAKE, MESSAGES, REQUESTS
from autograder.gradebook.store import storable
from autograder.web.access import Role, Visitor

UNANSWERED = 5


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A message. ``amount``: the exercise's new points in thousandths, if it set any."""

    at: datetime
    who: str
    role: Role
    text: str
    amount: int | None
    closes: bool


@dataclass(frozen=True, slots=True)
class RegradeRequest:
    """A request with its messages, oldest first."""

    id: int
    assignment: str
    student: str
    exercise: str
    messages: tuple[RequestMessage, ...]

    @property
    def open(self) -> bool:
        return not any(message.closes for message in self.messages)

    @property
    def waits(self) -> bool:
        """Whether the student has written last."""
        return self.open and self.messages[-1].role == "student"

    @property
    def unanswered(self) -> int:
        """How many messages the student has written since the last answer."""
        roles = [message.role for message in self.messages]
        return next((n for n, role in enumerate(reversed(roles)) if role != "student"), len(roles))


@dataclass(frozen=True, slots=True)
class RegradeRequests:
    """The requests of a course."""

    database: Database

    def ask(self, assignment: str, student: Visitor, exercise: str, text: str) -> int:
        """Open a request and return its id; raises ``UsageError`` if one is open."""
        about = {"assignment": assignment, "student": student.person, "exercise": exercise}
        with self.database.begin() as connection:
            earlier = _found(connection, *(REQUESTS.c[key] == about[key] for key in about))
            if any(one.open for one in earlier):
                raise UsageError("You have asked about this exercise already.")
            row = {**about, "at": _now(), "number": len(earlier) + 1}
            key = connection.execute(insert(REQUESTS).values(**row)).inserted_primary_key
            number = int(key[0]) if key else 0
            _add(connection, number, student, text)
        return number

    def add(
        self,
        number: int,
        who: Visitor,
        text: str,
        *,
        amount: int | None = None,
        closes: bool = False,
    ) -> None:
        """Add a message to an open request; raises ``UsageError``."""
        with self.database.begin() as connection:
            (found,) = _found(connection, REQUESTS.c.id == number)
            if not found.open:
                raise UsageError("This request is closed.")
            if who.role == "student" and found.unanswered >= UNANSWERED:
                raise UsageError("Wait for an answer before you write more.")
            _add(connection, number, who, text, amount, closes=closes)

    def get(self, number: int) -> RegradeRequest | None:
        """The request with this id."""
        return next(iter(self._all(REQUESTS.c.id == number)), None)

    def of(self, assignment: str, student: str) -> tuple[RegradeRequest, ...]:
        """A student's requests, oldest first."""
        return self._all(REQUESTS.c.assignment == assignment, REQUESTS.c.student == student)

    def all(self) -> tuple[RegradeRequest, ...]:
        """Every request, oldest first."""
        return self._all()

    def refused(self) -> frozenset[str]:
        """The assignments for which no requests are taken."""
        newest = select(func.max(INTAKE.c.id)).group_by(INTAKE.c.assignment)
        query = select(INTAKE).where(INTAKE.c.id.in_(newest), INTAKE.c.taken.is_(False))
        return frozenset(row.assignment for row in self.database.rows(query))

    def take(self, assignment: str, who: str, *, taken: bool) -> None:
        """Begin or end to take requests."""
        row = {"at": _now(), "who": who, "assignment": assignment, "taken": taken}
        with self.database.begin() as connection:
            connection.execute(insert(INTAKE).values(**row))

    def _all(self, *where: Any) -> tuple[RegradeRequest, ...]:
        with self.database.begin() as connection:
            return _found(connection, *where)


def _found(connection: Connection, *where: Any) -> tuple[RegradeRequest, ...]:
    requests = connection.execute(select(REQUESTS).where(*where).order_by(REQUESTS.c.id)).all()
    chosen = select(REQUESTS.c.id).where(*where)
    query = select(MESSAGES).where(MESSAGES.c.request_id.in_(chosen)).order_by(MESSAGES.c.id)
    messages: dict[int, list[RequestMessage]] = {}
    for row in connection.execute(query):
        at = datetime.fromisoformat(row.at)
        message = RequestMessage(at, row.who, row.role, row.text, row.amount, row.closes)
        messages.setdefault(row.request_id, []).append(message)
    return tuple(
        RegradeRequest(row.id, row.assignment, row.student, row.exercise, tuple(messages[row.id]))
        for row in requests
    )


def _add(
    connection: Connection,
    number: int,
    who: Visitor,
    text: str,
    amount: int | None = None,
    *,
    closes: bool = False,
) -> None:
    row = {
        "request_id": number,
        "at": _now(),
        "who": who.person,
        "role": who.role,
        "text": storable(text),
        "amount": amount,
        "closes": closes,
    }
    connection.execute(insert(MESSAGES).values(**row))


def _now() -> str:
    return datetime.now(UTC).isoformat()
