"""Steps by which a gradebook of an older version comes to have today's tables (Alembic)."""
