"""Small values as Python code that can be typed in, and as short text to compare by eye."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.explain import brief, short, then_called
from autograder.judging.diagnosis.frame_literals import frame_code, frame_written
from autograder.wire.messages import Call
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    ConstructedObject,
    DataFrame,
    Items,
    Module,
    Value,
)
from autograder.wire.values import Mapping as MappingValue

MOST_NUMBERS = 24  # of an array that is written out
DIGITS = (4, 6, 9, 17)  # significant ones, as many as it takes to see a difference
_USUAL = {
    "tensor": {"float32", "int64", "bool", "complex64"},
    "ndarray": {"float64", "int64", "bool"},
}
_MADE = {"tensor": "torch.tensor", "ndarray": "np.array"}
_MODULE = {"tensor": "torch", "ndarray": "np"}


def call_code(call: Call) -> str:
    """A call as Python code."""
    first, _, method = call.target.partition(".")
    arguments = [code(argument) for argument in call.args]
    made = call.args[0] if call.args else None
    if method and isinstance(made, ConstructedObject) and made.target == first:
        name = arguments[0] if method == "forward" else f"{arguments[0]}.{method}"
        return f"{name}({', '.join(arguments[1:])})"
    return f"{call.target}({', '.join(arguments)})"


def tables_of(call: Call) -> str:
    """The tables that the objects and modules of a call hold, as a comment; "" without any."""
    tables = [
        written(slot.array)
        for argument in call.args
        if isinstance(argument, ConstructedObject) and not argument.ours
        for slot in argument.slots
    ]
    modules = [argument for argument in call.args if isinstance(argument, Module)]
    tables += [written(entry.array) for module in modules for entry in module.entries]
    named = "the table" if len(tables) == 1 else "the tables"
    return f"# with {named} {' and '.join(tables)}" if tables else ""


def code(value: Value) -> str:
    """An argument as Python code; one that is too large is abbreviated."""
    match value:
        case Array(container=container, dtype=dtype) if _fits(value):
            kind = "" if dtype in _USUAL[container] else f", dtype={_MODULE[container]}.{dtype}"
            return f"{_MADE[container]}({written(value, _exact(value))}{kind})"
        case Items(kind=kind, items=items) if len(items) <= MOST_NUMBERS and kind != "set":
            inner = ", ".join(map(code, items))
            ends = "()" if kind == "tuple" else "[]"
            comma = "," if kind == "tuple" and len(items) == 1 else ""
            return f"{ends[0]}{inner}{comma}{ends[1]}"
        case ConstructedObject(target="(by columns)", args=(Array(shape=(_, _)) as array,)):
            return f"{code(_transposed(array))}.T"
        case ConstructedObject(target="(then)", args=(str(method), *given)):
            return f".{method}({', '.join(map(code, given))})"
        case ConstructedObject(target=target, args=args) if target != "(device)":
            name = target.strip("()").replace(" ", "_") if value.ours else target
            return then_called(name, map(code, args))
        case DataFrame() if _is_short(value):
            return frame_code(value) or brief(value)
        case Module(type="Embedding", entries=(table,)):
            return f"nn.Embedding({', '.join(map(str, table.array.shape))})"
    return brief(value)


def written(value: Value, digits: int = DIGITS[0]) -> str:
    """A result without types: ``[[1., 2.], [0.5, 3.]]``."""
    match value:
        case Array() if _fits(value):
            found = numeric(value)
            return brief(value) if found is None else _nested(found.numbers, digits)
        case DataFrame() if _is_short(value):
            return frame_written(value, lambda number: _number(number, digits))
        case bool() | str() | None:
            return brief(value)
        case float():
            return _number(value, digits)
        case Items(kind="list" | "tuple", items=items) if len(items) <= MOST_NUMBERS:
            inner = ", ".join(written(item, digits) for item in items)
            return f"[{inner}]" if value.kind == "list" else f"({inner})"
        case MappingValue(items=items) if len(items) <= MOST_NUMBERS:
            pairs = (f"{written(key, digits)}: {written(item, digits)}" for key, item in items)
            return f"{{{', '.join(pairs)}}}"
    return brief(value)


def both_written(expected: Value, actual: Value) -> tuple[str, str]:
    """Two results with as many digits as it takes to see the difference: in full, or where they are
    too large for that, at the place where they differ most; with their types if the numbers are
    the same."""
    for digits in DIGITS:
        texts = written(expected, digits), written(actual, digits)
        if texts[0] != texts[1]:
            return texts
    return _most_apart(expected, actual) or (_typed(expected), _typed(actual))


def _most_apart(expected: Value, actual: Value) -> tuple[str, str] | None:
    """Two large arrays of one shape, each with its number at the place where they differ most."""
    match expected, actual:
        case Items(items=ours), Items(items=theirs) if len(ours) == len(theirs):
            found = (_most_apart(one, other) for one, other in zip(ours, theirs, strict=True))
            return next(filter(None, found), None)
        case Array(shape=shape), Array() if shape == actual.shape and not _fits(expected):
            one, other = numeric(expected), numeric(actual)
            if one is None or other is None:
                return None
            same = (one.numbers == other.numbers) | (
                (one.numbers != one.numbers) & (other.numbers != other.numbers)
            )
            if same.all():
                return None
            with np.errstate(all="ignore"):
                apart = np.abs(one.numbers.astype(complex) - other.numbers.astype(complex))
            apart = np.where(same, -1.0, np.nan_to_num(apart, nan=np.inf, posinf=np.inf))
            place = tuple(map(int, np.unravel_index(apart.argmax(), shape)))
            first, second = (found.numbers[place].item() for found in (one, other))
            texts = next(
                (_number(first, digits), _number(second, digits))
                for digits in DIGITS
                if digits == DIGITS[-1] or _number(first, digits) != _number(second, digits)
            )
            return (
                f"{brief(expected)} with {texts[0]} at {list(place)}",
                f"{brief(actual)} with {texts[1]} at {list(place)}",
            )
    return None


def _typed(value: Value) -> str:
    text = written(value)
    match value:
        case Array(dtype=dtype, container=container):
            kind = "NumPy array" if container == "ndarray" else "tensor"
            return f"{text} ({dtype} {kind} of shape {list(value.shape)})"
        case Items(kind=kind):
            return f"{text} ({kind})"
    return f"{text} ({type(value).__name__})"


def _exact(array: Array) -> int:
    """How many digits it takes to write the numbers of an array without rounding them."""
    found = numeric(array)
    if found is None or found.numbers.dtype.kind not in "fc":
        return DIGITS[0]
    # the 9 digits of float32 are enough for shorter dtypes
    real = np.float64 if array.dtype in ("float64", "complex128") else np.float32
    numbers = np.asarray([found.numbers.real, found.numbers.imag]).reshape(-1).astype(real)
    return next(
        (
            digits
            for digits in DIGITS
            if np.array_equal(
                np.array([f"{n:.{digits}g}" for n in numbers], real), numbers, equal_nan=True
            )
        ),
        DIGITS[-1],
    )


def _transposed(table: Array) -> Array:
    """A table with its two axes exchanged."""
    numbers = np.frombuffer(table.data, f"V{ITEMSIZE[table.dtype]}").reshape(table.shape).T
    return Array(table.dtype, numbers.shape, numbers.tobytes(), table.container, table.device)


def _fits(array: Array) -> bool:
    return math.prod(array.shape) <= MOST_NUMBERS and len(array.shape) <= 8


def _is_short(frame: DataFrame) -> bool:
    """Whether all cells and labels are few: a table without columns has labels, too."""
    # A table of many rows without columns is not written out.
    return max(frame.rows, 1) * max(len(frame.columns), 1) <= MOST_NUMBERS


def _nested(numbers: Any, digits: int) -> str:
    if numbers.ndim == 0:
        return _number(numbers.item(), digits)
    if not numbers.size:
        return f"[] of shape {list(numbers.shape)}"
    return f"[{', '.join(_nested(row, digits) for row in numbers)}]"


def _number(value: complex | float, digits: int) -> str:
    """A number as NumPy writes it: ``2.``, ``0.5``, ``1.+2.j``."""
    if isinstance(value, bool | int):
        return short(str(value), 30)
    if isinstance(value, complex):
        sign = "-" if math.copysign(1.0, value.imag) < 0 else "+"
        return f"{_number(value.real, digits)}{sign}{_number(abs(value.imag), digits)}j"
    if not math.isfinite(value):
        return str(value)
    text = f"{np.float64(value):.{digits}g}"
    if "e" in text or "." in text:
        return "0." if text == "-0." else text
    return "0." if text == "-0" else f"{text}."
