"""Evidence to verdicts: a pure function, so a regrade never runs a student's code again.

Covered: missing evidence never earns points, and our own fault never costs any.
Not covered: hiding; a verdict's message may contain hidden inputs, and only reports/feedback
decides what of it a student sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from autograder.assignment.kinds import Check
from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.evidence.records import CellRun, Run
from autograder.judging.checks.claims import no_record, raised_finding, stopped
from autograder.judging.checks.finding import Finding, Reference, ungraded
from autograder.judging.checks.limit_messages import in_line
from autograder.judging.checks.registry import examine
from autograder.judging.verdict import Status, Verdict

Look = Callable[[Check, str, Run, Reference], Finding]


class AnswerPlaces(Protocol):
    """Where the answers are in a notebook. ``owners``: the numbers of each exercise's cells.
    ``builds_on``: for each cell, the cells whose names it uses. ``unanswered``: exercises whose
    cells are not filled in."""

    @property
    def owners(self) -> Mapping[str, tuple[int, ...]]: ...
    @property
    def builds_on(self) -> Mapping[int, tuple[int, ...]]: ...
    @property
    def unanswered(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class CellPlaces:
    """``AnswerPlaces`` as plain data; by default nothing is known about where answers are."""

    owners: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    builds_on: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    unanswered: frozenset[str] = frozenset()


NOWHERE = CellPlaces()


def judge(
    assignment: Assignment,
    actual: Run,
    reference: Reference,
    places: AnswerPlaces = NOWHERE,
    *,
    look: Look = examine,
) -> tuple[Verdict, ...]:
    """One verdict for each check, in the assignment's order.

    ``places`` is used to trace a missing name to the cell that should have defined it. ``look``
    returns what one check finds.
    """
    verdicts: list[Verdict] = []
    for exercise in assignment.exercise:
        if exercise.id in reference.unavailable:
            model = f"the pretrained model {assignment.model}" if assignment.model else ""
            needed = ", ".join(exercise.requires) or model or "what this exercise needs"
            left = Finding(
                Status.SKIPPED, message=f"Left out for everyone: not available here: {needed}."
            )
            verdicts += [_verdict(exercise, check, left) for check in exercise.check]
            continue
        found: dict[str, Finding] = {}
        for check in _in_order(exercise):
            finding = _needed(check, exercise, found)
            if finding is None:
                finding = look(check, exercise.id, actual, reference)
                finding = _traced(finding, actual, places.owners.get(exercise.id), places.builds_on)
                # An exercise in which nothing is filled in is not attempted.
                if exercise.id in places.unanswered and finding.status in _EMPTY:
                    finding = Finding(Status.BLANK, message="Nothing is filled in yet.")
            found[check.id] = finding
        verdicts += [
            _verdict(exercise, check, found.get(check.id, _CIRCULAR)) for check in exercise.check
        ]
    return tuple(verdicts)


_EMPTY = frozenset({Status.FAILED, Status.RAISED, Status.BROKEN, Status.MISSING})
_CIRCULAR = ungraded(
    "The checks of this exercise depend on each other, or on one that does not exist."
)


def _in_order(exercise: Exercise) -> list[Check]:
    """The checks, each after those that it needs; those in a cycle are left out."""
    waiting, ready = list(exercise.check), list[Check]()
    while waiting:
        done = {check.id for check in ready}
        free = [check for check in waiting if done.issuperset(check.needs)]
        if not free:
            return ready
        ready += free
        waiting = [check for check in waiting if not done.issuperset(check.needs)]
    return ready


def _needed(check: Check, exercise: Exercise, findings: Mapping[str, Finding]) -> Finding | None:
    """Why a check is not judged, if a check that it needs did not pass."""
    failed = [other for other in check.needs if findings[other].status is not Status.PASSED]
    if not failed:
        return None
    if any(findings[other].status is Status.UNGRADED for other in failed):
        return ungraded("A check that this one depends on could not be graded.")
    titles = [c.title for c in exercise.check if c.id in failed and c.public]
    after = f": {titles[0]}" if titles else ""
    return Finding(Status.SKIPPED, message=f"Not checked until another check passes{after}.")


def _traced(
    finding: Finding,
    run: Run,
    numbers: tuple[int, ...] | None,
    builds_on: Mapping[int, tuple[int, ...]],
) -> Finding:
    """A missing name with the first cell of its exercise that did not end normally, and with the
    first such cell that this one builds on."""
    if numbers is None or not (finding.status is Status.MISSING or finding.unbound):
        return finding
    if not numbers and finding.unbound:
        return finding
    if not numbers:
        none = f"{finding.message} The notebook has no cell for this exercise."
        return msgspec.structs.replace(finding, message=none)
    cells = {cell.number: cell for cell in run.cells}
    ended = ((n, _ending(cells[n], run)) for n in numbers if n in cells)
    number, reason = next(((n, found) for n, found in ended if found is not None), (0, None))
    if reason is None:
        return finding
    before = _before(number, cells, run, builds_on)
    status = Status.BROKEN if reason.status is Status.RAISED else reason.status
    return Finding(status, finding.mismatches, f"{finding.message} {reason.message}{before}")


def _before(
    number: int, cells: Mapping[int, CellRun], run: Run, builds_on: Mapping[int, tuple[int, ...]]
) -> str:
    """A sentence that a cell builds on one that did not end normally, for the first of them."""
    above, pending = set[int](), [number]
    while pending:
        more = [n for n in builds_on.get(pending.pop(), ()) if n not in above and n != number]
        above.update(more)
        pending += more
    for other in sorted(above & cells.keys()):
        if (found := _ending(cells[other], run)) is not None:
            return f" It builds on cell {other}. {found.message}"
    return ""


def _ending(cell: CellRun, run: Run) -> Finding | None:
    """How a cell ended, if not normally."""
    what = f"Cell {cell.number}"
    if cell.stop is not None:
        error = cell.claim.error if cell.claim is not None else None
        return stopped(f"{what} was stopped{in_line(error)}", cell.stop)
    if cell.claim is None:
        return no_record(run, what)
    if cell.claim.error is not None:
        return raised_finding(cell.claim.error, what, name=what, limits=run.measured.limits)
    return None


def _verdict(exercise: Exercise, check: Check, finding: Finding) -> Verdict:
    possible = thousandths(check.points)
    return Verdict(
        exercise=exercise.id,
        check=check.id,
        kind=check.kind,
        public=check.public,
        status=finding.status,
        earned=_earned(finding, possible),
        possible=possible,
        message=finding.message,
        mismatches=finding.mismatches,
        picture=finding.picture,
        blame=finding.blame,
        devices=finding.devices,
        cause=finding.cause,
        diagnosis=finding.advice,
    )


def _earned(finding: Finding, possible: int) -> int:
    if finding.status is Status.PASSED:
        return possible
    return finding.earned if finding.status is Status.FAILED else 0
