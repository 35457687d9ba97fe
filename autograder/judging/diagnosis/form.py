"""Whether two results have the same form: types, lengths and shapes, whatever the numbers.

A check on a student's own random table gives its finding in words. The words for a list of ids and
for a list of words may be the same although the results are not.
"""

from __future__ import annotations

from typing import Any

import msgspec

from autograder.wire.messages import Outcome
from autograder.wire.values import Module, Opaque

_EXACT = frozenset({"dtype", "shape", "role", "learnable", "kind", "is_colorbar"})
_FREE = frozenset({"data", "container", "device", "text", "texts", "title"})


def same_form(one: Outcome | None, other: Outcome | None) -> bool:
    """Whether two answers both returned values of one form, or raised one class of exception."""
    if one is None or other is None or one.status != other.status:
        return one is other
    if one.error is not None and other.error is not None:
        return one.error.types == other.error.types
    return _alike(one.value, other.value)


def _alike(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, Opaque):
        return bool(one.type == other.type)
    if isinstance(one, Module):
        return _alike(one.entries, other.entries)
    if isinstance(one, msgspec.Struct):
        names = [n for n in one.__struct_fields__ if n not in _FREE]
        return all(_field(n, getattr(one, n), getattr(other, n)) for n in names)
    return True


def _field(name: str, one: Any, other: Any) -> bool:
    return bool(one == other) if name in _EXACT else _alike(one, other)
