"""The gradebook: runs, grades, the roster, arrivals and decisions in one append-only database.

A later grade does not replace the earlier one, so every change of a grade is on record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Table, func, insert, select

from autograder.gradebook.database import Database
from autograder.gradebook.decisions import Decision
from autograder.gradebook.grade import Current, Grade, GradeTiming
from autograder.gradebook.in_order import InOrder, names_before
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.result import read_result, result_json
from autograder.gradebook.schema import ARRIVALS, DECISIONS, GRADES, PEOPLE, RUNS
from autograder.wire.types import resolved

ARRIVE_AT_ONCE = 500  # rows of one statement


class RunRecord(msgspec.Struct, frozen=True):
    """One run of a command over a class."""

    id: int
    started_at: datetime
    assignment: str
    seed: int
    versions: dict[str, str]
    command: str


class PastGrade(msgspec.Struct, frozen=True):
    """A grade with the run that gave it."""

    run: RunRecord
    grade: Grade


class ArrivalRecord(msgspec.Struct, frozen=True):
    """When a submission arrived. ``file`` is its name in the grade, ``place`` its name in the
    download. ``submitted_at`` is UTC; None if the download gives no time."""

    assignment: str
    student: str
    platform: str
    file: str
    place: str
    attempt: int = 1
    submitted_at: datetime | None = None
    late: bool | None = None


class GradeStore:
    """An open gradebook; a context manager. Every method may raise ``StoreError``."""

    def __init__(self, where: Path | str) -> None:
        """Open a SQLite file or a database URL, and create the gradebook if there is none."""
        self._database = Database(where)

    def __enter__(self) -> GradeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def begin_run(
        self,
        *,
        assignment: str,
        seed: int,
        command: str,
        versions: Mapping[str, str],
        started_at: datetime,
    ) -> int:
        """Record that a command starts; ``started_at`` must have a time zone.

        Returns the id under which its grades are recorded.
        """
        if started_at.tzinfo is None:
            raise ValueError("started_at has no time zone")
        row = {
            "started_at": started_at.astimezone(UTC).isoformat(),
            "assignment": assignment,
            "seed": str(seed),
            "versions": msgspec.json.encode(dict(versions), order="sorted").decode(),
            "command": storable(command),
        }
        with self._database.begin() as connection:
            return _inserted(connection, RUNS, row)

    def record(self, run_id: int, grade: Grade) -> int:
        """Append a grade and return its row's id.

        If the run's newest grade of that student is equal apart from its timing, nothing is
        added and the id of that row is returned.
        """
        return self.record_all(run_id, (grade,))[0]

    def record_all(self, run_id: int, grades: Iterable[Grade]) -> tuple[int, ...]:
        """Append several grades in one transaction, all or none; see ``record``."""
        rows = [_grade_row(run_id, grade) for grade in grades]
        with self._database.begin() as connection:
            return tuple(_recorded(connection, row) for row in rows)

    def latest(self, assignment: str) -> tuple[Grade, ...]:
        """The current grade of each student, sorted by student."""
        return tuple(self.in_order(assignment))

    def in_order(self, assignment: str) -> InOrder:
        """The current grade of each student, sorted by student and read one by one, for a class of
        any size."""
        return InOrder(self._database, assignment)

    def names_before(self, assignment: str) -> frozenset[str]:
        """Names of nobody in the roster under which files were graded that are a student's now."""
        rows = self._database.rows(names_before(assignment))
        return frozenset(row.student for row in rows)

    def digests(self, assignment: str, students: Iterable[str]) -> dict[str, str]:
        """The digest of the current grade by student, for those who have one."""
        names = {storable(student): student for student in students}
        newest = (
            select(func.max(GRADES.c.id))
            .where(GRADES.c.assignment == assignment, GRADES.c.student.in_(names))
            .group_by(GRADES.c.student)
        )
        query = select(GRADES.c.student, GRADES.c.digest).where(GRADES.c.id.in_(newest))
        return {names[row.student]: row.digest for row in self._database.rows(query)}

    def current(self, assignment: str) -> Mapping[str, Current]:
        """What identifies the current grade, by student, without reading the grades."""
        newest = (
            select(func.max(GRADES.c.id))
            .where(GRADES.c.assignment == assignment)
            .group_by(GRADES.c.student)
        )
        columns = (GRADES.c.student, GRADES.c.digest, GRADES.c.status, GRADES.c.score)
        rows = self._database.rows(select(*columns).where(GRADES.c.id.in_(newest)))
        return {row.student: Current(row.digest, row.status, row.score) for row in rows}

    def history(self, student: str, *, assignment: str) -> tuple[PastGrade, ...]:
        """All grades that a student was ever given, oldest first."""
        query = (
            select(RUNS, GRADES.c.result)
            .join(GRADES, GRADES.c.run_id == RUNS.c.id)
            .where(GRADES.c.student == storable(student), GRADES.c.assignment == assignment)
            .order_by(GRADES.c.id)
        )
        return tuple(
            PastGrade(_run_record(row), self._grade(row)) for row in self._database.rows(query)
        )

    def grade(self, number: int) -> Grade | None:
        """The grade with this row's id, None if there is none."""
        rows = self._database.rows(select(GRADES.c.result).where(GRADES.c.id == number))
        return self._grade(rows[0]) if rows else None

    def runs(self) -> tuple[RunRecord, ...]:
        """All runs, oldest first."""
        return tuple(
            _run_record(row) for row in self._database.rows(select(RUNS).order_by(RUNS.c.id))
        )

    def enroll(self, roster: Roster, *, at: datetime) -> None:
        """Set the current roster; earlier ones are kept. Nothing is added if it is unchanged."""
        with self._database.begin() as connection:
            number = connection.execute(select(func.max(PEOPLE.c.list))).scalar()
            if _people(connection, number) == roster.people:
                return
            rows = [
                {
                    "list": (number or 0) + 1,
                    "at": _time(at),
                    "student": storable(person.id),
                    "person": storable(msgspec.json.encode(person).decode()),
                }
                for person in roster
            ]
            if rows:
                connection.execute(insert(PEOPLE), rows)

    def roster_number(self) -> int:
        """The number of the current roster, 0 without one: another is a changed roster."""
        with self._database.begin() as connection:
            return connection.execute(select(func.max(PEOPLE.c.list))).scalar() or 0

    def roster(self) -> Roster:
        """The current roster, in the order of the list."""
        with self._database.begin() as connection:
            number = connection.execute(select(func.max(PEOPLE.c.list))).scalar()
            return Roster(_people(connection, number))

    def arrive(self, run_id: int, arrivals: Sequence[ArrivalRecord]) -> None:
        """Record when submissions of a run arrived, all or none."""
        with self._database.begin() as connection:
            for at in range(0, len(arrivals), ARRIVE_AT_ONCE):
                some = arrivals[at : at + ARRIVE_AT_ONCE]
                connection.execute(insert(ARRIVALS), [_arrival_row(run_id, one) for one in some])

    def arrivals(self, assignment: str) -> tuple[ArrivalRecord, ...]:
        """The arrivals of each student in the newest run that has any, in order of recording."""
        newest = (
            select(ARRIVALS.c.student, func.max(ARRIVALS.c.run_id).label("run_id"))
            .where(ARRIVALS.c.assignment == assignment)
            .group_by(ARRIVALS.c.student)
            .subquery()
        )
        query = (
            select(ARRIVALS)
            .join(
                newest,
                (ARRIVALS.c.student == newest.c.student) & (ARRIVALS.c.run_id == newest.c.run_id),
            )
            .where(ARRIVALS.c.assignment == assignment)
            .order_by(ARRIVALS.c.id)
        )
        return tuple(_arrival(row) for row in self._database.rows(query))

    def decide(self, decisions: Sequence[Decision]) -> tuple[int, ...]:
        """Record decisions, all or none, and return their ids. ``at`` must have a time zone."""
        with self._database.begin() as connection:
            return tuple(
                _inserted(connection, DECISIONS, _decision_row(decision)) for decision in decisions
            )

    def decisions(self, assignment: str) -> tuple[Decision, ...]:
        """All decisions about an assignment, oldest first."""
        query = (
            select(DECISIONS).where(DECISIONS.c.assignment == assignment).order_by(DECISIONS.c.id)
        )
        return tuple(_decision(row) for row in self._database.rows(query))

    def _grade(self, row: Row[Any]) -> Grade:
        return read_result(row.result, name=self._database.name)


def _recorded(connection: Connection, row: Mapping[str, Any]) -> int:
    newest = (
        select(GRADES.c.id, GRADES.c.digest)
        .where(
            GRADES.c.run_id == row["run_id"],
            GRADES.c.assignment == row["assignment"],
            GRADES.c.student == row["student"],
        )
        .order_by(GRADES.c.id.desc())
        .limit(1)
    )
    found = connection.execute(newest).first()
    if found is not None and found.digest == row["digest"]:
        return int(found.id)
    return _inserted(connection, GRADES, row)


def _people(connection: Connection, number: int | None) -> tuple[Person, ...]:
    query = select(PEOPLE.c.person).where(PEOPLE.c.list == number).order_by(PEOPLE.c.id)
    rows = connection.execute(query)
    return tuple(msgspec.json.decode(row.person, type=resolved(Person)) for row in rows)


def _inserted(connection: Connection, table: Table, row: Mapping[str, Any]) -> int:
    key = connection.execute(insert(table).values(**row)).inserted_primary_key
    return int(key[0]) if key else 0


def _grade_row(run_id: int, grade: Grade) -> dict[str, Any]:
    untimed = result_json(msgspec.structs.replace(grade, timing=GradeTiming()))
    return {
        "run_id": run_id,
        "assignment": grade.assignment,
        "student": storable(grade.student),
        "file": storable(grade.submission.file),
        "sha256": grade.submission.sha256,
        "status": grade.status,
        "score": grade.score,
        "max_score": grade.max_score,
        "digest": hashlib.sha256(untimed).hexdigest(),
        "result": result_json(grade),
    }


def _run_record(row: Row[Any]) -> RunRecord:
    return RunRecord(
        id=row.id,
        started_at=datetime.fromisoformat(row.started_at),
        assignment=row.assignment,
        seed=int(row.seed),
        versions=msgspec.json.decode(row.versions, type=resolved(dict[str, str])),
        command=row.command,
    )


def _arrival_row(run_id: int, one: ArrivalRecord) -> dict[str, Any]:
    return {
        "run_id": run_id,
        **msgspec.structs.asdict(one),
        "student": storable(one.student),
        "file": storable(one.file),
        "place": storable(one.place),
        "submitted_at": None if one.submitted_at is None else _time(one.submitted_at),
    }


def _arrival(row: Row[Any]) -> ArrivalRecord:
    return ArrivalRecord(
        assignment=row.assignment,
        student=row.student,
        platform=row.platform,
        file=row.file,
        place=row.place,
        attempt=row.attempt,
        submitted_at=_moment(row.submitted_at),
        late=row.late,
    )


def _decision_row(one: Decision) -> dict[str, Any]:
    return {
        "at": _time(one.at),
        "who": storable(one.who),
        "why": storable(one.why),
        "assignment": one.assignment,
        "student": storable(one.student),
        "kind": one.kind,
        "exercise": one.exercise,
        "task": one.task,
        "amount": one.amount,
        "text": storable(one.text),
        "until": None if one.until is None else _time(one.until),
        "undoes": one.undoes,
        "items": msgspec.json.encode(one.items).decode(),
    }


def _decision(row: Row[Any]) -> Decision:
    fields = {key: getattr(row, key) for key in Decision.__struct_fields__}
    items = msgspec.json.decode(row.items, type=resolved(tuple[tuple[str, int], ...]))
    times = {"at": _moment(row.at), "until": _moment(row.until)}
    return Decision(**{**fields, **times, "items": items})


def _time(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError("the time has no time zone")
    return moment.astimezone(UTC).isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def storable(text: str) -> str:
    """Text that UTF-8 and every database can store: lone surrogates from odd file names and NUL
    characters are written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
