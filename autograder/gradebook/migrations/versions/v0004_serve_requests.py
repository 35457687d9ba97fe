"""What `autograder serve` keeps of regrade requests, workers and their tasks; and
the rubric items of decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from autograder.gradebook.migrations.rules import append_only

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make three tables that only grow, and two whose rows change."""
    items = sa.Column("items", sa.String, nullable=False, server_default="[]")
    op.add_column("decisions", items)
    op.create_table(
        "regrade_requests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("exercise", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
    )
    by_student = ["assignment", "student", "exercise", "number"]
    op.create_index("regrade_requests_by_student", "regrade_requests", by_student, unique=True)
    op.create_table(
        "regrade_messages",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("request_id", sa.Integer, sa.ForeignKey("regrade_requests.id"), nullable=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("amount", sa.Integer),
        sa.Column("closes", sa.Boolean, nullable=False),
    )
    op.create_index("regrade_messages_by_request", "regrade_messages", ["request_id"])
    op.create_table(
        "regrade_intake",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("taken", sa.Boolean, nullable=False),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("assignment", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("given", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("worker", sa.String, nullable=False),
        sa.Column("lease_until", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("result", sa.String, nullable=False),
    )
    append_only("regrade_requests", "regrade_messages", "regrade_intake")
