"""Lays the class out as each platform's download, and as the roster that goes with it.

The names follow the reference sheet of formats; noise that real downloads have is added. What a
format cannot tell is not made up: ``told`` says what of the class is in each download.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.support.cases import write_files
from tests.support.class_of_sixty import rosters
from tests.support.class_of_sixty.klass import ASSIGNMENT, ZONE, Attempt, Klass, Student

PLATFORMS = tuple("canvas moodle gradescope blackboard brightspace nbgrader otter plain".split())
ALL_ATTEMPTS = ("blackboard", "brightspace", "otter")  # the others hold each one's last
TIMED = ("moodle", "gradescope", "blackboard", "brightspace", "nbgrader", "otter")

_STAMP = (2026, 10, 26, 9, 0, 0)  # of every entry: the time of a download, not of a hand-in
Files = dict[str, bytes]


def lay_out(klass: Klass, platform: str, folder: Path, *, zipped: bool) -> tuple[list[Path], Path]:
    """Write the download and its roster into ``folder``; the paths to grade, and the roster.

    ``zipped``: the download as the platform's archive; else as it is once unpacked. Exports of
    otter are archives each: zipped, they lie in a folder; else each is a folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    roster = rosters.write(klass, platform, folder)
    files = FILES[platform](klass)
    place = folder / f"{platform}-download"
    if platform == "otter" and zipped:
        place.mkdir()
        for top in sorted({name.partition("/")[0] for name in files}):
            inner = {n.partition("/")[2]: d for n, d in files.items() if n.startswith(f"{top}/")}
            _pack(place / f"{top}.zip", inner)
    elif zipped:
        place = place.with_suffix(".zip")
        _pack(place, files)
    else:
        write_files(place, files)
    return [place, *([roster] if platform == "moodle" else [])], roster


def told(klass: Klass, platform: str) -> dict[str, tuple[tuple[str, datetime | None], ...]]:
    """Student -> (sha256 of the file, UTC time where the format tells it), the earliest first."""
    return {
        student.id: tuple(
            (hashlib.sha256(a.data).hexdigest(), a.at if platform in TIMED else None)
            for a in _held(student, platform)
        )
        for student in klass.students
        if student.attempts
    }


def _held(student: Student, platform: str) -> tuple[Attempt, ...]:
    return student.attempts if platform in ALL_ATTEMPTS else student.attempts[-1:]


def _handed_in(klass: Klass, platform: str) -> Iterator[tuple[int, Student, Attempt]]:
    """What a download holds, with each student's place in the class."""
    for place, student in enumerate(klass.students):
        for attempt in _held(student, platform):
            yield place, student, attempt


def canvas(klass: Klass) -> Files:
    files: Files = {}
    for place, student, attempt in _handed_in(klass, "canvas"):
        name = re.sub(r"[^\w]", "", f"{student.last}, {student.first}".lower())
        late = "_LATE" if attempt.late else ""
        again = f"-{attempt.number - 1}" if attempt.number > 1 else ""
        number = 700_000 + 10 * place + attempt.number
        file = f"{ASSIGNMENT}{again}.ipynb"
        files[f"{name}{late}_{student.canvas_id}_{number}_{file}"] = attempt.data
    return files


def moodle(klass: Klass) -> Files:
    files: Files = {"__MACOSX/._homework.ipynb": b"noise"}
    for _, student, attempt in _handed_in(klass, "moodle"):
        name = re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", student.name.replace("_", " "))
        folder = f"{name}_{student.moodle_id}_assignsubmission_file"
        files[f"{folder}/{ASSIGNMENT}.ipynb"] = attempt.data
        if attempt.number == 2:
            files[f"{folder}/data.csv"] = b"a,b\n1,2\n"
    return files


def gradescope(klass: Klass) -> Files:
    top = "assignment_4711_export"
    lines = ["---"]
    files: Files = {f"{top}/.DS_Store": b"noise"}
    for place, student in enumerate(klass.students):
        if not student.attempts:
            continue
        *earlier, last = student.attempts
        folder = f"submission_{90_000 + place}"
        sid = student.id if place % 7 else None  # some have no SID there
        lines += [f"{folder}:", "  :submitters:", *_submitter(student, sid)]
        lines += [
            f"  :created_at: {last.at:%Y-%m-%d %H:%M:%S.000000000} Z",
            "  :score: 0.0",
            "  :status: processed",
            "  :results:",
            "    output: '&anchor *alias'",
            "  :history:" if earlier else "  :history: []",
        ]
        for attempt in earlier:
            lines += [
                f"  - :id: {10_000 * attempt.number + place}",
                "    :submitters: []",
                f"    :created_at: {attempt.at:%Y-%m-%d %H:%M:%S}",
            ]
        files[f"{top}/{folder}/{ASSIGNMENT}.ipynb"] = last.data
    files[f"{top}/submission_metadata.yml"] = ("\n".join(lines) + "\n").encode()
    return files


def _submitter(student: Student, sid: str | None) -> list[str]:
    name = student.name.replace("'", "''")
    return [f"  - :name: '{name}'", f"    :sid: {sid or 'null'}", f"    :email: {student.email}"]


def blackboard(klass: Klass) -> Files:
    files: Files = {}
    for _, student, attempt in _handed_in(klass, "blackboard"):
        when = attempt.at.astimezone(ZONE)
        head = f"Homework_1_{student.login}_attempt_{when:%Y-%m-%d-%H-%M-%S}"
        files[f"{head}_{ASSIGNMENT}.ipynb"] = attempt.data
        files[f"{head}.txt"] = f"Name: {student.name} ({student.login})\n".encode()
    return files


def brightspace(klass: Klass) -> Files:
    files: Files = {"index.html": b"<html><body>Homework</body></html>"}
    for _, student, attempt in _handed_in(klass, "brightspace"):
        name = re.sub(r"[\\/:*?\"<>|]", "", student.name)
        when = attempt.at.astimezone(ZONE)
        hour = f"{(when.hour - 1) % 12 + 1}{when:%M} {'AM' if when.hour < 12 else 'PM'}"
        day = f"{when:%b} {when.day}, {when.year} {hour}"
        folder = f"1001-2002 - {student.id} - {name} - {day}"
        files[f"{folder}/{ASSIGNMENT}.ipynb"] = attempt.data
    return files


def nbgrader(klass: Klass) -> Files:
    files: Files = {f"release/{ASSIGNMENT}/{ASSIGNMENT}.ipynb": b"{}", "gradebook.db": b"SQLite"}
    for _, student, attempt in _handed_in(klass, "nbgrader"):
        folder = f"submitted/{student.id}/{ASSIGNMENT}"
        files[f"{folder}/{ASSIGNMENT}.ipynb"] = attempt.data
        stamp = attempt.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
        files[f"{folder}/timestamp.txt"] = stamp.encode()
    return files


def otter(klass: Klass) -> Files:
    files: Files = {}
    for _, student, attempt in _handed_in(klass, "otter"):
        stamp = attempt.at.astimezone(ZONE).strftime("%Y_%m_%dT%H_%M_%S_%f")
        made = f"{ASSIGNMENT}_{stamp}"
        folder = f"{student.id}" if attempt.number == 1 else f"{student.login}"
        folder = student.email if attempt.number == 3 else folder
        files[f"{folder}/__zip_filename__"] = f"{made}.zip".encode()
        files[f"{folder}/{ASSIGNMENT}.ipynb"] = attempt.data
        files[f"{folder}/{ASSIGNMENT}.pdf"] = b"%PDF-1.4"
        files[f"{folder}/.OTTER_LOG"] = b"\x80\x04never read"
    return files


def plain(klass: Klass) -> Files:
    files: Files = {"README.md": b"# Class\n"}
    for place, student, attempt in _handed_in(klass, "plain"):
        stem = (student.id, student.email, student.login)[place % 3]
        files[f"{stem}.ipynb"] = attempt.data
    return files


_FILES = (canvas, moodle, gradescope, blackboard, brightspace, nbgrader, otter, plain)
FILES = dict(zip(PLATFORMS, _FILES, strict=True))


def _pack(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path, "w") as made:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(unicodedata.normalize("NFC", name), _STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, data)
