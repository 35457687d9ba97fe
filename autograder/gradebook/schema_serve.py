"""The tables of `autograder serve`: attempts, their jobs, who may come in, claims, an audit log,
regrade requests, workers, tasks.

``attempts``, ``assignment_states``, ``audit`` and ``regrade_*`` are append-only, as the gradebook's
own tables.
Secrets (of links and sessions) are stored as SHA-256 digests. Times are UTC in ISO 8601, except for
those that are compared by a query: these are seconds since 1970.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table

from autograder.gradebook.schema import APPEND_ONLY, TABLES

__all__ = [
    "ATTEMPTS",
    "AUDIT",
    "CLAIMS",
    "INTAKE",
    "JOBS",
    "LINKS",
    "MESSAGES",
    "REQUESTS",
    "SESSIONS",
    "STATES",
    "TABLES",
    "TASKS",
    "USED_TOKENS",
    "WORKERS",
]

ATTEMPTS = Table(
    "attempts",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("number", Integer, nullable=False),  # of this student in this assignment, from 1
    Column("file", String, nullable=False),  # as the student named it
    Column("sha256", String, nullable=False),  # where its bytes are
    Column("notes", String, nullable=False),  # JSON: what reading the file reported
    Index("attempts_by_student", "assignment", "student", "number", unique=True),
    info={APPEND_ONLY: True},
)
JOBS = Table(
    "jobs",
    TABLES,
    Column("attempt_id", Integer, ForeignKey("attempts.id"), primary_key=True),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("state", String, nullable=False),  # queued, claimed, done, failed
    Column("worker", String, nullable=False),
    Column("lease_until", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("error", String, nullable=False),  # the grader's own fault, for the instructor
    Column("progress", String, nullable=False, server_default=""),  # JSON, while it is graded
    Column("grade_id", Integer, ForeignKey("grades.id")),
    Index("jobs_by_state", "state", "assignment"),
)
STATES = Table(
    "assignment_states",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("state", String, nullable=False),  # draft, open, closed, released
    info={APPEND_ONLY: True},
)
LINKS = Table(
    "links",
    TABLES,
    Column("digest", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("role", String, nullable=False),  # student, grader, instructor
    Column("once", Boolean, nullable=False),  # goes when it is used
    Column("expires", Float, nullable=False),
)
SESSIONS = Table(
    "sessions",
    TABLES,
    Column("digest", String, primary_key=True),
    Column("person", String, nullable=False),
    Column("role", String, nullable=False),
    Column("expires", Float, nullable=False),
)
USED_TOKENS = Table(
    "used_tokens",  # of other servers, until they expire
    TABLES,
    Column("digest", String, primary_key=True),
    Column("expires", Float, nullable=False),
)
CLAIMS = Table(
    "claims",
    TABLES,
    Column("assignment", String, primary_key=True),
    Column("student", String, primary_key=True),
    Column("exercise", String, primary_key=True),
    Column("task", String, primary_key=True),
    Column("who", String, nullable=False),
    Column("until", Float, nullable=False),
)
AUDIT = Table(
    "audit",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("role", String, nullable=False),
    Column("what", String, nullable=False),
    Column("about", String, nullable=False),
    info={APPEND_ONLY: True},
)
REQUESTS = Table(
    "regrade_requests",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("student", String, nullable=False),
    Column("exercise", String, nullable=False),
    Column("number", Integer, nullable=False),  # of this student about this exercise, from 1
    Index(
        "regrade_requests_by_student",
        *("assignment", "student", "exercise", "number"),
        unique=True,
    ),
    info={APPEND_ONLY: True},
)
MESSAGES = Table(
    "regrade_messages",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("request_id", Integer, ForeignKey("regrade_requests.id"), nullable=False),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("role", String, nullable=False),
    Column("text", String, nullable=False),
    Column("amount", Integer),  # the exercise's new points, if this message set any
    Column("closes", Boolean, nullable=False),
    Index("regrade_messages_by_request", "request_id"),
    info={APPEND_ONLY: True},
)
INTAKE = Table(
    "regrade_intake",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("taken", Boolean, nullable=False),  # whether students may ask
    info={APPEND_ONLY: True},
)
WORKERS = Table(
    "workers",
    TABLES,
    Column("name", String, primary_key=True),
    Column("assignment", String, nullable=False),  # that it grades, "" for none
    Column("seen", Float, nullable=False),
)
TASKS = Table(
    "tasks",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("assignment", String, nullable=False),
    Column("kind", String, nullable=False),  # validate, release, regrade
    Column("given", String, nullable=False),
    Column("state", String, nullable=False),  # queued, claimed, done, failed
    Column("worker", String, nullable=False),
    Column("lease_until", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("result", String, nullable=False),
)
