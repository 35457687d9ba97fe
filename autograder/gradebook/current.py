"""Of every student's current grade what tells whether it is another one, without reading it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from sqlalchemy import func, select

from autograder.gradebook.database import Database
from autograder.gradebook.schema import GRADES


class Current(msgspec.Struct, frozen=True):
    """``digest`` of the result without its timing; ``score`` in thousandths, None for none."""

    digest: str
    status: str
    score: int | None


def current_grades(where: Path | str, assignment: str) -> Mapping[str, Current]:
    """The current grade of each student in a gradebook, by student. Raises ``StoreError``."""
    newest = (
        select(func.max(GRADES.c.id))
        .where(GRADES.c.assignment == assignment)
        .group_by(GRADES.c.student)
    )
    columns = (GRADES.c.student, GRADES.c.digest, GRADES.c.status, GRADES.c.score)
    database = Database(where)
    try:
        rows = database.rows(select(*columns).where(GRADES.c.id.in_(newest)))
    finally:
        database.close()
    return {row.student: Current(row.digest, row.status, row.score) for row in rows}
