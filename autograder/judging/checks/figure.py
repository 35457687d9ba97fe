"""The check of a figure: an image shows the reference's table, readably."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.assignment.kinds import FigureCheck, Tolerance
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import (
    Bounds,
    Numeric,
    default_bounds,
    measure,
    numeric,
    stated_bounds,
)
from autograder.judging.checks.aspects import ASPECTS, Image, images_of
from autograder.judging.checks.carried_result import is_table, own_table
from autograder.judging.checks.claims import reference, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import difference, sentences
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.columns import array
from autograder.wire.messages import Probe
from autograder.wire.values import Array, Value

NO_IMAGE = (
    "No figure in this exercise shows an array as an image (imshow, matshow, pcolormesh, pcolor)."
)

_EITHER = frozenset((False, True))


def probes(check: FigureCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The figures, the table that must be shown, and the student's own part for it."""
    asked = (ask.figures(exercise), ask.read(exercise, check.shows))
    return asked if check.carried is None else (*asked, ask.own(exercise, check.carried))


def examine(check: FigureCheck, trial: Trial) -> Finding:
    """Look at the image that shows the table, or else at the likeliest one.

    Images with the right data come first, then those of its shape, then all others; among equals,
    the one with the fewest problems. So wrong data are charged once.
    """
    shown = reference(trial, ask.read(trial.exercise, check.shows))
    if isinstance(shown, Finding):
        return shown
    table = numeric(shown.value)
    if table is None or len(table.shape) != 2 or table.dtype == "bool":
        return ungraded(f"The reference's `{check.shows}` is not a table of numbers.")
    claim = returned(trial.actual, ask.figures(trial.exercise))
    if isinstance(claim, Finding):
        return claim
    images = images_of(claim.value)
    if not images:
        return Finding(Status.MISSING, message=NO_IMAGE)
    own = own_table(trial, check, [image.array for image in images])
    carried = None if isinstance(own, Finding) else own
    right = _right(check, images, [shown.value, carried, _own_value(check, trial, table)])
    if not right and isinstance(own, Finding) and "data" in check.aspects:
        return own
    tried = [_problems(check, image, sides) for image, sides in right or _likely(images, table)]
    found = min(tried, key=len)
    if not right and "data" in check.aspects:
        found = (_data_mismatch(check, images, shown.value, table), *found)
    if not found:
        return PASSED
    return Finding(Status.FAILED, found, sentences(found, most=len(found)))


def _own_value(check: FigureCheck, trial: Trial, table: Numeric) -> Value:
    """The student's own value of the name that is shown, if it may be shown instead."""
    claim = returned(trial.actual, ask.read(trial.exercise, check.shows)) if check.own else None
    if claim is None or isinstance(claim, Finding):
        return None
    found = numeric(claim.value)
    # A table of a student's own has the right shape, and rows that differ.
    fits = found is not None and found.shape == table.shape and is_table(_without_nan(found))
    return claim.value if fits else None


def _without_nan(table: Numeric) -> Array:
    """A table with 0 for NaN, which images show as holes."""
    numbers = table.numbers
    return array(np.where(numbers != numbers, np.zeros((), numbers.dtype), numbers))


def _right(
    check: FigureCheck, images: Sequence[Image], targets: Sequence[Value]
) -> list[tuple[Image, frozenset[bool]]]:
    """The images that show one of the tables, each with whether it is transposed."""
    tables = [table for table in map(numeric, targets) if table is not None]
    found = []
    for image in images:
        have = numeric(image.array)
        if have is not None:
            sides = {t for table in tables for t in (False, True) if _shows(check, have, table, t)}
            if sides:
                found.append((image, frozenset(sides)))
    return found


def _shows(check: FigureCheck, have: Numeric, table: Numeric, turned: bool) -> bool:
    want = table.numbers.T if turned else table.numbers
    if have.shape != want.shape:
        return False
    bounds = _bounds(check.tolerance, have.dtype, table)
    return measure(have.numbers, want, bounds) is None


def _bounds(tolerance: Tolerance | None, actual: str, table: Numeric) -> Bounds:
    """The bounds for the rows of the table, whatever the image's orientation."""
    if tolerance is not None:
        return stated_bounds(tolerance, table.shape)
    return default_bounds(actual, table.dtype)


def _likely(images: Sequence[Image], table: Numeric) -> list[tuple[Image, frozenset[bool]]]:
    """Images of the table's shape, or all; the shape gives the table's orientation."""
    sided = [(image, _sides(image.array.shape, table.shape)) for image in images]
    return [one for one in sided if one[1]] or [(image, _EITHER) for image in images]


def _sides(shape: tuple[int, ...], wanted: tuple[int, ...]) -> frozenset[bool]:
    straight, turned = shape == wanted, shape == wanted[::-1]
    return frozenset([False] * straight + [True] * turned)


def _problems(check: FigureCheck, image: Image, sides: frozenset[bool]) -> tuple[Mismatch, ...]:
    found = (ASPECTS[aspect](check, image, sides) for aspect in check.aspects if aspect != "data")
    return tuple(mismatch for mismatch in found if mismatch is not None)


def _data_mismatch(
    check: FigureCheck, images: Sequence[Image], expected: Value, table: Numeric
) -> Mismatch:
    """How the likeliest image's numbers differ from the table's."""
    image, sides = _likely(images, table)[0]
    if sides == {True}:
        expected = array(table.numbers.T)
    rules = Rules(_settled(check.tolerance, table))
    first = compare(image.array, expected, where="figure", rules=rules)[0]
    text = f"The image does not show `{check.shows}`: {difference(first)}."
    return Mismatch("figure", first.kind, first.expected, first.actual, (), first.numbers, text)


def _settled(tolerance: Tolerance | None, table: Numeric) -> Tolerance | None:
    """The tolerance without growth by rows: a transposed table has other rows."""
    if tolerance is None:
        return None
    atol = stated_bounds(tolerance, table.shape).atol
    return tolerance.model_copy(update={"atol": atol, "atol_per_row": 0.0})
