"""How large the arguments of a call are."""

from __future__ import annotations

import math

from autograder.wire.values import Array, ConstructedObject, DataFrame, Items, Module
from autograder.wire.values import Mapping as MappingValue


def size_of(value: object) -> int:
    """How many numbers and words there are in arguments."""
    match value:
        case Array(shape=shape):
            return math.prod(shape)
        case DataFrame(columns=columns):
            return value.rows * len(columns)
        case tuple() | list():
            return sum(map(size_of, value))
        case Items(items=items) | MappingValue(items=items):
            return 1 + sum(map(size_of, items))
        case ConstructedObject(args=args, slots=slots):
            return size_of(args) + sum(size_of(slot.array) for slot in slots)
        case Module(entries=entries):
            return sum(size_of(entry.array) for entry in entries)
        case str():
            return len(value.split())
    return 1
