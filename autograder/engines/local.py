"""Engines on this machine: one after the other, or threads that each wait for a child."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Inline:
    """In this thread, in order: for tests and for looking closely."""

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        for index, item in enumerate(items):
            yield index, function(item)


class Local:
    """``workers`` threads. Student code runs in processes of its own, so threads only wait."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        """At most two items per worker are under way, so memory does not grow with the class."""
        with ThreadPoolExecutor(self.workers) as pool:
            waiting: dict[Future[R], int] = {}
            queue = iter(enumerate(items))
            try:
                while True:
                    while len(waiting) < 2 * self.workers:
                        entry = next(queue, None)
                        if entry is None:
                            break
                        waiting[pool.submit(function, entry[1])] = entry[0]
                    if not waiting:
                        return
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        yield waiting.pop(future), future.result()
            finally:
                for future in waiting:
                    future.cancel()
