"""Triggers that refuse to change or delete a row, for SQLite and PostgreSQL."""

from __future__ import annotations

from alembic import op

_FUNCTION = (
    "CREATE OR REPLACE FUNCTION autograder_append_only() RETURNS trigger AS $$ "
    "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
)


def append_only(*tables: str) -> None:
    """Refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE on these tables."""
    if op.get_context().dialect.name == "sqlite":
        for table in tables:
            for verb in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
        return
    op.execute(_FUNCTION)
    for table in tables:
        op.execute(
            f"CREATE TRIGGER {table}_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION autograder_append_only()"
        )
