"""The tables of a gradebook, as a new one gets them. Older ones are upgraded by the steps in
``migrations``.

These tables are append-only: a later row does not replace the earlier one, so every change is on
record. Times are UTC in ISO 8601, points are thousandths.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

NEWEST = "0001"  # the last of the migrations
APPEND_ONLY = "append-only"  # mark of a table whose rows are never changed
TABLES = MetaData()

RUNS = Table(
    "runs",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("started_at", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("seed", String, nullable=False),
    Column("versions", String, nullable=False),  # JSON
    Column("command", String, nullable=False),
    info={APPEND_ONLY: True},
)
GRADES = Table(
    "grades",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("file", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("status", String, nullable=False),
    Column("score", Integer),  # null: there is no score
    Column("max_score", Integer, nullable=False),
    Column("digest", String, nullable=False),  # of the result without its timing
    Column("result", LargeBinary, nullable=False),  # the bytes of results/<student>.json
    Index("grades_by_student", "assignment", "student"),
    info={APPEND_ONLY: True},
)
PEOPLE = Table(
    "people",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("list", Integer, nullable=False),  # the highest number is the current roster
    Column("at", String, nullable=False),
    Column("student", String, nullable=False),
    Column("person", String, nullable=False),  # JSON
    Index("people_by_list", "list"),
    info={APPEND_ONLY: True},
)
ARRIVALS = Table(
    "arrivals",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("run_id", Integer, ForeignKey("runs.id"), nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("platform", String, nullable=False),
    Column("file", String, nullable=False),  # as the grade names it
    Column("place", String, nullable=False),  # the name in the download
    Column("attempt", Integer, nullable=False),
    Column("submitted_at", String),  # null: the download gives no time
    Column("late", Boolean),  # null: the download does not say
    Index("arrivals_by_student", "assignment", "student"),
    info={APPEND_ONLY: True},
)
DECISIONS = Table(
    "decisions",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("why", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("exercise", String, nullable=False),
    Column("task", String, nullable=False),  # the check that is graded by hand
    Column("amount", Integer),
    Column("text", String, nullable=False),
    Column("until", String),
    Column("undoes", Integer, ForeignKey("decisions.id")),
    Column("items", String, nullable=False, server_default="[]"),  # JSON
    Index("decisions_by_student", "assignment", "student"),
    info={APPEND_ONLY: True},
)
