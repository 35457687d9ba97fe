"""Runs and grades."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from autograder.gradebook.migrations.rules import append_only

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables and the view of the current grades."""
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("started_at", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("versions", sa.String, nullable=False),
        sa.Column("command", sa.String, nullable=False),
    )
    op.create_table(
        "grades",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("run_id", sa.Integer, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("file", sa.String, nullable=False),
        sa.Column("sha256", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("max_score", sa.Integer, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("result", sa.LargeBinary, nullable=False),
    )
    op.create_index("grades_by_student", "grades", ["assignment", "student"])
    append_only("runs", "grades")
    op.execute(
        "CREATE VIEW latest_grades AS SELECT assignment, student, file, status, "
        "score / 1000.0 AS score, max_score / 1000.0 AS max_score, run_id, id AS grade_id "
        "FROM grades WHERE id IN (SELECT max(id) FROM grades GROUP BY assignment, student)"
    )
