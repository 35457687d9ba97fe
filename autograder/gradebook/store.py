"""The gradebook on disk: grades.db, SQLite, append-only. A later grade stands beside the
earlier one, so every change of a grade can be told.

Covered: a kill at any moment (WAL, one transaction per grade); two processes writing
(each waits for the other); rows changed or deleted by mistake (triggers refuse).
Not covered: somebody who may write the file and means to change it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    String,
    Table,
    create_engine,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from autograder.errors import StoreError
from autograder.gradebook.grade import Grade, Timing
from autograder.gradebook.result import read_result, result_json

VERSION = 1
APPLICATION = 0x41475244  # "AGRD", so that the file tells what it is
WAIT_MS = 30_000

_tables = MetaData()
_runs = Table(
    "runs",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("started_at", String, nullable=False),  # UTC, ISO 8601
    Column("assignment", String, nullable=False),
    Column("seed", String, nullable=False),
    Column("versions", String, nullable=False),  # JSON
    Column("command", String, nullable=False),
)
_grades = Table(
    "grades",
    _tables,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("file", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("status", String, nullable=False),
    Column("score", Integer),  # thousandths of a point; null: there is no score
    Column("max_score", Integer, nullable=False),
    Column("digest", String, nullable=False),  # of the result without its timing
    Column("result", LargeBinary, nullable=False),  # the bytes of results/<student>.json
    Index("grades_by_student", "assignment", "student"),
)
_RULES = (
    *(
        f"CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in ("runs", "grades")
        for verb in ("UPDATE", "DELETE")
    ),
    "CREATE VIEW latest_grades AS SELECT assignment, student, file, status, "
    "score / 1000.0 AS score, max_score / 1000.0 AS max_score, run_id, id AS grade_id "
    "FROM grades WHERE id IN (SELECT max(id) FROM grades GROUP BY assignment, student)",
    f"PRAGMA user_version = {VERSION}",
    f"PRAGMA application_id = {APPLICATION}",
)


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


class GradeStore:
    """An open grades.db; a context manager. Every method may raise ``StoreError``."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        self.path = path
        self._engine = _engine(path)
        with self._guard(), self._engine.begin() as connection:
            _prepare(connection)

    def __enter__(self) -> GradeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def begin_run(
        self,
        *,
        assignment: str,
        seed: int,
        command: str,
        versions: Mapping[str, str],
        started_at: datetime,
    ) -> int:
        """Record that a command starts; ``started_at`` must know its time zone.

        Returns the id under which its grades are recorded.
        """
        if started_at.tzinfo is None:
            raise ValueError("started_at has no time zone")
        row = {
            "started_at": started_at.astimezone(UTC).isoformat(),
            "assignment": assignment,
            "seed": str(seed),
            "versions": msgspec.json.encode(dict(versions), order="sorted").decode(),
            "command": _storable(command),
        }
        with self._guard(), self._engine.begin() as connection:
            return _inserted(connection, _runs, row)

    def record(self, run_id: int, grade: Grade) -> int:
        """Append a grade and return its row's id.

        When the run's newest grade of that student says the same (timing apart),
        nothing is added and the id of that row is returned.
        """
        row = _grade_row(run_id, grade)
        newest = (
            select(_grades.c.id, _grades.c.digest)
            .where(
                _grades.c.run_id == run_id,
                _grades.c.assignment == row["assignment"],
                _grades.c.student == row["student"],
            )
            .order_by(_grades.c.id.desc())
            .limit(1)
        )
        with self._guard(), self._engine.begin() as connection:
            found = connection.execute(newest).first()
            if found is not None and found.digest == row["digest"]:
                return int(found.id)
            return _inserted(connection, _grades, row)

    def latest(self, assignment: str) -> tuple[Grade, ...]:
        """The current grade of each student, sorted by student."""
        current = select(func.max(_grades.c.id)).group_by(_grades.c.assignment, _grades.c.student)
        query = select(_grades.c.result).where(
            _grades.c.assignment == assignment, _grades.c.id.in_(current)
        )
        grades = [self._grade(row) for row in self._rows(query)]
        return tuple(sorted(grades, key=lambda grade: grade.student))

    def history(self, student: str, *, assignment: str) -> tuple[PastGrade, ...]:
        """All grades that a student was ever given, oldest first."""
        query = (
            select(_runs, _grades.c.result)
            .join(_grades, _grades.c.run_id == _runs.c.id)
            .where(_grades.c.student == _storable(student), _grades.c.assignment == assignment)
            .order_by(_grades.c.id)
        )
        return tuple(PastGrade(_run_record(row), self._grade(row)) for row in self._rows(query))

    def runs(self) -> tuple[RunRecord, ...]:
        """All runs, oldest first."""
        return tuple(_run_record(row) for row in self._rows(select(_runs).order_by(_runs.c.id)))

    def _rows(self, query: Any) -> list[Row[Any]]:
        with self._guard(), self._engine.begin() as connection:
            return list(connection.execute(query))

    def _grade(self, row: Row[Any]) -> Grade:
        return read_result(row.result, name=str(self.path))

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Errors of the database and of what it holds, as ours."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, msgspec.MsgspecError, UnicodeError) as bad:
            raise StoreError(
                f"{self.path}: the gradebook cannot be used ({_cause(bad)}). Move the file away "
                "and run the grading again: it is rebuilt from the stored evidence."
            ) from bad


def _engine(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says
        for pragma in (f"busy_timeout = {WAIT_MS}", "journal_mode = WAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _lock(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _prepare(connection: Connection) -> None:
    """Make the tables in a new file; refuse a file of another kind or version."""
    version = connection.exec_driver_sql("PRAGMA user_version").scalar()
    empty = not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
    if empty:
        _tables.create_all(connection)
        for rule in _RULES:
            connection.exec_driver_sql(rule)
        return
    application = connection.exec_driver_sql("PRAGMA application_id").scalar()
    if (application, version) != (APPLICATION, VERSION):
        raise SQLAlchemyError("it is not a gradebook of this version")
    verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if verdict != "ok":
        raise SQLAlchemyError(f"it is damaged: {verdict}")


def _inserted(connection: Connection, table: Table, row: Mapping[str, Any]) -> int:
    key = connection.execute(insert(table).values(**row)).inserted_primary_key
    return int(key[0]) if key else 0


def _grade_row(run_id: int, grade: Grade) -> dict[str, Any]:
    untimed = result_json(msgspec.structs.replace(grade, timing=Timing()))
    return {
        "run_id": run_id,
        "assignment": grade.assignment,
        "student": _storable(grade.student),
        "file": _storable(grade.submission.file),
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
        versions=msgspec.json.decode(row.versions, type=dict[str, str]),
        command=row.command,
    )


def _storable(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates from odd file names are written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _cause(bad: BaseException) -> str:
    inner = getattr(bad, "orig", None) or bad
    return " ".join(str(inner).split())
