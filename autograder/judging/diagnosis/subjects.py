"""What the values among the arguments are called in sentences for a student.

A student's own parameter names are unknown here, so a value is called by its kind if it is the only
one of it ("the ids", "the text"), else by its place ("the second argument").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.judging.diagnosis.call_arguments import (
    MODEL,
    CallArguments,
    Part,
    Position,
    owner_of,
)

IDS, TENSOR, ARRAY = "the ids", "the tensor", "the array"
TEXT, TEXTS, OBJECT = "the text", "the list of texts", "the object"
_NAMES = {"a list": "the list", "a tuple": "the tuple", "a dictionary": "the dictionary"}
_UNITS = {IDS: "id", TENSOR: "number", TEXT: "word", TEXTS: "text", "the dictionary": "key"}
_NTH = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

Column = tuple[Part | None, ...]  # the values at one position, call by call


@dataclass(frozen=True, eq=False)
class Subject:
    """The value at one position in all calls.

    ``name`` is "the ids" or "the second argument"; ``kind`` what it would be called if there were
    no other of its kind, empty if that varies. ``alone``: no other value has such elements;
    ``sole``: it is a tensor and the only argument.
    """

    position: Position
    parts: Column
    name: str
    kind: str
    alone: bool
    sole: bool

    @property
    def values(self) -> list[Part]:
        """The value in each call that has it."""
        return [part for part in self.parts if part is not None]

    @property
    def flat(self) -> bool:
        """Whether it never has more than one axis."""
        return all(part.shape is not None and len(part.shape) < 2 for part in self.values)

    def fill(self, words: str) -> str:
        """The words of a trait, about this value."""
        unit = _unit(self.kind)
        clear = self.alone and self.kind not in (TENSOR, "")
        inside = "" if clear or self.sole else f" in {self.name}"
        article = "an" if unit[0] in "aeiou" else "a"
        each = self.name == TEXTS
        plural = self.name == IDS
        return words.format(
            name=self.name,
            unit=unit,
            inside=inside,
            of="" if self.sole else f" of {self.name}",
            a=f"{article} {unit}{inside}",
            no=f"no {unit}{inside}",
            every=f"every {unit}{inside}",
            text="a text" if each else self.name,
            no_text="no text has" if each else f"{self.name} has no",
            has="have" if plural else "has",
            **{"is": "are" if plural else "is"},
        )

    def axis(self, counted: str) -> str:
        """An axis, or the value itself if it has no other: "the last axis of the ids"."""
        return self.name if self.flat else self.fill(f"the {counted} axis{{of}}")


def subjects(calls: Sequence[CallArguments]) -> tuple[Subject, ...]:
    """The values of all calls, arguments first and then what they contain.

    Values that are equal to an earlier one in every call are left out.
    """
    columns = _distinct(calls)
    kinds = {position: _kind(column) for position, column in columns.items()}
    names = _names(columns, kinds)
    given = [position for position in columns if not position.depth and names[position] != OBJECT]
    units = [_unit(kind) for kind in kinds.values() if kind]
    return tuple(
        Subject(
            position,
            column,
            names[position],
            kinds[position],
            alone=position in given and units.count(_unit(kinds[position])) == 1,
            sole=given == [position] and kinds[position] == TENSOR,
        )
        for position, column in columns.items()
    )


def _distinct(calls: Sequence[CallArguments]) -> dict[Position, Column]:
    """The values by position, in order, without those that equal earlier ones in every call."""
    columns: dict[Position, Column] = {}
    rows: list[list[object]] = []
    for position in sorted({position for call in calls for position in call.parts}):
        parts = tuple(call.parts.get(position) for call in calls)
        row: list[object] = [part and (part.value, part.contiguous) for part in parts]
        if row not in rows:
            rows.append(row)
            columns[position] = parts
    return columns


# ---------------------------------------------------------------- kinds


def _kind(column: Column) -> str:
    """The kind of value in all calls, "the ids" and the like; empty if there are several."""
    parts = [part for part in column if part is not None]
    kinds = {_kind_of(part) for part in parts}
    if kinds == {IDS, TENSOR}:
        return TENSOR
    if kinds == {TEXTS, "the list"} and all(part.texts or part.items == () for part in parts):
        return TEXTS
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_of(part: Part) -> str:
    if part.shape is not None:
        return TENSOR if part.ids is None else IDS
    if part.texts:
        return TEXT if isinstance(part.value, str) else TEXTS
    return _NAMES.get(part.type, "")


def _unit(kind: str) -> str:
    """One element of a value of this kind."""
    return _UNITS.get(kind, "item" if kind else "number")


# ---------------------------------------------------------------- names


def _names(
    columns: Mapping[Position, Column], kinds: Mapping[Position, str]
) -> dict[Position, str]:
    """A name for each position, unlike the others; places are counted as the student does, without
    the object of a method."""
    first = columns.get(Position(0, 0), (None,))
    method = all(part is not None and owner_of(part.value) not in ("", MODEL) for part in first)
    names: dict[Position, str] = {}
    for position, column in columns.items():
        name = _by_kind(position, kinds)
        if name == TENSOR and all(p is None or p.type == "a NumPy array" for p in column):
            name = ARRAY
        elif method and position == Position(0, 0):
            name = OBJECT
        elif not name:
            owner = min(part.owner for part in column if part is not None)
            argument = f"the {_nth(position.argument - method)} argument"
            name = _by_place(position, kinds, owner, argument)
            name += f" in {argument}" if name in names.values() else ""
        names[position] = name
    return names


def _by_kind(position: Position, kinds: Mapping[Position, str]) -> str:
    """The name by its kind, if there is no other; of tensors, no other array as an argument."""
    kind = kinds[position]
    among = [other for other in kinds if kinds[other] == kind]
    if kind == TENSOR:
        among = [p for p in kinds if p.depth == 0 and kinds[p] in (TENSOR, IDS)]
    return kind if among == [position] else ""


def _by_place(position: Position, kinds: Mapping[Position, str], owner: str, argument: str) -> str:
    if position.role == "table" or (owner == MODEL and kinds[position] == TENSOR):
        siblings = [p for p in kinds if (p.argument, p.role) == (position.argument, position.role)]
        tables = [p for p in siblings if kinds[p] == kinds[position]]
        nth = f"{_nth(tables.index(position))} " if len(tables) > 1 else ""
        return f"the {nth}table of {owner}"
    if owner == MODEL:
        return "the limit of the model"
    if position.role == "item":
        return f"the {_nth(position.place)} item of {argument}"
    return f"the {_nth(position.place)} argument of {owner}" if position.role else argument


def _nth(index: int) -> str:
    return _NTH[index] if 0 <= index < len(_NTH) else f"{index + 1}th"
