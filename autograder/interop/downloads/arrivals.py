"""From paths to hand-ins: what a download holds, whose it is, and in which order it came.

Covered: everything that was handed in is in the result, each under one student: what cannot be
read with an error, whom the roster does not know under the download's own id and with a note.
Not covered: whom a download does not mention; ``attempts.not_handed_in`` tells those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Literal

from autograder.errors import UsageError
from autograder.gradebook.people import Roster
from autograder.interop.downloads import plain
from autograder.interop.downloads.arrival import Arrival, Platform
from autograder.interop.downloads.delivery import Circumstances, Delivery, Identity, Reading
from autograder.interop.downloads.detect import READERS, detect
from autograder.interop.downloads.matching import Match, match_all
from autograder.interop.downloads.pick import NAMED, Picked, is_notebook, pick
from autograder.interop.downloads.source import Entry, list_entries
from autograder.notebook.find import ARCHIVE, Found
from autograder.notebook.students import student_id

_FIRST = datetime.min.replace(tzinfo=UTC)  # an attempt without a time comes before those with one


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The hand-ins of a download in its own order; ``notes`` are sentences for the teacher."""

    platform: Platform
    arrivals: tuple[Arrival, ...]
    notes: tuple[str, ...] = ()


def read_arrivals(
    paths: Iterable[Path], *, roster: Roster, timezone: tzinfo,
    platform: Platform | Literal["auto"] = "auto", expected_name: str = "",
) -> Arrivals:  # fmt: skip
    """Every hand-in under ``paths``.

    ``timezone`` is that of times which do not tell theirs. ``expected_name`` is the assignment's
    or its notebook's, to tell the hand-in among several files. Raises ``UsageError`` for a path
    that is not there or is no download, and for an unknown platform.
    """
    given = Circumstances(tuple(paths), roster, timezone, expected_name)
    if platform not in ("auto", *READERS):
        raise UsageError(f"platform {platform!r}: use auto, {', '.join(sorted(READERS))}")
    chosen, reading, refused = _read(platform, given)
    strays, told = _strays(reading.strays)
    deliveries = (*reading.deliveries, *strays, *(_refused(entry) for entry in refused))
    matches = match_all((who for d in deliveries for who in d.who), roster)
    arrivals = _numbered([a for d in deliveries for a in _arrivals(d, matches, given)])
    notes = [*reading.notes, *told, *(match.note for match in matches.values())]
    return Arrivals(chosen, arrivals, tuple(dict.fromkeys(note for note in notes if note)))


def _read(
    platform: Platform | Literal["auto"], given: Circumstances
) -> tuple[Platform, Reading, list[Entry]]:
    """Which platform it is, what its reader makes of the download, and what cannot be opened. The
    list of all files ends here: of a large class it is large."""
    entries = list_entries(given.paths)
    whole = [entry for entry in entries if entry.parts]
    chosen = detect(whole) if platform == "auto" else platform
    refused = [entry for entry in entries if not entry.parts and chosen != "plain"]
    if chosen == "plain":  # it lists the paths itself
        del entries
        whole.clear()
    return chosen, READERS[chosen](whole, given), refused


def _strays(entries: Sequence[Entry]) -> tuple[list[Delivery], list[str]]:
    """Files outside the platform's pattern: hand-ins under their stem, and notes on the rest."""
    kept: list[Entry] = []
    left: list[Entry] = []
    for entry in entries:
        graded = is_notebook(entry) or ARCHIVE.fullmatch(entry.leaf) or entry.error
        (kept if graded else left).append(entry)
    notes = [
        f"{e.shown} does not follow the platform's names; its name is taken for the student."
        for e in kept
    ]
    if left:
        names = ", ".join(e.shown for e in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        notes.append(f"passed over, no hand-ins by their names: {names}{more}.")
    return [plain.stray(e) for e in kept], notes


def _refused(entry: Entry) -> Delivery:
    """A whole archive or folder that cannot be opened."""
    name = student_id(entry.path.stem)
    return Delivery((Identity(name, apart=entry.shown),), (entry,), place=entry.root)


def _arrivals(
    delivery: Delivery, matches: Mapping[Identity, Match], given: Circumstances
) -> list[tuple[int, Arrival]]:
    """One arrival for each student of a delivery, with the order that the platform tells."""
    picked = Picked(None, None, delivery.refusal)
    if delivery.found is None and not delivery.refusal:
        picked = pick(delivery.files, expected=given.expected)
    students = dict.fromkeys(s for who in delivery.who for s in matches[who].students)
    place = delivery.place or (picked.top.leaf if picked.top else "")
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


def _found(
    student: str, delivery: Delivery, picked: Picked, place: str, given: Circumstances
) -> Found:
    if delivery.found is not None:
        return replace(delivery.found, student=student)
    entry = picked.entry
    if entry is None:
        return Found(student, place, given.paths[0], error=picked.error, notes=picked.notes)
    return Found(student, entry.shown, entry.path, entry.member, picked.error, picked.notes)


def _numbered(arrivals: Sequence[tuple[int, Arrival]]) -> tuple[Arrival, ...]:
    """The arrivals as they came, each with its number among those of its student."""
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
