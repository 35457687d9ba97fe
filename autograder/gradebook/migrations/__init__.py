"""Migrations (Alembic) that upgrade the tables of an older gradebook."""
