"""Other runs of a notebook: with its cells in repaired order, each after those that it builds on,
and without restored cells. The assignment says what the run in another order is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from autograder.assignment.kinds import ONE_CHOICE
from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.grading.timing import NOTHING, Timing
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.formats.text import first_of
from autograder.notebook.structure.depends import EarlyUse
from autograder.notebook.structure.locate import GIVEN, Located, owned_cells
from autograder.notebook.structure.notes import used_early
from autograder.notebook.structure.restored import with_less
from autograder.notebook.submission import Submission

NAMED = 12  # cells of the order that are listed
NAMED_TITLES = 3
NOT_STORED = "Another run of the cells could earn more, but is not stored: grade this file again."


class Trace(msgspec.Struct, frozen=True, array_like=True):
    """What the verdicts on one run depended on: the ``keys`` of its evidence, and as digests what
    was ``looked`` at (check, basis of the check, answers, what was found in them) and what was
    ``told`` (exercise, its basis, what was judged, the verdicts with diagnoses)."""

    keys: tuple[str, ...]
    looked: tuple[tuple[str, bytes, bytes, bytes], ...]
    told: tuple[tuple[str, bytes, bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run of a submission, judged. ``fresh``: its code was run just now. ``took``: the time of
    the run and the judging. ``trace``: what it depended on, if that is remembered."""

    verdicts: tuple[Verdict, ...]
    run: Run
    located: Located
    fresh: bool
    took: Timing = NOTHING
    trace: Trace | None = None


Join = Callable[[Assignment, JudgedRun, JudgedRun], tuple[JudgedRun, tuple[str, ...]]]


def all_right(tried: JudgedRun) -> bool:
    """Whether no other run could earn more."""
    return all(v.status in (Status.PASSED, Status.MANUAL) for v in tried.verdicts)


def failed_cells(tried: JudgedRun) -> frozenset[int]:
    """The cells that did not end normally, if that cost anything; otherwise none."""
    if all_right(tried):
        return frozenset()
    return frozenset(
        cell.number
        for cell in tried.run.cells
        if cell.claim is None or cell.claim.error is not None
    )


def once_more(first: JudgedRun, second: JudgedRun) -> JudgedRun:
    """The second run, with the time that both took."""
    return replace(second, fresh=first.fresh or second.fresh, took=first.took + second.took)


def too_early(located: Located, run: Run) -> tuple[EarlyUse, ...]:
    """Early uses of names that the run confirms: the cell failed, and either the text alone is
    certain or the cell's error names this name."""
    failed = {
        cell.number: cell.claim.error.text if cell.claim and cell.claim.error else ""
        for cell in run.cells
        if cell.claim is None or cell.claim.error is not None
    }
    return tuple(
        use
        for use in located.early
        if use.cell in failed and (use.sure or f"name '{use.name}' is not" in failed[use.cell])
    )


def notes_on(first: JudgedRun, early: Sequence[EarlyUse]) -> tuple[str, ...]:
    """Notes on where the exercises of a submission are, and on names used too early."""
    return (*first.located.notes, *used_early(early))


def further_runs(
    assignment: Assignment,
    submission: Submission,
    first: JudgedRun,
    early: Sequence[EarlyUse],
) -> Iterator[tuple[Submission, Join]]:
    """The submission as it is run again because the first run has not earned everything: without
    inserted given cells, and in repaired order; each with what joins its run to the best so far."""
    if not all_right(first):
        yield from ((less, better_without) for less in with_less(submission))
    ordered = in_repaired_order(assignment, submission, first, early)
    if ordered is not None:
        yield ordered, joined


def in_repaired_order(
    assignment: Assignment,
    submission: Submission,
    first: JudgedRun,
    early: Sequence[EarlyUse],
) -> Submission | None:
    """The submission with its code cells in repaired order, each with its exercise; None if the
    cells are in order, if only the notebook's own order counts, or if no run could earn more.
    ``early``: the early uses that the first run confirmed, from ``too_early``."""
    located = first.located
    if assignment.notebook.order == "notebook" or all_right(first):
        return None
    if not located.order or not (located.moved or early):
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


def joined(
    assignment: Assignment, first: JudgedRun, second: JudgedRun
) -> tuple[JudgedRun, tuple[str, ...]]:
    """Both runs as one, and notes on them: for each exercise the better result counts, the first if
    they are equal; with ``order = "report"`` always the first. A choice that was wrong in the
    notebook's order stays wrong: nobody chooses twice."""
    both, gained = _better_of(assignment, first, second)
    if not gained:
        return both, ()
    order = ", ".join(str(number) for number in first.located.order[:NAMED])
    more = ", ..." if len(first.located.order) > NAMED else ""
    said = f"The cells were run again in the order {order}{more}, each after those it builds on: "
    if assignment.notebook.order == "report":  # a policy may tell of the second run alone
        took = replace(first, fresh=both.fresh, took=both.took)
        return took, (
            f"{said}it would earn more for {gained}, but the notebook's own order counts.",
        )
    return both, (f"{said}that run counts for {gained}.",)


def better_without(
    assignment: Assignment, first: JudgedRun, second: JudgedRun
) -> tuple[JudgedRun, tuple[str, ...]]:
    """Both runs as one, where the ``second`` is without inserted given cells; and notes on them."""
    both, gained = _better_of(assignment, first, second)
    return both, (f"The run without restored cells counts for {gained}.",) if gained else ()


def _better_of(
    assignment: Assignment, first: JudgedRun, second: JudgedRun
) -> tuple[JudgedRun, str]:
    """Both runs as one, in which no exercise earns less than in either, except a choice that is
    wrong in the first; and the titles of those that count from the second."""
    one, other = (_by_exercise(assignment, run.verdicts) for run in (first, second))
    gained = [e for e in assignment.exercise if _better(one[e.id], other[e.id])]
    fresh = first.fresh or second.fresh
    both = replace(first, fresh=fresh, took=first.took + second.took)
    if not gained:
        return both, ""
    ids = {exercise.id for exercise in gained}
    verdicts = tuple(
        verdict
        for exercise in assignment.exercise
        # Of each exercise the better run counts.
        for verdict in (other if exercise.id in ids else one)[exercise.id]
    )
    titles = _titles([exercise.title for exercise in gained])
    return replace(both, verdicts=verdicts, run=second.run), titles


def _by_exercise(assignment: Assignment, verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    return {
        exercise.id: [verdict for verdict in verdicts if verdict.exercise == exercise.id]
        for exercise in assignment.exercise
    }


def _better(first: Sequence[Verdict], second: Sequence[Verdict]) -> bool:
    chosen = any(v.kind in ONE_CHOICE and v.status is Status.FAILED for v in first)
    return not chosen and _earned(second) > _earned(first)


def _titles(titles: Sequence[str]) -> str:
    return first_of([f"'{title}'" for title in titles], NAMED_TITLES)


def _earned(verdicts: Sequence[Verdict]) -> int:
    return sum(verdict.earned for verdict in verdicts)
