"""What to ask about an exercise. Equal questions of different checks get equal ids."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from autograder.checks.finding import Cases
from autograder.spec.model import Carried
from autograder.wire.messages import Call, Figures, Probe, Read
from autograder.wire.values import Value


def read(exercise: str, name: str) -> Probe:
    """Ask for the value of a name."""
    return Probe(f"{exercise}/read/{name}", exercise, Read(exercise, name))


def calls(
    exercise: str,
    target: str,
    inputs: str,
    cases: Cases,
    *,
    gradient: tuple[int, ...] = (),
    timed: bool = False,
) -> tuple[Probe, ...]:
    """One call of ``target`` for each case; none when the generator is unknown.

    ``gradient`` lists arguments whose gradient is wanted; ``timed`` leaves the numbers of
    the results inside, because only their cost is looked at.
    """
    suffix = f"/gradient/{','.join(map(str, gradient))}" if gradient else ""
    suffix += "/time" if timed else ""
    stem = f"{exercise}/call/{target}/{inputs}"
    return tuple(
        _call(f"{stem}/{index}{suffix}", exercise, target, args, gradient, timed)
        for index, args in enumerate(cases.get(inputs, ()))
    )


def own(exercise: str, carried: Carried) -> Probe:
    """The student's own earlier part, called for a value that is carried forward."""
    args = ",".join(map(repr, carried.args))
    return _call(f"{exercise}/own/{carried.call}/{args}", exercise, carried.call, carried.args)


def figures(exercise: str) -> Probe:
    """Ask for the figures that the exercise's cells showed."""
    return Probe(f"{exercise}/figures", exercise, Figures(exercise))


def _call(
    id_: str,
    exercise: str,
    target: str,
    args: Sequence[Value],
    gradient: tuple[int, ...] = (),
    discard: bool = False,
) -> Probe:
    seed = zlib.crc32(id_.encode())
    call = Call(exercise, target, tuple(args), seed=seed, gradient=gradient, discard=discard)
    return Probe(id_, exercise, call)
