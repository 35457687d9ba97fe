"""Explains which rule of the simulated accelerator was broken and where the odd tensor came from.

Covered: tensors made on a student's line; held by modules, by objects of a student's class, by
lists and dictionaries in them, by globals; arguments. Everything is read without calling the
student's code. Not covered: tensors that only a closure or a generator holds.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any, Literal, cast

import torch

from autograder.runner.cell_names import CELLS, HERE
from autograder.runner.simulated_device import origins, reading
from autograder.runner.simulated_device.faults import REFUSALS, BrokenRule
from autograder.runner.simulated_device.labels import (
    CPU,
    CUDA,
    CodePlace,
    device_of,
    label_of,
    made_of,
)
from autograder.wire.convert import sendable
from autograder.wire.messages import Fault

MAX_TEXT = 300
MAX_FRAMES = 1000
MAX_NESTED = 4
_WITHIN = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>"})
_LOOPS = ("for ", "async for ")
_Tensor, _Module = torch.Tensor, torch.nn.Module
_plain = torch._C.DisableTorchFunction
_dim: Any = torch._C.TensorBase.dim
_shape: Any = vars(torch._C.TensorBase)["shape"].__get__
_RULES = frozenset({"mixed", "numpy", "index", "grad"})


def fault_of(
    error: BaseException, *, arguments: Sequence[object], names: Mapping[str, object]
) -> Fault | None:
    """The ``Fault`` for an exception of the simulation, None for any other.

    ``arguments`` are the call's original arguments, ``names`` the notebook's globals. Call it after
    the simulation or inside it. Never raises.
    """
    if not issubclass(type(error), REFUSALS):
        return None
    broken = reading.dictionary(error).get("met")
    # A fault that a student has changed.
    if type(broken) is not BrokenRule or broken.rule not in _RULES:
        return None  # the student's code raised it again
    try:
        with _plain():
            return _explained(broken, error.__traceback__, arguments, names)
    # An explanation that fails is not a failure.
    except BaseException:  # noqa: BLE001  students' objects may do anything
        return Fault(_rule(broken), _cut(broken.op))


def _explained(
    met: BrokenRule,
    trace: TracebackType | None,
    arguments: Sequence[object],
    names: Mapping[str, object],
) -> Fault:
    odd, main = _odd(met, arguments)
    if odd is None:
        return Fault(_rule(met), _cut(met.op))
    frames = _student_frames(trace)
    direct = met.rule == "numpy"  # results computed on the device belong there
    found = origins.search(
        odd,
        arguments=arguments,
        names=names,
        frames=frames,
        direct=direct,
    )
    made = _own_made(odd) if direct else made_of(label_of(odd))
    origin, name, source, cell, line = "unknown", "", "", 0, 0
    if made is not None:
        source, cell, line = _expression(made), _cell(made), made.line
        origin = "made"
    if found is not None:
        origin, name = found
    near = frames
    if origin == "made":
        near = sorted(
            (frame for frame in frames if _has_line(frame, made)),
            key=lambda one: made is not None and one.f_code is not made.code,
        )
    return Fault(
        rule=_rule(met),
        op=_cut(met.op),
        tensor=str(device_of(odd)),
        main=str(main),
        shape=tuple(int(n) for n in _shape(odd)),
        origin=cast(Any, origin),
        name=_cut(name),
        cell=cell,
        line=line,
        source=_cut(source),
        beside="" if direct else _cut(_beside(near, main)),
    )


def _rule(met: BrokenRule) -> Literal["mixed", "numpy", "index", "grad"]:
    return cast(Literal["mixed", "numpy", "index", "grad"], met.rule)


def _odd(met: BrokenRule, arguments: Sequence[object]) -> tuple[torch.Tensor | None, torch.device]:
    """The tensor that does not fit, and the device of the others.

    If all arguments of a call are on the CPU, the call is meant for the CPU: then the other tensor
    is odd.
    """
    if met.rule == "numpy" or met.on_cpu is None or met.on_cuda is None:
        return met.on_cuda if met.on_cuda is not None else met.on_cpu, CPU
    places = {device_of(one) for one in origins.tensors_within(arguments)}
    if places == {CPU}:
        return met.on_cuda, CPU
    return met.on_cpu, CUDA


def _own_made(tensor: torch.Tensor) -> CodePlace | None:
    label = label_of(tensor)
    return label.made if label is not None else None


def _student_frames(trace: TracebackType | None) -> list[FrameType]:
    """Frames of cells that the exception passed through, innermost first."""
    found = []
    for _ in range(MAX_FRAMES):
        if trace is None:
            break
        if trace.tb_frame.f_code.co_filename.startswith(CELLS):
            found.append(trace.tb_frame)
        trace = trace.tb_next
    return found[::-1]


def _cell(made: CodePlace) -> int:
    number = made.code.co_filename.removeprefix(HERE).rstrip(">")
    return int(number) if number.isdecimal() and len(number) < 9 else 0


def _expression(made: CodePlace) -> str:
    """The text of the expression that was being run: its columns are in the code object."""
    place = next(islice(made.code.co_positions(), made.instruction // 2, None), None)
    whole = linecache.getline(made.code.co_filename, made.line).strip()
    if place is None or None in place:
        return whole
    if whole.startswith(_LOOPS):  # its columns are those of the loop with its body
        return whole.rstrip(":")
    first, last, start, end = cast(tuple[int, int, int, int], place)
    lines = [
        linecache.getline(made.code.co_filename, n).encode("utf-8", "replace")
        for n in range(first, min(last, first + 20) + 1)
    ]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return " ".join(b" ".join(lines).decode("utf-8", "replace").split())


def _beside(frames: list[FrameType], main: torch.device) -> str:
    """A name in the innermost student code that is on the right device, preferably a parameter."""
    for frame in frames[:1]:
        values = frame.f_locals
        parameters = reading.parameters(frame)
        rest = [name for name in values if name not in parameters]
        for name in (*parameters, *islice(rest, reading.MAX_ITEMS)):
            if _is_on(values.get(name), main):
                return name
        if parameters and reading.is_a(values.get(parameters[0]), _Module):
            for name, value in _named(values[parameters[0]]):
                if _is_on(value, main):
                    return f"{parameters[0]}.{name}"
    return ""


def _has_line(frame: FrameType, made: CodePlace | None) -> bool:
    """Whether a tensor was made in this code, or in an enclosing one, so that names can be used
    there."""
    return made is not None and (
        made.code is frame.f_code or any(one is frame.f_code for one in _nested(made.code, 0))
    )


def _nested(code: CodeType, depth: int) -> Iterator[CodeType]:
    for const in code.co_consts if depth < MAX_NESTED else ():
        if isinstance(const, CodeType) and const.co_name in _WITHIN:
            yield const
            yield from _nested(const, depth + 1)


def _named(module: object) -> list[tuple[str, object]]:
    return [*reading.parts(module), *reading.attributes(module)]


def _is_on(value: object, device: torch.device) -> bool:
    return reading.is_a(value, _Tensor) and device_of(value) == device and _dim(value) > 0


def _cut(text: str) -> str:
    return sendable(text[:MAX_TEXT])
