"""Makes the tables of a new gradebook, or upgrades those of an older one by the steps in
``migrations``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from autograder.gradebook.schema import APPEND_ONLY
from autograder.gradebook.schema_serve import TABLES  # all tables

_MIGRATIONS = Path(__file__).parent / "migrations"
_FUNCTION = (
    "CREATE OR REPLACE FUNCTION autograder_append_only() RETURNS trigger AS $$ "
    "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
)
_LATEST = (
    "CREATE VIEW latest_grades AS SELECT assignment, student, file, status, "
    "score / 1000.0 AS score, max_score / 1000.0 AS max_score, run_id, id AS grade_id "
    "FROM grades WHERE id IN (SELECT max(id) FROM grades GROUP BY assignment, student)"
)


def upgrade(connection: Connection, tables: Collection[str]) -> None:
    """Make all tables where there are none, else run the missing steps. Raises ``SQLAlchemyError``,
    also for tables of a later version."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    try:
        if "alembic_version" not in tables:
            _create(connection)
            MigrationContext.configure(connection).stamp(script, "head")
            return
        found = MigrationContext.configure(connection).get_current_revision()
        if found not in {revision.revision for revision in script.walk_revisions()}:
            raise SQLAlchemyError(f"it was written by a newer version (its tables are {found})")
        _run(connection, config, script)
    except CommandError as bad:
        raise SQLAlchemyError(str(bad)) from bad


def append_only(connection: Connection, *tables: str) -> None:
    """Refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE on these tables."""
    if connection.dialect.name == "sqlite":
        for table in tables:
            for verb in ("UPDATE", "DELETE"):
                connection.execute(
                    text(
                        f"CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table} "
                        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                    )
                )
        return
    connection.execute(text(_FUNCTION))
    for table in tables:
        connection.execute(
            text(
                f"CREATE TRIGGER {table}_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION autograder_append_only()"
            )
        )


def _create(connection: Connection) -> None:
    TABLES.create_all(connection)
    append_only(connection, *(t.name for t in TABLES.sorted_tables if APPEND_ONLY in t.info))
    connection.execute(text(_LATEST))


def _run(connection: Connection, config: Config, script: ScriptDirectory) -> None:
    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs("head", revision)

    with EnvironmentContext(config, script, fn=steps, destination_rev="head") as environment:
        environment.configure(connection=connection, transactional_ddl=False)
        environment.run_migrations()
