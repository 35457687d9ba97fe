"""A notebook whose cells are out of order is tried a second time, each cell after those that it
builds on; the assignment says what that second try is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from autograder.checks.finding import Finding
from autograder.notebook.depends import Early
from autograder.notebook.locate import GIVEN, Located, owned_cells
from autograder.notebook.submission import Submission
from autograder.sandbox.run import Run
from autograder.spec.model import Assignment
from autograder.took import NOTHING, Took
from autograder.verdict import Status, Verdict
from autograder.wire.messages import Job

NAMED = 12  # cells of the order that are told
NAMED_TITLES = 3

_CHOICE = "choice"  # the kind of check that has few answers


@dataclass(frozen=True, slots=True)
class Tried:
    """One run of a hand-in, judged. ``fresh``: its code was run just now. ``took``: what it and
    the judging took. ``job`` is what was asked; ``found`` and ``judged`` are what the
    verdicts are made of: each check's finding ("exercise/check"), and all without diagnoses."""

    verdicts: tuple[Verdict, ...]
    run: Run
    located: Located
    fresh: bool
    took: Took = NOTHING
    job: Job | None = None
    found: Mapping[str, Finding] = field(default_factory=dict)
    judged: tuple[Verdict, ...] = ()


def failed_cells(tried: Tried) -> frozenset[int]:
    """The cells that did not end well, where that cost something; else none."""
    if all(v.status in (Status.PASSED, Status.MANUAL) for v in tried.verdicts):
        return frozenset()
    return frozenset(
        cell.number
        for cell in tried.run.cells
        if cell.claim is None or cell.claim.error is not None
    )


def once_more(first: Tried, second: Tried) -> Tried:
    """The second run, with what both together took."""
    return replace(second, fresh=first.fresh or second.fresh, took=first.took + second.took)


def too_early(located: Located, run: Run) -> tuple[Early, ...]:
    """Of the names that may be used above their definition those that the run bears out: the cell
    did not end well, and the text alone is sure of the name, or the cell lacked just this name."""
    failed = {
        cell.number: cell.claim.error.text if cell.claim and cell.claim.error else ""
        for cell in run.cells
        if cell.claim is None or cell.claim.error is not None
    }
    return tuple(
        one
        for one in located.early
        if one.cell in failed and (one.sure or f"name '{one.name}' is not" in failed[one.cell])
    )


def second_order(
    assignment: Assignment, submission: Submission, located: Located,
    early: Sequence[Early],
) -> Submission | None:  # fmt: skip
    """The hand-in with its code cells in the order that mends it, each with the exercise that
    was found for it; None when it is in order, or when the notebook's own order alone counts.
    ``early``: what the first run bore out, as ``too_early`` has it."""
    if not located.order or not (located.moved or early) or assignment.notebook.order == "notebook":
        return None
    owner = {cell.number: cell.exercise for cell in owned_cells(submission, located)}
    cells = {
        cell.number: msgspec.structs.replace(
            cell, exercise=owner[cell.number].replace(GIVEN, ""), locked=owner[cell.number] == GIVEN
        )
        for cell in submission.cells
        if cell.number in owner
    }
    return msgspec.structs.replace(submission, cells=tuple(cells[n] for n in located.order))


def joined(assignment: Assignment, first: Tried, second: Tried) -> tuple[Tried, tuple[str, ...]]:
    """Both tries as one, and what to say of it: of each exercise the better result counts, the
    first of equals; with ``order = "report"`` always the first. A choice that was
    wrong in the notebook's order stays so: nobody chooses twice."""
    one, other = _by_exercise(first.verdicts), _by_exercise(second.verdicts)
    gained = [e for e in assignment.exercise if _better(one[e.id], other[e.id])]
    order = ", ".join(str(number) for number in first.located.order[:NAMED])
    more = ", ..." if len(first.located.order) > NAMED else ""
    said = f"The cells were run again in the order {order}{more}, each after those it builds on: "
    fresh = first.fresh or second.fresh
    both = replace(first, fresh=fresh, took=first.took + second.took)
    if not gained:
        told = any(v.status not in (Status.PASSED, Status.MANUAL) for v in first.verdicts)
        return both, (f"{said}no result is better there.",) if told else ()
    titles = _titles([exercise.title for exercise in gained])
    if assignment.notebook.order == "report":
        return both, (f"{said}{titles} would earn more there, but the notebook's order counts.",)
    better = {exercise.id for exercise in gained}
    verdicts = tuple(
        verdict
        for exercise in assignment.exercise
        for verdict in (other if exercise.id in better else one)[exercise.id]
    )
    return replace(both, verdicts=verdicts, run=second.run), (f"{said}{titles} count from there.",)


def _by_exercise(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.exercise, []).append(verdict)
    return found


def _better(first: Sequence[Verdict], second: Sequence[Verdict]) -> bool:
    chosen = any(v.kind == _CHOICE and v.status is Status.FAILED for v in first)
    return not chosen and _earned(second) > _earned(first)


def _titles(titles: Sequence[str]) -> str:
    named = ", ".join(f"'{title}'" for title in titles[:NAMED_TITLES])
    more = len(titles) - NAMED_TITLES
    return f"{named} and {more} more" if more > 0 else named


def _earned(verdicts: Sequence[Verdict]) -> int:
    return sum(verdict.earned for verdict in verdicts)
