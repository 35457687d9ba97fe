"""Rosters as people and platforms have them."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import KEYS, Person, Roster
from autograder.interop.downloads.roster import parse_roster, read_roster
from autograder.interop.downloads.table import MAX_TABLE, parse_table


def roster(text: str) -> Roster:
    return parse_roster(text.encode(), "roster.csv")


def only(text: str) -> Person:
    (person,) = roster(text)
    return person


def refused(text: str | bytes) -> str:
    with pytest.raises(UsageError) as bad:
        parse_roster(text if isinstance(text, bytes) else text.encode(), "roster.csv")
    assert str(bad.value).startswith("roster.csv")
    return str(bad.value)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (b"", "utf-16-le"),
        (b"", "cp1252"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_separator_and_line_end_is_read(
    separator: str, mark: bytes, encoding: str, end: str
) -> None:
    rows = [["id", "name"], ["007", f'"Student{separator} ""Ünï"""'], ["", ""], ["7", "B"]]
    text = end.join(separator.join(row) for row in rows)
    people = parse_roster(mark + text.encode(encoding), "roster.csv").people
    assert [(p.id, p.name) for p in people] == [
        ("007", f'Student{separator} "Ünï"' if separator != "\t" else 'Student "Ünï"'),
        ("7", "B"),
    ]


TITLES = (
    "id|ID|student_id|Student ID|STUDENT-ID|student|sid|Student Number|\ufeffid |Identifier|"
    "SIS User ID|OrgDefinedId|Username"
)


def test_ids_are_found_under_many_names() -> None:
    for title in TITLES.split("|"):
        assert only(f"{title},Full Name\n0042,Student A\n").id == "0042", title


def test_ids_are_text_exactly() -> None:
    ids = ["007", "7", "7.0", "1e5", "=SUM(A1)", "+1", "Ünï", "a b", "#7", "学生", "x" * 200]
    people = roster("id\n" + "\n".join(ids) + "\n").people
    assert [p.id for p in people] == ids


def test_names_that_are_hard_to_quote_are_kept() -> None:
    text = 'id,name\n1,"Last, ""Q"" =SUM(A1)"\n2,"two\nlines"\n3,"שם"\n'
    assert [p.name for p in roster(text)] == ['Last, "Q" =SUM(A1)', "two lines", "שם"]
    assert [p.name for p in roster("id,name\n1,Same\n2,Same\n")] == ["Same", "Same"]


def test_our_own_columns_hold_every_key() -> None:
    titles = ("id", "name", *KEYS)
    person = only(",".join(titles) + "\n" + ",".join(f"{t}-1" for t in titles))
    assert person.id == "id-1"
    moodle = {"moodle_id": "1"}  # of "Participant 1" only the number is a key
    assert person.keys == {key: f"{key}-1" for key in KEYS} | moodle


def test_canvas() -> None:
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework (4711)\n"
        ",,,,,Manual Posting\n"
        "    Points Possible,,,,,10\n"
        "    Mögliche Punkte,,,,,10\n"
        '"Last, First",1001,s0123,login1,Sec A,8.5\n'
        '"Only, Login",1002,,login2,Sec A,EX\n'
        '"Only, Number",1003,,,"Sec A, Sec B",\n'
        '"Student, Test",1004,,abc,Sec A,\n'
    )
    first, second, third = roster(text)
    assert (first.id, first.name, first.section) == ("s0123", "Last, First", "Sec A")
    assert first.keys == {"canvas_id": "1001", "sis_user_id": "s0123", "sis_login_id": "login1"}
    assert (second.id, third.id) == ("login2", "1003")
    assert "empty" in refused(text.replace("1003", ""))
    text = (
        "LastName,FirstName,ID,SIS User ID,Section\n    Points Possible,,,,\nL,F,1,s1,A\n"
        "Student,Test,2,,A\n"
    )
    assert (only(text).id, only(text).full_name, only(text).keys["canvas_id"]) == ("s1", "F L", "1")


def test_moodle() -> None:
    text = (
        "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade\n"
        "Participant 12,Student A,a@uni.example,,,10.00\n"
    )
    person = only(text)
    assert (person.id, person.email) == ("a@uni.example", "a@uni.example")
    assert person.keys == {"moodle_id": "12"}
    with_number = text.replace("Status", "ID number").replace(",,,10", ",0042,,10")
    assert only(with_number).id == "0042"
    listed = "First name,Last name,Email address,Groups\nA,B,a@uni.example,Group 1\n"
    assert (only(listed).id, only(listed).section) == ("a@uni.example", "Group 1")
    german = (
        "Bezeichner,Vollständiger Name,E-Mail-Adresse,Status,Bewertung\n"
        "Teilnehmer/in12,Student A,a@uni.example,x,\nTeilnehmer/in7,Student B,,x,\n"
    )
    first, second = roster(german)
    assert (first.id, first.name, first.keys) == ("a@uni.example", "Student A", {"moodle_id": "12"})
    assert second.id == "7"
    blind = only("Identifier,Status,Grade\nParticipant 12,,\n")
    assert (blind.id, blind.keys) == ("12", {"moodle_id": "12"})


def test_blackboard_brightspace_and_gradescope() -> None:
    text = '"Last Name"\t"First Name"\t"Username"\t"Student ID"\n"L"\t"F"\t"u_1"\t"0042"\n'
    person = only(text)
    assert (person.id, person.full_name, person.keys) == ("0042", "F L", {"username": "u_1"})
    assert only(text.replace('"0042"', '""')).id == "u_1"
    text = "OrgDefinedId,Username,Last Name,First Name,Points Grade <x>,End-of-Line Indicator\n"
    person = only(text + "#0042,#u1,L,F,,#\n")
    assert (person.id, person.keys) == ("0042", {"username": "u1", "org_defined_id": "0042"})
    assert only(text + ",#u1,L,F,,#\n").id == "u1"
    text = "First Name,Last Name,SID,Email,Role,Sections\nS,T,,staff@x.example,Instructor,\n"
    first, second = roster(text + "A,B,0042,a@x.example,Student,1\nC,D,,c@x.example,Student,\n")
    assert (first.id, first.keys) == ("0042", {"gradescope_sid": "0042"})
    assert (second.id, second.keys) == ("c@x.example", {})


def test_what_cannot_be_a_roster_is_refused_with_its_place_and_a_remedy() -> None:
    assert "row 1: no column" in refused("name,email\nA,a@x.example\n")
    said = refused("id,name\n1,A\n2,B\n1,C\n")
    assert "row 4" in said and "'1' is also in row 2" in said
    assert "row 3: the student's id is empty" in refused("id,name\n1,A\n  ,B\n")
    assert "row 3: 3 cells, but the header has 2" in refused("id,name\n1,A\n2,B,C\n")
    assert "double quotes" in refused("id,name,email\n1,A\n")
    assert "row 2" in refused('id,name\n1,"never closed\n')
    assert "no student" in refused("id,name\n")
    assert "empty" in refused("")
    assert "not allowed in an id" in refused('id,name\n"a\nb",A\n')
    assert "not allowed in an id" in refused(b"id,name\n\xc3\xa4\xc3\xa4\xc3\xa4\xff,\xc3\xa4\n")
    assert "workbook" in refused(b"PK\x03\x04" + bytes(100))
    assert "web page" in refused("<html><table></table></html>")
    assert "larger than 20,000,000" in refused(b"id\n" + b"1" * MAX_TABLE)
    assert "more than 50,000 rows" in refused("id\n" + "\n".join(map(str, range(60_000))))
    assert "200 characters" in refused("id\n" + "1" * 201)
    assert len(roster("id,name\n1,A,,\n")) == 1  # empty cells too many say nothing


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.csv: there is no such file"):
        read_roster(tmp_path / "gone.csv")


def test_separators_are_looked_for_outside_quotes() -> None:
    assert parse_table(b'"a;b;c;d",id\n1,2\n', "t").header == ("a;b;c;d", "id")
    assert parse_table(b"sep=;\r\nid;name,x\r\n1;2\r\n", "t").header == ("id", "name,x")
