"""The interface of engines. An engine maps a function over items and knows nothing about
grading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Anything that can run a function over many items."""

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Yield ``(index, result)`` as results arrive. Raises what the function raises."""
        ...
