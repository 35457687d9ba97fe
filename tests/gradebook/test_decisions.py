"""What people decide, when hand-ins came, who is in the course: kept by SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from autograder.errors import StoreError, UsageError
from autograder.gradebook import database, upgrade
from autograder.gradebook.database import PASSWORD, Database, database_url
from autograder.gradebook.decisions import Decision, in_force, new_ones
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.schema import NEWEST
from autograder.gradebook.schema_serve import TABLES
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.web.access import CourseAccess, Visitor
from autograder.web.queue import Queue
from autograder.web.regrade_requests import RegradeRequests
from autograder.web.states import AssignmentStates
from tests.support import postgres
from tests.support.made_grades import NOON as RUN
from tests.support.made_grades import START
from tests.support.made_grades import half as graded

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ODD = 'Ünï, "Q" =SUM(A1)\n\x00\udc80\u202e-07'
KEPT = ODD.replace("\x00", "\\x00").replace("\udc80", "\\udc80")


def decision(kind: Any, **keys: Any) -> Decision:
    fields = {"who": "ta-1", "why": "because", "at": NOON, "student": "001", **keys}
    return Decision(assignment="a1", kind=kind, **fields)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if reason := postgres.lacking():
        pytest.skip(reason)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A new, empty gradebook."""
    if request.param == "sqlite":
        return tmp_path / "grades.db"
    url = str(request.getfixturevalue("server"))
    name = f"db{abs(hash(tmp_path.name)) % 10**9}_{tmp_path.parent.name.rpartition('-')[2]}"
    engine = sa.create_engine(
        url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return url.replace("/postgres?", f"/{name}?")


@contextmanager
def connected(where: Path | str) -> Iterator[sa.Connection]:
    """The database without our code in between."""
    url = f"sqlite:///{where}" if isinstance(where, Path) else database_url(where)
    engine = sa.create_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


# ---------------------------------------------------------------- the database itself


def test_a_new_gradebook_has_the_tables_that_the_code_expects(where: Path | str) -> None:
    Database(where).close()
    with connected(where) as connection:
        migrated = MigrationContext.configure(connection)
        assert compare_metadata(migrated, TABLES) == []
        assert migrated.get_current_revision() == NEWEST


# what is true now, and no record
CHANGING = {"jobs", "links", "sessions", "claims", "workers", "tasks", "used_tokens"}


def test_no_row_can_be_changed_or_deleted(where: Path | str) -> None:
    with GradeStore(where) as store:
        run = store.begin_run(started_at=START, **RUN)
        store.record(run, graded("001"))
        store.arrive(run, [ArrivalRecord("a1", "001", "plain", "001.ipynb", "001.ipynb")])
        store.enroll(Roster((Person("001"),)), at=NOON)
        store.decide([decision("excuse")])
    database = Database(where)
    AssignmentStates(database).set("a1", "open", who="ta-1")
    attempt = {"assignment": "a1", "student": "001", "file": "a.py", "sha256": "0"}
    Queue(database).accept(**attempt, notes=(), per_day=1)
    CourseAccess(database).audit("ta-1", "grader", "looked", "")
    requests = RegradeRequests(database)
    requests.ask("a1", Visitor("001", "student", ""), "e1", "Why?")
    requests.take("a1", "ta-1", taken=False)
    database.close()
    for table in sorted({*TABLES.tables} - CHANGING):
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id"):
            with (
                pytest.raises(sa.exc.DBAPIError, match="append-only"),
                connected(where) as connection,
            ):
                connection.execute(sa.text(statement))


NEXT = """
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade():
    op.execute("CREATE TABLE more (id INTEGER)")
"""


def test_an_older_gradebook_is_upgraded_once(
    where: Path | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GradeStore(where) as store:
        store.begin_run(started_at=START, **RUN | {"command": "old"})
    later = tmp_path / "migrations"
    shutil.copytree(upgrade._MIGRATIONS, later)
    (later / "versions/v0002_more.py").write_text(NEXT)
    monkeypatch.setattr(upgrade, "_MIGRATIONS", later)
    monkeypatch.setattr(database, "NEWEST", "0002")
    for _ in range(2):
        with GradeStore(where) as store:
            assert [run.command for run in store.runs()] == ["old"]
            store.decide([decision("excuse")])
    with connected(where) as connection:
        assert "more" in sa.inspect(connection).get_table_names()


@pytest.mark.parametrize(
    ("ours", "statement", "said"),
    [
        (True, "UPDATE alembic_version SET version_num = '9999'", "newer version"),
        (False, "CREATE TABLE grades (id INTEGER PRIMARY KEY)", "not a gradebook"),
    ],
)
def test_a_gradebook_of_a_later_version_and_other_tables_are_left_alone(
    where: Path | str, ours: bool, statement: str, said: str
) -> None:
    if ours:
        Database(where).close()
    with connected(where) as connection:
        connection.execute(sa.text(statement))
    with pytest.raises(StoreError, match=said):
        GradeStore(where)


def test_two_that_open_a_new_gradebook_at_once_both_succeed(where: Path | str) -> None:
    failed: list[BaseException] = []

    def open_() -> None:
        try:
            GradeStore(where).close()
        except BaseException as bad:
            failed.append(bad)

    threads = [threading.Thread(target=open_) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.parametrize("text", ["mysql://u@h/d", "nonsense", "", "oracle://x"])
def test_other_databases_are_refused_with_the_forms_that_are_known(text: str) -> None:
    with pytest.raises(UsageError, match="postgresql://"):
        database_url(text)


def test_the_password_comes_from_the_environment_and_is_in_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PASSWORD, "s3cret")
    assert database_url("postgresql://me@h/d").password == "s3cret"
    with pytest.raises(StoreError) as caught:
        GradeStore("postgresql://me:0ther@127.0.0.1:1/d?connect_timeout=2")
    assert "0ther" not in str(caught.value) and "127.0.0.1" in str(caught.value)


def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"boxgrader\[postgresql\]"):
        GradeStore("postgresql://me@h/d")


# ---------------------------------------------------------------- what it keeps


def test_decisions_come_back_as_they_were(where: Path | str) -> None:
    made = [
        decision("override", amount=8500, exercise="e", why=ODD),
        decision("points", amount=0, exercise="e", task="c"),
        decision("extend", until=NOON + timedelta(days=2)),
        decision("comment", text=ODD, student="007"),
        decision("undo", undoes=1),
    ]
    with GradeStore(where) as store:
        ids = store.decide(made)
        found = store.decisions("a1")
        assert store.decisions("a2") == ()
    assert [one.id for one in found] == list(ids)
    assert found == tuple(
        msgspec.structs.replace(
            one,
            id=id_,
            why=KEPT if one.why == ODD else one.why,
            text=KEPT if one.text == ODD else one.text,
        )
        for id_, one in zip(ids, made, strict=True)
    )


def test_of_a_bundle_of_decisions_all_are_kept_or_none(where: Path | str) -> None:
    with GradeStore(where) as store:
        with pytest.raises(StoreError):
            store.decide([decision("excuse"), decision("undo", undoes=999)])
        assert store.decisions("a1") == ()


def test_a_time_without_a_zone_is_no_time(where: Path | str) -> None:
    with GradeStore(where) as store, pytest.raises(ValueError, match="time zone"):
        store.decide([decision("excuse", at=datetime(2026, 3, 1))])  # noqa: DTZ001


def test_the_newest_roster_is_the_roster_and_an_equal_one_is_not_added(where: Path | str) -> None:
    first = Roster((Person("002"), Person("001", name=ODD.replace("\udc80", ""), keys={"k": "0"})))
    second = Roster((Person("001"),))
    with GradeStore(where) as store:
        assert store.roster() == Roster()
        store.enroll(first, at=NOON)
        store.enroll(first, at=NOON)
        assert [p.id for p in store.roster()] == ["002", "001"]
        assert store.roster().people[1].keys == {"k": "0"}
        store.enroll(second, at=NOON)
        assert store.roster() == second
    with connected(where) as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM people")).scalar() == 3


def test_the_arrivals_of_the_newest_run_of_each_student_count(where: Path | str) -> None:
    early = ArrivalRecord("a1", "001", "canvas", KEPT, "x_1_2_a.ipynb", 1, NOON, False)
    late = ArrivalRecord("a1", "001", "canvas", "a", "x_1_3_a.ipynb", 2, NOON + timedelta(1), True)
    other = ArrivalRecord("a1", "002", "plain", "002.ipynb", "002.ipynb")
    with GradeStore(where) as store:
        runs = [store.begin_run(started_at=START, **RUN) for _ in range(2)]
        store.arrive(runs[0], [early, other])
        store.arrive(runs[1], [early, late])
        assert sorted(store.arrivals("a1"), key=lambda a: (a.student, a.attempt)) == [
            early,
            late,
            other,
        ]


# ---------------------------------------------------------------- which of them hold


def numbered(*decisions: Decision) -> list[Decision]:
    return [msgspec.structs.replace(one, id=n) for n, one in enumerate(decisions, 1)]


def override(amount: int, **keys: Any) -> Decision:
    return decision("override", amount=amount, **keys)


def comment(text: str, **keys: Any) -> Decision:
    return decision("comment", text=text, **keys)


def undo(number: int) -> Decision:
    return decision("undo", undoes=number)


def points(student: str) -> Decision:
    return decision("points", amount=1, task="c", student=student)


@pytest.mark.parametrize(
    ("made", "hold"),
    [
        ([override(1), override(2)], [2]),
        ([override(1), override(2, exercise="e")], [1, 2]),
        ([decision("extra", amount=1), decision("extra", amount=1)], [1, 2]),
        ([comment("a", task="c"), comment("b", task="c")], [2]),
        ([comment("a"), comment("b")], [1, 2]),
        ([decision("excuse"), undo(1)], []),
        ([decision("excuse"), undo(1), undo(2)], [1]),
        ([override(1), override(2), undo(2)], [1]),
        ([points("1"), points("2")], [1, 2]),
    ],
)
def test_the_newest_that_is_not_undone_holds(made: list[Decision], hold: list[int]) -> None:
    assert [one.id for one in in_force(numbered(*made))] == hold
    assert [one.id for one in in_force(reversed(numbered(*made)))] == hold


def test_what_would_change_nothing_is_not_decided_again() -> None:
    held = numbered(decision("points", amount=1, task="c"))
    same = decision("points", amount=1, task="c", who="ta-2", at=NOON + timedelta(1))
    other = decision("points", amount=2, task="c")
    assert new_ones([same, other], held) == (other,)


KILLED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from autograder.gradebook.decisions import Decision
from autograder.gradebook.store import GradeStore
where = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
with GradeStore(where) as store:
    for n in range(10_000):
        pair = [Decision("a1", str(n), "override", "ta", side, datetime.now(UTC), amount=n)
                for side in ("left", "right")]
        store.decide(pair)
        print(n, flush=True)
"""


@pytest.mark.slow
def test_a_killed_process_leaves_every_finished_decision_and_no_half_one(
    where: Path | str,
) -> None:
    for lines in (1, 7):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(where)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        done = [process.stdout.readline().strip() for _ in range(lines)][-1]
        process.kill()
        process.wait()
        with GradeStore(where) as store:
            kept = store.decisions("a1")
        assert len(kept) % 2 == 0
        assert {o.why for o in kept if o.student == done} == {"left", "right"}
