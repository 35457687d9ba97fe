"""Whether right answers can be expected to agree on a result: its numbers are finite, and the
check's tolerance leaves room for rounding numbers as large as these.

Covered: real and complex results and gradients of every precision. Not covered: rounding within a
call whose result is small; the large results of the same call mostly show it.
"""

from __future__ import annotations

import math

import numpy as np

from autograder.assignment.kinds import Check, RelationCheck
from autograder.judging.checks.arrays import Bounds, Plain, numeric
from autograder.judging.diagnosis.likeness import bounds_of
from autograder.wire.messages import Outcome
from autograder.wire.values import Array, Items, Value

UNITS = 2.0  # in the last place of the largest number, which right answers may differ by
_LAST_PLACE = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-23,
    "complex64": 2.0**-23,
    "float64": 2.0**-52,
    "complex128": 2.0**-52,
}


def room_for_rounding(check: Check, outcome: Outcome) -> bool:
    """Whether right answers that round in another order would pass the check. A relation knows its
    own tolerance."""
    return isinstance(check, RelationCheck) or all(
        _has_room(check, value) for value in (outcome.value, *outcome.gradients)
    )


def is_finite(outcome: Outcome) -> bool:
    """Whether no number of a result is NaN or infinite."""
    return all(map(_is_finite, (outcome.value, *outcome.gradients)))


def _is_finite(value: Value) -> bool:
    match value:
        case Items(items=items):
            return all(map(_is_finite, items))
        case Array():
            found = numeric(value)
            return found is None or bool(np.isfinite(found.numbers).all())
        case float():
            return math.isfinite(value)
    return True


def _has_room(check: Check, value: Value) -> bool:
    match value:
        case Items(items=items):
            return all(_has_room(check, item) for item in items)
        case Array(dtype=dtype, shape=shape) if dtype in _LAST_PLACE:
            found = numeric(value)
            sizes = np.abs(found.numbers) if found is not None else np.zeros(0)
            return _allows(bounds_of(check, dtype, dtype, shape), sizes, _LAST_PLACE[dtype])
        case float():  # mostly the item() of a float32
            bounds = bounds_of(check, "float64", "float64", ())
            return _allows(bounds, np.abs([value]), _LAST_PLACE["float32"])
    return True


def _allows(bounds: Bounds, sizes: Plain, last_place: float) -> bool:
    sizes = sizes[np.isfinite(sizes)]
    if not sizes.size:
        return True
    least = bounds.atol + bounds.rtol * float(sizes.min())
    # none at all is allowed only where no right answer rounds
    return least == 0 or least >= UNITS * last_place * float(sizes.max())
