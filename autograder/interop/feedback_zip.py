"""Packs feedback pages so that a platform's upload of feedback files matches them to its students.

Each page is named after its submission's place in the download. Equal pages give equal bytes. Names
from a download are checked again: none leads out of the archive.

Covered: Canvas, Moodle, Blackboard, Brightspace, Gradescope, nbgrader; for other platforms, and for
students whose place is not enough, see ``unplaced``.
Not covered: whether the platform accepts the upload. Blackboard and Gradescope have no such upload;
their packages keep the download's names for use by scripts or by hand.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.classroom.feedback_pages import pages_today
from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.gradebook.people import Roster
from autograder.gradebook.store import ArrivalRecord
from autograder.interop.canvas.download import parse_name
from autograder.interop.downloads.arrival import Arrival, Platform
from autograder.interop.downloads.attempts import in_order
from autograder.notebook.formats.find import FoundFile
from autograder.notebook.students import safe_name

_TIME = (1980, 1, 1, 0, 0, 0)  # of every entry, the earliest that a zip can hold
_MODE = 0o100644 << 16
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BLACKBOARD = re.compile(r"(.+_\d{4}(?:-\d\d){5})(?:_(.+)|\.txt)", re.DOTALL)
_MOODLE_FLAT = re.compile(r"(.+?_[0-9]+_assignsubmission_[^_/]+)_+(.+)", re.DOTALL)
_BRIGHTSPACE_FLAT = re.compile(r"(\d+-\d+ - .+ [AP]M) - (.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FeedbackUpload:
    """A package of a class. ``pages``: how many are in it; ``unplaced``: whose are not."""

    data: bytes
    pages: int
    unplaced: tuple[str, ...]


def feedback_upload(platform: Platform, book: ClassGradebook) -> FeedbackUpload:
    """Everybody's page as it is today, named after the submission that was graded."""
    pages, roster, arrivals = pages_today(book), book.roster(), _arrivals_of(book)
    left = unplaced(platform, pages, arrivals, roster)
    data = feedback_package(platform, pages, arrivals, roster)
    return FeedbackUpload(data, len(pages) - len(left), left)


def _arrivals_of(book: ClassGradebook) -> list[Arrival]:
    """The arrivals of the submissions that were graded."""
    files = {grade.student: grade.submission.file for grade in book.grades()}
    records = book.store.arrivals(book.assignment.id)
    return [_arrival(record) for record in records if files.get(record.student) == record.file]


def _arrival(one: ArrivalRecord) -> Arrival:
    found = FoundFile(one.student, one.file, Path(one.file))
    return Arrival(one.student, found, one.place, one.submitted_at, one.late, one.attempt)


def feedback_package(
    platform: Platform, pages: Mapping[str, bytes], arrivals: Iterable[Arrival], roster: Roster
) -> bytes:
    """A zip of the pages (student -> HTML), each once, named after the student's last arrival.

    It omits the students that ``unplaced`` returns.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, student in sorted(_names(platform, pages, arrivals, roster).items()):
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = _MODE
            info.create_system = 3  # as on Unix, wherever it is made
            made.writestr(info, pages[student])
    return packed.getvalue()


def unplaced(
    platform: Platform, pages: Mapping[str, bytes], arrivals: Iterable[Arrival], roster: Roster
) -> tuple[str, ...]:
    """The students to whom the platform could not return a page, sorted: the download contains
    nothing of theirs, or nothing that a returned file can be named after (on Canvas, a typed text,
    a link or an anonymous submission)."""
    placed = set(_names(platform, pages, arrivals, roster).values())
    return tuple(sorted(set(pages) - placed))


def _names(
    platform: Platform, pages: Mapping[str, bytes], arrivals: Iterable[Arrival], roster: Roster
) -> dict[str, str]:
    """Name in the archive -> student; a name that two students would have gets their ids."""
    wanted: dict[str, list[str]] = {}
    for student, arrival in _last_of(pages, arrivals):
        if name := _name(platform, student, arrival, roster):
            wanted.setdefault(name, []).append(student)
    names: dict[str, str] = {}
    for name, students in sorted(wanted.items()):
        for student in sorted(students):
            own = name if len(students) == 1 else _with_id(name, student)
            names[_free(own, names)] = student
    return names


def _last_of(
    pages: Mapping[str, bytes], arrivals: Iterable[Arrival]
) -> Iterator[tuple[str, Arrival | None]]:
    of_student: dict[str, list[Arrival]] = {}
    for arrival in arrivals:
        of_student.setdefault(arrival.student, []).append(arrival)
    for student in pages:
        own = sorted(of_student.get(student, ()), key=in_order)
        yield student, own[-1] if own else None


def _name(platform: Platform, student: str, arrival: Arrival | None, roster: Roster) -> str:
    """The path of a page in the package; "" if the platform could not read it."""
    if platform in ("otter", "plain"):
        return f"{safe_name(student)}.html"
    if arrival is None:
        return ""
    place = _safe(arrival.place)
    stem = _stem(arrival.found.name)
    if not place:
        return ""
    if platform == "canvas":
        return _canvas(place, frozenset(p.keys.get("canvas_id", "") for p in roster))
    if platform == "nbgrader":
        return f"{place}/{stem}.html"
    if platform == "blackboard":
        match = _BLACKBOARD.fullmatch(place)
        return f"{match[1]}_{_stem(match[2] or 'feedback')}.html" if match else ""
    if platform == "moodle":
        if "_assignsubmission_" not in place:
            return ""
        match = _MOODLE_FLAT.fullmatch(place)
        return f"{match[1]}_{_stem(match[2])}.html" if match else f"{place}/{stem}.html"
    if platform == "brightspace":
        match = _BRIGHTSPACE_FLAT.fullmatch(place)
        return f"{match[1]} - {_stem(match[2])}.html" if match else f"{place}/{stem}.html"
    return f"{place}/{stem}.html"  # Gradescope


def _canvas(place: str, known: frozenset[str]) -> str:
    """The downloaded name. Canvas takes its first two numbers for the user and the attachment, so a
    student's name that is itself a number gets a letter."""
    parts = parse_name(PurePosixPath(place).name, known - {""})
    if parts is None or not parts.attachment or not parts.user.isascii():
        return ""
    if not parts.user.isdigit():
        return ""
    # A name that is a number on Canvas.
    words = [f"s{word}" if word.isdigit() else word for word in parts.name.split("_")]
    late = ["LATE"] if parts.late else []
    start = "_".join([*words, *late, parts.user, parts.attachment])
    return f"{start}_{_stem(parts.file)}.html"


def _safe(place: str) -> str:
    """A place without parts that lead elsewhere; "" if nothing is left."""
    parts = place.replace("\\", "/").split("/")
    if any(part in ("", ".", "..") or _CONTROL.search(part) for part in parts):
        return ""
    return "" if re.match(r"[A-Za-z]:", parts[0]) else "/".join(parts)


def _stem(name: str) -> str:
    """A file's name without its ending, safe as one part of a path."""
    leaf = PurePosixPath(name.replace("\\", "/")).name
    stem = re.sub(r"(\.ipynb(\.txt|\.json)?|\.[A-Za-z0-9]{1,8})$", "", leaf)
    kept = _CONTROL.sub("_", stem).strip(". ~")
    return kept or "feedback"


def _with_id(name: str, student: str) -> str:
    return f"{name.removesuffix('.html')}-{safe_name(student)}.html"


def _free(name: str, taken: Mapping[str, str]) -> str:
    choice, number = name, 2
    while choice in taken:
        choice, number = f"{name.removesuffix('.html')}-{number}.html", number + 1
    return choice
