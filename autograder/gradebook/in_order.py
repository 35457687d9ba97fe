"""The current grades of a class, sorted by student and read on demand.

Covered: memory grows by only 8 bytes per student; the order is that of Python's strings in any
database locale, even for names that a database cannot store. Not covered: a database that changes
meanwhile; the grades are those found at the start.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator

from sqlalchemy import Select, func, select

from autograder.gradebook.database import Database
from autograder.gradebook.grade import Grade
from autograder.gradebook.result import read_result
from autograder.gradebook.schema import ARRIVALS, DECISIONS, GRADES, PEOPLE

READ_AT_ONCE = 50  # grades
LISTED_AT_ONCE = 1_000  # rows with only an id and a name
MENDED = "\\"  # appears in every name that was changed to be stored


class InOrder(Collection[Grade]):
    """Can be iterated several times; each iteration may raise ``StoreError``."""

    def __init__(self, database: Database, assignment: str) -> None:
        """Find the newest grade of each student; raises ``StoreError``."""
        self._database = database
        self._ids = _ids(database, assignment)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, grade: object) -> bool:
        return any(one == grade for one in self)

    def __iter__(self) -> Iterator[Grade]:
        for at in range(0, len(self._ids), READ_AT_ONCE):
            ids = self._ids[at : at + READ_AT_ONCE]
            query = select(GRADES.c.id, GRADES.c.result).where(GRADES.c.id.in_(ids.tolist()))
            found = {row.id: row.result for row in self._database.rows(query)}
            for id_ in ids:
                yield read_result(found.pop(id_), name=self._database.name)


def _ids(database: Database, assignment: str) -> array[int]:
    """Of the newest rows, in the order of students."""
    newest = (
        select(func.max(GRADES.c.id))
        .where(GRADES.c.assignment == assignment)
        .group_by(GRADES.c.student)
    )
    query = select(GRADES.c.id, GRADES.c.student).where(
        GRADES.c.id.in_(newest),
        # Who had a file that is somebody else's now is not in the gradebook.
        GRADES.c.student.not_in(names_before(assignment)),
    )
    ids, mended = array("q"), array("q")
    with database.begin() as connection:
        ordered = query.order_by(GRADES.c.student.collate(database.bytewise))
        rows = connection.execution_options(yield_per=LISTED_AT_ONCE).execute(ordered)
        for row in rows:
            ids.append(row.id)
            if MENDED in row.student:
                mended.append(row.id)
    # The order of names that a database cannot hold.
    return _by_own_names(database, ids, mended) if mended else ids


def names_before(assignment: str) -> Select[tuple[str]]:
    """Names of nobody in the roster whose last file is a student's in a later run, and of whom
    nothing was decided: it became known whose the file is."""
    last, later = ARRIVALS.alias("last"), ARRIVALS.alias("later")
    current = select(func.max(PEOPLE.c.list)).scalar_subquery()
    roster = select(PEOPLE.c.student).where(PEOPLE.c.list == current)
    newest = (
        select(func.max(ARRIVALS.c.id))
        .where(ARRIVALS.c.assignment == assignment)
        .group_by(ARRIVALS.c.student)
    )
    of_others = (
        select(later.c.id)
        .where(later.c.assignment == assignment, later.c.file == last.c.file)
        .where(later.c.run_id > last.c.run_id, later.c.student != last.c.student)
        .where(later.c.student.in_(roster))
    )
    decided = select(DECISIONS.c.student).where(DECISIONS.c.assignment == assignment)
    return select(last.c.student).where(
        last.c.id.in_(newest),
        last.c.student.not_in(roster),
        last.c.student.not_in(decided),
        of_others.exists(),
    )


def _by_own_names(database: Database, ids: array[int], mended: array[int]) -> array[int]:
    """The ids in the order of students' real names, if the database stores changed ones."""
    odd = frozenset(mended)
    names: list[tuple[str, int]] = []
    for at in range(0, len(ids), READ_AT_ONCE):
        some = ids[at : at + READ_AT_ONCE].tolist()
        query = select(GRADES.c.id, GRADES.c.student).where(GRADES.c.id.in_(some))
        names += [(row.student, row.id) for row in database.rows(query) if row.id not in odd]
    for id_ in odd:
        query = select(GRADES.c.result).where(GRADES.c.id == id_)
        (row,) = database.rows(query)
        names.append((read_result(row.result, name=database.name).student, id_))
    return array("q", (id_ for _, id_ in sorted(names)))
