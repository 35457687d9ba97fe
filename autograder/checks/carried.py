"""Error carried forward: a student's own earlier result in the place of the reference's.

Covered: a result that proves nothing (not finite, no table, equal rows) does not count.
Not covered: whether that result is right; the earlier exercise is judged on it.
"""

from __future__ import annotations

import msgspec
import numpy as np

from autograder.checks import probes
from autograder.checks.arrays import numeric
from autograder.checks.claims import answer
from autograder.checks.finding import Finding, Trial
from autograder.spec.model import Carried
from autograder.verdict import Status
from autograder.wire.values import Array, Value

MAX_TABLE = 4_000_000  # finding equal rows sorts them


def own_table(trial: Trial, carried: Carried | None) -> Value | Finding:
    """The student's own result where it may count, else None.

    UNGRADED when nothing is known of it, because it could have counted.
    """
    if carried is None:
        return None
    claim = answer(trial.actual, probes.own(trial.exercise, carried))
    if isinstance(claim, Finding):
        return claim if claim.status is Status.UNGRADED else None
    own = flat(claim.value)
    return own if claim.status == "returned" and is_table(own) else None


def flat(value: Value) -> Value:
    """A tensor without leading axes of length 1: a table that lies in a batch of one."""
    if not isinstance(value, Array):
        return value
    shape = value.shape
    while len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    return msgspec.structs.replace(value, shape=shape)


def is_table(value: Value) -> bool:
    """At least two rows and two columns of finite real numbers, no two rows equal."""
    found = numeric(value)
    if found is None or found.dtype == "bool" or found.numbers.dtype.kind == "c":
        return False
    if len(found.shape) != 2 or min(found.shape) < 2:
        return False
    table = found.numbers
    if table.size > MAX_TABLE:
        return False
    return bool(np.isfinite(table).all()) and len(np.unique(table, axis=0)) == len(table)
