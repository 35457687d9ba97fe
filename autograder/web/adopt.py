"""Results folders that `grade` wrote become part of a course that is served.

The folder is copied; grades, arrivals and decisions are written into the course's database, with
new numbers. Covered: a kill at any moment (the same command starts over; nothing is written twice).
"""

from __future__ import annotations

import secrets
import shutil
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select

from autograder.classroom.results_folder import LOCK, ResultsFolder
from autograder.errors import UsageError
from autograder.files import not_written
from autograder.gradebook.database import Database
from autograder.gradebook.schema import ARRIVALS, DECISIONS, GRADES, PEOPLE, RUNS
from autograder.web.backup import count_on, settle_place
from autograder.web.course import Course

_REFERRING = {"run_id": RUNS, "undoes": DECISIONS}


def adopt(course: Course, source: ResultsFolder) -> str:
    """Take in a results folder and return its assignment.

    Raises ``UsageError`` if the course has no such assignment, or results of it already, and
    ``StoreError``.
    """
    run = source.open_run()
    if run.assignment not in course.assignments():
        raise UsageError(f"{source.folder}: the course has no assignment {run.assignment!r}")
    target = course.results(run.assignment).folder
    copy = target.with_name(f".{secrets.token_hex(8)}.tmp")
    one = Database(run.gradebook or source.database)
    other = Database(course.database)
    try:
        with source.held(), one.begin() as reading, other.begin() as writing:
            known = select(func.count()).where(RUNS.c.assignment == run.assignment)
            # Results that are there are not overwritten.
            if writing.execute(known).scalar_one():
                raise UsageError(f"{course.folder}: it has results of {run.assignment!r} already")
            target.parent.mkdir(parents=True, exist_ok=True)
            leave = shutil.ignore_patterns(LOCK, "grades.db*", "remembered.db", "*.tmp")
            shutil.copytree(source.folder, copy, ignore=leave)
            _copy_rows(reading, writing, run.assignment)
            shutil.rmtree(target, ignore_errors=True)  # of an attempt that was killed
            copy.replace(target)
        settle_place(course, ResultsFolder(target))
    except OSError as bad:
        raise not_written(target, bad) from None
    finally:
        shutil.rmtree(copy, ignore_errors=True)
        one.close()
        other.close()
    return run.assignment


def _copy_rows(reading: Connection, writing: Connection, assignment: str) -> None:
    """The rows of an assignment, and the roster if the course has none."""
    above: dict[Table, int] = {}
    for table in (RUNS, GRADES, ARRIVALS, DECISIONS, PEOPLE):
        last = writing.execute(select(func.max(table.c.id))).scalar() or 0
        if table is PEOPLE and last:
            return
        above[table] = last
        query = select(table).order_by(table.c.id)
        if table is not PEOPLE:
            query = query.where(table.c.assignment == assignment)
        rows = [_renumbered(dict(row), table, above) for row in reading.execute(query).mappings()]
        if rows:
            writing.execute(insert(table), rows)
            count_on(writing, table)


def _renumbered(row: dict[str, Any], table: Table, above: dict[Table, int]) -> dict[str, Any]:
    row["id"] += above[table]
    for name, of in _REFERRING.items():
        if row.get(name) is not None:
            row[name] += above[of]
    return row
