"""What a worker knows so far of the attempt that it grades."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it to the jobs."""
    op.add_column("jobs", sa.Column("progress", sa.String, nullable=False, server_default=""))
