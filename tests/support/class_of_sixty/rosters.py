"""The class as each platform's list of students, in the dialect that the platform writes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tests.support.class_of_sixty.klass import ZONE, Klass, Student

Rows = list[list[str]]


def write(klass: Klass, platform: str, folder: Path) -> Path:
    """Write the platform's list into ``folder``; its path."""
    name, encoding, separator, rows = LISTS.get(platform, _own)(klass)
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    path = folder / name
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def _canvas(klass: Klass) -> tuple[str, str, str, Rows]:
    titles = "Student,ID,SIS User ID,SIS Login ID,Section,Homework (4711),Current Score".split(",")
    rows = [titles, ["    Points Possible", "", "", "", "", "10", "(read only)"]]
    for s in klass.students:
        rows.append([f"{s.last}, {s.first}", s.canvas_id, s.id, s.login, s.section, "", ""])
    rows.append(["Student, Test", "99999", "", "0123abcd", "Group 1", "", ""])
    return "canvas.csv", "utf-8-sig", ",", rows


def _moodle(klass: Klass) -> tuple[str, str, str, Rows]:
    titles = (
        "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,"
        "Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments"
    )
    rows = [titles.split(",")]
    for s in klass.students:
        status = "Submitted for grading" if s.attempts else "No submission"
        who = [f"Participant {s.moodle_id}", s.name, s.id, s.email, status]
        rows.append([*who, "", "10.00", "Yes", _moodle_time(s), "-", ""])
    return "Grades-course-homework-99.csv", "utf-8-sig", ",", rows


def _moodle_time(student: Student) -> str:
    if not student.attempts:
        return "-"
    when = student.attempts[-1].at.astimezone(ZONE)
    hour = f"{(when.hour - 1) % 12 + 1}:{when:%M} {'AM' if when.hour < 12 else 'PM'}"
    return f"{when:%A}, {when:%B} {when.day}, {when.year}, {hour}"


def _gradescope(klass: Klass) -> tuple[str, str, str, Rows]:
    rows = [["First Name", "Last Name", "SID", "Email", "Role", "Sections"]]
    rows.append(["Staff", "One", "", "staff@uni.example", "Instructor", ""])
    rows += [[s.first, s.last, s.id, s.email, "Student", s.section] for s in klass.students]
    return "gradescope.csv", "utf-8", ",", rows


def _blackboard(klass: Klass) -> tuple[str, str, str, Rows]:
    titles = "Last Name,First Name,Username,Student ID,Last Access".split(",")
    rows = [[*titles, "Homework [Total Pts: 10 Score] |1281892"]]
    rows += [[s.last, s.first, s.login, s.id, "", ""] for s in klass.students]
    return "blackboard.xls", "utf-16", "\t", rows


def _brightspace(klass: Klass) -> tuple[str, str, str, Rows]:
    titles = "OrgDefinedId,Username,Last Name,First Name,Email".split(",")
    grade = "Homework Points Grade <Numeric MaxPoints:10>"
    rows = [[*titles, grade, "End-of-Line Indicator"]]
    rows += [[f"#{s.id}", f"#{s.login}", s.last, s.first, s.email, "", "#"] for s in klass.students]
    return "brightspace.csv", "utf-8-sig", ",", rows


def _nbgrader(klass: Klass) -> tuple[str, str, str, Rows]:
    rows = [["id", "first_name", "last_name", "email", "lms_user_id"]]
    rows += [[s.id, s.first, s.last, s.email, ""] for s in klass.students]
    return "students.csv", "utf-8", ",", rows


def _own(klass: Klass) -> tuple[str, str, str, Rows]:
    rows = [["Student Number", "Surname", "First name", "E-Mail", "User_Name", "Group"]]
    rows += [[s.id, s.last, s.first, s.email, s.login, s.section] for s in klass.students]
    return "roster.csv", "utf-8", ";", rows


LISTS = {
    "canvas": _canvas,
    "moodle": _moodle,
    "gradescope": _gradescope,
    "blackboard": _blackboard,
    "brightspace": _brightspace,
    "nbgrader": _nbgrader,
}
