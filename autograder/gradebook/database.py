"""The database of a gradebook: a SQLite file, or PostgreSQL by its URL. Its tables are upgraded
when it is opened.

Covered: a kill at any moment (WAL; one transaction for what belongs together, migrations
included); two processes that write, or that migrate, at once (each waits for the other); rows
changed or deleted by mistake (triggers refuse); a file of another kind or of a newer version.
Not covered: deliberate changes by somebody with write access to the database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, Engine, Row, create_engine, event, inspect, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from autograder.errors import StoreError, UsageError
from autograder.gradebook.schema import NEWEST
from autograder.gradebook.schema_serve import TABLES  # all tables

APPLICATION = 0x41475244  # "AGRD", identifies the SQLite file
FILE_VERSION = 1  # of the file as such; the version of its tables is Alembic's
PASSWORD = "AUTOGRADER_GRADEBOOK_PASSWORD"  # noqa: S105  the name of an environment variable
LOOKED_THROUGH = 64 * 2**20  # bytes of a SQLite file that is read as a whole when it is opened
WAIT_MS = 30_000

SERVER_REMEDY = "Check that the server is running and that this user may write to the database."
DAMAGED_REMEDY = (
    "Move the file away and run the grading again: automatic grades are rebuilt from the stored "
    "evidence. Overrides, manual points and other decisions exist only in this file."
)
_MAKE_ROOM = (
    "Free some space and check that the disk is mounted and writable, then run the same command "
    "again: finished work is kept."
)
_MAY_WRITE = (
    "Check that the folder and the file are writable, then run the same command again: finished "
    "work is kept."
)
REMEDIES = {
    "disk is full": _MAKE_ROOM,
    "disk I/O error": _MAKE_ROOM,
    "unable to open": _MAY_WRITE,
    "readonly": _MAY_WRITE,
    "locked": "Another command has it open for writing: run the same command again when that one "
    "has finished; finished work is kept.",
}

_LOCK = 0x41475244  # PostgreSQL's advisory lock while migrating
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


def database_url(text: str) -> URL:
    """The URL of a gradebook; if it has no password, the one from the environment is added.

    Raises ``UsageError`` unless it is a SQLite or PostgreSQL URL.
    """
    try:
        url = make_url(text)
    except SQLAlchemyError:
        raise UsageError(f"{text!r} is not a database URL; {_FORMS}") from None
    url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError(f"a gradebook cannot be kept in {url.get_backend_name()!r}; {_FORMS}")
    if url.get_backend_name() == "postgresql" and url.password is None and PASSWORD in os.environ:
        url = url.set(password=os.environ[PASSWORD])
    return url


def without_password(text: str) -> str:
    """The URL without its password, for logs and messages; "" for "". Raises ``UsageError``."""
    if not text:
        return ""
    url = database_url(text)
    kept = {key: value for key, value in url.query.items() if "password" not in key}
    if url.get_backend_name() == "sqlite":
        url = url.set(database=str(Path(url.database or "grades.db").absolute()))
    return url.set(query=kept)._replace(password=None).render_as_string()


_FORMS = "give sqlite:///PATH or postgresql://USER@HOST/DATABASE"


class Database:
    """An open gradebook database; every method may raise ``StoreError``."""

    def __init__(self, where: Path | str) -> None:
        """Open the file or the URL, make the tables, or bring them up to date."""
        url = (
            URL.create("sqlite", database=str(where))
            if isinstance(where, Path)
            else database_url(where)
        )
        self.name = url.database or "" if url.get_backend_name() == "sqlite" else _shown(url)
        self._engine = _engine(url)
        with self.begin() as connection:
            _prepare(connection)

    @property
    def bytewise(self) -> str:
        """The collation that sorts text as Python does."""
        return "BINARY" if self._engine.dialect.name == "sqlite" else "C"

    def close(self) -> None:
        """Close the file or the connections."""
        self._engine.dispose()

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """One transaction, all or nothing. Database errors and invalid contents are raised as
        ``StoreError``."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error, msgspec.MsgspecError, UnicodeError) as bad:
            server = self._engine.dialect.name == "postgresql"
            raise StoreError(
                f"{self.name}: the gradebook cannot be used ({_cause(bad)}). "
                + (SERVER_REMEDY if server else _remedy(_cause(bad)))
            ) from bad

    def rows(self, query: Any) -> list[Row[Any]]:
        """All rows of a query."""
        with self.begin() as connection:
            return list(connection.execute(query))


def _shown(url: URL) -> str:
    return url.set(password=None, query={}).render_as_string()


def _engine(url: URL) -> Engine:
    try:
        # closing the last connection checkpoints the file, which takes longer than a grade
        pool = QueuePool if url.get_backend_name() == "sqlite" else NullPool
        engine = create_engine(url, poolclass=pool)
    except ImportError:
        raise UsageError(
            "a gradebook in PostgreSQL needs psycopg: pip install 'boxgrader[postgresql]'"
        ) from None
    if engine.dialect.name != "sqlite":
        return engine

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
    """Bring the tables up to date; refuse a file of another kind, damaged, or of a later time."""
    tables = set(inspect(connection).get_table_names())
    if connection.dialect.name == "sqlite":
        _look_at_file(connection, empty=not tables)
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        tables = set(inspect(connection).get_table_names())
    if "alembic_version" in tables:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if found == NEWEST:
            return
    elif tables & set(TABLES.tables):
        raise SQLAlchemyError("its tables are not a gradebook's; choose another database")
    from autograder.gradebook.upgrade import upgrade  # noqa: PLC0415  it loads Alembic

    upgrade(connection, tables)


def _look_at_file(connection: Connection, *, empty: bool) -> None:
    if empty:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
        connection.exec_driver_sql(f"PRAGMA user_version = {FILE_VERSION}")
        return
    found = [
        connection.exec_driver_sql(f"PRAGMA {what}").scalar()
        for what in ("application_id", "user_version")
    ]
    if found != [APPLICATION, FILE_VERSION]:
        raise SQLAlchemyError("it is not a gradebook of this version")
    if (
        connection.exec_driver_sql(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        ).scalar_one()
        > LOOKED_THROUGH
    ):
        return  # too large to read each time; a damaged page is found on use
    verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if verdict != "ok":
        raise SQLAlchemyError(f"it is damaged: {verdict}")


def _remedy(cause: str) -> str:
    """What to do about a SQLite file. The error's text distinguishes a disk fault from a damaged
    file."""
    # A full disk is no damaged gradebook.
    return next((told for words, told in REMEDIES.items() if words in cause), DAMAGED_REMEDY)


def _cause(bad: BaseException) -> str:
    inner = getattr(bad, "orig", None) or bad
    return " ".join(str(inner).split())
