"""The roster, when submissions arrived, and decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from autograder.gradebook.migrations.rules import append_only

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make three tables that only grow."""
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("list", sa.Integer, nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
    )
    op.create_index("people_by_list", "people", ["list"])
    op.create_table(
        "arrivals",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("run_id", sa.Integer, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("file", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("submitted_at", sa.String),
        sa.Column("late", sa.Boolean),
    )
    op.create_index("arrivals_by_student", "arrivals", ["assignment", "student"])
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("exercise", sa.String, nullable=False),
        sa.Column("task", sa.String, nullable=False),
        sa.Column("amount", sa.Integer),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("until", sa.String),
        sa.Column("undoes", sa.Integer, sa.ForeignKey("decisions.id")),
    )
    op.create_index("decisions_by_student", "decisions", ["assignment", "student"])
    append_only("people", "arrivals", "decisions")
