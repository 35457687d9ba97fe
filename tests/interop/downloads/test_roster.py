"""Rosters as people and platforms have them, and who is meant in them."""

from __future__ import annotations

import codecs
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import KEYS, Person, Roster
from autograder.interop.downloads.delivery import Identity
from autograder.interop.downloads.matching import match_all
from autograder.interop.downloads.names import folded, squashed
from autograder.interop.downloads.roster import read_roster
from autograder.interop.downloads.table import MAX_TABLE, parse_table
from tests.support.tables import read_table

ROSTERS = read_table(Path(__file__).with_name("rosters.yaml"))


def roster(text: str | bytes) -> Roster:
    with TemporaryDirectory() as folder:
        path = Path(folder, "roster.csv")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_roster(path)


def only(text: str) -> Person:
    (person,) = roster(text)
    return person


def refused(text: str | bytes) -> str:
    with pytest.raises(UsageError) as bad:
        roster(text)
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
    people = roster(mark + text.encode(encoding)).people
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


@pytest.mark.parametrize("name", ROSTERS)
def test_a_roster_is_read_or_refused_as_described(name: str) -> None:
    case = ROSTERS[name]
    if "refused" in case:
        message = refused(case["text"])
        assert [part for part in case["refused"] if part not in message] == []
        return
    for person, expected in zip(roster(case["text"]), case["people"], strict=True):
        assert {key: getattr(person, key) for key in expected} == expected


def test_our_own_columns_hold_every_key() -> None:
    titles = ("id", "name", *KEYS)
    person = only(",".join(titles) + "\n" + ",".join(f"{t}-1" for t in titles))
    assert person.id == "id-1"
    moodle = {"moodle_id": "1"}  # of "Participant 1" only the number is a key
    assert person.keys == {key: f"{key}-1" for key in KEYS} | moodle


def test_what_is_too_large_or_no_text_is_refused() -> None:
    assert "not allowed in an id" in refused(b"id,name\n\xc3\xa4\xc3\xa4\xc3\xa4\xff,\xc3\xa4\n")
    assert "workbook" in refused(b"PK\x03\x04" + bytes(100))
    assert "larger than 20,000,000" in refused(b"id\n" + b"1" * MAX_TABLE)
    assert "more than 50,000 rows" in refused("id\n" + "\n".join(map(str, range(60_000))))
    assert "200 characters" in refused("id\n" + "1" * 201)


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.csv: there is no such file"):
        read_roster(tmp_path / "gone.csv")


def test_separators_are_looked_for_outside_quotes() -> None:
    assert parse_table(b'"a;b;c;d",id\n1,2\n', "t").header == ("a;b;c;d", "id")
    assert parse_table(b"sep=;\r\nid;name,x\r\n1;2\r\n", "t").header == ("id", "name,x")


# ---------------------------------------------------------------- who is meant


IDENTITIES = read_table(Path(__file__).with_name("identities.yaml"))


def identity(told: dict[str, Any]) -> Identity:
    keys, texts = tuple(told.get("keys", {}).items()), tuple(told.get("texts", ()))
    usual = {"own": told.get("name", "")}
    return Identity(**{**usual, **told, "keys": keys, "texts": texts})


@pytest.mark.parametrize("name", IDENTITIES)
def test_who_is_meant(name: str) -> None:
    roster = Roster(tuple(Person(**person) for person in IDENTITIES[name]["roster"]))
    for call in IDENTITIES[name]["calls"]:
        matches = list(match_all([*map(identity, call["of"])], roster).values())
        assert [list(match.students) for match in matches] == call["are"], call
        for match in matches:
            assert match.how == call.get("how", match.how)
            assert call.get("note", "") in match.note


def test_signs_without_letters_fold_to_nothing() -> None:
    assert squashed("😀 !?") == folded("😀") == ""


def test_the_unknown_never_get_an_id_that_somebody_has() -> None:
    roster = Roster((Person("ab"), Person("ab-2"), Person("AB")))
    unknown = [Identity("A\tB", name="AB\u200b")]
    unknown += [Identity("aB", apart=apart) for apart in ("1", "2", "2")]
    ids = [match.students[0] for match in match_all(unknown, roster).values()]
    assert len({id_.casefold() for id_ in ids} | {"ab", "ab-2"}) == 2 + len(ids)
