"""What the arguments of one call consist of: numbers, texts, lists, each at its position.

Covered: every wire value. Objects are taken apart into what they are made of, tuples into their
items; deeper values are not looked at. Everything is computed when it is first asked for.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autograder.judging.checks.arrays import Numeric, Plain, numeric
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    Items,
    Module,
    Value,
    Whole,
)
from autograder.wire.values import Mapping as MappingValue

Arguments = Sequence[Value]

BY_COLUMNS, TOKENIZER, MODEL = "(by columns)", "(tokenizer)", "the model"
MAX_TUPLE = 4  # items of a tuple that are looked at one by one


class Position(NamedTuple):
    """Where a value is: an argument of the call, or a part of one, counted from 0.

    ``role`` is empty for the argument itself, else "argument" (of a constructor), "item" or
    "table" (a parameter that is set). Values of one call come before those they contain.
    """

    depth: int
    argument: int
    role: str = ""
    place: int = 0


@dataclass(frozen=True)
class Part:
    """One value among the arguments, and what can be read off it.

    ``owner`` is what it belongs to, such as "TokenEmbedding" or "the model"; ``vocabulary`` holds
    the words that the call knows, in small letters, None if it names none.
    """

    value: Value
    owner: str = ""
    contiguous: bool = True
    vocabulary: frozenset[str] | None = None

    @cached_property
    def numeric(self) -> Numeric | None:
        """The numbers of an array, or of a list of numbers."""
        return numeric(self.value) if isinstance(self.value, Array | Items) else None

    @cached_property
    def numbers(self) -> Plain | None:
        """Real numbers, neither booleans nor complex ones."""
        return self.numeric.numbers if self.numeric and self._kind in "iuf" else None

    @cached_property
    def ids(self) -> Plain | None:
        """Integers with at least one axis."""
        whole = self.numeric is not None and self._kind in "iu" and self.numeric.shape
        return self.numeric.numbers if self.numeric and whole else None

    @cached_property
    def flags(self) -> Plain | None:
        """An array of booleans."""
        return self.numeric.numbers if self.numeric and self._kind == "b" else None

    @property
    def _kind(self) -> str:
        return self.numeric.numbers.dtype.kind if self.numeric else ""

    @cached_property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of an array; lists have none."""
        return self.value.shape if isinstance(self.value, Array) else None

    @cached_property
    def items(self) -> tuple[Value, ...] | None:
        """The items of a list, tuple or set that is not a list of texts."""
        return self.value.items if isinstance(self.value, Items) and not self.texts else None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """A text, or the texts of a list that holds nothing else."""
        if isinstance(self.value, str):
            return (self.value,)
        listed = self.value.items if isinstance(self.value, Items) else ()
        texts = tuple(item for item in listed if isinstance(item, str))
        return texts if len(texts) == len(listed) else ()

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each text."""
        return tuple(tuple(text.split()) for text in self.texts)

    @cached_property
    def known(self) -> tuple[bool, ...] | None:
        """Of each word whether the vocabulary has it, with or without capitals and punctuation."""
        if self.vocabulary is None or not self.texts:
            return None
        return tuple(_plain(word) in self.vocabulary for text in self.words for word in text)

    @cached_property
    def whole(self) -> int | None:
        """An integer."""
        if isinstance(self.value, Whole):
            return int(self.value.text)
        return self.value if type(self.value) is int else None

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The integer itself, or the lengths of a value by what is counted. Of axes, the last is
        called so even if it is the only one."""
        if self.whole is not None:
            return {"value": self.whole}
        if self.shape is not None:
            names = ("first", "second", "third")
            inner = zip(names, self.shape[:-1], strict=False)
            return {**dict(inner), "last": self.shape[-1]} if self.shape else {}
        if isinstance(self.value, MappingValue):
            return {"keys": len(self.value.items)}
        if isinstance(self.value, str):
            return {"words": len(self.words[0])}
        return {"items": len(self.value.items)} if isinstance(self.value, Items) else {}

    @cached_property
    def largest(self) -> int | None:
        """The largest id, or the integer itself."""
        if self.whole is not None:
            return self.whole
        return int(self.ids.max()) if self.ids is not None and self.ids.size else None

    @cached_property
    def mapped(self) -> Plain | None:
        """The values of a dictionary, if all are integers."""
        if not isinstance(self.value, MappingValue):
            return None
        values = [value for _, value in self.value.items]
        return np.array(values) if values and all(type(v) is int for v in values) else None

    @cached_property
    def type(self) -> str:
        """What kind of value it is, in words."""
        value = self.value
        if isinstance(value, Array):
            return "a NumPy array" if value.container == "ndarray" else "a tensor"
        if isinstance(value, Items):
            return f"a {value.kind}"
        return next((words for kind, words in _TYPES if isinstance(value, kind)), "an object")

    @cached_property
    def dtype(self) -> str:
        """The dtype of an array."""
        return self.value.dtype if isinstance(self.value, Array) else ""


_TYPES: tuple[tuple[type, str], ...] = (
    (type(None), "None"),
    (bool, "a boolean"),
    (int, "an integer"),
    (Whole, "an integer"),
    (float, "a float"),
    (Complex, "a complex number"),
    (str, "a text"),
    (MappingValue, "a dictionary"),
)


class CallArguments:
    """The values among the arguments of one call, by position."""

    def __init__(self, args: Arguments) -> None:
        vocabulary = _vocabulary(args)
        self.parts: dict[Position, Part] = {}
        for index, value in enumerate(args):
            for position, held, owner in _taken_apart(index, value):
                plain = _stored(held)
                self.parts[position] = Part(plain, owner, plain is held, vocabulary)


def _taken_apart(index: int, value: Value) -> Iterator[tuple[Position, Value, str]]:
    """A value and what it consists of, each with its position and its owner's name."""
    yield Position(0, index), value, ""
    for role, owner, values in _contents(value):
        for number, held in enumerate(values):
            yield Position(1, index, role, number), held, owner


def owner_of(value: Value) -> str:
    """What the parts of an object are named after: "the model", or the student's class; empty if
    they say nothing about it, as those of a call whose result is passed on."""
    target = value.target if isinstance(value, ConstructedObject) else ""
    if target.endswith("model)"):
        return MODEL
    return target if target[:1].isupper() and "." not in target else ""


def _contents(value: Value) -> Iterator[tuple[str, str, Iterable[Value]]]:
    if isinstance(value, ConstructedObject):
        if owner := owner_of(value):
            yield "argument", owner, value.args
            yield "table", owner, (slot.array for slot in value.slots)
    elif isinstance(value, Module):
        yield "table", value.type, (entry.array for entry in value.entries)
    elif isinstance(value, Items) and value.kind == "tuple" and _holds_arrays(value):
        yield "item", "", value.items


def _holds_arrays(value: Items) -> bool:
    return len(value.items) <= MAX_TUPLE and any(isinstance(i, Array) for i in value.items)


def _stored(value: Value) -> Value:
    """The array in an argument that is to be stored column by column."""
    if isinstance(value, ConstructedObject) and value.target == BY_COLUMNS and value.args:
        return value.args[0]
    return value


def _vocabulary(args: Arguments) -> frozenset[str] | None:
    """The words that a dictionary or a tokenizer among the arguments knows."""
    for value in args:
        inner = value.args if isinstance(value, ConstructedObject) else ()
        for held in (value, *inner):
            if isinstance(held, MappingValue):
                return _texts(key for key, _ in held.items)
        if isinstance(value, ConstructedObject) and value.target == TOKENIZER:
            return _texts(item for held in inner if isinstance(held, Items) for item in held.items)
    return None


def _texts(values: Iterable[Value]) -> frozenset[str]:
    return frozenset(_plain(value) for value in values if isinstance(value, str))


def _plain(word: str) -> str:
    small = word.strip().lower()
    return small.strip(string.punctuation) or small
