"""Engines on this machine: one after the other, or threads that each wait for a child."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

HERE = "local"  # the engine's name on the command line

T = TypeVar("T")
R = TypeVar("R")


class Inline:
    """Runs items in this thread, in order: for tests and debugging."""

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        for index, item in enumerate(items):
            yield index, function(item)


class Local:
    """``workers`` threads. Student code runs in processes of its own, so threads only wait."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Start at most two items per worker at a time, so memory does not grow with the class.

        An error waits for the items in progress. An interrupt does not: whoever raises it ends them
        too.
        """
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield from self._results(pool, function, enumerate(items))
        except Exception:
            pool.shutdown(cancel_futures=True)
            raise
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()

    def _results(
        self, pool: ThreadPoolExecutor, function: Callable[[T], R], queue: Iterator[tuple[int, T]]
    ) -> Iterator[tuple[int, R]]:
        waiting: dict[Future[R], int] = {}
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
