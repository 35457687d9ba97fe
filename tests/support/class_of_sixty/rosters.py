"""The class as each platform's list of students, in the dialect that the platform writes."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from pathlib import Path

from tests.support.cases import CASES
from tests.support.class_of_sixty.klass import ZONE, Klass, Student
from tests.support.tables import read_table

LISTS = read_table(CASES / "rosters.yaml")


def write(klass: Klass, platform: str, folder: Path) -> Path:
    """Write the platform's list into ``folder``; its path."""
    made = LISTS.get(platform, LISTS["others"])
    rows = [[cell.format(**_words(s)) for cell in made["row"]] for s in klass.students]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=made.get("separator", ","))
    writer.writerows([*made["above"], *rows, *made.get("below", [])])
    path = folder / str(made["file"])
    path.write_bytes(text.getvalue().encode(made.get("encoding", "utf-8")))
    return path


def _words(student: Student) -> dict[str, str]:
    status = "Submitted for grading" if student.attempts else "No submission"
    more = {"name": student.name, "status": status, "when": _moodle_time(student)}
    return asdict(student) | more


def _moodle_time(student: Student) -> str:
    if not student.attempts:
        return "-"
    when = student.attempts[-1].at.astimezone(ZONE)
    hour = f"{(when.hour - 1) % 12 + 1}:{when:%M} {'AM' if when.hour < 12 else 'PM'}"
    return f"{when:%A}, {when:%B} {when.day}, {when.year}, {hour}"
