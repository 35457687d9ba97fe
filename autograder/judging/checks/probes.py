"""What to ask about an exercise. Equal questions of different checks get equal ids."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

from autograder.assignment.kinds import CarriedResult
from autograder.judging.checks.finding import Cases
from autograder.judging.checks.plan import once
from autograder.wire.messages import Call, CallEnvironment, Figures, Probe, Read, StandIn
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
    output: int = 0,
    timed: bool = False,
    stand_ins: tuple[StandIn, ...] = (),
    after: tuple[int, ...] = (),
    alike: str = "",
    place: CallEnvironment | None = None,
    only_first: bool = False,
) -> tuple[Probe, ...]:
    """One call of ``target`` for each case; none if the generator is unknown.

    ``gradient`` lists arguments whose gradient is wanted (of item ``output`` of the result, if that
    is a tuple); ``timed`` leaves the numbers of the results in the box, because only their cost is
    needed; ``stand_ins`` replace earlier parts; ``after`` lists arguments that are wanted as they
    are after the call. The calls have the seeds, and so the patterns of gradients, of those with
    the inputs ``alike``, whatever their ``place``. ``only_first``: one call, of the first case.
    """
    more = {
        "gradient": gradient,
        "discard": timed,
        "output": output,
        "stand_ins": stand_ins,
        "after": after,
        "place": place,
    }
    key = ("calls", exercise, target, inputs, *more.values(), alike, only_first)

    def make() -> tuple[Probe, ...]:
        suffix = _suffix(gradient, output, timed, stand_ins, after)
        stem = f"{exercise}/call/{target}"
        made = []
        for index, args in enumerate(cases.get(inputs, ())[: 1 if only_first else None]):
            id_, twin = (f"{stem}/{name}/{index}{suffix}" for name in (inputs, alike or inputs))
            made.append(_call(id_ + _there(place), exercise, target, args, seed_of=twin, **more))
        return tuple(made)

    return once(cases, key, make)


def _suffix(
    gradient: tuple[int, ...],
    output: int,
    timed: bool,
    stand_ins: tuple[StandIn, ...],
    after: tuple[int, ...],
) -> str:
    """The part of an id for what is asked besides the result."""
    suffix = f"/gradient/{','.join(map(str, gradient))}" if gradient else ""
    suffix += f"/of/{output}" if output else ""
    suffix += "/time" if timed else ""
    suffix += "".join(f"/{one.name}={one.kind}" for one in stand_ins)
    return suffix + (f"/after/{','.join(map(str, after))}" if after else "")


def _there(place: CallEnvironment | None) -> str:
    """The part of an id for a place: whatever is not the default in it."""
    if place is None:
        return ""
    usual = CallEnvironment()
    other = [(n, getattr(place, n)) for n in CallEnvironment.__struct_fields__]
    said = [f"{name}={value}" for name, value in other if value != getattr(usual, name)]
    return "/at/" + ",".join(said).replace(" ", "")


def own(exercise: str, carried: CarriedResult) -> Probe:
    """The student's own earlier part, called for a value that is carried forward."""
    args = ",".join(map(repr, carried.args))
    return _call(f"{exercise}/own/{carried.call}/{args}", exercise, carried.call, carried.args)


def figures(exercise: str, *, printed: bool = False) -> Probe:
    """Ask for the figures that the exercise's cells showed, and what they printed."""
    suffix = "/printed" if printed else ""
    return Probe(f"{exercise}/figures{suffix}", exercise, Figures(exercise, printed))


def _call(
    id_: str, exercise: str, target: str, args: Sequence[Value], *, seed_of: str = "", **more: Any
) -> Probe:
    seed = zlib.crc32((seed_of or id_).encode())
    return Probe(id_, exercise, Call(exercise, target, tuple(args), seed=seed, **more))
