"""Which whole numbers are plausible beside the lists and texts of a call: those that lie within
them, as the example's own do. Beyond them right answers differ: a slice ends where an index raises.

Not covered: numbers that the solution compares with something that it computes, which are free;
lists in which items that are drawn are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from autograder.authoring.draft.functions import DraftFunction
from autograder.authoring.draft.source import room_of
from autograder.wire.convert import from_wire
from autograder.wire.values import ConstructedObject

Rooms = frozenset[int]


def rooms_of(values: Sequence[Any], name: str, value: Any, function: DraftFunction) -> Rooms:
    """For an argument, the largest numbers that lie within the other arguments; none if it is
    free."""
    if name in function.compared:
        return frozenset()
    own = isinstance(value, ConstructedObject)  # its numbers are beside its lists
    beside = [sizes(other) for other in values if own or other is not value]
    found = frozenset[int]().union(*beside)
    if name in function.positions and type(value) is int:  # unless the example's is none
        return frozenset(size - (value < size) for size in found)
    return found


def every_rooms(values: Sequence[Any], function: DraftFunction) -> list[Rooms]:
    """For each argument that is given, the largest numbers that lie within the others."""
    pairs = zip(function.names, values, strict=False)
    return [rooms_of(values, name, value, function) for name, value in pairs]


def is_plausible(value: int, other: int, rooms: Rooms) -> bool:
    """Whether another number may stand in place of the example's."""
    room = room_of(value, rooms)
    return room is None or (0 <= other <= room if value >= 0 else -room <= other < 0)


def beyond(values: Sequence[Any], rooms: Sequence[Rooms], lost: Set[int], left: int) -> bool:
    """Whether a number is no longer plausible when lists of the lengths in ``lost`` are shortened
    to ``left``."""
    for value, own in _numbers(values, rooms):
        room = room_of(value, own)
        if room is not None and not lost.isdisjoint((room, room + 1)):
            position = room not in lost  # it counts from 0
            if abs(value or 1) + position > left:
                return True
    return False


def sizes(value: Any) -> frozenset[int]:
    """The lengths of a list, a text or an array, and of the lists in it."""
    match value:
        case object(shape=shape, dtype=_):  # an array or a tensor
            return frozenset(shape)
        case str() if len(words := value.split()) > 1:
            # it is drawn with as many words, perhaps each of them the shortest
            return frozenset({len(words), len(words) * (1 + min(map(len, words))) - 1})
        case str():
            return frozenset({len(value)})
        case list() | tuple() | set() | dict():
            several = value.values() if isinstance(value, dict) else value
            inner = (sizes(one) for one in several if not isinstance(one, str))
            return frozenset({len(value)}).union(*inner)
        case ConstructedObject():
            return frozenset[int]().union(*(sizes(from_wire(one)) for one in value.args))
    return frozenset()


def _numbers(values: Sequence[Any], rooms: Sequence[Rooms]) -> Iterator[tuple[int, Rooms]]:
    """The whole numbers among arguments, and among those of objects without parameters, which set
    no lengths."""
    for value, own in zip(values, rooms, strict=True):
        inner = [value]
        if isinstance(value, ConstructedObject):
            inner = [] if value.slots else list(map(from_wire, value.args))
        yield from ((one, own) for one in inner if type(one) is int)
