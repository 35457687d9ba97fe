"""What calls leave behind in a notebook's own containers, removed before a stand-in is used.

A function may cache the results of an earlier part in its own dictionary; a call with a stand-in
for that part has to ask again. Covered: dictionaries, lists and sets held by names, functions and
classes of the notebook; ``functools.cache``. Not covered: what cells kept when they ran; containers
within containers, and those of more than ``LARGEST`` items.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

LARGEST = 10_000
_CONTAINERS = (dict, list, set)
_MAIN = "__main__"


class Containers:
    """The containers of a namespace, and their contents when this object is made."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        held = [one for one in _held(names.values()) if one is not names and one is not sys.modules]
        self._kept = [
            (one, one.copy()) for one in held if type(one) in _CONTAINERS and len(one) <= LARGEST
        ]
        self._cached = [one.cache_clear for one in held if type(one) not in _CONTAINERS]

    def restore(self) -> None:
        """Remove what was added to them since, and empty ``functools`` caches."""
        for clear in self._cached:
            clear()
        for one, before in self._kept:
            if type(one) is list:
                one[:] = before
            elif type(one) is set:
                one &= before
                one |= before
            else:
                for key in [key for key in one if key not in before]:
                    del one[key]
                one.update(before)


def _held(values: Any) -> Iterator[Any]:
    """Containers and cached functions among these values, and those that the notebook's classes and
    functions hold."""
    for value in list(values):
        if type(value) in _CONTAINERS or callable(getattr(type(value), "cache_clear", None)):
            yield value
        elif isinstance(value, type | FunctionType) and value.__module__ == _MAIN:
            with contextlib.suppress(Exception):  # a student's metaclass
                yield from _held(vars(value).values())
