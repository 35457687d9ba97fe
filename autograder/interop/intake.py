"""Turns a download into what is graded: who submitted what and when, and who did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from autograder.assignment.late import time_zone
from autograder.assignment.model import Assignment
from autograder.classroom.grade_class import ReceivedClass
from autograder.errors import UsageError
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.store import ArrivalRecord
from autograder.grading.context import AttemptSet, FoundSubmission, SubmissionSource
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.arrival import Arrival, PassedOverFile, Platform
from autograder.interop.downloads.attempts import Rule, chosen, not_handed_in
from autograder.interop.downloads.roster import read_roster
from autograder.interop.downloads.unmatched import UnmatchedFile, WhoseFiles


@dataclass(frozen=True, slots=True)
class Intake(ReceivedClass):
    """A class as it was downloaded. ``notes`` are sentences for the instructor; ``passed``,
    ``lost``, ``count``, ``noise`` and ``unmatched`` are as for ``Arrivals``."""

    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    passed: tuple[PassedOverFile, ...] = ()
    lost: tuple[str, ...] = ()
    count: int = 0
    noise: int = 0
    unmatched: tuple[UnmatchedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """What was downloaded from a platform, or plain files.

    ``platform`` None detects the platform. ``timezone`` applies to timestamps that do not state
    one; if empty, the assignment's own, else UTC.
    """

    paths: Sequence[Path]
    platform: Platform | None = None
    timezone: str = ""


def take_in(
    download: Download,
    assignment: Assignment,
    *,
    roster: Roster = NO_ROSTER,
    attempts: Rule = "last",
    whose: WhoseFiles = MappingProxyType({}),
) -> Intake:
    """Read a download into submissions; ``whose`` as for ``read_arrivals``. Raises
    ``UsageError``."""
    zone = download.timezone or (assignment.late.timezone if assignment.late else "") or "UTC"
    try:
        clock = time_zone(zone)
    except ValueError as bad:
        raise UsageError(str(bad)) from None
    found = read_arrivals(
        download.paths,
        roster=roster,
        timezone=clock,
        platform=download.platform or "auto",
        expected_name=_expected(assignment),
        beside=assignment.submitted_files,
        whose=whose,
    )
    kept = chosen(found.arrivals, attempts)
    records = tuple(
        _record(assignment.id, found.platform, arrival)
        for student in chosen(found.arrivals, "best")  # all of them, under the names of ``kept``
        for arrival in student.arrivals
    )
    return Intake(
        tuple(_hand_in(one.student, one.arrivals) for one in kept),
        records,
        roster,
        not_handed_in(roster, found.arrivals),
        found.notes,
        found.passed,
        found.lost,
        found.count,
        found.noise,
        found.unmatched,
    )


def _expected(assignment: Assignment) -> str:
    """The stem of the file that students submit: the notebook's own name in its tool."""
    brought = assignment.brought
    return brought.notebook if brought is not None and brought.notebook else assignment.id


def roster_in(path: Path | None) -> Roster:
    """The list of students in a file, if one is given; raises ``UsageError``."""
    return NO_ROSTER if path is None else read_roster(path)


def _hand_in(student: str, arrivals: Sequence[Arrival]) -> SubmissionSource:
    if len(arrivals) == 1:
        return FoundSubmission(arrivals[0].found)
    return AttemptSet(student, tuple(FoundSubmission(arrival.found) for arrival in arrivals))


def _record(assignment: str, platform: Platform, one: Arrival) -> ArrivalRecord:
    return ArrivalRecord(
        assignment=assignment,
        student=one.student,
        platform=platform,
        file=one.found.name,
        place=one.place,
        attempt=one.attempt,
        submitted_at=one.submitted_at,
        late=one.late,
    )
