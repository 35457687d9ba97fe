"""One hostile class through every exporter and back through a strict reader of each platform."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from autograder.interop.exports.model import Exported
from autograder.interop.score_formats import FORMATS, export
from tests.support.strict_readers import (
    ags,
    blackboard,
    brightspace,
    canvas,
    gradescope,
    junit,
    moodle,
    plain_json,
    prairielearn,
    tables,
    workbook,
)
from tests.support.strict_readers.hostile_class import (
    CONTROL,
    ODD,
    ROSTER,
    SCORES,
    STANDINGS,
    STUDENTS,
    TITLE,
    WITHOUT,
    spelt,
)
from tests.support.strict_readers.sheets import options

ROOT = Path(__file__).resolve().parents[3]
Scores = Mapping[str, Decimal | str | None]
BY_KEY = {key: {p.keys[key]: p.id for p in ROSTER} for key in ROSTER.people[0].keys}
BY_ID = {spelt(person.id): person.id for person in ROSTER}


def from_canvas(data: bytes) -> Scores:
    found = canvas.read(data, assignment="4711")
    assert (found.title, found.points) == (TITLE, Decimal(10))
    assert all(BY_KEY["canvas_id"][row.id] == BY_ID[row.sis_user] for row in found.students)
    return {BY_KEY["canvas_id"][row.id]: row.value for row in found.students}


def from_moodle(data: bytes) -> Scores:
    found = moodle.worksheet(data, {})
    return {BY_KEY["moodle_id"][who.split()[1]]: grade for who, grade in found.grades.items()}


def by(students: Mapping[str, str], scores: Scores) -> Scores:
    """Scores by a platform's key, by student."""
    return {students[key]: score for key, score in scores.items()}


def from_blackboard(data: bytes) -> Scores:
    return by(BY_KEY["username"], blackboard.read(data, column="4711"))


def from_prairielearn(data: bytes) -> Scores:
    share = prairielearn.read(data).score
    return {"0042": None if share is None else share * 10}


def from_junit(data: bytes) -> Scores:
    suites, cases = junit.read(data)
    known = BY_ID | {CONTROL.replace("\x0b", "#x0B"): CONTROL, "half#xDCFF": ODD}
    assert {case.student for case in cases} == set(suites)
    return {
        known[key]: Decimal(held["score"]) if "score" in held else None
        for key, held in suites.items()
    }


def from_workbook(data: bytes) -> Scores:
    known = BY_ID | {CONTROL.replace("\x0b", "\\x0b"): CONTROL}
    rows = workbook.read(data)["Grades"].rows
    score = rows[0].index("Score")
    found = {known[str(row[0])]: row[score] for row in rows[1:] if isinstance(row[0], str)}
    assert len(found) == len(rows) - 1
    return found


def from_ags(data: bytes) -> Scores:
    found = json.loads(data, parse_float=Decimal)
    assert all(BY_KEY["lti_user_id"][e["score"]["userId"]] == e["student"] for e in found)
    return {entry["student"]: ags.check(entry["score"]) for entry in found}


def from_json(data: bytes) -> Scores:
    standings, roster = plain_json.read(data)
    assert sorted(standings, key=lambda s: s.student) == sorted(STANDINGS, key=lambda s: s.student)
    assert sorted(roster, key=lambda p: p.id) == sorted(ROSTER, key=lambda p: p.id)
    raw = json.loads(data, parse_float=Decimal)["standings"]
    return {e["student"]: None if e["score"] is None else Decimal(e["score"]) for e in raw}


READERS: Mapping[str, Callable[[bytes], Scores]] = {
    "ags": from_ags,
    "blackboard": from_blackboard,
    "blackboard-csv": from_blackboard,
    "brightspace": lambda data: by(BY_ID, brightspace.read(data, item=TITLE)),
    "canvas": from_canvas,
    "gradescope": lambda data: {"0042": gradescope.read(data).total},
    "json": from_json,
    "junit": from_junit,
    "moodle": from_moodle,
    "moodle-import": lambda data: by(BY_ID, moodle.general(data, set(BY_ID), item=TITLE)),
    "nbgrader": lambda data: by(BY_ID, tables.nbgrader(data)),
    "otter": lambda data: by(BY_ID, tables.otter(data)[0]),
    "prairielearn": from_prairielearn,
    "xlsx": from_workbook,
}
EXACT = ("json",)  # keeps thousandths
OF_ONE = ("gradescope", "prairielearn")  # files of a single student
REFUSES_ABOVE = ("moodle",)  # the platform would skip who is above the maximum


def test_every_format_has_a_strict_reader() -> None:
    assert set(READERS) == set(FORMATS)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_same_scores_for_the_same_students_and_nobody_lost(name: str) -> None:
    made = export(name, STANDINGS, ROSTER, options(name))
    found = READERS[name](made.data)
    expected: dict[str, Decimal] = dict(SCORES)
    if name in EXACT:
        expected = {s.student: Decimal(s.score) / 1000 for s in STANDINGS if s.score is not None}
    if name in REFUSES_ABOVE:
        del expected["line\nbreak"]
    if name in OF_ONE:
        expected = {"0042": expected["0042"]}
    given = {student: score for student, score in found.items() if score not in (None, "EX")}
    assert given == expected
    assert {student for student, score in found.items() if score == "EX"} == (
        {"TRUE"} if name == "canvas" else set()
    )
    everybody = STUDENTS if name not in OF_ONE else {"0042"}
    assert accounted_for(made) == sorted(everybody)


def accounted_for(made: Exported) -> list[str]:
    mentions = (*made.left_blank, *made.unmatched)
    assert all(mention.reason for mention in mentions)
    return sorted([*made.written, *(mention.student for mention in mentions)])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_order_of_the_input_changes_nothing(name: str) -> None:
    chosen = options(name)
    mixed = type(ROSTER)(tuple(reversed(ROSTER.people)))
    made = export(name, STANDINGS, ROSTER, chosen)
    assert export(name, tuple(reversed(STANDINGS)), mixed, chosen) == made


PROGRAM = """
import hashlib, time
time.time = lambda: 2e9
from tests.interop.exports.test_class import digests
print(digests())
"""


def digests() -> str:
    """What every format writes."""
    data = [export(name, STANDINGS, ROSTER, options(name)).data for name in sorted(FORMATS)]
    return " ".join(hashlib.sha256(each).hexdigest() for each in data)


def test_another_process_writes_equal_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "2", "TZ": "Australia/Lord_Howe"}
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(
        command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == digests()


@pytest.mark.parametrize("name", ["canvas", "blackboard", "brightspace", "moodle-import"])
def test_a_fresh_sheet_has_nobody_without_a_score(name: str) -> None:
    found = READERS[name](export(name, STANDINGS, ROSTER, options(name)).data)
    assert not found.keys() & (WITHOUT - {"TRUE"})


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_empty_class_is_a_file_too(name: str) -> None:
    if name not in OF_ONE:
        made = export(name, (), type(ROSTER)(), options(name))
        assert accounted_for(made) == []
        assert made.data


@pytest.mark.parametrize("name", ["nbgrader", "otter", "xlsx", "blackboard-csv"])
def test_free_text_that_no_platform_reads_back_is_no_formula(name: str) -> None:
    data = export(name, STANDINGS, ROSTER, options(name)).data
    if name == "xlsx":
        cells = [c for s in workbook.read(data).values() for row in s.rows for c in row[1:]]
        texts = [cell for cell in cells if isinstance(cell, str)]
    else:
        ids = STUDENTS | {person.keys["username"] for person in ROSTER}
        encoding = "utf-8-sig"
        table = tables.rows(data, encoding=encoding)
        texts = [cell for row in table for cell in row if cell not in ids | {spelt(ODD)}]
    texts = [text for text in texts if text != "--"]  # otter's own word
    assert not [text for text in texts if text.lstrip(' "').startswith(("=", "+", "-", "@"))]
    if name != "otter":  # it has no names
        assert any(text.startswith("'=HYPERLINK") for text in texts)
