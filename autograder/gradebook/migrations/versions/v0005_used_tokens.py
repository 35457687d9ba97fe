"""The tokens of other servers by which somebody has signed in: each is taken once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "used_tokens",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("expires", sa.Float, nullable=False),
    )
