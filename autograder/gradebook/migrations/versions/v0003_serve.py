"""What `autograder serve` keeps: attempts and jobs, links and sessions, claims, an audit log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from autograder.gradebook.migrations.rules import append_only

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make three tables that only grow, and four whose rows change."""
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("file", sa.String, nullable=False),
        sa.Column("sha256", sa.String, nullable=False),
        sa.Column("notes", sa.String, nullable=False),
    )
    by_student = ["assignment", "student", "number"]
    op.create_index("attempts_by_student", "attempts", by_student, unique=True)
    op.create_table(
        "jobs",
        sa.Column("attempt_id", sa.Integer, sa.ForeignKey("attempts.id"), primary_key=True),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("worker", sa.String, nullable=False),
        sa.Column("lease_until", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("error", sa.String, nullable=False),
        sa.Column("grade_id", sa.Integer, sa.ForeignKey("grades.id")),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "assignment"])
    op.create_table(
        "assignment_states",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("once", sa.Boolean, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_table(
        "claims",
        sa.Column("assignment", sa.String, primary_key=True),
        sa.Column("student", sa.String, primary_key=True),
        sa.Column("exercise", sa.String, primary_key=True),
        sa.Column("task", sa.String, primary_key=True),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
    )
    append_only("attempts", "assignment_states", "audit")
