"""Makes small calls of the same form as given ones: shorter axes, whole numbers, ids from 0 up.

A small call takes the structure of a call and none of its numbers: how many axes there are, which
lengths are equal or twice another, which arguments are the same. Numbers are counted anew, words
that students do not have are renamed. The model is the shrinker of Hypothesis; that library drives
a test function adaptively, but a box answers all calls of a run at once, so the small calls are
written down beforehand, smallest first.

Not covered: texts with a structure of their own (a line of JSON, which is kept or left out), and
numbers that must fit together in another way than by length. Whether the solution accepts a small
call is for the caller to find out.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from autograder.judging.checks.arrays import Plain, numeric
from autograder.judging.checks.finding import Args
from autograder.judging.diagnosis.lengths import are_ids, choices
from autograder.judging.diagnosis.smaller_frames import (
    NoSmallFrameError,
    distinct_columns,
    mark,
    small_frame,
)
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    ConstructedObject,
    DataColumn,
    DataFrame,
    Entry,
    Items,
    Module,
    Slot,
    Value,
)
from autograder.wire.values import Mapping as MappingValue

FEW_IDS = 4  # below which ids are, if no length bounds them
WORD = re.compile(r"[^\W\d_]+|\d+")  # also a number
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_PLAIN_TEXT = re.compile(r"[\w\s'-]*")  # words; no line of JSON, no code
_NAMES = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p")
_SPACED_WORD = re.compile(r"\s*\S+|\s+$")
_LONG_SPACE = re.compile(r"(\s\s)\s+")
_LARGEST = 2**31  # id in a text
_KEPT_FLOATS = frozenset({0.0, 0.5, 1.0, -1.0, 2.0, 10.0, 100.0, 1000.0, 10000.0})


@dataclass(frozen=True, slots=True)
class Filling:
    """How values are counted: ``floats`` gives the n-th number, ``ids`` the n-th id below a bound;
    ``words`` is the part of a text that is kept."""

    floats: Callable[[int], float]
    ids: Callable[[int, int], int]
    words: slice


# Plain values first. The others have what plain ones lack: repeated ids, the last id, zero vectors,
# negative numbers and fractions, the other end of a text.
PLAIN = Filling(lambda n: n + 1.0, lambda n, bound: n % bound, slice(1))
ODD = (
    Filling(lambda n: (-1.0) ** n * (n + 2), lambda n, bound: bound - 1 - n % bound, slice(2)),
    Filling(lambda n: float(n % 2), lambda n, bound: n // 2 % bound, slice(-1, None)),
    Filling(lambda n: n + 0.5, lambda n, bound: 0, slice(-2, None)),
    Filling(lambda n: 1.0, lambda n, bound: bound - 1, slice(3)),
)


def smaller(args: Args, known: Collection[str], alike: Sequence[Args]) -> Iterator[Args]:
    """Small calls of the form of ``args``, smallest first, each once.

    ``known``: the words and marks that students have in public inputs. ``alike``: all calls of
    this form, which show what lengths have in common.
    """
    chosen = sorted(choices(args, alike), key=lambda choice: sum(choice.values()))
    tables = any(isinstance(value, DataFrame) for value in args)  # what repeats decides there
    distinct = distinct_columns([args, *alike])
    seen: set[Args] = set()
    for number, choice in enumerate(chosen):
        for filling in (PLAIN, *(ODD if tables else ODD[number % len(ODD) :][:1])):
            made = _Maker(choice, filling, frozenset(known), distinct).arguments(args)
            if made is not None and made not in seen:
                seen.add(made)
                yield made


@dataclass(slots=True)
class _Maker:
    """Makes the arguments of one small call; equal parts of the original become equal ones."""

    lengths: Mapping[int, int]
    filling: Filling
    known: frozenset[str]
    distinct: frozenset[DataColumn]
    counted: int = 0
    arrays: dict[object, Array] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    wholes: dict[object, int] = field(default_factory=dict)  # that are no lengths, counted
    labels: dict[float, int] = field(default_factory=dict)  # of columns, and categories
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(2))  # for labels
    said: set[str] = field(default_factory=set)  # the words of the call's texts
    vocabulary: set[str] = field(default_factory=set)
    cells: set[Value] = field(default_factory=set)  # of tables

    def arguments(self, args: Args) -> Args | None:
        """The small arguments; None if a part has no small form."""
        try:
            # texts first: a small vocabulary has their words
            self.vocabulary = {word.strip().lower() for word in _vocabulary(args)}
            texts = list(map(self._part, _texts(args)))
            self.said = {word.strip().lower() for words in texts for word in words}
            return tuple(self._value(value) for value in args)
        except (_NoSmallFormError, NoSmallFrameError):
            return None

    def _value(self, value: Value) -> Value:
        match value:
            case None | bool():
                return value
            case int():
                return self._whole(value)
            case float():
                return value if value in _KEPT_FLOATS else 2.0
            case str():
                return self._text(value)
            case Array():
                return self._array(value)
            case Items():
                return self._items(value)
            case MappingValue(items=items):
                return MappingValue(tuple(self._pairs(items)))
            case DataFrame():
                return small_frame(value, self)
            case ConstructedObject(target=target, args=args, slots=slots):
                arguments = tuple(self._value(argument) for argument in args)
                filled = (Slot(self._array(s.array), s.owner, s.zero) for s in slots)
                return ConstructedObject(target, arguments, tuple(filled))
            case Module(type=name, bases=bases, entries=entries, training=training):
                made = (
                    Entry(e.name, e.role, self._array(e.array), e.learnable, e.saved)
                    for e in entries
                )
                return Module(name, bases, tuple(made), training)
        raise _NoSmallFormError

    def _whole(self, old: int) -> int:
        """A whole number: a length, one that says nothing, or the next small one."""
        if old in self.lengths or abs(old) <= 1:
            return self.length(old)
        # A hidden input's numbers are not shown.
        return self._count(abs(old)) * (1 if old > 0 else -1)

    def _count(self, old: object) -> int:
        return self.wholes.setdefault(old, len(self.wholes) + 2)

    def label(self, old: float) -> float:
        # A hidden input's numeric labels are not shown.
        if old in (-1, 0, 1) or mark(old) in self.known or old != old:
            return old
        if old not in self.labels:
            self.labels[old] = next(n for n in self.fresh if mark(n) not in self.known)
        return type(old)(self.labels[old])

    def length(self, old: int) -> int:
        return self.lengths.get(old, old)

    def _array(self, old: Array) -> Array:
        key = (old.dtype, old.shape, old.data)
        if key not in self.arrays:
            shape = tuple(map(self.length, old.shape))
            data = self.numbers(old, shape).tobytes()
            self.arrays[key] = Array(old.dtype, shape, data, old.container, old.device)
        return self.arrays[key]

    def numbers(self, old: Array, shape: tuple[int, ...]) -> Plain:
        size = math.prod(shape)
        if old.dtype.startswith(("int", "uint")):
            found = numeric(old)
            return np.array(
                self._ids(found.numbers if found else np.zeros(0), size),
                dtype=f"<{_CODES[old.dtype]}",
            )
        first, self.counted = self.counted, self.counted + size
        counted: Plain = np.array([self.filling.floats(first + n) for n in range(size)], np.float64)
        if old.dtype == "bool":
            return np.asarray(counted % 2 == 1)
        if old.dtype == "bfloat16":  # the upper half of a float32
            return np.asarray((counted.astype("<f4").view("<u4") >> 16).astype("<u2"))
        if old.dtype.startswith("complex"):
            counted = counted + 1j * counted[::-1]
        return counted.astype(f"<{'c' if counted.dtype.kind == 'c' else 'f'}{ITEMSIZE[old.dtype]}")

    def _ids(self, old: Plain, size: int) -> list[int]:
        """That many ids, below the smallest length that was above all old ones, so that a table
        has them."""
        most = int(old.max()) if old.size else 0
        above = [n for n in self.lengths if n > most]
        bound = self.lengths[min(above)] if above else FEW_IDS
        return [self.filling.ids(n, bound) for n in range(size)]

    def places(self, count: int, bound: int) -> Plain:
        return np.array([self.filling.ids(n, bound) for n in range(count)], np.int64)

    @property
    def plain(self) -> bool:
        return self.filling is PLAIN

    def _items(self, old: Items) -> Items:
        length = self.length(len(old.items))
        found = numeric(old) if are_ids(old) else None
        if found is not None:
            numbers = self._ids(found.numbers, math.prod(found.shape[1:]) * length)
            return _listed(old, iter(numbers), length)
        if old.kind != "list":
            return Items(old.kind, tuple(map(self._value, old.items)))
        return Items(old.kind, tuple(map(self._value, self._first(old.items, length))))

    def _first(self, items: Sequence[Value], length: int) -> list[Value]:
        """That many items, those that the call's texts name before others."""
        names = [
            isinstance(item, str)
            and (item.strip().lower() in self.said or not _PLAIN_TEXT.fullmatch(item))
            for item in items
        ]
        ordered = sorted(range(len(items)), key=lambda at: not names[at])[:length]
        return [items[at] for at in sorted(ordered)]

    def _pairs(self, items: Sequence[tuple[Value, Value]]) -> Iterator[tuple[Value, Value]]:
        """As many entries of a dictionary as a small axis is long; numbered ones are numbered
        anew, in the order of their numbers."""
        values = dict(items)
        kept = self._first([key for key, _ in items], self.length(len(items)))
        numbered = sorted(map(repr, values.values())) == sorted(map(repr, range(len(items))))
        ranks = sorted(kept, key=lambda key: int(str(values[key]))) if numbered else []
        names = [self.words(key) if isinstance(key, str) else self._value(key) for key in kept]
        if len(set(names)) < len(names):
            raise _NoSmallFormError
        for key, name in zip(kept, names, strict=True):
            yield name, ranks.index(key) if numbered else self._value(values[key])

    def _text(self, text: str) -> str:
        """Some of the words of a text."""
        if not _PLAIN_TEXT.fullmatch(text):
            numbers = [min(int(number), _LARGEST) for number in _NUMBER.findall(text)]
            old = np.array(numbers, np.int64)
            ids = iter(self._ids(old, old.size))
            return _NUMBER.sub(lambda _: str(next(ids)), self.words(text))
        kept = "".join(self._part(text))
        return self.words(kept if text[:1].isspace() else kept.lstrip())

    def _part(self, text: str) -> list[str]:
        """The words of a text that are kept, each after its own space; one that a vocabulary has is
        among them, if any is."""
        words = _SPACED_WORD.findall(_LONG_SPACE.sub(r"\1", text))
        kept = words[self.filling.words]
        listed = [word for word in words if word.strip().lower() in self.vocabulary]
        if listed and not set(listed) & set(kept):
            kept = [listed[0], *kept[1:]]
        return kept

    def words(self, text: str) -> str:
        # A hidden input's words are not shown.
        return WORD.sub(lambda word: self._renamed(word.group()), text)

    def _renamed(self, word: str) -> str:
        if word.lower() in self.known:
            return word
        if word.isdecimal():
            return str(self._count(word))
        if word.lower() not in self.names:
            if len(self.names) == len(_NAMES):
                raise _NoSmallFormError
            self.names[word.lower()] = _NAMES[len(self.names)]
        name = self.names[word.lower()]
        return name if word.islower() else name.upper()


def _listed(old: Items, ids: Iterator[int], length: int) -> Items:
    """Ids in the form of a list, with this many items."""
    inner = old.items[0] if old.items else None
    if isinstance(inner, Items):
        return Items(old.kind, tuple(_listed(inner, ids, len(inner.items)) for _ in range(length)))
    return Items(old.kind, tuple(itertools.islice(ids, length)))


def _texts(value: object) -> Iterator[str]:
    """The texts among arguments and in their lists; not those of objects and dictionaries."""
    match value:
        case str():
            yield value
        case tuple() | Items():
            for item in value if isinstance(value, tuple) else value.items:
                yield from _texts(item)


def _vocabulary(value: object) -> Iterator[str]:
    """The words that dictionaries and objects of a call hold."""
    match value:
        case tuple() | Items():
            for item in value if isinstance(value, tuple) else value.items:
                yield from _vocabulary(item)
        case MappingValue(items=items):
            yield from (key for key, _ in items if isinstance(key, str))
        case ConstructedObject(args=args):
            yield from _texts(args)
            yield from _vocabulary(args)


class _NoSmallFormError(Exception):
    """A value of a kind that is not made small."""


_CODES = {"uint8": "u1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8"}
