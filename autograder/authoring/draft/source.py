"""Writes arguments as Python source: as they are, or drawn from `rng` in the same form."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from autograder.wire.convert import from_wire
from autograder.wire.values import ConstructedObject

MAX_SHOWN = 24  # numbers of an array or items of a container that are written out
STATE = "_parameters("  # and how inputs.py draws numbers for the parameters of one
MADE = "made("  # how inputs.py asks for such an object
DIGITS = 4  # of a number in an array
LARGE = 10_000
FEW, FAR = 10, 5  # so few numbers say nothing about how they spread, unless one is so large
USUAL = {"float64", "int64", "bool", "complex128"}  # what np.array makes of Python's own numbers


class NoSourceError(Exception):
    """A value that cannot be written as source: too large, or of a type that no call can get."""


@dataclass(frozen=True, slots=True)
class DrawnForm:
    """``single``: numbers and texts on their own are drawn too. ``lengths``: those of axes and
    lists that are replaced, each with the new one. ``numbers``: of what size those in arrays are;
    with "zero", whole numbers on their own are 1. ``set_parameters``: of objects that have some.
    ``rooms``: whole numbers on their own stay within the next larger one of these."""

    single: bool = True
    lengths: tuple[tuple[int, int], ...] = ()
    numbers: Literal["alike", "large", "zero"] = "alike"
    set_parameters: bool = True
    rooms: frozenset[int] = frozenset()

    def length(self, old: int) -> int:
        """The length of an axis that has ``old`` in the example."""
        return dict(self.lengths).get(old, old)


def lengths(value: Any) -> set[int]:
    """The lengths of axes and of lists in a value that are above 1."""
    match value:
        case object(shape=shape, dtype=_):  # an array or a tensor
            found = set(shape)
        case list() | tuple() if (array := _rectangle(value)) is not None:
            found = set(array.shape)
        case list() | tuple() | dict():
            several = value.values() if isinstance(value, dict) else value
            texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
            found = {len(value)} if texts else set().union(*map(lengths, several))
        case _:
            found = set()
    return {length for length in found if length > 1}


def literal(value: Any) -> str:
    """The value as source; raises ``NoSourceError``."""
    match value:
        case None | bool() | int():
            return repr(value)
        case str():
            return json.dumps(value, ensure_ascii=False)  # double quotes
        case float():
            return repr(value) if math.isfinite(value) else f'float("{value}")'
        case complex():
            return repr(value)
        case object(shape=shape, dtype=_) if 0 in shape:
            module = "np" if isinstance(value, np.ndarray) else "torch"
            kind = str(value.dtype).removeprefix("torch.")
            return f"{module}.zeros({tuple(value.shape)}, dtype={module}.{kind})"
        case np.ndarray():
            kind = "" if str(value.dtype) in USUAL else f", dtype=np.{value.dtype}"
            return f"np.array({literal(_short(value).tolist())}{kind})"
        case object(shape=_, dtype=_):
            return _tensor(literal(_short(_numbers(value)).tolist()), value)
        case ConstructedObject():
            return _made(value, [literal(from_wire(one)) for one in value.args])
    return _container(value, [literal(item) for item in _items(value)])


def drawn(value: Any, how: DrawnForm) -> str:
    """Source that draws a value of this form; raises ``NoSourceError``."""
    match value:
        case int() if how.numbers == "zero" and not isinstance(value, bool):
            return "1"
        case bool() | int() | float() | str():
            return _single(value, how.rooms) if how.single else literal(value)
        case object(shape=shape, dtype=_) if 0 in shape:
            return literal(value)
        case np.ndarray():
            kind = "" if str(value.dtype) in USUAL else f".astype(np.{value.dtype})"
            return f"{_bracketed(_array(value, how), kind)}{kind}"
        case object(shape=_, dtype=_):
            return _tensor(_array(_numbers(value), how), value)
        case list() | tuple() if (array := _rectangle(value)) is not None:
            rounded = ".round(3)" if array.dtype.kind == "f" else ""
            source = f"{_bracketed(_array(array, how), '.')}{rounded}.tolist()"
            return f"tuple({source})" if isinstance(value, tuple) else source
        case list() if value and all(isinstance(item, str) for item in value):
            return f"rng.choice({literal(sorted(set(value)))}, {how.length(len(value))}).tolist()"
        case list() | tuple() | dict():
            return _container(value, [drawn(item, how) for item in _items(value)])
        case ConstructedObject() if not value.slots:
            return _made(value, [drawn(from_wire(one), how) for one in value.args])
        case ConstructedObject():  # its arguments decide on the shapes of its parameters
            args = [literal(from_wire(one)) for one in value.args]
            return _made(value, args, set_parameters=how.set_parameters)
    return literal(value)


def emptied(value: Any) -> str:
    """Source for the value with nothing in it: a text of several words, a list, tuple or
    dictionary, or an object whose first argument is one. Raises ``NoSourceError`` for others."""
    match value:
        case str() if len(value.split()) > 1:
            return '""'
        case list() | tuple() | dict() if value:
            return repr(type(value)())
        case ConstructedObject(args=[first, *rest]) if not value.slots:
            held = [drawn(from_wire(one), DrawnForm()) for one in rest]
            return _made(value, [emptied(from_wire(first)), *held])
    raise NoSourceError("nothing to take out")


def _made(value: ConstructedObject, args: list[str], *, set_parameters: bool = True) -> str:
    """Source for an object of the student's own class. The numbers of its parameters are drawn,
    unless it keeps those that it begins with."""
    parts = [literal(value.target), *args]
    if value.slots and set_parameters:
        shapes = (str(tuple(slot.array.shape)) for slot in value.slots)
        parts.append(f"state={STATE}rng, {', '.join(shapes)})")
    return f"{MADE}{', '.join(parts)})"


def room_of(value: int, rooms: Collection[int]) -> int | None:
    """The largest number that is plausible in place of this one, or how far below 0 if it is
    negative; None if it is free."""
    return min((room for room in rooms if room >= abs(value)), default=None)


def _single(value: bool | int | float | str, rooms: Collection[int]) -> str:
    match value:
        case bool():
            return "bool(rng.integers(2))"
        case int():
            low, high = (min(value, 1), 2 * value + 2) if value >= 0 else (2 * value, 1)
            if (room := room_of(value, rooms)) is not None:
                low, high = max(low, -room), min(high, room + 1 if value >= 0 else 0)
            return f"int(rng.integers({low}, {high}))"
        case float() if math.isfinite(value):
            least, most = (0, 1) if 0 <= value <= 1 else sorted((value / 2, 2 * value))
            return f"round(rng.uniform({least:.3g}, {most:.3g}), 3)"
        case str() if len(value.split()) > 1:
            words = value.split()
            return f'" ".join(rng.choice({literal(sorted(set(words)))}, {len(words)}))'
        case str() if len(value) > 1:
            return f'"".join(rng.choice(list({literal(value)}), {len(value)}))'
    return literal(value)


def _array(array: Any, how: DrawnForm) -> str:
    """Source that draws numbers like those of an array."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return f"np.array({literal(_short(array).tolist())})"
    shape = tuple(map(how.length, array.shape))
    size = f"size={shape[0] if len(shape) == 1 else shape}"
    if how.numbers == "zero":
        kind = {"f": "", "b": ", dtype=bool", "c": ", dtype=complex"}.get(
            array.dtype.kind, ", dtype=int"
        )
        return f"np.zeros({size.removeprefix('size=')}{kind})"
    if array.dtype.kind == "b":
        return f"rng.integers(2, {size}) == 1"
    if array.dtype.kind == "c":
        return f"rng.normal({size}) + 1j * rng.normal({size})"
    low, high = array.min(), array.max()
    if how.numbers == "large" and array.dtype.kind == "f":
        return f"rng.uniform({-LARGE if low < 0 else 0}, {LARGE}, {size})"
    if array.dtype.kind in "iu":
        return f"rng.integers({min(int(low), 0)}, {int(high) + 1 or 3}, {size})"
    if low >= 0:
        return f"rng.uniform(0, {float(high) or 1:.2g}, {size})"
    if array.size < FEW and max(-low, high) < FAR:
        return f"rng.normal({size})"
    mean, spread = float(array.mean()), float(array.std()) or 1
    if abs(mean) < spread / 2 and 0.5 <= spread <= 2:
        return f"rng.normal({size})"
    return f"rng.normal({mean if abs(mean) > spread / 2 else 0:.1g}, {spread:.1g}, {size})"


def _bracketed(source: str, after: str) -> str:
    """The source in brackets if it is an operation and something follows."""
    return f"({source})" if after and (" == " in source or " + " in source) else source


def _tensor(source: str, like: Any) -> str:
    return f"torch.tensor({source}, dtype={like.dtype})"


def _numbers(tensor: Any) -> Any:
    """A tensor as an array; half precision, which NumPy lacks in part, as float32."""
    narrow = str(tensor.dtype) in ("torch.bfloat16", "torch.float16")
    wide = tensor.float() if narrow else tensor
    return wide.detach().numpy()


def _short(array: Any) -> Any:
    """An array that can be written out: its numbers are rounded. Raises ``NoSourceError``."""
    if array.size > MAX_SHOWN:
        raise NoSourceError(f"an array of {array.size} numbers")
    if array.dtype.kind != "f":
        return array
    return np.array([float(f"{x:.{DIGITS}g}") for x in array.flat]).reshape(array.shape)


def _rectangle(value: list[Any] | tuple[Any, ...]) -> Any:
    """A list of numbers, or of lists of equally many, as an array; None for anything else."""
    try:
        array = np.array(value)
    except ValueError:
        return None
    tuples = any(isinstance(item, tuple) for item in value)
    return array if array.dtype.kind in "bif" and array.size and not tuples else None


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple | set):
        if len(value) > MAX_SHOWN:
            raise NoSourceError(f"{len(value)} items")
        return sorted(value, key=repr) if isinstance(value, set) else list(value)
    raise NoSourceError(f"a value of type {getattr(value, 'type', type(value).__name__)}")


def _container(value: Any, items: list[str]) -> str:
    """The container of these items, each written as source."""
    inside = ", ".join(items)
    if isinstance(value, dict):
        pairs = (f"{literal(key)}: {item}" for key, item in zip(value, items, strict=True))
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, set):
        return f"{{{inside}}}" if items else "set()"
    if isinstance(value, tuple):
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    return f"[{inside}]"
