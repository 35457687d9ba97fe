"""nbgrader's ``submitted/<student>/<assignment>/`` and the ``inbound`` folder of its exchange.

The time is from ``timestamp.txt``, in UTC if it names no zone, or from the name of the exchange's
folder. Other folders of a course (source, release, autograded, feedback) hold no submissions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from autograder.errors import SubmissionError, UsageError
from autograder.interop.downloads.clock import parse_iso
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.names import folded
from autograder.interop.downloads.pick import NAMED
from autograder.interop.downloads.source import DownloadEntry
from autograder.notebook.formats.find import NOTEBOOK
from autograder.notebook.formats.text import first_of

TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP = 1000  # bytes
FEW = 5  # times as many submissions as all other assignments, which then count as mistakes
_OWN = (TIMESTAMP, "submission_secret.txt")
_ELSEWHERE = frozenset(
    ("source", "release", "autograded", "feedback", "source_with_tests", "solution")
)
_INBOUND = re.compile(
    r"(?P<student>.+?)\+(?P<assignment>[^+]+)\+(?P<when>\d{4}-\d\d-\d\d [^+]+)(?:\+.*)?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Spot:
    """The student, assignment and attempt folder of a file. ``when`` is the time in the folder's
    name, if each attempt has its own folder (``inbound``)."""

    student: str
    assignment: str
    folder: str
    when: str = ""


def spot_of(entry: DownloadEntry) -> Spot | None:
    """The spot of a file; None if it is not in a folder of submissions."""
    whole = (entry.root.removesuffix(".zip"), *entry.parts)
    for at, part in enumerate(whole[:-1]):
        if match := _INBOUND.fullmatch(part):
            return Spot(match["student"], match["assignment"], part, match["when"])
        if part == "submitted" and len(whole) - at > 3:
            return Spot(whole[at + 1], whole[at + 2], "/".join(whole[: at + 3]))
    return None


def matching(entries: Sequence[DownloadEntry]) -> int:
    """The number of entries in nbgrader's folders, including those without submissions."""
    if all(spot_of(entry) is None for entry in entries):
        return 0
    return sum(spot_of(entry) is not None or _elsewhere(entry) for entry in entries)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of one assignment. Raises UsageError if there are several and none of them
    is the expected one."""
    attempts: dict[Spot, list[DownloadEntry]] = {}
    strays = []
    for entry in entries:
        if spot := spot_of(entry):
            attempts.setdefault(spot, []).append(entry)
        elif not _elsewhere(entry) and not entry.leaf.endswith(".db"):
            strays.append(entry)
    holding = {s.assignment for s, own in attempts.items() if _holds(own, given.expected)}
    wanted = _wanted(Counter(spot.assignment for spot in attempts), holding, given.expected)
    notes: list[str] = []
    deliveries = []
    for spot, files in attempts.items():
        if spot.assignment not in wanted:
            continue
        when = _time(spot, files, notes)
        who = Identity(spot.student, texts=(spot.student,))
        held = tuple(entry for entry in files if entry.leaf not in _OWN)
        place = f"{spot.student}/{spot.assignment}"
        deliveries.append(Delivery((who,), held, place, when))
    left = [spot.folder for spot in attempts if spot.assignment not in wanted]
    if left:
        named = first_of(left, NAMED)
        notes.append(f"skipped, because they belong to another assignment: {named}.")
    return Reading(tuple(deliveries), tuple(strays), tuple(notes))


def _holds(files: Iterable[DownloadEntry], expected: str) -> bool:
    """Whether one of the files is a notebook of the expected name."""
    stems = (NOTEBOOK.fullmatch(entry.leaf) for entry in files)
    return any(stem and folded(stem[1]) == folded(expected) for stem in stems)


def _wanted(assignments: Counter[str], holding: set[str], expected: str) -> set[str]:
    """The assignments with the expected name; else the only one that has notebooks of that name;
    else the most frequent one, if all others together are fewer than a fifth of it (mistakes of
    single students)."""
    match = NOTEBOOK.fullmatch(expected)
    stem = folded(match[1] if match else expected)
    named = {assignment for assignment in assignments if stem and folded(assignment) == stem}
    if named or not assignments:
        return named
    if len(holding) == 1:
        return holding
    usual, count = assignments.most_common(1)[0]
    if (assignments.total() - count) * FEW < count:
        return {usual}
    raise UsageError(
        f"the download has several assignments ({', '.join(sorted(assignments)[:10])}), and none "
        f"is named {expected!r}; give a copy of the folder with only the assignment to grade"
    )


def _elsewhere(entry: DownloadEntry) -> bool:
    whole = (entry.root, *entry.parts)[:-1]
    return any(part in _ELSEWHERE for part in whole[:3])


def _time(spot: Spot, files: Iterable[DownloadEntry], notes: list[str]) -> datetime | None:
    """The time of the attempt, if known; a time that cannot be read is noted in ``notes``."""
    if spot.when:
        return parse_iso(spot.when, UTC)
    stamp = next((entry for entry in files if entry.leaf == TIMESTAMP), None)
    if stamp is None:
        return None
    try:
        text = stamp.load(MAX_TIMESTAMP).decode("utf-8-sig", "replace").strip()
    except SubmissionError as bad:
        notes.append(f"{stamp.shown}: the time cannot be read ({bad}).")
        return None
    when = parse_iso(text, UTC)
    if when is None:
        notes.append(f"{stamp.shown}: the time {text[:80]!r} cannot be read and is left out.")
    return when
