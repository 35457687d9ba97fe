"""The gradebook: grades.db, gradebook.csv, summary.json, and the table in the terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from autograder.errors import StoreError
from autograder.gradebook.decisions import Decision
from autograder.gradebook.export import cell_text
from autograder.gradebook.grade import (
    GradeTiming,
    SubmittedFile,
)
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.judging.verdict import Status
from autograder.reports.terminal.grades import class_table, student_view
from tests.support.made_grades import (
    NOON,
    START,
    check,
    exercise,
    grade,
    gradebook_csv,
    half,
    right,
    summary_json,
    unscored,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GradeStore]:
    with GradeStore(tmp_path / "grades.db") as opened:
        yield opened


# ---------------------------------------------------------------- grades.db


def test_the_latest_grade_of_each_student_is_the_current_one(store: GradeStore) -> None:
    first = store.begin_run(started_at=START, **NOON)
    store.record(first, half("student-02"))
    store.record(first, half("student-01"))
    second = store.begin_run(started_at=START + timedelta(days=1), **NOON)
    store.record(second, right("student-02"))
    assert store.latest("a1") == (half("student-01"), right("student-02"))
    assert store.latest("a2") == ()


def test_history_tells_every_grade_and_its_run_in_order(store: GradeStore) -> None:
    east = datetime(2025, 3, 1, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    first = store.begin_run(started_at=east, **NOON)
    store.record(first, half("student-01"))
    second = store.begin_run(started_at=START + timedelta(days=1), **{**NOON, "seed": 2**70})
    store.record(second, right("student-01"))
    past = store.history("student-01", assignment="a1")
    assert [(p.run.id, p.grade.score) for p in past] == [(first, 1500), (second, 2000)]
    assert past[0].run.started_at == START and past[0].run.versions == {"torch": "2"}
    assert past[1].run.seed == 2**70
    assert [run.id for run in store.runs()] == [first, second]
    with pytest.raises(StoreError):
        store.record(99, half("student-01"))
    with pytest.raises(ValueError, match="time zone"):
        store.begin_run(started_at=START.replace(tzinfo=None), **NOON)


def test_a_name_goes_when_its_file_is_a_students_and_only_then(store: GradeStore) -> None:
    """Not that of somebody in the roster, or about whom something was decided; not for a file that
    nobody in the roster has, or several have in one run."""
    store.enroll(Roster((Person("known"), Person("moved"))), at=START)

    def arrive(**files: str) -> None:
        run = store.begin_run(started_at=START, **NOON)
        store.record_all(run, [right(student) for student in files])
        found = [
            ArrivalRecord("a1", student, "plain", file, file, 1, START)
            for student, file in files.items()
        ]
        store.arrive(run, found)

    arrive(laptop="1", decided="2", moved="3", stays="4", grouped="5", known="5")
    store.decide([Decision("a1", "decided", "excuse", "me", "ill", START)])
    assert len(store.latest("a1")) == 6 and not store.names_before("a1")
    arrive(known="1")
    arrive(known="2")
    arrive(known="3", other="4")
    left = {"decided", "moved", "stays", "grouped", "known", "other"}
    assert {grade.student for grade in store.latest("a1")} == left
    assert store.names_before("a1") == {"laptop"} and not store.names_before("a2")


def test_recording_the_same_grade_again_in_a_run_adds_nothing(store: GradeStore) -> None:
    run = store.begin_run(started_at=START, **NOON)
    row = store.record(run, half("student-01"))
    slower = msgspec.structs.replace(half("student-01"), timing=GradeTiming(1, 2, 3))
    assert store.record(run, slower) == row
    assert store.record(run, right("student-01")) != row
    assert store.record(run, half("student-01")) != row
    store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
    past = [p.grade.score for p in store.history("student-01", assignment="a1")]
    assert past == [1500, 2000, 1500, 1500]


def test_rows_can_only_be_added_and_be_read_with_sqlite_alone(tmp_path: Path) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        run = store.begin_run(started_at=START, **NOON)
        store.record(run, half("student-01"))
        store.record(run, unscored("student-02", "ungraded", "the box failed"))
    with closing(sqlite3.connect(path)) as raw:
        for statement in ("UPDATE grades SET score = 2000", "DELETE FROM runs"):
            with pytest.raises(sqlite3.Error, match="append-only"):
                raw.execute(statement)
        rows = raw.execute("SELECT student, status, score, max_score FROM latest_grades").fetchall()
        mode = raw.execute("PRAGMA journal_mode").fetchone()
    assert rows == [("student-01", "graded", 1.5, 2.0), ("student-02", "ungraded", None, 2.0)]
    assert mode == ("wal",)


def overwritten(start: int, stop: int | None) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        end = len(data) if stop is None else stop
        data[start:end] = b"\xaa" * (end - start)
        path.write_bytes(data)

    return damage


def test_an_odd_file_name_can_be_recorded(store: GradeStore) -> None:
    name = os.fsdecode(b"student-\xff")
    store.record(store.begin_run(started_at=START, **NOON), half(name))
    assert [p.grade.student for p in store.history(name, assignment="a1")] == [name]


def damage_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'grades_by_student'"
        (page,) = raw.execute(query).fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    overwritten((page - 1) * size, page * size)(path)


def another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 99")


def another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE songs (title TEXT)")


def damaged_row(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER grades_refuse_UPDATE")
        raw.execute("UPDATE grades SET result = 'x'")
        raw.commit()


@pytest.mark.parametrize(
    "damage",
    [
        overwritten(0, None),
        overwritten(4096, 12288),
        damage_index,
        lambda path: os.truncate(path, 5000),
        another_version,
        another_program,
    ],
    ids="header page index truncated version program".split(),
)
def test_a_damaged_gradebook_is_named_with_its_remedy(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
    damage(path)
    with pytest.raises(StoreError, match=r"grades\.db.*again"):
        GradeStore(path)
    with pytest.raises(StoreError, match=r"grades\.db"):
        GradeStore(tmp_path / "nowhere" / "grades.db")


def test_a_damaged_row_is_not_taken_for_a_grade(store: GradeStore, tmp_path: Path) -> None:
    store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
    damaged_row(tmp_path / "grades.db")
    with pytest.raises(StoreError, match=r"grades\.db.*again"):
        store.latest("a1")


def test_the_csv_and_the_summary_do_not_depend_on_order_or_time() -> None:
    class_ = [right("student-01"), half("student-02", "A"), half("student-03", "B")]
    later = [msgspec.structs.replace(g, timing=GradeTiming(5, 5, 5)) for g in reversed(class_)]
    assert gradebook_csv(class_) == gradebook_csv(later)
    assert summary_json(class_) == summary_json(class_[::-1])
    assert json.loads(summary_json([]))["score"]["mean"] is None


# ---------------------------------------------------------------- gradebook.csv


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"))))


def test_no_zero_is_written_for_what_was_not_graded() -> None:
    open_ = exercise("e", check("c", Status.UNGRADED, None), score=None)
    failed = grade("student-01", open_, status="ungraded", reason="e/c", score=None)
    assert rows(gradebook_csv([failed]))[1][3:6] == ["", "2", ""]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\t=", "＝", "＠"])
def test_text_that_a_spreadsheet_would_run_is_defused(start: str) -> None:
    evil = f"{start}cmd|' /C calc'!A0"
    bad = unscored(evil, "rejected", evil)
    hand_in = msgspec.structs.replace(bad, submission=SubmittedFile(evil, "0"))
    student, file, *_, reason = rows(gradebook_csv([hand_in]))[1]
    assert all(text.startswith("'") for text in (cell_text(evil), student, file, reason))
    for plain in ("student-01", "Übung, 'eins'"):
        assert cell_text(plain) == plain


def test_a_cell_holds_one_line_and_shows_what_hides() -> None:
    nasty = unscored("a\nb\x1b[2J\u202e" + os.fsdecode(b"\xff"), "rejected", 'one,"two"\r\nthree')
    data = gradebook_csv([nasty])
    assert rows(data)[1][0] == "a b\\x1b[2J\\u202e\\udcff"
    assert rows(data)[1][-1] == 'one,"two" three'
    assert data.count(b"\n") == 2


# ---------------------------------------------------------------- summary.json


def test_a_mistake_counts_once_per_student_and_the_commonest_comes_first() -> None:
    twice = grade(
        "student-01",
        exercise("e", *(check(f"c{i}", Status.FAILED, 0, diagnosis="B") for i in range(3))),
    )
    rest = [
        grade(f"s{i}", exercise("e", check("c0", Status.FAILED, 0, diagnosis="A"))) for i in (1, 2)
    ]
    told = json.loads(summary_json([twice, *rest]))["diagnoses"]
    assert [(d["diagnosis"], d["students"]) for d in told] == [("A", 2), ("B", 1)]


def test_what_no_machine_judged_is_in_no_rate() -> None:
    open_ = exercise("e", check("c", Status.UNGRADED, None), score=None)
    gone = exercise("f", check("c", Status.SKIPPED, 0), left_out=True, score=0, max_score=0)
    by_hand = exercise("g", check("c", Status.MANUAL, None))
    absent = msgspec.structs.replace(check("c", Status.MISSING, 0), kind="written")
    none = exercise("h", absent, score=0, max_score=0)
    told = json.loads(summary_json([grade("student-01", open_, gone, by_hand, none)]))
    assert [e["pass_rate"] for e in told["exercises"]] == [None, None, None, None]
    assert [e["judged"] for e in told["exercises"]] == [0, 0, 0, 0]
    assert told["exercises"][0]["checks"][0]["pass_rate"] is None


# ---------------------------------------------------------------- the terminal


def printed(renderable: Any, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 79, 80, 160])
def test_the_class_table_fits_and_says_the_essential_at_any_width(width: int) -> None:
    class_ = [half("student-02"), right("student-01"), unscored("student-03", "ungraded", "lost")]
    text = printed(class_table(class_), width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert all(word in text for word in ("student-01", "2 of 2", "1.5 of 2", "ungraded"))
    assert text.index("student-01") < text.index("student-02")
    assert ("exercises" in text) is (width >= 80)


def test_one_student_is_shown_with_what_waits_and_what_was_noted() -> None:
    message = "expected the text 'a  b',\ngot the text 'a b'."
    seen = grade(
        "student-01",
        exercise("e", check("c", Status.FAILED, 0, message=message)),
        exercise("g", check("w", Status.MANUAL, None), max_score=0, manual_max=2000),
        manual_max=2000,
        bonus_max=1000,
        submission=SubmittedFile("s.ipynb", "0", ("Cell 3 was cut.",)),
    )
    text = printed(student_view(seen), 100)
    for word in (
        "by hand 2",
        "isolation: strong",
        "0 of 1 bonus",
        "expected the text 'a  b', got the text 'a b'.",
        "note: Cell 3 was cut.",
    ):
        assert word in text


def test_names_in_the_terminal_can_neither_control_nor_style_it() -> None:
    evil = unscored("[bold]x[/bold]\x1b[2J\u202e", "rejected", "[link=x]\x1b]0;owned\x07")
    for view in (class_table([evil]), student_view(evil)):
        text = printed(view, 160)
        assert "[bold]x[/bold]\\x1b[2J\\u202e" in text
        assert "[link=x]\\x1b]0;owned\\x07" in text
        assert not set(text) & {"\x1b", "\x07", "\u202e"}
