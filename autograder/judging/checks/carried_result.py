"""Error carried forward: a student's own earlier result instead of the reference's.

Covered: a result does not count if it proves nothing (not finite, no table, rows that could pass
for equal) or has another shape than what is judged.
Not covered: whether that result is right; the earlier exercise is judged on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from autograder.assignment.kinds import FigureCheck, ValueCheck
from autograder.judging.checks import probes
from autograder.judging.checks.arrays import (
    EXACT,
    Bounds,
    Plain,
    default_bounds,
    numeric,
    stated_bounds,
)
from autograder.judging.checks.claims import answer
from autograder.judging.checks.finding import Finding, Trial
from autograder.judging.verdict import Status
from autograder.wire.values import Array, Value

MAX_WORK = 20_000_000  # numbers to subtract: comparing each row with each takes at most 0.3 s
CLEARLY = 4  # rows must differ by this many times the tolerance; 2 would be just enough


def own_table(
    trial: Trial, check: ValueCheck | FigureCheck, judged: Sequence[Value]
) -> Value | Finding | None:
    """The student's own result if it may replace one of the judged values, else None.

    UNGRADED if nothing is known about it, because it could have counted.
    """
    if check.carried is None:
        return None
    claim = answer(trial.actual, probes.own(trial.exercise, check.carried))
    if isinstance(claim, Finding):
        return claim if claim.status is Status.UNGRADED else None
    own = flat(claim.value)
    bounds = _loosest(own, check, judged) if claim.status == "returned" else None
    return own if bounds is not None and is_table(own, bounds) else None


def _loosest(own: Value, check: ValueCheck | FigureCheck, judged: Sequence[Value]) -> Bounds | None:
    """The loosest bounds for comparing with the own table; None if nothing judged has its shape."""
    mine, found = numeric(own), [numeric(value) for value in judged]
    if mine is None:
        return None
    shapes = (mine.shape, mine.shape[::-1])  # an image may be transposed
    alike = [f for f in found if f is not None and _without_ones(f.shape) in shapes]
    if alike and check.tolerance is not None:
        # Tolerance of an own table grows with its rows.
        return stated_bounds(check.tolerance, mine.shape)
    each = [default_bounds(f.dtype, mine.dtype) for f in alike]
    return Bounds(max(b.rtol for b in each), max(b.atol for b in each)) if each else None


def flat(value: Value) -> Value:
    """A tensor without leading axes of length 1: a table in a batch of one."""
    if not isinstance(value, Array):
        return value
    return msgspec.structs.replace(value, shape=_without_ones(value.shape))


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    while len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    return shape


def is_table(value: Value, bounds: Bounds = EXACT) -> bool:
    """At least two rows and two columns of finite real numbers, no two rows equal.

    Most rows must differ from all others by clearly more than ``bounds`` allow, so that no simpler
    table equals this one. Not all: a wrong encoding may have some rows that are close.
    """
    found = numeric(value)
    if found is None or found.dtype == "bool" or found.numbers.dtype.kind == "c":
        return False
    if len(found.shape) != 2 or min(found.shape) < 2:
        return False
    if found.shape[0] * found.numbers.size > MAX_WORK:
        return False
    with np.errstate(invalid="ignore"):  # a signalling NaN
        table = found.numbers.astype(np.float64)
    if not np.isfinite(table).all():
        return False
    nearest = _nearest(table)
    room = CLEARLY * (bounds.atol + bounds.rtol * float(np.abs(table).max()))
    return bool((nearest > 0).all()) and int((nearest > room).sum()) > len(table) / 2


def _nearest(table: Plain) -> Plain:
    """How far each row's nearest other row is, in the column where they differ most."""
    found = np.full(len(table), np.inf)
    with np.errstate(over="ignore"):
        for n in range(len(table) - 1):
            apart = np.abs(table[n + 1 :] - table[n]).max(axis=1)
            found[n] = min(found[n], apart.min())
            found[n + 1 :] = np.minimum(found[n + 1 :], apart)
    return found
