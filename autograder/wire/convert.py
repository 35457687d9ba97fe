"""Python and NumPy values to wire values and back; those of a library by its own converter.

A library's converter is a module that imports it, and is itself imported for the first value that
can be the library's: the library has been imported already, or an array becomes a tensor again.

In the sandbox this runs beside student code, so what it needs of NumPy is bound at import, before
any cell runs, and so are the converters of the assignment's own packages (``bind``). That protects
honest students from their own patches; it protects no verdict, because every answer is a claim
anyway.
"""

from __future__ import annotations

import contextlib
import importlib
import numbers
import sys
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Protocol, cast

import numpy as np

from autograder.wire.frames import frame_to_wire, times_to_wire
from autograder.wire.messages import MAX_DEPTH
from autograder.wire.rebuilt import rebuilt
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    Complex,
    DataFrame,
    Items,
    Mapping,
    Opaque,
    Sparse,
    Value,
    Whole,
)

TEXT_LIMIT = 200
ITEM_LIMIT = 100_000
STRING_LIMIT = 100_000
CONVERTERS = MappingProxyType({"torch": "autograder.wire.tensors"})

_NdArray, _Generic = np.ndarray, np.generic
_ascontiguous, _asarray, _int64 = np.ascontiguousarray, np.asarray, np.int64
_frombuffer, _empty = np.frombuffer, np.empty
_import, _modules = importlib.import_module, sys.modules


class Converter(Protocol):
    """The module that converts the values of one library."""

    def library_value(self, value: Any) -> Value | None:
        """The wire value of a value of this library; None for any other."""
        ...

    def to_tensor(self, array: Array) -> Any:
        """A new tensor with an array's numbers; libraries without tensors lack it."""
        ...


_BOUND: dict[str, Converter] = {}  # by library


def bind(library: str) -> Converter:
    """A library's converter, from now on the same one; imports the library. Raises
    ``ImportError``."""
    if library not in _BOUND:
        _BOUND[library] = cast(Converter, _import(CONVERTERS[library]))
    return _BOUND[library]


def of_library(value: Any) -> Value | None:
    """The wire value of a tensor, a module or what else a library's converter takes; None for any
    other value."""
    for library in CONVERTERS.keys() - _BOUND.keys():
        if library in _modules:
            with contextlib.suppress(Exception):  # a notebook's own module of that name
                bind(library)
    for converter in _BOUND.values():
        own = converter.library_value(value)
        if own is not None:
            return own
    return None


def to_wire(value: Any, depth: int = 0) -> Value:
    """A student's value as a wire value; what has no plain form becomes ``Opaque``."""
    if value is None or type(value) in (bool, float):
        return value  # type: ignore[no-any-return]
    if type(value) is int:
        return value if -(2**63) <= value < 2**63 else _whole(value)
    if type(value) is str:
        return sendable(value[:STRING_LIMIT])
    if isinstance(value, _NdArray | _Generic):
        return _ndarray_to_wire(value)
    own = of_library(value)
    if own is not None:
        return own
    if depth < MAX_DEPTH - 8:
        if type(value) in (list, tuple, set, frozenset) or isinstance(value, list | tuple):
            return _items(value, depth)
        if isinstance(value, dict) and len(value) <= ITEM_LIMIT:
            pairs = ((to_wire(k, depth + 1), to_wire(v, depth + 1)) for k, v in value.items())
            return Mapping(tuple(pairs))
    framed = frame_to_wire(value)
    return framed if framed is not None else _number(value)


def opaque(value: Any) -> Opaque:
    """The type's name and a short text of a value that is not sent."""
    try:
        text = repr(value)[:TEXT_LIMIT]
    except Exception:  # noqa: BLE001  a student's __repr__ may do anything
        text = "(no text)"
    return Opaque(sendable(type(value).__name__[:TEXT_LIMIT]), sendable(text))


def sendable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot encode, written as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _items(value: Any, depth: int) -> Value:
    kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
    if len(value) > ITEM_LIMIT:
        return Opaque(f"{kind} of {len(value)} items", "")
    return Items(kind, tuple(to_wire(item, depth + 1) for item in value))  # type: ignore[arg-type]


def _ndarray_to_wire(value: Any) -> Value:
    plain = _asarray(value)
    name = plain.dtype.name
    if name not in ITEMSIZE or name == "bfloat16":
        if plain.dtype.kind in "uUSO" and plain.size <= ITEM_LIMIT:
            return to_wire(_signed(plain) if plain.dtype.kind == "u" else plain.tolist(), 8)
        return times_to_wire(plain) or opaque(value)
    if plain.dtype.byteorder == ">":
        plain = plain.astype(plain.dtype.newbyteorder("<"))
    return Array(name, tuple(plain.shape), _ascontiguous(plain).tobytes(), "ndarray")


def _signed(plain: Any) -> Any:
    """Unsigned integers as int64, or as Python integers if one is too large for it."""
    signed = plain.astype(_int64)
    return plain.tolist() if plain.dtype.itemsize == 8 and (signed < 0).any() else signed


def _number(value: Any) -> Value:
    """Other kinds of numbers (Fraction, Decimal, int and float subclasses) by their value."""
    try:
        if isinstance(value, str):
            return sendable(str.__str__(value)[:STRING_LIMIT])
        if isinstance(value, numbers.Integral):
            return to_wire(int.__int__(value) if isinstance(value, int) else int(value))
        if isinstance(value, float):
            return float.__float__(value)
        if isinstance(value, complex):
            return Complex(value.real, value.imag)
        if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
            return float(value)
    except Exception:  # noqa: BLE001  a student's class may do anything here
        return opaque(value)
    return opaque(value)


def _whole(value: int) -> Value:
    return Whole(str(value)) if value.bit_length() < 13_000 else Opaque("int", "a huge integer")


def data_from_wire(values: Sequence[Value]) -> Any:
    """Fresh values of a student's own: the only one by itself, several as a tuple."""
    return from_wire(values[0]) if len(values) == 1 else tuple(map(from_wire, values))


def from_wire(value: Value) -> Any:
    """A fresh Python value for an argument or for a comparison.

    Arrays become tensors or NumPy arrays as their ``container`` says (bfloat16, which NumPy lacks,
    always a tensor); ``Opaque`` and ``Module`` are returned unchanged.
    """
    if isinstance(value, Array):
        as_numpy = value.container == "ndarray" and value.dtype != "bfloat16"
        return _to_ndarray(value) if as_numpy else bind("torch").to_tensor(value)
    if isinstance(value, Whole):
        return int(value.text)
    if isinstance(value, Complex):
        return complex(value.real, value.imag)
    if isinstance(value, Items):
        items = [from_wire(item) for item in value.items]
        if value.kind == "set":
            return set(items) if all(isinstance(i, int | float | str) for i in items) else items
        return tuple(items) if value.kind == "tuple" else items
    if isinstance(value, Mapping):
        pairs = [(from_wire(k), from_wire(v)) for k, v in value.items]
        plain = int | float | str | bool | None
        return {k if isinstance(k, plain) else str(k): v for k, v in pairs}
    if isinstance(value, DataFrame | Sparse):
        return rebuilt(value)
    return value


def _to_ndarray(array: Array) -> Any:
    """A new array; shapes and sizes were checked on decoding."""
    if not array.data:
        return _empty(array.shape, array.dtype)
    return _frombuffer(bytearray(array.data), array.dtype).reshape(array.shape)
