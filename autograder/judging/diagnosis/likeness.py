"""Whether two runs went wrong in the same way: results, shapes, exceptions, changed arguments.

Covered: claims of any size and kind; nothing is compared that has another shape than the mistake's,
so the work is bounded by evidence that an instructor made.
Not covered: how tensors inside a module are named.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from autograder.assignment.kinds import Check, FrameRules
from autograder.judging.checks.arrays import Bounds, Numeric, numeric, usual_bounds
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.device import devices_in
from autograder.judging.checks.registry import KINDS
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.numbers import equal
from autograder.wire.messages import Error, Outcome, Probe
from autograder.wire.values import (
    Array,
    DataFrame,
    Figure,
    Items,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)
from autograder.wire.values import Mapping as MappingValue

_FREE = frozenset({"name", "saved", "device"})  # of tensors: their device is compared separately
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")


def same_numbers(check: Check, actual: Numeric, wrong: Numeric) -> bool:
    """Whether two results are equal within the check's tolerance; nothing broadcasts."""
    if "bool" in (actual.dtype, wrong.dtype) and actual.dtype != wrong.dtype:
        return False
    if actual.shape != wrong.shape:
        single = actual.numbers.size == wrong.numbers.size == 1
        ones = getattr(check, "leading_ones", False) and _bare(actual) == _bare(wrong)
        if not ones and not (single and getattr(check, "number", False)):
            return False
    bounds = bounds_of(check, actual.dtype, wrong.dtype, wrong.shape)
    return equal(actual.numbers, wrong.numbers, bounds)


def same_answer(check: Check, probe: Probe, ours: Evidence, theirs: Evidence) -> bool:
    """Whether two answers are equal as far as the check looks, within its tolerance."""
    mine, other = ours.claim(probe.id), theirs.claim(probe.id)
    if mine is None or other is None:
        return False
    if mine.status != other.status or mine.changed != other.changed:
        return False
    if _equal(mine, other):
        return True
    if mine.status == "raised":
        same = _same_error(mine.error, other.error)
    elif check.kind == "gradient":
        same = _same_gradients(check, mine, other)
    else:
        one = _narrow(mine.value, ours.numbers[probe.id])
        two = _narrow(other.value, theirs.numbers[probe.id])
        if one is not None and two is not None:
            same = _same_dtype(check, mine.value, other.value) and same_numbers(check, one, two)
        else:
            same = one is two and _same_undecoded(check, mine.value, other.value)
    return same and _broke(mine) == _broke(other)


def bounds_of(check: Check, actual: str, expected: str, shape: tuple[int, ...]) -> Bounds:
    """The differences that the check accepts between these dtypes, in a result of this shape."""
    own = KINDS[check.kind].bounds
    if own is not None:
        return own(check, actual, expected, shape)
    return usual_bounds(getattr(check, "tolerance", None), actual, expected, shape)


def _equal(one: Outcome, other: Outcome) -> bool:
    """Whether all of two outcomes is the same, byte for byte: much cheaper than their numbers, and
    usual where a fault does not touch a call."""
    return (
        one.value == other.value
        and one.gradients == other.gradients
        and one.error == other.error
        and one.fault == other.fault
    )


def _broke(outcome: Outcome) -> tuple[object, ...]:
    """Which rule of devices an outcome broke, with what kind of tensor; where its result is."""
    fault = outcome.fault
    rule = () if fault is None else (fault.rule, fault.op, fault.origin)
    return (*rule, *devices_in(outcome.value))


def _same_error(one: Error | None, other: Error | None) -> bool:
    if one is None or other is None or one.types != other.types:
        return False
    return _ADDRESS.sub("", one.text) == _ADDRESS.sub("", other.text)


def _same_gradients(check: Check, ours: Outcome, theirs: Outcome) -> bool:
    """Compares only gradients: the results themselves belong to another check."""
    if len(ours.gradients) != len(theirs.gradients):
        return False
    pairs = zip(ours.gradients, theirs.gradients, strict=True)
    return all(_same_value(check, one, other) for one, other in pairs)


def _same_value(check: Check, actual: Value, wrong: Value) -> bool:
    """Equal within tolerance, part by part, in the mistake's own form."""
    if wrong is None or isinstance(wrong, bool | str | Whole):
        return type(actual) is type(wrong) and actual == wrong
    if isinstance(wrong, Opaque):
        if not isinstance(actual, Opaque) or actual.type != wrong.type:
            return False
        return _ADDRESS.sub("", actual.text) == _ADDRESS.sub("", wrong.text)
    if isinstance(wrong, MappingValue) and isinstance(actual, MappingValue):
        pairs = zip(actual.items, wrong.items, strict=False)
        same = len(actual.items) == len(wrong.items)
        return same and all(a[0] == w[0] and _same_value(check, a[1], w[1]) for a, w in pairs)
    if isinstance(wrong, Items) and isinstance(actual, Items):
        return _same_items(check, actual, wrong)
    if isinstance(wrong, Module | Figure):
        return _same_fields(check, actual, wrong)
    if isinstance(wrong, DataFrame | Sparse):
        return not compare(actual, wrong, where="", rules=rules_for(check))
    one, other = _numbers(actual), _numbers(wrong)
    return one is not None and other is not None and same_numbers(check, one, other)


def rules_for(check: Check) -> Rules:
    """The rules of a check for data frames."""
    frame = getattr(check, "frame", FrameRules())
    return Rules(getattr(check, "tolerance", None), frame=frame)


def _same_undecoded(check: Check, actual: Value, wrong: Value) -> bool:
    """``_same_value`` of two values that are known to have no numbers as a whole."""
    if isinstance(wrong, Items) and isinstance(actual, Items):
        return _same_parts(check, actual, wrong)
    return _same_value(check, actual, wrong)


def _numbers(value: Value) -> Numeric | None:
    return _narrow(value, numeric(value))


def _narrow(value: Value, found: Numeric | None) -> Numeric | None:
    """The numbers of a value, Python's own as float32: most come from a tensor through ``item`` or
    ``tolist``, and another processor may round them differently, which float64 would show."""
    if found is None or found.dtype != "float64" or isinstance(value, Array):
        return found
    # Numbers that came out of a tensor are float32.
    return found._replace(dtype="float32")


def _same_items(check: Check, actual: Items, wrong: Items) -> bool:
    one, other = _numbers(actual), _numbers(wrong)
    if one is not None and other is not None:
        return len(actual.items) == len(wrong.items) and same_numbers(check, one, other)
    return one is other and _same_parts(check, actual, wrong)


def _same_parts(check: Check, actual: Items, wrong: Items) -> bool:
    if len(actual.items) != len(wrong.items) or (actual.kind == "set") != (wrong.kind == "set"):
        return False
    pairs = zip(actual.items, wrong.items, strict=True)
    return all(_same_value(check, a, w) for a, w in pairs)


def _same_fields(check: Check, actual: Any, wrong: Any) -> bool:
    """Whether two modules or figures have all numbers within tolerance and all else equal."""
    if type(actual) is not type(wrong):
        return False
    if isinstance(wrong, Array):
        return _same_value(check, actual, wrong)
    if isinstance(wrong, tuple):
        pairs = zip(actual, wrong, strict=False)
        return len(actual) == len(wrong) and all(_same_fields(check, a, w) for a, w in pairs)
    if isinstance(wrong, msgspec.Struct):
        names = [name for name in wrong.__struct_fields__ if name not in _FREE]
        return all(_same_fields(check, getattr(actual, n), getattr(wrong, n)) for n in names)
    return bool(actual == wrong)


def _same_dtype(check: Check, actual: Value, wrong: Value) -> bool:
    """If the dtype is judged, it must be wrong in the same way."""
    # A mistake is known by its dtypes, too.
    if getattr(check, "dtype", "any") == "any" and not getattr(check, "keeps", False):
        return True
    mine, theirs = (v.dtype if isinstance(v, Array) else "" for v in (actual, wrong))
    return mine == theirs


def _bare(found: Numeric) -> tuple[int, ...]:
    shape = found.shape
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape
