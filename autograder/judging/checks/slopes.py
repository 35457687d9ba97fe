"""Compares a claimed gradient with the slopes of the student's own function, in float64.

The function is called with its input moved a little in both directions; the difference along that
line must match the gradient. Independent of the reference, and of how the gradient was computed.

Covered: gradients that are not slopes of the function that claims them.
Not covered: functions that do not take float64, and arguments that are objects or lists.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
import numpy as np

from autograder.assignment.kinds import GradientCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import Plain, numeric
from autograder.judging.checks.explain import asked, position
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Probe
from autograder.wire.values import Array, Items, Value

STEP = 1e-3  # float32 inside the function is then noise of 1e-4
LIKE = 0.01  # of the larger of both; enough to find a wrong sign or factor
FLOATS = ("float32", "float64", "float16", "bfloat16")


def probes(check: GradientCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The gradient at the first case in float64, and calls of the function on both sides of it."""
    if not check.gradcheck or not cases.get(check.inputs):
        return ()
    args = tuple(map(_wide, cases[check.inputs][0]))
    around = {f"{check.inputs}@": (args,)}
    for index in check.wrt:
        around |= {f"{check.inputs}@{index}{s}": (_moved(args, index, s),) for s in "+-"}
    first = next(iter(around))
    plain = Call(exercise, check.call, ())
    sloped = Call(exercise, check.call, (), gradient=check.wrt, output=check.output)
    whole = ask.calls(sloped, first, around)
    sides = (ask.calls(plain, name, around) for name in list(around)[1:])
    return (*whole, *(probe for side in sides for probe in side))


def examine(check: GradientCheck, trial: Trial) -> Finding:
    """PASSED also if nothing can be said, because the comparison with the reference decides too."""
    calls = probes(check, trial.exercise, trial.cases)
    if not calls:
        return PASSED
    records = [trial.actual.probe(probe.id) for probe in calls]
    claims = [r.claim for r in records if r is not None and r.claim is not None]
    if len(claims) != len(calls) or any(c.status != "returned" for c in claims):
        return PASSED
    request = calls[0].request
    assert isinstance(request, Call)
    for place, index in enumerate(check.wrt):
        gradients = claims[0].gradients
        gradient = _floats(gradients[place]) if place < len(gradients) else None
        after = _item(claims[1 + 2 * place].value, check.output)
        before = _item(claims[2 + 2 * place].value, check.output)
        if gradient is None or after is None or before is None or after.shape != before.shape:
            continue
        # A gradient is the slope of the function that claims it.
        if not _agree(gradient, after, before, request.seed):
            text = (
                f"{asked(calls[0])}, gradient of the {position(index)} argument: it does not match "
                "the slope of your own function there."
            )
            where = f"gradient of argument {index + 1}"
            wrong = Mismatch(where, "other", "the slope of the function", "another", text=text)
            return Finding(Status.FAILED, (wrong,), text)
    return PASSED


def _agree(gradient: Plain, after: Plain, before: Plain, seed: int) -> bool:
    """Whether <gradient, direction> is the slope of <result, pattern> along the direction."""
    places = np.arange(after.size, dtype=np.float32)
    pattern = np.sin(np.float32(1.7) * places + np.float32(0.3 + seed % 1009))
    slope = float((pattern * (after - before).reshape(-1)).sum()) / (2 * STEP)
    claimed = float((gradient * _direction(gradient.shape)).sum())
    size = float(np.abs(pattern).sum() * np.abs(after).max(initial=0.0))
    return bool(abs(claimed - slope) <= LIKE * max(abs(claimed), abs(slope)) + 1e-4 * size)


def _wide(value: Value) -> Value:
    if not isinstance(value, Array) or value.dtype not in FLOATS:
        return value
    found = _floats(value)
    assert found is not None
    return msgspec.structs.replace(value, dtype="float64", data=found.tobytes())


def _moved(args: Sequence[Value], index: int, side: str) -> tuple[Value, ...]:
    """The arguments with one of them moved by a step along its direction."""
    value = args[index]
    found = _floats(value) if isinstance(value, Array) else None
    if found is None or not isinstance(value, Array):
        return tuple(args)
    step = STEP if side == "+" else -STEP
    data = (found + step * _direction(found.shape)).tobytes()
    moved = msgspec.structs.replace(value, data=data)
    return (*args[:index], moved, *args[index + 1 :])


def _direction(shape: tuple[int, ...]) -> Plain:
    """Irregular numbers between -1 and 1, always the same for a shape."""
    rng = np.random.default_rng(zlib.crc32(repr(tuple(shape)).encode()))
    return np.asarray(rng.uniform(-1, 1, size=shape))


def _item(value: Value, output: int) -> Plain | None:
    if isinstance(value, Items) and value.kind == "tuple":
        return _floats(value.items[output]) if output < len(value.items) else None
    return _floats(value)


def _floats(value: Value) -> Plain | None:
    """Real, finite numbers in float64; None for anything else."""
    found = numeric(value)
    if found is None or found.numbers.dtype.kind != "f" or not np.isfinite(found.numbers).all():
        return None
    return np.ascontiguousarray(found.numbers, dtype=np.float64)
