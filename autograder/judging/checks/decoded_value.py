"""One value of a run as a relation may look at it: right in kind and shape, or ``Wrong``.

Covered: values of any type and shape that the wire allows; one that does not fit becomes a sentence
for the student.
Not covered: the numbers themselves, NaN included; relations check those.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from autograder.errors import UsageError
from autograder.judging.checks.arrays import Numeric, numeric
from autograder.judging.checks.compare import as_number, same_shape
from autograder.judging.checks.explain import describe, sentence, shape_text
from autograder.judging.checks.frame_lists import plain_value
from autograder.judging.checks.frame_texts import listed
from autograder.judging.verdict import Kind, Mismatch
from autograder.wire.convert import from_wire
from autograder.wire.values import (
    Array,
    ConstructedObject,
    DataFrame,
    Entry,
    Figure,
    Items,
    Mapping,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)

if TYPE_CHECKING:
    import torch

MOST_CELLS = 100_000  # of a data frame that becomes lists


class Wrong(Exception):
    """A value is not what a relation asked for; carries the mismatch."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(sentence(mismatch))
        self.mismatch = mismatch


@dataclass(frozen=True, slots=True)
class DecodedValue:
    """A value and its name. ``ours`` marks the reference's, whose faults are not a student's.
    ``arrays``: numbers are given as NumPy arrays, as in assignments without torch."""

    where: str
    value: Value
    ours: bool = False
    arrays: bool = False

    def plain(self) -> Any:
        """The Python value; arrays of either container, also inside, as fresh tensors, or as NumPy
        arrays.

        A data frame becomes a dictionary of lists by column, a Series or an Index a list. A module
        or a figure stays a wire value. Raises ``Wrong`` for a type that cannot be looked at.
        """
        return self._plain(self.value)

    def tensor(
        self, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False
    ) -> torch.Tensor:
        """The numbers as a tensor in the dtype that the student has.

        With ``shape`` it must have this shape; with ``leading_ones``, leading axes of length 1 may
        be added or missing. Raises ``Wrong``, and ``UsageError`` in an assignment without torch.
        """
        if self.arrays:
            raise UsageError(
                "the relation uses `tensor`, but its assignment has no torch; use "
                '`array`, or add "torch" to `packages` in assignment.toml'
            )
        return self._tensor(self._numbers(shape, leading_ones))

    def array(self, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False) -> Any:
        """The numbers as a NumPy array, bfloat16 as float32; otherwise as ``tensor``. Raises
        ``Wrong``."""
        numbers = self._numbers(shape, leading_ones).numbers
        return np.array(numbers, numbers.dtype.newbyteorder("="))

    def _numbers(self, shape: tuple[int, ...] | None, leading_ones: bool) -> Numeric:
        held = plain_value(self.value) if isinstance(self.value, DataFrame) else self.value
        found = numeric(held)
        if found is None:
            raise self._wrong("type", "numbers in a tensor, an array or a list")
        if shape is None:
            return found
        if not same_shape(found.shape, tuple(shape), leading_ones=leading_ones):
            raise self._wrong("shape", shape_text(shape), shape_text(found.shape))
        return found._replace(shape=tuple(shape), numbers=found.numbers.reshape(shape))

    def number(self) -> float:
        """One number, as a float; booleans and text are not accepted. Raises ``Wrong``."""
        found = as_number(self.value)
        if found is None or isinstance(found, complex):
            raise self._wrong("type", "a number")
        try:
            return float(found)
        except OverflowError:
            raise self._wrong("type", "a number that fits into a float") from None

    def boolean(self) -> bool:
        """True or False, also in an array of one element. Raises ``Wrong``."""
        found = numeric(self.value) if isinstance(self.value, bool | Array) else None
        if found is None or found.dtype != "bool" or found.numbers.size != 1:
            raise self._wrong("type", "True or False")
        return bool(found.numbers.reshape(()))

    def text(self) -> str:
        """A text. Raises ``Wrong``."""
        if not isinstance(self.value, str):
            raise self._wrong("type", "text")
        return self.value

    def module(self) -> Module:
        """A module as it crossed the border. Raises ``Wrong``."""
        if not isinstance(self.value, Module):
            raise self._wrong("type", "a torch.nn module")
        return self.value

    def table(self, rows: int, columns: int) -> Any:
        """The table [rows, columns], found by shape in a module or given as numbers: a tensor, or
        a NumPy array.

        A transposed table is transposed back. Raises ``Wrong``.
        """
        if isinstance(self.value, Module):
            found = find_table(self.value, rows, columns)
            if found is None:
                shapes = ", ".join(shape_text(e.array.shape) for e in self.value.entries[:4])
                wanted = f"a table of shape {shape_text((rows, columns))}"
                raise self._wrong("shape", wanted, shapes or "none (the module has no tensors)")
            numbers = replace(self, value=found.entry.array)._given()
            return numbers.T if found.turned else numbers.reshape(rows, columns)
        numbers = self._given()
        if tuple(numbers.shape) == (columns, rows) != (rows, columns):
            return numbers.T
        return self._given(shape=(rows, columns))

    def _given(self, shape: tuple[int, ...] | None = None) -> Any:
        return self.array(shape=shape) if self.arrays else self.tensor(shape=shape)

    def _plain(self, value: Value) -> Any:
        if isinstance(value, DataFrame):
            if value.rows * len(value.columns) > MOST_CELLS:
                raise self._wrong("type", f"a data frame of at most {MOST_CELLS:,} values")
            return listed(value)
        if isinstance(value, Opaque | Sparse):
            raise self._wrong("type", "a value that can be inspected", describe(value))
        if isinstance(value, Array):
            return replace(self, value=value)._given()
        if isinstance(value, Items):
            items = [self._plain(item) for item in value.items]
            if value.kind == "set" and all(isinstance(i, bool | int | float | str) for i in items):
                return set(items)
            return tuple(items) if value.kind == "tuple" else items
        if isinstance(value, Mapping):
            pairs = [(self._plain(key), self._plain(item)) for key, item in value.items]
            simple = bool | int | float | str | None
            return {k if isinstance(k, simple) else str(k): item for k, item in pairs}
        if isinstance(value, Whole):
            return int(value.text)
        # An object to be made is no answer.
        if isinstance(value, ConstructedObject) and not self.ours:  # only an argument of a request
            raise self._wrong("type", "a value that can be inspected")
        if value is None or isinstance(
            value, bool | int | float | str | Module | Figure | ConstructedObject
        ):
            return value
        return complex(value.real, value.imag)

    def _tensor(self, found: Numeric) -> torch.Tensor:
        try:
            data = np.ascontiguousarray(found.numbers)
            if found.dtype == "bfloat16":
                data = (data.view(np.uint32) >> 16).astype(np.uint16)
            tensor: torch.Tensor = from_wire(Array(found.dtype, found.shape, data.tobytes()))
            return tensor
        except (RuntimeError, ValueError, OverflowError, TypeError):
            raise self._wrong("type", "an array of reasonable size") from None

    def _wrong(self, kind: Kind, expected: str, actual: str = "") -> Exception:
        found = Mismatch(self.where, kind, expected, actual or describe(self.value))
        return UsageError(f"the reference's {sentence(found)}") if self.ours else Wrong(found)


class EmbeddingTable(NamedTuple):
    """The tensor of a module that holds the table; ``turned`` if it is [columns, rows]."""

    entry: Entry
    turned: bool


def find_table(module: Module, rows: int, columns: int) -> EmbeddingTable | None:
    """Find the [rows, columns] table, also transposed, under a parametrization or as [1, ...].

    Of several, the first in this order: learnable parameter, parameter, buffer; and plain before
    transposed or with a leading axis of length 1.
    """
    forms = ((rows, columns), (columns, rows), (1, rows, columns))
    found = [
        (*_rank(entry), place, entry)
        for place, shape in enumerate(forms)
        for entry in module.entries
        if entry.array.shape == shape
    ]
    if not found:
        return None
    *_, place, entry = min(found, key=lambda one: one[:3])
    return EmbeddingTable(entry, forms[place] == (columns, rows) != (rows, columns))


def _rank(entry: Entry) -> tuple[bool, bool]:
    return (entry.role != "parameter", not entry.learnable)
