"""Feedback packages, read back by strict readers written from the sheet of formats."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.arrival import Arrival
from autograder.interop.downloads.attempts import chosen
from autograder.interop.downloads.roster import read_roster
from autograder.interop.feedback_zip import feedback_package, unplaced
from autograder.notebook.formats.find import FoundFile
from tests.support.class_of_sixty.klass import ABSENT, ASSIGNMENT, ZONE, Klass, Student, klass
from tests.support.class_of_sixty.layouts import PLATFORMS, lay_out

# ---------------------------------------------------------------- strict readers: name -> student


def canvas(name: str, sixty: Klass) -> Student:
    """As Canvas scans a zip: the first two parts that are numbers are user and attachment."""
    assert "/" not in name
    user, attachment = [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]
    student = next(s for s in sixty.students if s.canvas_id == user)
    place = sixty.students.index(student)
    assert int(attachment) == 700_000 + 10 * place + student.attempts[-1].number
    return student


def moodle(name: str, sixty: Klass) -> Student:
    """As Moodle's importer does: a part of the path with participant, type and plugin."""
    folder, file = name.split("/")
    assert not file.startswith((".", "~"))
    info = folder.split("_")
    assert len(info) >= 4 and info[2:4] == ["assignsubmission", "file"]
    return next(s for s in sixty.students if s.moodle_id == str(int(info[1])))


def gradescope(name: str, sixty: Klass) -> Student:
    match = re.fullmatch(r"submission_(\d+)/[^/]+\.html", name)
    assert match
    return sixty.students[int(match[1]) - 90_000]


def blackboard(name: str, sixty: Klass) -> Student:
    for student in sixty.students:
        if match := re.search(
            rf"_{re.escape(student.login)}_attempt_(\d{{4}}(?:-\d\d){{5}})_", name
        ):
            last = student.attempts[-1].at.astimezone(ZONE)
            assert match[1] == f"{last:%Y-%m-%d-%H-%M-%S}"
            return student
    raise AssertionError(name)


def brightspace(name: str, sixty: Klass) -> Student:
    match = re.fullmatch(
        r"\d+-\d+ - (?P<org>.+?) - .+ - [A-Z][a-z]{2} \d{1,2}, \d{4} \d{3,4} [AP]M/[^/]+", name
    )
    assert match
    return next(s for s in sixty.students if s.id == match["org"])


def nbgrader(name: str, sixty: Klass) -> Student:
    student, assignment, page = name.split("/")
    assert (assignment, page) == (ASSIGNMENT, f"{ASSIGNMENT}.html")
    return next(s for s in sixty.students if s.id == student)


def plain(name: str, sixty: Klass) -> Student:
    return next(s for s in sixty.students if f"{s.id}.html" == name)


_READERS = (canvas, moodle, gradescope, blackboard, brightspace, nbgrader, plain, plain)
READERS = dict(zip(PLATFORMS, _READERS, strict=True))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_page_goes_back_to_its_student(platform: str, tmp_path: Path) -> None:
    sixty = klass()
    paths, roster_path = lay_out(sixty, platform, tmp_path, zipped=True)
    roster = read_roster(roster_path)
    read = read_arrivals(paths, roster=roster, timezone=ZONE)
    kept = [a for one in chosen(read.arrivals, "last") for a in one.arrivals]
    pages = {a.student: f"<p>{a.student}</p>".encode() for a in kept}
    made = feedback_package(read.platform, pages, read.arrivals, roster)
    assert made == feedback_package(
        read.platform, dict(reversed(pages.items())), reversed(read.arrivals), roster
    )
    with zipfile.ZipFile(io.BytesIO(made)) as package:
        names = package.namelist()
        assert names == sorted(set(names))
        assert {info.date_time for info in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        got = {READERS[platform](name, sixty).id: package.read(name) for name in names}
    assert got == pages
    assert unplaced(read.platform, pages, read.arrivals, roster) == ()
    absent = {sixty.students[place].id: b"x" for place in ABSENT}
    there = unplaced(read.platform, pages | absent, read.arrivals, roster)
    assert there == (() if platform in ("otter", "plain") else tuple(sorted(absent)))


# ---------------------------------------------------------------- single names


def arrival(student: str, place: str, file: str = "", attempt: int = 1) -> Arrival:
    at = datetime(2026, 10, 25, attempt, tzinfo=UTC)
    found = FoundFile(student, f"c.zip/{file or place}", Path("c.zip"))
    return Arrival(student, found, place, at, attempt=attempt)


def names(platform: str, *arrivals: Arrival, roster: Roster = NO_ROSTER) -> list[str]:
    pages = {a.student: b"x" for a in arrivals}
    data = feedback_package(platform, pages, arrivals, roster)  # type: ignore[arg-type]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return package.namelist()


def test_a_canvas_name_that_is_a_number_is_no_user() -> None:
    roster = Roster((Person("1", keys={"canvas_id": "1001"}),))
    one = arrival("1", "007_1001_2001_3_hw.ipynb")
    assert names("canvas", one, roster=roster) == ["s007_1001_2001_3_hw.html"]
    assert names("canvas", one) == ["s007_1001_2001_3_hw.html"]
    late = arrival("1", "_LATE_1001_2001_hw-1.ipynb")
    assert names("canvas", late) == ["_LATE_1001_2001_hw-1.html"]


def test_what_canvas_cannot_take_back_is_told() -> None:
    typed = (
        arrival("a", "x_1_text.html"),
        arrival("b", "anon_aB_2_hw.ipynb"),
        arrival("c", "hw.ipynb"),
        arrival("d", "x_4_5_hw.pdf"),
    )
    assert names("canvas", *typed) == ["x_4_5_hw.html"]
    pages = dict.fromkeys("abcde", b"x")
    assert unplaced("canvas", pages, typed, NO_ROSTER) == ("a", "b", "c", "e")


def test_flat_names_and_groups() -> None:
    day = "Oct 1, 2025 101 PM"
    places = {
        "moodle": "S A_12_assignsubmission_file_my_hw",
        "brightspace": f"1-2 - S - {day} - a - hw",
        "blackboard": "hw_u_attempt_2026-10-10-10-10-10",
    }
    for platform, place in places.items():
        page = f"{place}_feedback" if platform == "blackboard" else place
        file = f"{place}.txt" if platform == "blackboard" else f"{place}.ipynb"
        assert names(platform, arrival("1", file)) == [f"{page}.html"]
    assert names("moodle", arrival("1", "hw.ipynb"), arrival("2", "A_3_assignfeedback_file")) == []
    group = (
        arrival("1", "submission_1", "submission_1/hw.ipynb"),
        arrival("2/3", "submission_1", "submission_1/hw.ipynb"),
    )
    first, second = names("gradescope", *group)
    assert first == "submission_1/hw-1.html" and second.startswith("submission_1/hw-2_3~")


def test_the_last_of_the_given_arrivals_names_the_page() -> None:
    two = (arrival("1", "x_1_20_hw-1.ipynb", attempt=2), arrival("1", "x_1_10_hw.ipynb"))
    assert names("canvas", *two) == ["x_1_20_hw-1.html"]
    assert names("canvas", two[1]) == ["x_1_10_hw.html"]


OUTSIDE = ["../a_1_2_x.ipynb", "/etc/a_1_2_x.ipynb", "a/../../b", "C:/b", "..\\a_1_2_b.ipynb"]
OUTSIDE += ["a\0b", "", "a//b", "a\nb"]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("place", OUTSIDE)
def test_no_name_leads_out_of_the_package(platform: str, place: str) -> None:
    for name in names(platform, arrival("../../s", place)):
        assert not name.startswith(("/", "\\")) and ".." not in name.split("/")
        assert "\\" not in name and "\0" not in name and "\n" not in name
