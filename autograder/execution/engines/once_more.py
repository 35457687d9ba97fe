"""Maps a function over items, and once more over those for which the machine had no time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar

from autograder.errors import BusyError
from autograder.execution.engines.base import Engine

T = TypeVar("T")
R = TypeVar("R")
Item = TypeVar("Item", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Work(Protocol[Item, Result]):
    """What is done with an item; ``alone``: whether nothing else runs meanwhile. If not, it may
    raise ``BusyError``."""

    def __call__(self, item: Item, /, *, alone: bool) -> Result: ...


def map_once_more(engine: Engine, work: Work[T, R], items: Sequence[T]) -> Iterator[R]:
    """Yield results as they arrive. Items for which ``work`` raises ``BusyError`` wait until all
    others are done; then the engine gets them one at a time."""

    def unless_busy(item: T) -> tuple[R] | None:
        try:
            return (work(item, alone=False),)
        except BusyError:
            return None

    again: list[int] = []
    for index, result in engine.map(unless_busy, items):
        if result is None:
            again.append(index)
        else:
            yield result[0]
    for index in sorted(again):
        yield from (result for _, result in engine.map(partial(work, alone=True), [items[index]]))
