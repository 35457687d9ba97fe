"""Sheets as platforms let one download them, made by hand for a class."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from autograder.gradebook.people import Person, Roster
from autograder.interop.exports.model import Options
from autograder.interop.score_formats import FORMATS
from tests.support.strict_readers.hostile_class import ROSTER, TITLE, spelt

WHEN = datetime(2026, 10, 25, 1, 0, tzinfo=UTC)


def plain(text: str) -> str:
    """A name as a platform's database can hold it."""
    return spelt("".join(sign for sign in text if sign >= " "))


def written(
    rows: Sequence[Sequence[str]],
    *,
    encoding: str = "utf-8",
    delimiter: str = ",",
    end: str = "\r\n",
    quote_all: bool = False,
) -> bytes:
    page = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    writer = csv.writer(page, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerows(rows)
    return page.getvalue().encode(encoding)


MOODLE = tuple(
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Online text,Last modified (grade),Feedback comments".split(",")
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Old (12),Homework 1 (4711),Current Score".split(
        ","
    )
)
BLACKBOARD = (
    "Last Name,First Name,Username,Student ID,Last Access,Availability,"
    "HW [1] [Total Pts: 10 Score] |1281892,"
    "Grading Notes,Notes Format,Feedback to Learner,Feedback Format".split(",")
)
BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,Old Points Grade <Numeric MaxPoints:5 Weight:1>,"
    "HW 1 Points Grade <Numeric MaxPoints:10 Weight:20 Category:All>,"
    "End-of-Line Indicator".split(",")
)


def moodle_rows(roster: Roster, *, header: Sequence[str] = MOODLE) -> list[list[str]]:
    def row(person: Person) -> list[str]:
        who = [f"Participant {person.keys['moodle_id']}", plain(person.full_name), person.email]
        when = "Sunday, 25 October 2026, 2:30 AM"
        return [*who, "Submitted for grading - ", "", "10.00", "Yes", when, "", "-", ""]

    return [list(header), *map(row, roster)]


def moodle_sheet(roster: Roster) -> bytes:
    return written(moodle_rows(roster), encoding="utf-8-sig", end="\n")


def canvas_rows(roster: Roster, *, scores: Mapping[str, str] | None = None) -> list[list[str]]:
    def row(person: Person) -> list[str]:
        who = [plain(person.sortable_name), person.keys["canvas_id"], spelt(person.id)]
        score = (scores or {}).get(person.id, "")
        return [*who, person.keys["sis_login_id"], "Section 1", "7.50", score, "71.0"]

    posting = ["", "", "", "", "", "Manual Posting", "", "(read only)"]
    possible = ["    Points Possible", "", "", "", "", "10.00", "10.00", "(read only)"]
    return [[*CANVAS], posting, possible, *map(row, roster)]


def blackboard_rows(roster: Roster) -> list[list[str]]:
    def row(person: Person) -> list[str]:
        names = [plain(person.last_name), plain(person.first_name), person.keys["username"]]
        return [*names, spelt(person.id), "2026-10-01", "Yes", "", "", "", "", ""]

    return [[*BLACKBOARD], *map(row, roster)]


def brightspace_rows(roster: Roster) -> list[list[str]]:
    def row(person: Person) -> list[str]:
        keys = [f"#{spelt(person.id)}", f"#{person.keys['username']}"]
        return [*keys, plain(person.full_name), "3", "", "#"]

    return [[*BRIGHTSPACE], *map(row, roster)]


def options(name: str) -> Options:
    """What an export of the hostile class needs to be told, and nothing else."""
    sheet, needed = moodle_sheet(ROSTER), {*FORMATS[name].needs, *FORMATS[name].instead}
    every = Options(title=TITLE, item_id="4711", timestamp=WHEN, sheet=sheet, student="0042")
    return Options(**{key: getattr(every, key) for key in needed})
