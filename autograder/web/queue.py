"""Attempts and the jobs that grade them.

An attempt has one job, and a job one result. A worker claims jobs under a lease, which it renews
while it works; if it is killed, the lease ends and another worker claims them.

Covered: a kill between a grade and the end of its job (the grade is found again through its
arrival, and nothing is graded twice); a job that kills its workers (it fails after ``MAX_TRIES``).
Not covered: two machines that cannot see each other's lock of a results folder, if one of them
sleeps for longer than a lease: then the later result counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, Row, and_, func, insert, select, update

from autograder.errors import UsageError
from autograder.gradebook.database import Database
from autograder.gradebook.schema import ARRIVALS, GRADES
from autograder.gradebook.schema_serve import ATTEMPTS, JOBS
from autograder.gradebook.store import storable
from autograder.wire.types import resolved

LEASE_S = 60.0
MAX_TRIES = 5
AGAIN_S = 5.0  # after the first try; later ones wait longer
PLATFORM = "serve"
NEW_JOB: Mapping[str, Any] = MappingProxyType(
    {"state": "queued", "worker": "", "lease_until": 0.0, "tries": 0, "error": "", "progress": ""}
)

JobState = Literal["queued", "claimed", "done", "failed"]


class HandIn(msgspec.Struct, frozen=True):
    """One attempt with the state of its job. ``number`` counts the student's attempts."""

    id: int
    at: datetime
    assignment: str
    student: str
    number: int
    file: str
    sha256: str
    notes: tuple[str, ...]
    state: JobState
    grade_id: int | None = None
    error: str = ""
    progress: str = ""  # of the worker that grades it now, see ``live_progress``

    @property
    def place(self) -> str:
        """Its name in the gradebook's arrivals."""
        return _place(self.id)


class TooManyAttemptsError(UsageError):
    """The student has used today's attempts."""


@dataclass(frozen=True)
class Queue:
    """The attempts of a course. ``clock``: seconds since 1970."""

    database: Database
    clock: Callable[[], float] = time.time

    def accept(
        self,
        *,
        assignment: str,
        student: str,
        file: str,
        sha256: str,
        notes: Sequence[str],
        per_day: int,
    ) -> int:
        """Record an attempt and its job, and return the attempt's id once it is committed.

        A repeated upload of the student's newest file while it waits is that attempt, not another.
        Raises ``TooManyAttemptsError``, ``StoreError``.
        """
        now = datetime.fromtimestamp(self.clock(), UTC)
        with self.database.begin() as connection:
            rows = connection.execute(
                select(ATTEMPTS, JOBS.c.state)
                .join(JOBS, JOBS.c.attempt_id == ATTEMPTS.c.id)
                .where(ATTEMPTS.c.assignment == assignment, ATTEMPTS.c.student == student)
                .order_by(ATTEMPTS.c.number)
            ).all()
            newest = rows[-1] if rows else None
            # An upload that is sent twice is one attempt.
            if newest and newest.state == "queued" and newest.sha256 == sha256:
                return int(newest.id)
            if _within_a_day(rows, now) >= per_day:
                raise TooManyAttemptsError(f"all {per_day} attempts of the last 24 hours are used")
            row = {
                "at": now.isoformat(),
                "assignment": assignment,
                "student": student,
                "number": newest.number + 1 if newest else 1,
                "file": file,
                "sha256": sha256,
                "notes": msgspec.json.encode(list(notes)).decode(),
            }
            key = connection.execute(insert(ATTEMPTS).values(**row)).inserted_primary_key
            number = int(key[0]) if key else 0
            job = {**NEW_JOB, "attempt_id": number, "assignment": assignment, "student": student}
            connection.execute(insert(JOBS).values(**job))
            return number

    def pending(self, assignment: str) -> frozenset[str]:
        """The students with an attempt that has no result yet."""
        rows = self.database.rows(
            select(JOBS.c.student).where(
                JOBS.c.assignment == assignment, JOBS.c.state.in_(("queued", "claimed"))
            )
        )
        return frozenset(row.student for row in rows)

    def attempts(self, assignment: str, student: str) -> tuple[HandIn, ...]:
        """A student's attempts, oldest first."""
        return self._found(ATTEMPTS.c.assignment == assignment, ATTEMPTS.c.student == student)

    def attempt(self, number: int) -> HandIn | None:
        """The attempt with this id."""
        return next(iter(self._found(ATTEMPTS.c.id == number)), None)

    def failed(self) -> tuple[HandIn, ...]:
        """Attempts that could not be graded through the grader's fault."""
        return self._found(JOBS.c.state == "failed")

    def left_today(self, attempts: Sequence[HandIn], per_day: int) -> int:
        """How many more attempts these leave."""
        now = datetime.fromtimestamp(self.clock(), UTC)
        return max(0, per_day - sum(one.at > now - timedelta(days=1) for one in attempts))

    def waiting(self) -> Mapping[int, int]:
        """The place in the queue of every attempt that has no result yet, from 1; 0 if it is being
        graded."""
        query = (
            select(JOBS.c.attempt_id, JOBS.c.state)
            .where(JOBS.c.state.in_(("queued", "claimed")))
            .order_by(JOBS.c.attempt_id)
        )
        places, queued = {}, 0
        for row in self.database.rows(query):
            queued += row.state == "queued"
            places[row.attempt_id] = queued if row.state == "queued" else 0
        return places

    def oldest(self) -> datetime | None:
        """When the oldest attempt that waits for a worker was handed in."""
        query = (
            select(func.min(ATTEMPTS.c.at).label("at"))
            .join(JOBS, JOBS.c.attempt_id == ATTEMPTS.c.id)
            .where(JOBS.c.state == "queued")
        )
        at = self.database.rows(query)[0].at
        return None if at is None else datetime.fromisoformat(at)

    def counts(self) -> Mapping[tuple[str, str], int]:
        """The number of jobs by assignment and state."""
        query = select(JOBS.c.assignment, JOBS.c.state, func.count().label("n")).group_by(
            JOBS.c.assignment, JOBS.c.state
        )
        return {(row.assignment, row.state): row.n for row in self.database.rows(query)}

    # ------------------------------------------------------------ for workers

    def wanted(self) -> tuple[str, ...]:
        """The assignments with jobs to claim, that of the oldest job first."""
        query = (
            select(JOBS.c.assignment)
            .where(JOBS.c.state.in_(("queued", "claimed")), JOBS.c.lease_until < self.clock())
            .group_by(JOBS.c.assignment)
            .order_by(func.min(JOBS.c.attempt_id))
        )
        return tuple(row.assignment for row in self.database.rows(query))

    def claim(self, assignment: str, worker: str, *, most: int) -> tuple[HandIn, ...]:
        """Claim the oldest jobs, at most one of each student: attempts count in their order.

        A job whose lease has ended is settled first: it is done if its grade was committed, and
        has failed after ``MAX_TRIES``.
        """
        chosen: dict[str, int] = {}
        with self.database.begin() as connection:
            rows = connection.execute(
                select(JOBS)
                .where(JOBS.c.assignment == assignment, JOBS.c.state.in_(("queued", "claimed")))
                .order_by(JOBS.c.attempt_id)
                .with_for_update()
            ).all()
            for row in rows:
                if row.lease_until >= self.clock():
                    chosen.setdefault(row.student, 0)  # another's or too early: nothing after it
                elif self._settled(connection, row):
                    continue
                elif len(chosen) < most:
                    chosen.setdefault(row.student, row.attempt_id)
            ids = [one for one in chosen.values() if one]
            lease = self.clock() + LEASE_S
            connection.execute(
                update(JOBS)
                .where(JOBS.c.attempt_id.in_(ids))
                .values(
                    state="claimed",
                    worker=worker,
                    lease_until=lease,
                    tries=JOBS.c.tries + 1,
                    progress="",
                )
            )
        return self._found(ATTEMPTS.c.id.in_(ids))

    def renew(self, worker: str) -> None:
        """Extend the lease of everything that a worker has claimed."""
        with self.database.begin() as connection:
            mine = (JOBS.c.worker == worker, JOBS.c.state == "claimed")
            until = self.clock() + LEASE_S
            connection.execute(update(JOBS).where(*mine).values(lease_until=until))

    def report(self, number: int, worker: str, progress: str) -> None:
        """How far a claimed job is."""
        with self.database.begin() as connection:
            mine = (JOBS.c.attempt_id == number, JOBS.c.worker == worker, JOBS.c.state == "claimed")
            connection.execute(update(JOBS).where(*mine).values(progress=storable(progress)))

    def settle(self, number: int, worker: str) -> None:
        """End a claimed job: done if its grade was committed; otherwise it is queued again, or has
        failed."""
        with self.database.begin() as connection:
            mine = (JOBS.c.attempt_id == number, JOBS.c.worker == worker, JOBS.c.state == "claimed")
            row = connection.execute(select(JOBS).where(*mine)).first()
            if row is not None and not self._settled(connection, row):
                again = update(JOBS).where(JOBS.c.attempt_id == number)
                later = self.clock() + AGAIN_S * row.tries
                connection.execute(again.values(state="queued", worker="", lease_until=later))

    def release(self, worker: str) -> None:
        """Queue again what a worker has claimed and not begun or finished; it is no try."""
        with self.database.begin() as connection:
            connection.execute(
                update(JOBS)
                .where(JOBS.c.worker == worker, JOBS.c.state == "claimed")
                .values(state="queued", worker="", lease_until=0.0, tries=JOBS.c.tries - 1)
            )

    def note(self, assignment: str, error: str) -> None:
        """Record why an assignment's jobs cannot be graded now; "" once they can."""
        with self.database.begin() as connection:
            waits = (JOBS.c.assignment == assignment, JOBS.c.state == "queued")
            connection.execute(update(JOBS).where(*waits).values(error=error))

    def errors(self) -> Mapping[str, str]:
        """Why jobs wait, by assignment."""
        query = select(JOBS.c.assignment, func.max(JOBS.c.error).label("error")).where(
            JOBS.c.state == "queued", JOBS.c.error != ""
        )
        rows = self.database.rows(query.group_by(JOBS.c.assignment))
        return {row.assignment: row.error for row in rows}

    def retry(self, number: int) -> bool:
        """Queue a failed job again; whether there was one."""
        with self.database.begin() as connection:
            failed = (JOBS.c.attempt_id == number, JOBS.c.state == "failed")
            again = update(JOBS).where(*failed).values(state="queued", worker="", tries=0, error="")
            return bool(connection.execute(again).rowcount)

    def _settled(self, connection: Connection, row: Row[Any]) -> bool:
        """End a job whose grade was committed, or that was tried too often."""
        grade = connection.execute(_grade_of(row)).scalar()
        if grade is not None:
            values = {"state": "done", "grade_id": grade, "error": "", "progress": ""}
        elif row.tries >= MAX_TRIES:  # a job that kills its workers ends
            values = {"state": "failed", "error": f"no result after {row.tries} tries"}
        else:
            return False
        job = JOBS.c.attempt_id == row.attempt_id
        connection.execute(update(JOBS).where(job).values(**values))
        return True

    def _found(self, *where: Any) -> tuple[HandIn, ...]:
        query = (
            select(ATTEMPTS, JOBS.c.state, JOBS.c.grade_id, JOBS.c.error, JOBS.c.progress)
            .join(JOBS, JOBS.c.attempt_id == ATTEMPTS.c.id)
            .where(*where)
            .order_by(ATTEMPTS.c.id)
        )
        return tuple(_hand_in(row) for row in self.database.rows(query))


def _grade_of(row: Row[Any]) -> Any:
    """The query for the grade that an attempt was given; a fault of the grader is none."""
    return (
        select(func.max(GRADES.c.id))
        .join(
            ARRIVALS,
            and_(
                ARRIVALS.c.run_id == GRADES.c.run_id,
                ARRIVALS.c.assignment == GRADES.c.assignment,
                ARRIVALS.c.student == GRADES.c.student,
            ),
        )
        .where(
            GRADES.c.assignment == row.assignment,
            GRADES.c.student == row.student,
            GRADES.c.status != "ungraded",
            ARRIVALS.c.platform == PLATFORM,
            ARRIVALS.c.place == _place(row.attempt_id),
        )
    )


def _place(number: int) -> str:
    return f"attempt {number}"


def _within_a_day(rows: Sequence[Row[Any]], now: datetime) -> int:
    return sum(datetime.fromisoformat(row.at) > now - timedelta(days=1) for row in rows)


def _hand_in(row: Row[Any]) -> HandIn:
    return HandIn(
        id=row.id,
        at=datetime.fromisoformat(row.at),
        assignment=row.assignment,
        student=row.student,
        number=row.number,
        file=row.file,
        sha256=row.sha256,
        notes=msgspec.json.decode(row.notes, type=resolved(tuple[str, ...])),
        state=row.state,
        grade_id=row.grade_id,
        error=row.error,
        progress=row.progress,
    )
