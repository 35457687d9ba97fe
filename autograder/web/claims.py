"""Claims of written answers, so that two graders never grade the same one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import and_, delete, select, text

from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import CLAIMS
from autograder.interop.marksheet.model import AnswerKey

CLAIM_S = 600.0  # after which somebody who has gone away holds nobody up

_TAKE = text(
    "INSERT INTO claims (assignment, student, exercise, task, who, until) "
    "VALUES (:assignment, :student, :exercise, :task, :who, :until) "
    "ON CONFLICT (assignment, student, exercise, task) DO UPDATE "
    "SET who = excluded.who, until = excluded.until "
    "WHERE claims.who = excluded.who OR claims.until < :now"
)


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a course. ``clock``: seconds since 1970."""

    database: Database
    clock: Callable[[], float] = time.time

    def take(self, assignment: str, key: AnswerKey, who: str) -> bool:
        """Claim an answer, or renew the claim; whether it is this grader's now."""
        student, exercise, task = key
        now = self.clock()
        values = {"assignment": assignment, "student": student, "exercise": exercise, "task": task}
        with self.database.begin() as connection:
            taken = connection.execute(
                _TAKE, {**values, "who": who, "until": now + CLAIM_S, "now": now}
            )
            return bool(taken.rowcount)

    def of_others(self, assignment: str, who: str) -> dict[AnswerKey, str]:
        """The answers that other graders hold, with the grader."""
        rows = self.database.rows(
            select(CLAIMS).where(
                CLAIMS.c.assignment == assignment,
                CLAIMS.c.who != who,
                CLAIMS.c.until >= self.clock(),
            )
        )
        return {(row.student, row.exercise, row.task): row.who for row in rows}

    def release(self, assignment: str, key: AnswerKey, who: str) -> None:
        """Give a claim back."""
        student, exercise, task = key
        with self.database.begin() as connection:
            connection.execute(
                delete(CLAIMS).where(
                    and_(
                        CLAIMS.c.assignment == assignment,
                        CLAIMS.c.student == student,
                        CLAIMS.c.exercise == exercise,
                        CLAIMS.c.task == task,
                        CLAIMS.c.who == who,
                    )
                )
            )
