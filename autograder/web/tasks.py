"""What instructors ask a worker to do with an assignment: validate, release, judge again.

A worker claims a task under a lease, as it claims attempts, when no attempt waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from sqlalchemy import Row, and_, func, insert, or_, select, update

from autograder.errors import UsageError
from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import TASKS
from autograder.gradebook.store import storable
from autograder.web.queue import LEASE_S, MAX_TRIES

TaskKind = Literal["validate", "release", "regrade"]
TASK_KINDS: tuple[TaskKind, ...] = get_args(TaskKind)


@dataclass(frozen=True, slots=True)
class CourseTask:
    """A task. ``given``: what it is done with, ``result``: what came of it, both JSON or text."""

    id: int
    at: datetime
    who: str
    assignment: str
    kind: TaskKind
    given: str
    state: Literal["queued", "claimed", "done", "failed"]
    result: str

    @property
    def waits(self) -> bool:
        return self.state in ("queued", "claimed")


@dataclass(frozen=True, slots=True)
class CourseTasks:
    """The tasks of a course. ``clock``: seconds since 1970."""

    database: Database
    clock: Callable[[], float] = time.time

    def ask(self, assignment: str, kind: TaskKind, who: str, given: str = "") -> None:
        """Queue a task; raises ``UsageError`` while an earlier one of its kind is not done."""
        at = datetime.fromtimestamp(self.clock(), UTC).isoformat()
        row = {"at": at, "who": who, "assignment": assignment, "kind": kind, "given": given}
        with self.database.begin() as connection:
            same = (TASKS.c.assignment == assignment, TASKS.c.kind == kind)
            open_ = select(TASKS.c.id).where(*same, TASKS.c.state.in_(("queued", "claimed")))
            if connection.execute(open_).first():
                raise UsageError("This is being done already.")
            new = {"state": "queued", "worker": "", "lease_until": 0.0, "tries": 0, "result": ""}
            connection.execute(insert(TASKS).values(**row, **new))

    def newest(self, assignment: str) -> Mapping[str, CourseTask]:
        """The newest task of each kind."""
        ids = select(func.max(TASKS.c.id)).where(TASKS.c.assignment == assignment)
        query = select(TASKS).where(TASKS.c.id.in_(ids.group_by(TASKS.c.kind)))
        return {row.kind: _task(row) for row in self.database.rows(query)}

    def waiting(self) -> bool:
        """Whether there is a task to claim."""
        return bool(self.database.rows(select(TASKS.c.id).where(self._free()).limit(1)))

    def claim(self, worker: str) -> CourseTask | None:
        """Claim the oldest task; one that was tried too often has failed."""
        with self.database.begin() as connection:
            often = update(TASKS).where(self._free(), TASKS.c.tries >= MAX_TRIES)
            gone = f"no result after {MAX_TRIES} tries"
            connection.execute(often.values(state="failed", result=gone))
            query = select(TASKS).where(self._free()).order_by(TASKS.c.id).limit(1)
            row = connection.execute(query.with_for_update()).first()
            if row is None:
                return None
            lease = self.clock() + LEASE_S
            chosen = update(TASKS).where(TASKS.c.id == row.id)
            mine = {"state": "claimed", "worker": worker, "lease_until": lease}
            connection.execute(chosen.values(**mine, tries=TASKS.c.tries + 1))
            return _task(row)

    def renew(self, worker: str) -> None:
        """Extend the lease of what a worker has claimed."""
        self._change(worker, lease_until=self.clock() + LEASE_S)

    def end(self, worker: str, result: str, *, failed: bool = False) -> None:
        """The result of what a worker has claimed."""
        self._change(worker, state="failed" if failed else "done", result=storable(result))

    def put_back(self, worker: str, *, later_s: float = 0.0) -> None:
        """Queue again what a worker has claimed; it is no try."""
        until = self.clock() + later_s
        self._change(worker, state="queued", lease_until=until, tries=TASKS.c.tries - 1)

    def _change(self, claimed_by: str, **values: Any) -> None:
        mine = (TASKS.c.worker == claimed_by, TASKS.c.state == "claimed")
        with self.database.begin() as connection:
            connection.execute(update(TASKS).where(*mine).values(**values))

    def _free(self) -> Any:
        open_ = or_(TASKS.c.state == "queued", TASKS.c.state == "claimed")
        return and_(open_, TASKS.c.lease_until < self.clock())


def _task(row: Row[Any]) -> CourseTask:
    at = datetime.fromisoformat(row.at)
    return CourseTask(
        row.id, at, row.who, row.assignment, row.kind, row.given, row.state, row.result
    )
