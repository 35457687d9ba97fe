"""How far right answers are from the reference, and how near the nearest wrong one is.

The size of a variant at a check is the smallest tolerance at which it would pass, found by
running the check itself with one tolerance after the other on the same evidence.

Covered: every kind of check that takes a tolerance, relations that state one included.
Not covered: checks of precision, which have one for each dtype; what no variant shows. A window
is as good as the equivalents and mistakes in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.assignment.kinds import (
    NO_WRONG_ANSWER,
    TIMED,
    Check,
    FigureCheck,
    RelationCheck,
    Tolerance,
)
from autograder.assignment.model import Exercise
from autograder.authoring.validation.trials import TrialResult, stored
from autograder.evidence.records import Run
from autograder.grading.context import PreparedClass
from autograder.judging.checks.arrays import default_bounds, numeric
from autograder.judging.checks.finding import Cases, Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.verdict import Status
from autograder.reports.validation.model import Distance, Window
from autograder.wire.values import Items, Mapping, Value

FLOATS = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
EPS = 1.1920929e-07  # of float32: one rounding of a number near 1
DECADES, STEPS = 9.0, 12  # range of the search around the stated tolerance; steps
ALIKE = 2.0  # a wrong variant within this multiple of the spread counts as right for this check
USUAL = "The usual tolerance of the dtypes."
_WITHOUT = NO_WRONG_ANSWER | TIMED | {"choice", "module", "raises", "training", "precision"}


def windows(
    prepared: PreparedClass, exercise: Exercise, tried: Sequence[TrialResult]
) -> list[Window]:
    """The windows of one exercise's checks. ``tried`` are its variants, and whole notebooks."""
    based = ((check, _base(check, exercise, prepared)) for check in exercise.check)
    asked = [(check, base) for check, base in based if base is not None]
    if not asked:
        return []
    runs = [(one, run) for one in tried if (run := stored(prepared, one)) is not None]
    return [_window(check, base, exercise, prepared, runs) for check, base in asked]


def _base(check: Check, exercise: Exercise, prepared: PreparedClass) -> Tolerance | None:
    """The check's tolerance, or the usual one where it compares floating-point numbers."""
    if check.kind in _WITHOUT:
        return None
    if isinstance(check, FigureCheck) and "data" not in check.aspects:
        return None
    stated: Tolerance | None = getattr(check, "tolerance", None)
    if stated is not None:
        return stated
    if isinstance(check, RelationCheck):
        return None
    dtypes = _dtypes(prepared.expected, check, exercise.id, prepared.context.cases)
    if not dtypes:
        return None
    bounds = [default_bounds(dtype, dtype) for dtype in dtypes]
    return Tolerance(rtol=max(b.rtol for b in bounds), atol=max(b.atol for b in bounds), why=USUAL)


def _dtypes(expected: Run, check: Check, exercise: str, cases: Cases) -> set[str]:
    records = [expected.probe(probe.id) for probe in probes(check, exercise, cases)]
    claims = [r.claim for r in records if r is not None and r.claim is not None]
    values = [v for claim in claims for v in (claim.value, *claim.gradients)]
    return {dtype for value in values for dtype in _floats(value)}


def _floats(value: Value) -> set[str]:
    found = numeric(value)
    if found is not None:
        return {found.dtype} & set(FLOATS)
    if isinstance(value, Items):
        return {dtype for item in value.items for dtype in _floats(item)}
    if isinstance(value, Mapping):
        return {dtype for _, item in value.items for dtype in _floats(item)}
    return set()


def _window(
    check: Check,
    base: Tolerance,
    exercise: Exercise,
    prepared: PreparedClass,
    runs: Sequence[tuple[TrialResult, Run]],
) -> Window:
    name = f"{exercise.id}/{check.id}"
    loaded = prepared.context.loaded
    measured = name in loaded.wanted.measured
    scale = _Scale(check, base, exercise.id, prepared.reference)
    right = tuple(
        Distance(one.what.name, scale.size(run))
        for one, run in runs
        if one.what.sort == "equivalent"
    )
    spread = max((d.size for d in right), default=0.0)
    wrong = tuple(
        Distance(one.what.name, size)
        for one, run in runs
        if _counts(one, name) and (size := scale.size(run)) > ALIKE * max(spread, EPS)
    )
    source = "measured" if measured else "written" if base.why != USUAL else "usual"
    atol = base.atol if base.atol or base.rtol else base.atol_per_row  # the unit of sizes
    return Window(name, base.rtol, atol, source, right, wrong)  # type: ignore[arg-type]


def _counts(one: TrialResult, check: str) -> bool:
    """Whether a try bounds the window: known mistakes always, mutants if the check catches them."""
    if one.what.sort == "mistake":
        return True
    return one.what.sort == "mutant" and one.row.statuses.get(check) == Status.FAILED.value


class _Scale:
    """Runs one check with multiples of its own tolerance."""

    def __init__(self, check: Check, base: Tolerance, exercise: str, reference: Reference) -> None:
        self._check, self._base, self._exercise = check, base, exercise
        self._reference = reference
        self._unit = base.atol or base.rtol or base.atol_per_row or EPS

    def size(self, run: Run) -> float:
        """The smallest tolerance at which a run passes, as an absolute one; infinite if none."""
        if self._passes(run, 0.0):
            return 0.0
        low, high = -DECADES, DECADES
        if not self._passes(run, 10**high):
            return math.inf
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._passes(run, 10**middle) else (middle, high)
        return float(self._unit * 10**high)

    def _passes(self, run: Run, factor: float) -> bool:
        rtol, atol = self._base.rtol * factor, self._base.atol * factor
        growth = self._base.atol_per_row * factor
        if not rtol and not atol and not growth:
            atol = EPS * factor
        changed = {"rtol": rtol, "atol": atol, "atol_per_row": growth}
        tolerance = self._base.model_copy(update=changed)
        check = self._check.model_copy(update={"tolerance": tolerance})
        found = examine(check, self._exercise, run, self._reference)
        return found.status is Status.PASSED
