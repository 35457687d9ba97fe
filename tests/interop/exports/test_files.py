"""What is peculiar to one format; what all of them have in common is in test_class.py, and whole
files are in tests/golden."""

from __future__ import annotations

import io
import zipfile
from dataclasses import fields, replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal

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
from tests.support.strict_readers.hostile_class import ROSTER, STANDINGS

FINAL = Standing("a", "s", "final", 1_005, 3_000)


def test_a_workbook_can_be_filtered_and_tells_no_time() -> None:
    data = export("xlsx", STANDINGS, ROSTER).data
    assert all(sheet.frozen and sheet.filtered for sheet in workbook.read(data).values())
    with zipfile.ZipFile(io.BytesIO(data)) as book:
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
    exercise = ExerciseStanding("e", "E", 0, 0, status="skipped")  # left out
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


def test_maxima_that_differ_are_told() -> None:
    other = msgspec.structs.replace(FINAL, student="t", max_score=9_000)
    made = export("otter", [FINAL, other], NO_ROSTER)
    assert "maximum scores differ" in made.notes[0]


def test_a_canvas_id_is_a_number() -> None:
    roster = Roster((Person("s", keys={"canvas_id": "student-01", "sis_login_id": "x"}),))
    data = export("canvas", [FINAL], roster, Options(title="T", item_id="1")).data
    (row,) = canvas.read(data, assignment="1").students
    assert (row.id, row.sis_user, row.sis_login) == ("", "", "x")
