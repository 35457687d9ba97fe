"""What to ask about an exercise. Equal questions of different checks get equal ids."""

from __future__ import annotations

import zlib

import msgspec

from autograder.assignment.kinds import CarriedResult
from autograder.judging.checks.finding import Cases
from autograder.judging.checks.plan import once
from autograder.wire.messages import Call, CallEnvironment, Figures, Probe, Read


def read(exercise: str, name: str) -> Probe:
    """Ask for the value of a name."""
    return Probe(f"{exercise}/read/{name}", exercise, Read(exercise, name))


def calls(call: Call, inputs: str, cases: Cases, *, alike: str = "") -> tuple[Probe, ...]:
    """Such a call with each case of ``inputs``; none if the generator is unknown.

    ``call`` says everything but the arguments and the seed. The calls have the seeds, and so the
    patterns of gradients, of those with the inputs ``alike``, wherever they run.
    """

    def make() -> tuple[Probe, ...]:
        stem, suffix = f"{call.exercise}/call/{call.target}", _suffix(call)
        made = []
        for index, args in enumerate(cases.get(inputs, ())):
            id_, twin = (f"{stem}/{name}/{index}{suffix}" for name in (inputs, alike or inputs))
            own = msgspec.structs.replace(call, args=tuple(args), seed=_seed(twin))
            made.append(Probe(id_ + _there(call.place), call.exercise, own))
        return tuple(made)

    return once(cases, ("calls", call, inputs, alike), make)


def _suffix(call: Call) -> str:
    """The part of an id for what is asked besides the result."""
    suffix = f"/gradient/{','.join(map(str, call.gradient))}" if call.gradient else ""
    suffix += f"/of/{call.output}" if call.output else ""
    suffix += "/time" if call.discard else ""
    suffix += "".join(f"/{part.name}={part.kind}" for part in call.stand_ins)
    return suffix + (f"/after/{','.join(map(str, call.after))}" if call.after else "")


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
    id_ = f"{exercise}/own/{carried.call}/{','.join(map(repr, carried.args))}"
    return Probe(id_, exercise, Call(exercise, carried.call, tuple(carried.args), _seed(id_)))


def figures(exercise: str, *, printed: bool = False) -> Probe:
    """Ask for the figures that the exercise's cells showed, and what they printed."""
    suffix = "/printed" if printed else ""
    return Probe(f"{exercise}/figures{suffix}", exercise, Figures(exercise, printed))


def _seed(id_: str) -> int:
    return zlib.crc32(id_.encode())
