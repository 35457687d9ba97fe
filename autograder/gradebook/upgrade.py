"""Upgrades the tables of an older gradebook, or creates those of an empty one."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

_MIGRATIONS = Path(__file__).parent / "migrations"
_FIRST = "0001"  # the version of files from before they recorded it for Alembic


def upgrade(connection: Connection, tables: Collection[str]) -> None:
    """Run the missing migrations. Raises ``SQLAlchemyError``, also for newer tables."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    try:
        if "alembic_version" in tables:
            found = MigrationContext.configure(connection).get_current_revision()
            if found not in {revision.revision for revision in script.walk_revisions()}:
                raise SQLAlchemyError(f"it was written by a newer version (its tables are {found})")
        elif "grades" in tables:
            MigrationContext.configure(connection).stamp(script, _FIRST)
        _run(connection, config, script)
    except CommandError as bad:
        raise SQLAlchemyError(str(bad)) from bad


def _run(connection: Connection, config: Config, script: ScriptDirectory) -> None:
    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs("head", revision)

    with EnvironmentContext(config, script, fn=steps, destination_rev="head") as environment:
        environment.configure(connection=connection, transactional_ddl=False)
        environment.run_migrations()
