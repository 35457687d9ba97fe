"""What students can do with an assignment: nothing yet, hand in, wait, or read their results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from sqlalchemy import func, insert, select

from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import STATES

State = Literal["draft", "open", "closed", "released"]
EVERY: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class AssignmentStates:
    """The states of a course's assignments; every change is kept.

    "draft": students do not see it. "open": they hand in, and see public checks. "closed": they
    hand in no more. "released": they also see their whole feedback.
    """

    database: Database

    def all(self) -> dict[str, State]:
        """The state of every assignment that has left its first one, "draft"."""
        newest = select(func.max(STATES.c.id)).group_by(STATES.c.assignment)
        rows = self.database.rows(select(STATES).where(STATES.c.id.in_(newest)))
        return {row.assignment: row.state for row in rows}

    def of(self, assignment: str) -> State:
        """The state of one assignment."""
        return self.all().get(assignment, "draft")

    def set(self, assignment: str, state: State, *, who: str) -> None:
        """Change a state."""
        at = datetime.now(UTC).isoformat()
        row = {"at": at, "who": who, "assignment": assignment, "state": state}
        with self.database.begin() as connection:
            connection.execute(insert(STATES).values(**row))
