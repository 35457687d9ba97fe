"""Workbook, JUnit, our own JSON, nbgrader, otter, fresh sheets and the table of formats."""

from __future__ import annotations

import io
import zipfile
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.interop.exports.model import Options
from autograder.interop.exports.xlsx import sheet_names
from autograder.interop.junit.report import legal
from autograder.interop.score_formats import FORMATS, export
from tests.support.strict_readers import canvas, junit, moodle, plain_json, tables, workbook
from tests.support.strict_readers.hostile_class import CONTROL, ROSTER, STANDINGS, TITLE
from tests.support.strict_readers.text import Rejected

FINAL = Standing("a", "s", "final", 1_005, 3_000)


def test_workbook() -> None:
    sheets = workbook.read(export("xlsx", STANDINGS, ROSTER).data)
    assert list(sheets) == ["Grades", "A_first", "b_second", "bonus", "About"]
    assert all(sheet.frozen and sheet.filtered for sheet in sheets.values())
    header = ("Student", "Score", "Maximum", "Status")
    assert sheets["b_second"].rows[0] == header
    rows = {row[0]: row[1:] for row in sheets["b_second"].rows[1:]}
    assert len(rows) == len(STANDINGS)
    assert rows["007"] == (0, 4, "failed")
    assert rows["0042"] == (4, 4, "passed")
    assert rows["#N/A"] == (None, None, "absent")
    about = dict(row[:2] for row in sheets["About"].rows)
    assert "half up" in str(about["Rounding"]) and "not 0" in str(about["Empty cell"])


def test_workbook_tells_no_time() -> None:
    with zipfile.ZipFile(io.BytesIO(export("xlsx", STANDINGS, ROSTER).data)) as book:
        assert {entry.date_time for entry in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = book.read("docProps/core.xml").decode()
    assert core.count("1980-01-01T00:00:00Z") == 2
    assert "20" + "26" not in core


def test_names_of_sheets() -> None:
    titles = ["grades", "About", "history", "x" * 40, "X" * 40, "a/b:c*d?[e]\\", "a_b_c_d__e__"]
    titles += ["'q'", "", "  ", "\U0001f600" * 20, "\x00\ud800", "é", "É"]
    names = sheet_names(titles)
    assert len({name.casefold() for name in names} | {"grades", "about", "history"}) == 17
    for name in names:
        workbook._check_name(name, {})
    assert sheet_names(["q1", "q2"]) == ("q1", "q2")


def test_junit() -> None:
    data = export("junit", STANDINGS, ROSTER).data
    suites, cases = junit.read(data)
    outcomes = {(case.student, case.exercise): case for case in cases}
    assert len(cases) == 3 * len(STANDINGS)
    assert outcomes["0042", "b_second"].outcome == "passed"
    assert outcomes["0042", "b_second"].points == 4
    assert outcomes["007", "b_second"].outcome == "failure"
    assert outcomes["007", "b_second"].points == 0
    assert outcomes["#N/A", "b_second"].outcome == "skipped"
    assert outcomes["#N/A", "b_second"].points is None
    assert outcomes["12/03", "b_second"].outcome == "error"
    assert suites["0042"]["score"] == "8.5" and suites["0042"]["late_penalty"] == "1.5"
    assert data.count(b'<property name="bonus" value="true" />') == len(STANDINGS)
    assert b"time=" in data and b"timestamp" not in data
    assert b"ctrl#x0Bid" in data and CONTROL.encode() not in data


OUTCOMES = """
passed 3 passed
passed - skipped
failed 1 failure
raised 0 failure
failed 3 passed
manual 3 passed
manual 2 failure
manual - skipped
ungraded - error
stopped - failure
new-word 1 failure
"""


def test_outcomes() -> None:
    rows = [line.split() for line in OUTCOMES.strip().split("\n")] + [["", "-", "skipped"]]
    for status, number, outcome in rows:
        score = None if number == "-" else int(number)
        exercise = ExerciseStanding("e", "E", score, 3, status=status)
        held = msgspec.structs.replace(FINAL, exercises=(exercise,))
        _, (case,) = junit.read(export("junit", [held], NO_ROSTER).data)
        assert (case.outcome, case.points is None) == (outcome, score is None), (status, score)


def test_a_left_out_exercise_is_skipped() -> None:
    exercise = ExerciseStanding("e", "E", 0, 0, status="skipped")
    held = msgspec.structs.replace(FINAL, exercises=(exercise,))
    assert junit.read(export("junit", [held], NO_ROSTER).data)[1][0].outcome == "skipped"


def test_signs_that_xml_has_not() -> None:
    assert legal("a\x00\x0b\ud800\ufffe\x7f\t\n\r\U0001f600") == (
        "a#x00#x0B#xD800#xFFFE#x7F\t\n\r\U0001f600"
    )


def test_json_loses_nothing() -> None:
    zone = timezone(timedelta(hours=5, minutes=45))
    amounts = {"so_far": 999, "automatic": 1, "manual": 2, "manual_open": 3, "extra": -4}
    amounts |= {"penalty": 5, "late_s": 6}
    exercises = (ExerciseStanding("e", "\x1b", None, 1, True, "x"),)
    texts = {"comments": ("\x00", ""), "note": "\ud800"}
    when = datetime(2026, 1, 1, tzinfo=zone)
    full = Standing("a", "\udcff\u2028", "final", 1_001, 3_000, **amounts, exercises=exercises)
    full = msgspec.structs.replace(full, overridden=True, submitted_at=when, **texts)
    roster = Roster((Person("007", "n", "f", "l", "e", "s", {"username": "\udcff"}),))
    standings, people = plain_json.read(export("json", [full], roster).data)
    assert (standings, people) == ((full,), roster)
    assert {type(getattr(standings[0], name)) for name in Standing.__struct_fields__} == {
        type(getattr(full, name)) for name in Standing.__struct_fields__
    }


def test_nbgrader() -> None:
    due = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
    data = export("nbgrader", STANDINGS, ROSTER, Options(due=due)).data
    rows = {row[3]: row for row in tables.rows(data)}
    assert rows["0042"][:3] == ["hw-1", "2026-10-25 00:30:00", "2026-10-25 00:30:01.250000"]
    assert rows["0042"][4:] == ["Doe, Esq.", "Jane", "s1@example.org", "10", "1.5", "8.5", "10"]
    assert rows["ñandú-Ж"][7:] == ["2.02", "1.01", "1.01", "10"]  # a sum also when rounded
    assert rows["#N/A"][7:] == ["", "", "", "10"]
    assert rows["#N/A"][2] == ""
    assert rows["a,b"][4] == 'Ann "A" Example'


def test_otter() -> None:
    _, questions = tables.otter(export("otter", STANDINGS, ROSTER).data)
    assert questions["0042"] == {"A_first": "0", "b_second": "4", "bonus": ""}
    assert questions["#N/A"] == {"A_first": "", "b_second": "", "bonus": ""}
    rows = tables.rows(export("otter", STANDINGS, ROSTER).data)
    assert rows[1] == ["points-per-question", "6", "4", "2", "10", "1", "--"]
    percent = {row[0]: row[-2] for row in rows[2:]}
    assert (percent["0042"], percent["1e5"], percent["#N/A"]) == ("0.85", "0.0005", "")


def test_an_exercise_called_as_a_column() -> None:
    exercises = tuple(
        ExerciseStanding(id_, "t", 1_000, 1_000) for id_ in ("file", "grading_status")
    )
    held = msgspec.structs.replace(FINAL, exercises=exercises)
    rows = tables.rows(export("otter", [held], NO_ROSTER).data)
    assert len(set(rows[0])) == len(rows[0])


def test_without_a_roster_the_id_stands_for_the_key() -> None:
    for name in ("canvas", "blackboard", "blackboard-csv", "brightspace"):
        needed = {"title": "T", "item_id": "1"} if name != "brightspace" else {"title": "T"}
        made = export(name, [FINAL], NO_ROSTER, Options(**needed))
        assert made.written == ("s",)
        assert not made.unmatched
        assert "for 1 student," in made.notes[-1]
    data = export("canvas", [FINAL], NO_ROSTER, Options(title="T", item_id="1")).data
    (row,) = canvas.read(data, assignment="1").students
    assert (row.id, row.sis_user, row.value) == ("", "s", Decimal("1.01"))


def test_one_key_of_two_students_is_nobodys() -> None:
    roster = Roster(tuple(Person(id_, keys={"canvas_id": "5"}) for id_ in ("s", "t")))
    made = export("canvas", [FINAL], roster, Options(title="T", item_id="1"))
    assert made.written == ()
    assert "'5' belongs to more than one" in made.unmatched[0].reason


def test_moodle_import_is_all_or_nothing_so_only_sure_rows_are_in_it() -> None:
    people = (Person("s", email="s@x"), Person("t"), Person("u", email="u@x"))
    standings = [msgspec.structs.replace(FINAL, student=p.id) for p in people]
    standings[2] = msgspec.structs.replace(standings[2], score=-1_000)
    chosen = Options(title="T", key="email", comments=True)
    made = export("moodle-import", standings, Roster(people), chosen)
    assert moodle.general(made.data, {"s@x", "u@x"}, item="T") == {"s@x": Decimal("1.01")}
    assert [mention.student for mention in made.unmatched] == ["t"]
    assert "negative" in made.left_blank[0].reason
    with pytest.raises(UsageError, match="idnumber"):
        export("moodle-import", standings, NO_ROSTER, replace(chosen, key="shoe size"))


def test_two_assignments_or_one_student_twice_are_refused() -> None:
    for name in sorted(FORMATS):
        when = datetime(2026, 1, 1, tzinfo=UTC)
        needed = {"title": TITLE, "item_id": "1", "student": "s", "timestamp": when}
        needed |= {"sheet": b"Identifier,Grade\n"}
        wanted = {*FORMATS[name].needs, *FORMATS[name].instead}
        chosen = Options(**{key: needed[key] for key in wanted})
        with pytest.raises(UsageError, match="more than one standing"):
            export(name, [FINAL, FINAL], NO_ROSTER, chosen)
        other = msgspec.structs.replace(FINAL, assignment="b", student="t")
        with pytest.raises(UsageError, match="2 assignments"):
            export(name, [FINAL, other], NO_ROSTER, chosen)


def test_options_that_mean_nothing_or_are_missing() -> None:
    with pytest.raises(UsageError, match="canvas"):
        export("canva", [FINAL], NO_ROSTER)
    with pytest.raises(UsageError, match="add --sheet, or --title and --item-id"):
        export("canvas", [FINAL], NO_ROSTER)
    with pytest.raises(UsageError, match="leave out --title"):
        export("xlsx", [FINAL], NO_ROSTER, Options(title="x"))
    with pytest.raises(UsageError, match="as --item-id its number in Canvas"):
        export("canvas", [FINAL], NO_ROSTER, Options(title="T", item_id="٤٧"))
    for found in FORMATS.values():
        names = {field.name for field in fields(Options)}
        assert {*found.needs, *found.takes, *found.instead} <= names


@pytest.mark.parametrize(
    ("data", "read"),
    [
        (b"ID,Student,Section,T (1)\r\n", "order"),
        (b"Student,ID,Section,T (1)\r\nx,1,S,3\r\n", "no points row"),
        (b"Student,ID,Section,T (1)\r\n    Points Possible,,,10\r\nx,1,S,ten\r\n", "no number"),
        (b"Student,ID,Section,T (1)\r\n    Points Possible,,,10\r\nx,1,S,1\r\ny,1,S,1\r\n", "two"),
        (b"Student,ID,Section,T\r\n    Points Possible,,,10\r\n", "no id"),
    ],
)
def test_the_reader_is_strict(data: bytes, read: str) -> None:
    with pytest.raises(Rejected):
        canvas.read(data, assignment="1")


def test_maxima_that_differ_are_told() -> None:
    other = msgspec.structs.replace(FINAL, student="t", max_score=9_000)
    made = export("otter", [FINAL, other], NO_ROSTER)
    assert "maximum scores differ" in made.notes[0]


def test_a_canvas_id_is_a_number() -> None:
    roster = Roster((Person("s", keys={"canvas_id": "student-01", "sis_login_id": "x"}),))
    data = export("canvas", [FINAL], roster, Options(title="T", item_id="1")).data
    (row,) = canvas.read(data, assignment="1").students
    assert (row.id, row.sis_user, row.sis_login) == ("", "", "x")


def test_every_format_is_in_the_manual() -> None:
    manual = (Path(__file__).resolve().parents[3] / "docs" / "exports.md").read_text("utf-8")
    assert not [name for name in FORMATS if f"| `{name}` |" not in manual]
