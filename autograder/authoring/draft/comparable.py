"""Which results of a function a check can compare."""

from __future__ import annotations

from autograder.wire.values import Figure, Items, Module, Opaque, Value
from autograder.wire.values import Mapping as MappingValue


def incomparable(value: Value) -> str:
    """The type of what is in a result and cannot be compared; empty if there is nothing."""
    if isinstance(value, Opaque | Module):
        return value.type
    if value is None or isinstance(value, Figure):
        return "None" if value is None else "a figure"
    parts: list[Value] = []
    if isinstance(value, Items):
        parts = [item for item in value.items if item is not None]
    elif isinstance(value, MappingValue):
        parts = [part for pair in value.items for part in pair if part is not None]
    return next((kind for part in parts if (kind := incomparable(part))), "")
