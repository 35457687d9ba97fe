"""What strict readers of every format find in an export of the hostile class, by student."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal

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
    STANDINGS,
    TITLE,
    spelt,
)

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


def from_sheet(name: str, data: bytes) -> Scores:
    """What a platform reads from its own sheet, filled in: see strict_readers/sheets.py."""
    match name:
        case "canvas":
            rows = canvas.read(data, assignment="4711").students
            return {BY_KEY["canvas_id"][row.id]: row.value for row in rows}
        case "moodle":
            return from_moodle(data)
        case "brightspace":
            return by(BY_ID, brightspace.read(data, item="HW 1"))
        case _:
            return by(BY_KEY["username"], blackboard.read(data, column="1281892"))
