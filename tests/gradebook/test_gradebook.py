"""The gradebook: grades.db, gradebook.csv, summary.json, and the table in the terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
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
from autograder.judging.verdict import Mismatch, Status
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
    assert past[0].run.started_at == START
    assert past[0].run.versions == {"torch": "2"}
    assert past[1].run.seed == 2**70
    assert [run.id for run in store.runs()] == [first, second]


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
    assert [p.grade.score for p in store.history("student-01", assignment="a1")] == [
        1500,
        2000,
        1500,
    ]
    other = store.begin_run(started_at=START, **NOON)
    store.record(other, half("student-01"))
    assert len(store.history("student-01", assignment="a1")) == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE grades SET score = 2000",
        "DELETE FROM grades",
        "UPDATE runs SET seed = '1'",
        "DELETE FROM runs",
    ],
)
def test_rows_can_only_be_added(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
    with closing(sqlite3.connect(path)) as raw, pytest.raises(sqlite3.Error, match="append-only"):
        raw.execute(statement)


def test_the_file_can_be_read_with_sqlite_alone(tmp_path: Path) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        run = store.begin_run(started_at=START, **NOON)
        store.record(run, half("student-01"))
        store.record(run, unscored("student-02", "ungraded", "the box failed"))
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT student, status, score, max_score FROM latest_grades").fetchall()
        mode = raw.execute("PRAGMA journal_mode").fetchone()
    assert rows == [("student-01", "graded", 1.5, 2.0), ("student-02", "ungraded", None, 2.0)]
    assert mode == ("wal",)


def test_a_grade_must_belong_to_a_run(store: GradeStore) -> None:
    with pytest.raises(StoreError):
        store.record(99, half("student-01"))


def test_a_start_without_a_time_zone_is_refused(store: GradeStore) -> None:
    with pytest.raises(ValueError, match="time zone"):
        store.begin_run(started_at=START.replace(tzinfo=None), **NOON)


def test_an_odd_file_name_can_be_recorded(store: GradeStore) -> None:
    name = os.fsdecode(b"student-\xff")
    store.record(store.begin_run(started_at=START, **NOON), half(name))
    assert [p.grade.student for p in store.history(name, assignment="a1")] == [name]


def damage_header(path: Path) -> None:
    path.write_bytes(b"this is not a database at all" * 200)


def damage_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xaa" * 8192
    path.write_bytes(bytes(data))


def damage_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'grades_by_student'"
        (page,) = raw.execute(query).fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xaa" * size
    path.write_bytes(bytes(data))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


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
    [damage_header, damage_page, damage_index, truncate, another_version, another_program],
)
def test_a_damaged_gradebook_is_named_with_its_remedy(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
    damage(path)
    with pytest.raises(StoreError, match=r"grades\.db.*again"):
        GradeStore(path)


def test_a_damaged_row_is_not_taken_for_a_grade(tmp_path: Path) -> None:
    path = tmp_path / "grades.db"
    with GradeStore(path) as store:
        store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
        damaged_row(path)
        with pytest.raises(StoreError, match=r"grades\.db.*again"):
            store.latest("a1")


def test_a_folder_that_does_not_exist_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"grades\.db"):
        GradeStore(tmp_path / "nowhere" / "grades.db")


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_gradebook import NOON, START, half
from autograder.gradebook.store import GradeStore
with GradeStore(Path(sys.argv[1])) as store:
    run = store.begin_run(started_at=START, **NOON)
    for number in range(100000):
        store.record(run, half(f"student-{number:05d}"))
        print(number, flush=True)
"""


def test_a_killed_process_leaves_every_finished_grade_and_no_half_one(tmp_path: Path) -> None:
    path = tmp_path / "grades.db"
    command = [sys.executable, "-c", KILLED, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(10)]
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout]
    with GradeStore(path) as store:
        found = store.latest("a1")
        assert len(found) >= len(told)
        assert found == tuple(half(f"student-{n:05d}") for n in range(len(found)))
        store.record(store.begin_run(started_at=START, **NOON), right("student-00000"))
        assert store.latest("a1")[0] == right("student-00000")


# ---------------------------------------------------------------- gradebook.csv


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"))))


def test_the_csv_has_a_row_per_student_and_a_column_per_exercise() -> None:
    stopped = unscored("student-03", "rejected", "student-03.ipynb: no cells")
    table = rows(gradebook_csv([stopped, half("student-02"), right("student-01")]))
    assert table == [
        ["student", "file", "status", "score", "max_score", "e", "f", "note"],
        ["student-01", "student-01.ipynb", "graded", "2", "2", "1", "1", ""],
        ["student-02", "student-02.ipynb", "graded", "1.5", "2", "1", "0.5", ""],
        [
            "student-03",
            "student-03.ipynb",
            "rejected",
            "",
            "2",
            "",
            "",
            "student-03.ipynb: no cells",
        ],
    ]


def test_the_csv_does_not_depend_on_order_or_time() -> None:
    class_ = [right("student-01"), half("student-02")]
    later = [msgspec.structs.replace(g, timing=GradeTiming(5, 5, 5)) for g in reversed(class_)]
    assert gradebook_csv(class_) == gradebook_csv(later)


def test_no_zero_is_written_for_what_was_not_graded() -> None:
    open_ = exercise("e", check("c", Status.UNGRADED, None), score=None)
    failed = grade("student-01", open_, status="ungraded", reason="e/c", score=None)
    assert rows(gradebook_csv([failed]))[1][3:6] == ["", "2", ""]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\t=", "＝", "＠"])
def test_text_that_a_spreadsheet_would_run_is_defused(start: str) -> None:
    evil = f"{start}cmd|' /C calc'!A0"
    assert cell_text(evil).startswith("'")
    bad = unscored(evil, "rejected", evil)
    row = rows(gradebook_csv([bad]))[1]
    assert row[0].startswith("'")
    assert row[-1].startswith("'")
    hand_in = msgspec.structs.replace(bad, student="s", submission=SubmittedFile(evil, "0"))
    assert rows(gradebook_csv([hand_in]))[1][1].startswith("'")


def test_ordinary_text_stays_as_it_is() -> None:
    assert cell_text("student-01") == "student-01"
    assert cell_text("Übung, 'eins'") == "Übung, 'eins'"


def test_a_cell_holds_one_line_and_shows_what_hides() -> None:
    nasty = unscored("a\nb\x1b[2J\u202e" + os.fsdecode(b"\xff"), "rejected", 'one,"two"\r\nthree')
    data = gradebook_csv([nasty])
    assert rows(data)[1][0] == "a b\\x1b[2J\\u202e\\udcff"
    assert rows(data)[1][-1] == 'one,"two" three'
    assert data.count(b"\n") == 2


# ---------------------------------------------------------------- summary.json


def test_the_summary_counts_and_averages_what_was_graded() -> None:
    told = json.loads(
        summary_json(
            [
                right("student-01"),
                half("student-02"),
                half("student-03"),
                unscored("student-04", "rejected", "no cells"),
                unscored("student-05", "ungraded", "the box failed"),
            ]
        )
    )
    assert told["status"] == {"graded": 3, "rejected": 1, "ungraded": 1}
    assert told["score"] == {"mean": 1.667, "median": 1.5, "lowest": 1.5, "highest": 2}
    assert told["max_score"] == 2
    of_f = told["exercises"][1]
    assert (of_f["id"], of_f["judged"], of_f["passed"], of_f["pass_rate"]) == ("f", 3, 1, 0.3333)
    assert of_f["mean_score"] == 0.667
    assert of_f["checks"][0]["statuses"] == {"failed": 2, "passed": 1}
    assert told["diagnoses"] == [
        {"exercise": "f", "diagnosis": "sine and cosine swapped", "students": 2}
    ]


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


def test_the_summary_of_nobody_is_a_summary_and_bytes_are_stable() -> None:
    assert json.loads(summary_json([]))["score"]["mean"] is None
    class_ = [half("student-01", "A"), half("student-02", "B")]
    assert summary_json(class_) == summary_json(class_[::-1])


# ---------------------------------------------------------------- the terminal


def printed(renderable: Any, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 60, 79, 80, 160])
def test_the_class_table_fits_and_says_the_essential_at_any_width(width: int) -> None:
    class_ = [half("student-02"), right("student-01"), unscored("student-03", "ungraded", "lost")]
    text = printed(class_table(class_), width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert all(word in text for word in ("student-01", "2 of 2", "1.5 of 2", "ungraded"))
    assert text.index("student-01") < text.index("student-02")
    assert ("exercises" in text) is (width >= 80)


def test_names_in_the_terminal_can_neither_control_nor_style_it() -> None:
    evil = unscored("[bold]x[/bold]\x1b[2J\u202e", "rejected", "[link=x]\x1b]0;owned\x07")
    for view in (class_table([evil]), student_view(evil)):
        text = printed(view, 160)
        assert "[bold]x[/bold]\\x1b[2J\\u202e" in text
        assert "[link=x]\\x1b]0;owned\\x07" in text
        assert not set(text) & {"\x1b", "\x07", "\u202e"}


def test_one_student_is_shown_with_every_check_and_why_it_failed() -> None:
    differs = (Mismatch("result", "shape", "[20, 64]", "[64, 20]"),)
    seen = grade(
        "student-01",
        exercise("e", check("secret", Status.RAISED, 0, message="TypeError: no", diagnosis="why")),
        exercise("f", check("open", Status.FAILED, 0, mismatches=differs, public=True)),
        exercise("g", check("w", Status.MANUAL, None), max_score=0, manual_max=2000),
        manual_max=2000,
        bonus_max=1000,
    )
    text = printed(student_view(seen), 100)
    for word in (
        "secret (hidden)",
        "TypeError: no",
        "why",
        "by hand 2",
        "isolation: strong",
        "0 of 1 bonus",
        "the shape is [64, 20]; expected [20, 64].",
    ):
        assert word in text
    message = "expected the text 'a  b',\ngot the text 'a b'."
    spaced = grade("student-01", exercise("e", check("c", Status.FAILED, 0, message=message)))
    assert "expected the text 'a  b', got the text 'a b'." in printed(student_view(spaced), 100)
    told = msgspec.structs.replace(seen.submission, repairs=("Cell 3 was cut.",))
    seen = msgspec.structs.replace(seen, submission=told)
    assert "note: Cell 3 was cut." in printed(student_view(seen), 100)
