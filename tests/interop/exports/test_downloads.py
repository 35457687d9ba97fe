"""Downloaded sheets filled in: one column, the right rows, and not a byte elsewhere."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from autograder.errors import StoreError, UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Exported, Options
from autograder.interop.exports.sheets import read_sheet
from autograder.interop.score_formats import export
from tests.interop.exports.readers import BY_KEY, by, from_sheet
from tests.support.strict_readers import moodle
from tests.support.strict_readers.hostile_class import ROSTER, SCORES, STANDINGS, STUDENTS
from tests.support.strict_readers.sheets import (
    MOODLE,
    blackboard_rows,
    brightspace_rows,
    canvas_rows,
    moodle_rows,
    written,
)

ABOVE = "line\nbreak"
PARTICIPANTS = {f"Participant {key}": student for key, student in BY_KEY["moodle_id"].items()}
IN_RANGE = {student: score for student, score in SCORES.items() if student != ABOVE}
NOBODY = tuple(
    msgspec.structs.replace(s, state="absent", score=None, comments=()) for s in STANDINGS
)
CANVAS = Options(item_id="4711", sheet_name="canvas.csv")
BLACKBOARD = Options(item_id="1281892", sheet_name="bb.xls")
BRIGHTSPACE = Options(title="HW 1", sheet_name="bs.csv")
MOODLE_SHEET = Options(sheet_name="moodle.csv")

SHEETS: list[tuple[str, Options, list[list[str]], int]] = [
    ("canvas", CANVAS, canvas_rows(ROSTER), 6),
    ("moodle", MOODLE_SHEET, moodle_rows(ROSTER), 4),
    ("blackboard", BLACKBOARD, blackboard_rows(ROSTER), 6),
    ("blackboard-csv", BLACKBOARD, blackboard_rows(ROSTER), 6),
    ("brightspace", BRIGHTSPACE, brightspace_rows(ROSTER), 4),
]
DIALECTS: list[dict[str, object]] = [
    {},
    {"encoding": "utf-8-sig", "end": "\n"},
    {"delimiter": ";", "quote_all": True},
    {"delimiter": "\t", "encoding": "utf-16"},
]


def filled(
    name: str, options: Options, data: bytes, standings: tuple[Standing, ...] = STANDINGS
) -> Exported:
    return export(name, standings, ROSTER, replace(options, sheet=data))


@pytest.mark.parametrize("dialect", DIALECTS, ids=str)
@pytest.mark.parametrize(("name", "options", "rows", "column"), SHEETS, ids=lambda v: str(v)[:12])
def test_only_the_column_changes(
    name: str, options: Options, rows: list[list[str]], column: int, dialect: dict[str, object]
) -> None:
    data = written(rows, **dialect)  # type: ignore[arg-type]
    made = filled(name, options, data)
    before, after = read_sheet(data), read_sheet(made.data)
    for form in ("encoding", "bom", "delimiter", "ends"):
        assert getattr(after, form) == getattr(before, form)
    changed = set()
    for place, (old, new) in enumerate(zip(before.rows, after.rows, strict=True)):
        assert old[:column] == new[:column] and old[column + 1 :] == new[column + 1 :]
        changed |= {place} if old != new else set()
    assert len(changed) == len(made.written)
    mentioned = [mention.student for mention in (*made.left_blank, *made.unmatched)]
    assert sorted([*made.written, *mentioned]) == sorted(STUDENTS)
    assert filled(name, options, data, NOBODY).data == data
    assert filled(name, options, data, ()).data == data
    assert filled(name, options, made.data).data == made.data


READ_BACK: list[tuple[str, dict[str, object]]] = [
    ("canvas", {}),
    ("moodle", {}),
    ("brightspace", {}),
    ("blackboard", {"encoding": "utf-16", "delimiter": "\t", "quote_all": True}),
    ("blackboard", {"encoding": "utf-8-sig", "quote_all": True}),
]


@pytest.mark.parametrize(("name", "dialect"), READ_BACK, ids=str)
def test_the_platform_reads_what_is_filled_in(name: str, dialect: dict[str, object]) -> None:
    (sheet,) = ((o, rows) for own, o, rows, _ in SHEETS if own == name)
    made = filled(name, sheet[0], written(sheet[1], **dialect))  # type: ignore[arg-type]
    found = from_sheet(name, made.data)
    expected = IN_RANGE if name == "moodle" else SCORES
    exempt = {"TRUE": "EX"} if name == "canvas" else {}
    assert {k: v for k, v in found.items() if v is not None} == {**expected, **exempt}
    assert any("Can Exceed" in note for note in made.notes) == (name == "brightspace")


def test_moodle_takes_comments_and_who_is_above_the_maximum_is_left_out() -> None:
    made = filled("moodle", replace(MOODLE_SHEET, comments=True), written(moodle_rows(ROSTER)))
    found = moodle.worksheet(made.data, {})
    assert set(found.skipped.values()) == {"empty"}
    told = {s.student: s.comments for s in STANDINGS if s.comments and s.student in IN_RANGE}
    assert by(PARTICIPANTS, found.comments) == {
        student: "\n".join(comments) for student, comments in told.items()
    }
    assert [m.student for m in made.left_blank if "above the maximum" in m.reason] == [ABOVE]


def test_blackboard_feedback() -> None:
    data = written(blackboard_rows(ROSTER), encoding="utf-8-sig")
    sheet = read_sheet(filled("blackboard", replace(BLACKBOARD, comments=True), data).data)
    row = next(n for n in range(len(sheet.rows)) if sheet.value(n, 2) == "user_1")
    assert sheet.row(row)[9:] == ['Well <done> & =1+1\na "second",\nline', "SMART_TEXT"]


def test_an_equal_score_keeps_its_spelling_and_a_missing_one_its_old() -> None:
    rows = canvas_rows(ROSTER, scores={"0042": "8.50", "a,b": "3.00", "#N/A": "5.00"})
    made = filled("canvas", CANVAS, written(rows))
    sheet = read_sheet(made.data)
    cells = {sheet.value(n, 2): sheet.value(n, 6) for n in range(len(sheet.rows))}
    assert (cells["0042"], cells["a,b"], cells["#N/A"]) == ("8.50", "10", "5.00")
    reasons = {mention.student: mention.reason for mention in made.left_blank}
    assert "nothing was submitted" in reasons["#N/A"] and "keeps '5.00'" in reasons["#N/A"]


GERMAN = (
    "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,"
    "Bewertung kann geändert werden,Zuletzt geändert (Abgabe),Texteingabe online,"
    "Zuletzt geändert (Bewertung),Feedback als Kommentar".split(",")
)


def test_a_worksheet_in_another_language() -> None:
    rows = moodle_rows(ROSTER, header=GERMAN)
    data = written(rows, delimiter=";", encoding="utf-8-sig")
    with pytest.raises(UsageError, match="'Bewertung'"):
        filled("moodle", MOODLE_SHEET, data)
    told = replace(
        MOODLE_SHEET, column="Bewertung", comments=True, comment_column="Feedback als Kommentar"
    )
    found = moodle.worksheet(
        filled("moodle", told, data).data, {}, words=moodle.GERMAN, delimiter=";"
    )
    scores = by(PARTICIPANTS, found.grades)
    assert {k: v for k, v in scores.items() if k != ABOVE} == IN_RANGE
    assert found.comments


@pytest.mark.parametrize("header", [MOODLE, GERMAN], ids=["English", "German"])
def test_moodle_without_its_own_keys_goes_by_address(header: list[str]) -> None:
    bare = Roster(tuple(msgspec.structs.replace(p, keys={}) for p in ROSTER))
    data = written(moodle_rows(ROSTER, header=header))
    column = "" if header is MOODLE else "Bewertung"
    made = export("moodle", STANDINGS, bare, Options(sheet=data, column=column))
    assert not made.unmatched
    assert made == export("moodle", STANDINGS, ROSTER, Options(sheet=data, column=column))


def test_moodle_by_a_named_column() -> None:
    rows = moodle_rows(ROSTER, header=["Number" if c == "Email address" else c for c in MOODLE])
    for person, row in zip(ROSTER, rows[1:], strict=True):
        row[2] = person.id.encode("utf-8", "backslashreplace").decode()
    bare = Roster(tuple(Person(person.id) for person in ROSTER))
    made = export("moodle", STANDINGS, bare, Options(sheet=written(rows), key="Number"))
    assert not made.unmatched
    assert len(made.written) == len(IN_RANGE)


@pytest.mark.parametrize(
    ("change", "word"),
    [({"Grade can be changed": "No"}, "locked"), ({"Maximum Grade": "5,00"}, "above the maximum")],
)
def test_what_moodle_would_skip_is_said(change: dict[str, str], word: str) -> None:
    rows = moodle_rows(ROSTER)
    for column, text in change.items():
        rows[2][MOODLE.index(column)] = text
    made = filled("moodle", MOODLE_SHEET, written(rows))
    reasons = {mention.student: mention.reason for mention in made.left_blank}
    assert word in reasons["0042"]
    assert read_sheet(made.data).value(2, 4) == ""


def test_by_title_as_well() -> None:
    data = written(canvas_rows(ROSTER))
    assert filled("canvas", Options(title="Homework 1"), data) == filled(
        "canvas", replace(CANVAS, sheet_name="sheet"), data
    )
    for title in ("homework 1", "Homework", "Current Score ", "Homework 1 (4711)"):
        if title.strip() != "Current Score":
            with pytest.raises(UsageError, match="4711"):
                filled("canvas", Options(title=title), data)
    with pytest.raises(UsageError, match="read-only"):
        filled("canvas", Options(title="Current Score"), data)


@pytest.mark.parametrize("header", [("LastName", "FirstName", "ID"), ("Student", "ID")])
def test_canvas_with_names_in_two_columns_and_with_few_columns(header: tuple[str, ...]) -> None:
    rows = [[*header, "Section", "HW (9)"], ["    Points Possible", *[""] * len(header), "10"]]
    two = len(header) == 3
    rows += [
        ["Roe", *(["Rick"] if two else []), "1001", "S", ""],
        ["Doe", *(["Jane"] if two else []), "", "S", ""],
    ]
    roster = Roster(
        (
            Person("s1", first_name="Rick", last_name="Roe", keys={"canvas_id": "1001"}),
            Person("s2", "Doe", "Jane" if two else "", "Doe" if two else ""),
        )
    )
    scores = tuple(Standing("a", student, "final", 1_000, 10_000) for student in ("s1", "s2"))
    made = export("canvas", scores, roster, Options(item_id="9", sheet=written(rows)))
    assert made.written == ("s1", "s2")


KEYS: dict[str, tuple[list[tuple[str, str, str]], list[Person], list[str]]] = {
    "leading zeros are part of a key": (
        [("x", "", "7"), ("y", "", "007")],
        [Person("007")],
        ["", "1"],
    ),
    "the platform's own key goes before an id that looks like it": (
        [("x", "", "5"), ("y", "", "77")],
        [Person("5", keys={"sis_user_id": "77"}), Person("b", keys={"sis_user_id": "5"})],
        ["2", "1"],
    ),
    "what two share is nobody's": (
        [("Jane Doe", "1", ""), ("Jane Doe", "2", ""), ("Rick Roe", "3", ""), ("Ann", "4", "")],
        [
            Person("s1", "Jane Doe"),
            Person("s2", "Jane Doe"),
            Person("s3", "Rick Roe"),
            Person("s4", "Ann", keys={"canvas_id": "99"}),
        ],
        ["", "", "3", ""],
    ),
    "a row that stands there twice is not filled": (
        [("x", "", "7"), ("x", "", "7"), ("y", "", "8")],
        [Person("7"), Person("8")],
        ["", "", "2"],
    ),
}


@pytest.mark.parametrize("what", KEYS)
def test_whose_a_row_is(what: str) -> None:
    """The score of the first of the people is 1, and so on."""
    told, people, expected = KEYS[what]
    rows = canvas_rows(Roster())
    rows += [[name, number, sis, "", "S", "", "", ""] for name, number, sis in told]
    scores = [Standing("a", p.id, "final", n * 1_000, 10_000) for n, p in enumerate(people, 1)]
    made = export("canvas", scores, Roster(tuple(people)), replace(CANVAS, sheet=written(rows)))
    sheet = read_sheet(made.data)
    assert [sheet.value(n, 6) for n in range(3, len(rows))] == expected
    assert len(made.written) == sum(map(bool, expected))
    assert len(made.written) + len(made.unmatched) == len(people)
    assert all("2 " in one.reason for one in made.unmatched[:2])


def test_another_maximum_is_said() -> None:
    rows = canvas_rows(ROSTER)
    rows[2][6] = "100.00"
    assert "100.00 points" in filled("canvas", CANVAS, written(rows)).notes[0]
    rows = moodle_rows(ROSTER)
    rows[1][5] = "100.00"
    assert "100.00" in filled("moodle", MOODLE_SHEET, written(rows)).notes[0]
    assert not filled("canvas", CANVAS, written(canvas_rows(ROSTER))).notes


TWICE = [[*row[:5], row[6], *row[6:]] for row in canvas_rows(ROSTER)]
SCALE = ["Scale" if cell == "Maximum Grade" else cell for cell in MOODLE]
REFUSED: list[tuple[str, Options, bytes, str]] = [
    ("canvas", CANVAS, b"a,b,c\n1,2,3\n", "row 1"),
    ("blackboard", BLACKBOARD, b"a,b,c\n1,2,3\n", "row 1"),
    ("brightspace", BRIGHTSPACE, b"a,b,c\n1,2,3\n", "row 1"),
    ("canvas", CANVAS, written([canvas_rows(ROSTER)[0], *canvas_rows(ROSTER)[3:]]), "Possible"),
    ("canvas", CANVAS, written(TWICE), "2 assignments"),
    ("moodle", MOODLE_SHEET, written(moodle_rows(ROSTER, header=SCALE)), "scale"),
]


@pytest.mark.parametrize(("name", "options", "data", "said"), REFUSED, ids=lambda v: str(v)[:12])
def test_a_sheet_of_something_else_is_refused(
    name: str, options: Options, data: bytes, said: str
) -> None:
    with pytest.raises((StoreError, UsageError), match=said):
        filled(name, options, data)


def test_one_column_needs_no_name_and_short_rows_are_lengthened() -> None:
    data = written(blackboard_rows(ROSTER), encoding="utf-8-sig")
    named = filled("blackboard", Options(title="HW [1]"), data)
    assert filled("blackboard", Options(), data).data == named.data
    rows = canvas_rows(ROSTER)
    rows[3] = rows[3][:5]
    sheet = read_sheet(filled("canvas", CANVAS, written(rows)).data)
    assert sheet.row(3)[5:] == ["", "0"]
