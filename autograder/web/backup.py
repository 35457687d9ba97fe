"""A course in one file, to be restored on any machine and with any database.

The file is a tar archive: ``course.db`` (a SQLite copy of all tables, also of those in PostgreSQL),
``uploads/`` and ``results/``. It can be made while the course is served: the tables are copied in
one transaction, and a file is on the disk before its row is committed.

Covered: a kill (the archive appears once it is whole; a course is restored into an empty place,
its database last); an archive that was changed (names that lead elsewhere are refused, and the
database is looked at before anything is copied). Not covered: the assignments themselves, which
belong under version control.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Table, func, insert, select

from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import UsageError
from autograder.files import not_written, scratch_folder
from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import CLAIMS, SESSIONS, TABLES, WORKERS
from autograder.web.course import Course

DATABASE = "course.db"
FOLDERS = ("uploads", "results")
ROWS = 500  # that are copied at a time
_PASSING = (SESSIONS, CLAIMS, WORKERS)  # people sign in again, workers report
_LEFT_OUT = (".lock", "remembered.db")  # is made again


def back_up(course: Course, target: Path) -> int:
    """Write the archive and return its size in bytes. Raises ``StoreError``."""
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with scratch_folder() as scratch:
            copy = scratch / DATABASE
            _copy_tables(course.database, copy)
            fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as file, tarfile.open(fileobj=file, mode="w") as archive:
                archive.add(copy, DATABASE)
                for name in FOLDERS:
                    if (course.served / name).is_dir():
                        archive.add(course.served / name, name, filter=_kept)
            temporary.replace(target)
    except OSError as bad:
        raise not_written(target, bad) from None
    finally:
        temporary.unlink(missing_ok=True)
    return target.stat().st_size


def _kept(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Regular files and folders that are no leftovers of a write in progress."""
    name = Path(entry.name).name
    partial = name.startswith(".") and name.endswith(".tmp")
    wanted = (entry.isfile() or entry.isdir()) and not partial and name not in _LEFT_OUT
    return entry if wanted else None


def restore(archive: Path, course: Course) -> None:
    """Restore a course whose folder has only its assignments. Raises ``UsageError`` if something
    is there already or the file is no archive of a course, and ``StoreError``."""
    served = course.served
    # A course that is there is not overwritten.
    if any(path.exists() for path in (served / DATABASE, *(served / name for name in FOLDERS))):
        raise UsageError(f"{served}: a course was served here already; move it away first")
    if course.url and _rows(course.url):
        raise UsageError("the database has rows already; choose an empty one")
    served.mkdir(parents=True, exist_ok=True)
    scratch = served / f".{secrets.token_hex(8)}.tmp"
    try:
        scratch.mkdir()
        _extract(archive, scratch)
        Database(scratch / DATABASE).close()  # it is one of ours, and not damaged
        for name in FOLDERS:
            if (scratch / name).is_dir():
                (scratch / name).replace(served / name)
        for path in sorted((served / "results").glob("*/run.json")):
            settle_place(course, ResultsFolder(path.parent))
        if course.url:
            _copy_tables(scratch / DATABASE, course.url)
        else:
            (scratch / DATABASE).replace(served / DATABASE)
    except OSError as bad:
        raise not_written(served, bad) from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _extract(archive: Path, scratch: Path) -> None:
    try:
        with tarfile.open(archive, "r:") as opened:
            # An archive writes into its own folder.
            opened.extractall(scratch, filter="data")
    except FileNotFoundError:
        raise UsageError(f"{archive}: no such file") from None
    except tarfile.TarError as bad:
        raise UsageError(f"{archive}: it is no backup of a course ({bad})") from None
    if not (scratch / DATABASE).is_file():
        raise UsageError(f"{archive}: it is no backup of a course (it has no {DATABASE})")


def settle_place(course: Course, results: ResultsFolder) -> None:
    """Write into run.json where its assignment and its gradebook are now."""
    run = results.open_run()
    folder = str(course.assignment_folder(run.assignment))
    gradebook = course.url or f"sqlite:///{course.database}"
    results.begin(msgspec.structs.replace(run, folder=folder, gradebook=gradebook))


def _rows(where: Path | str) -> int:
    """How many rows a database has."""
    database = Database(where)
    try:
        with database.begin() as connection:
            counts = (select(func.count()).select_from(table) for table in TABLES.sorted_tables)
            return sum(connection.execute(count).scalar_one() for count in counts)
    finally:
        database.close()


def _copy_tables(source: Path | str, target: Path | str) -> None:
    """Copy every row, as of one moment, into a database without rows."""
    one, other = Database(source), Database(target)
    try:
        with one.begin() as reading, other.begin() as writing:
            if reading.dialect.name == "postgresql":
                reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for table in TABLES.sorted_tables:
                if table not in _PASSING:
                    for rows in _parts(reading, table):
                        writing.execute(insert(table), rows)
                    count_on(writing, table)
    finally:
        one.close()
        other.close()


def _parts(reading: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    query = select(table).order_by(*table.primary_key.columns)
    found = reading.execution_options(yield_per=ROWS).execute(query)
    for rows in found.mappings().partitions(ROWS):
        yield [dict(row) for row in rows]


def count_on(writing: Connection, table: Table) -> None:
    """PostgreSQL gives the next row the number after the last one that was copied."""
    column = table.autoincrement_column
    if writing.dialect.name != "postgresql" or column is None or column.foreign_keys:
        return
    last = writing.execute(select(func.max(column))).scalar()
    if last is not None:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        writing.execute(select(func.setval(sequence, last)))
