"""Turns the paths of a download into submissions: whose each is, and in which order they arrived.

Covered: every submitted file is in the result under exactly one student. An unreadable file has an
error; a student missing from the roster keeps the download's own id and gets a note. Every other
file is listed as passed over, and a separate count finds files that would still be lost.
Not covered: students whom a download does not mention; see ``attempts.not_handed_in``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from autograder.errors import UsageError
from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Roster
from autograder.interop.blackboard import download as blackboard
from autograder.interop.brightspace import download as brightspace
from autograder.interop.canvas import download as canvas
from autograder.interop.downloads import plain
from autograder.interop.downloads.accounts import OTHER, OWN, AccountedFiles, notes_on, passed_over
from autograder.interop.downloads.arrival import Arrival, PassedOverFile, Platform
from autograder.interop.downloads.count import count_files
from autograder.interop.downloads.delivery import Delivery, Identity, Reader, ReaderOptions, Reading
from autograder.interop.downloads.matching import Match, match_all
from autograder.interop.downloads.pick import PickedFile, is_notebook, pick
from autograder.interop.downloads.source import DownloadEntry, list_entries
from autograder.interop.downloads.unmatched import UnmatchedFile, WhoseFiles, said_of
from autograder.interop.gradescope import download as gradescope
from autograder.interop.moodle import download as moodle
from autograder.interop.nbgrader import download as nbgrader
from autograder.interop.otter import download as otter
from autograder.notebook.formats.find import ARCHIVE, NOTEBOOK, FoundFile
from autograder.notebook.students import student_id

_FIRST = datetime.min.replace(tzinfo=UTC)  # an attempt without a time comes before those with one
READERS: Mapping[Platform, Reader] = MappingProxyType(
    {
        "gradescope": gradescope.read,
        "moodle": moodle.read,
        "blackboard": blackboard.read,
        "brightspace": brightspace.read,
        "canvas": canvas.read,
        "nbgrader": nbgrader.read,
        "otter": otter.read,
        "plain": plain.read,
    }
)

_COUNTED: tuple[tuple[Platform, Callable[[Sequence[DownloadEntry]], int]], ...] = (
    ("gradescope", gradescope.matching),
    ("moodle", moodle.matching),
    ("blackboard", blackboard.matching),
    ("brightspace", brightspace.matching),
    ("canvas", canvas.matching),
    ("nbgrader", nbgrader.matching),
    ("otter", otter.matching),
)
_BESIDE = (".csv", ".xls", ".xlsx")  # lists that people keep next to a download


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The submissions of a download in its own order; ``notes`` are sentences for the teacher.

    ``count`` files were given, without the ``noise`` ones that operating systems leave behind. Each
    belongs to a submission or is in ``passed``; the rest are in ``lost``, which should be empty.
    ``unmatched``: submissions of people who are not in the roster, if there is one, also those of
    which a person has said whose they are.
    """

    platform: Platform
    arrivals: tuple[Arrival, ...]
    notes: tuple[str, ...] = ()
    passed: tuple[PassedOverFile, ...] = ()
    lost: tuple[str, ...] = ()
    count: int = 0
    noise: int = 0
    unmatched: tuple[UnmatchedFile, ...] = ()


def read_arrivals(
    paths: Iterable[Path],
    *,
    roster: Roster,
    timezone: tzinfo,
    platform: Platform | Literal["auto"] = "auto",
    expected_name: str = "",
    beside: tuple[str, ...] = (),
    whose: WhoseFiles = MappingProxyType({}),
) -> Arrivals:
    """Every submission under ``paths``. ``whose``: what a person has said of some of them.

    ``timezone`` applies to timestamps that do not state one. ``expected_name``, the name of the
    assignment or its notebook, identifies the submission among several files; ``beside`` are
    patterns of the files that may be beside it. Raises ``UsageError`` for a path that does not
    exist or is not a download, and for an unknown platform.
    """
    given = ReaderOptions(tuple(paths), roster, timezone, expected_name, beside)
    if platform not in ("auto", *READERS):
        raise UsageError(f"unknown platform {platform!r}: use auto, {', '.join(sorted(READERS))}")
    counted = count_files(given.paths)
    chosen, reading, rest = _read(platform, given)
    strays, told, left = _strays(reading.strays)
    deliveries = (*reading.deliveries, *strays)
    matches = match_all((who for d in deliveries for who in d.who), roster)
    known = AccountedFiles(given.paths)
    picked = [(d, _picked(d, given)) for d in deliveries]
    unmatched = tuple(_unmatched(picked, matches, whose)) if len(roster) else ()
    arrivals = _numbered(
        [a for d, one in picked for a in _arrivals(d, one, matches, given, known, whose)]
    )
    known.add(rest + left)
    own = passed_over(rest, usual=OTHER if chosen == "plain" else OWN)
    passed = (*own, *passed_over(left))
    named = {cell_text(_file(*one)) for one in picked} if whose else set()
    told += [
        f"{file} is in the list of matches, but not among the files."
        for file in whose
        if file not in named
    ]
    sure = (match.note for match in matches.values() if match.how != "nobody")
    notes = [
        *reading.notes,
        *told,
        *notes_on(passed),
        *sure,
        *(one.why for one in unmatched if not one.students),
    ]
    return Arrivals(
        chosen,
        arrivals,
        tuple(dict.fromkeys(note for note in notes if note)),
        passed,
        # The count of files is apart from the list.
        counted.unaccounted(known.holds),
        len(counted.names),
        counted.noise,
        unmatched,
    )


def _read(
    platform: Platform | Literal["auto"], given: ReaderOptions
) -> tuple[Platform, Reading, list[DownloadEntry]]:
    """The platform, its reader's result, and the files that belong to no submission. The list of
    all files, large for a large class, is dropped here."""
    entries = list_entries(given.paths)
    whole = [entry for entry in entries if entry.parts]
    chosen = detect(whole) if platform == "auto" else platform
    if chosen == "plain":  # it lists the paths itself, and takes whatever is a notebook by name
        entries = tuple(e for e in entries if e.hidden or e.error or not NOTEBOOK.fullmatch(e.leaf))
        whole.clear()
    reading = READERS[chosen](whole, given)
    if chosen != "plain":
        refused = (_refused(entry) for entry in entries if not entry.parts)
        reading = replace(reading, deliveries=(*reading.deliveries, *refused))
    used = AccountedFiles(given.paths)
    used.add(reading.strays)
    for delivery in reading.deliveries:
        used.add((*delivery.files, *delivery.beside))
        used.add([delivery.found] if delivery.found else ())
    return chosen, reading, [entry for entry in entries if not used.uses(entry)]


def _strays(
    entries: Sequence[DownloadEntry],
) -> tuple[list[Delivery], list[str], list[DownloadEntry]]:
    """Files outside the platform's pattern: submissions under their stem, notes on them, the
    rest."""
    kept: list[DownloadEntry] = []
    left: list[DownloadEntry] = []
    for entry in entries:
        graded = is_notebook(entry) or ARCHIVE.fullmatch(entry.leaf) or entry.error
        (kept if graded and not entry.hidden else left).append(entry)
    notes = [
        f"{e.shown} does not follow the platform's file names; its own name is used as the "
        "student's id."
        for e in kept
    ]
    return [plain.stray(e) for e in kept], notes, left


def _refused(entry: DownloadEntry) -> Delivery:
    """A whole archive or folder that cannot be opened."""
    name = student_id(entry.path.stem)
    return Delivery((Identity(name, apart=entry.shown),), (entry,), place=entry.root)


def _picked(delivery: Delivery, given: ReaderOptions) -> PickedFile:
    """Which file of a delivery is the submission."""
    if delivery.found is not None or delivery.refusal:
        return PickedFile(None, None, delivery.refusal)
    return pick(delivery.files, expected=given.expected, beside=given.beside)


def _unmatched(
    picked: Iterable[tuple[Delivery, PickedFile]],
    matches: Mapping[Identity, Match],
    whose: WhoseFiles,
) -> Iterator[UnmatchedFile]:
    """The submissions of people whom the roster does not have, with what a person says of them."""
    for delivery, one in picked:
        file = _file(delivery, one)
        for who in delivery.who:
            match = matches[who]
            if match.how == "nobody":
                students = said_of(file, whose)
                yield UnmatchedFile(file, match.students[0], who.name, match.note, students)


def _arrivals(
    delivery: Delivery,
    picked: PickedFile,
    matches: Mapping[Identity, Match],
    given: ReaderOptions,
    known: AccountedFiles,
    whose: WhoseFiles,
) -> list[tuple[int, Arrival]]:
    """One arrival for each student of a delivery, with the platform's order; its files are added to
    ``known``."""
    said = said_of(_file(delivery, picked), whose)
    found = [matches[who] for who in delivery.who]
    # A person says whose a file is only where the roster does not.
    of_each = ((said if match.how == "nobody" else ()) or match.students for match in found)
    students = dict.fromkeys(itertools.chain.from_iterable(of_each))
    if students:
        known.add((*(picked.opened or delivery.files), *delivery.beside))
        known.add([delivery.found] if delivery.found else ())
    place = _place(delivery, picked)
    return [
        (
            delivery.order,
            Arrival(
                student,
                _found(student, delivery, picked, place, given),
                place,
                delivery.submitted_at,
                delivery.late,
                delivery.attempt,
            ),
        )
        for student in students
    ]


def _place(delivery: Delivery, picked: PickedFile) -> str:
    return delivery.place or (picked.top.leaf if picked.top else "")


def _file(delivery: Delivery, picked: PickedFile) -> str:
    """The name under which a submission is shown."""
    if delivery.found is not None:
        return delivery.found.name
    return picked.entry.shown if picked.entry is not None else _place(delivery, picked)


def _found(
    student: str, delivery: Delivery, picked: PickedFile, place: str, given: ReaderOptions
) -> FoundFile:
    if delivery.found is not None:
        return replace(delivery.found, student=student)
    entry = picked.entry
    if entry is None:
        return FoundFile(student, place, given.paths[0], error=picked.error, notes=picked.notes)
    return FoundFile(
        student, entry.shown, entry.path, entry.member, picked.error, picked.notes, picked.beside
    )


def _numbered(arrivals: Sequence[tuple[int, Arrival]]) -> tuple[Arrival, ...]:
    """The arrivals in the given order, each numbered among those of its student."""
    of_student: dict[str, list[int]] = {}
    for at, (_, arrival) in enumerate(arrivals):
        of_student.setdefault(arrival.student, []).append(at)
    result = [arrival for _, arrival in arrivals]
    for places in of_student.values():
        number = 0
        for at in sorted(places, key=lambda at: _when(*arrivals[at])):
            number = max(number + 1, result[at].attempt)
            result[at] = replace(result[at], attempt=number)
    return tuple(result)


def _when(order: int, arrival: Arrival) -> tuple[datetime, int, int, str, str]:
    at = arrival.submitted_at or _FIRST
    return at, arrival.attempt, order, arrival.place, arrival.found.name


def detect(entries: Sequence[DownloadEntry]) -> Platform:
    """The platform that these files were downloaded from; "plain" if none is recognised.

    A platform is recognised if more than half of the files follow its names, so that a single file
    named by a student cannot change the result. If two platforms match, the first in order wins.
    """
    counted = [e for e in entries if not e.hidden and not _beside(e)]
    for platform, matching in _COUNTED:
        if matching(counted) * 2 > len(counted):
            return platform
    return "plain"


def _beside(entry: DownloadEntry) -> bool:
    listed = len(entry.parts) == 1 and entry.leaf.lower().endswith(_BESIDE)
    return listed or brightspace.is_index(entry)
