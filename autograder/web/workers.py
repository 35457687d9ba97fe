"""Which workers there are: each reports every few seconds what it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update

from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import WORKERS

SILENT_S = 60.0  # after which a worker is taken for dead
FORGOTTEN_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What a worker said last: the assignment that it grades, "" for none, and how long ago."""

    name: str
    assignment: str
    ago_s: float

    @property
    def alive(self) -> bool:
        return self.ago_s < SILENT_S


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a course. ``clock``: seconds since 1970."""

    database: Database
    clock: Callable[[], float] = time.time

    def report(self, name: str, assignment: str) -> None:
        """A worker is alive."""
        now = self.clock()
        said = {"assignment": assignment, "seen": now}
        with self.database.begin() as connection:
            mine = update(WORKERS).where(WORKERS.c.name == name).values(**said)
            if not connection.execute(mine).rowcount:
                connection.execute(insert(WORKERS).values(name=name, **said))
            old = WORKERS.c.seen < now - FORGOTTEN_S
            connection.execute(delete(WORKERS).where(old))

    def end(self, name: str) -> None:
        """A worker ends as it should."""
        with self.database.begin() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.name == name))

    def all(self) -> tuple[WorkerReport, ...]:
        """Those heard of in the last day, the one heard of last first."""
        rows = self.database.rows(select(WORKERS).order_by(WORKERS.c.seen.desc()))
        now = self.clock()
        return tuple(WorkerReport(row.name, row.assignment, now - row.seen) for row in rows)
