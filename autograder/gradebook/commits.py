"""Records grades as they come in; those waiting in the queue are committed together.

Covered: no grade is reported before it is committed; everything passed in is committed, even if
the rest of the class fails; the queue is short, and adding to a full queue blocks.
Not covered: a process that is killed; grades that were not reported are then graded again.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from autograder.gradebook.grade import Grade
from autograder.gradebook.store import GradeStore

WAITING = 16  # outcomes at most


class HasGrade(Protocol):
    """An outcome whose grade is recorded."""

    @property
    def grade(self) -> Grade: ...


T = TypeVar("T", bound=HasGrade)


class Commits(Generic[T]):
    """A context manager with its own thread; on exit everything passed in has been committed."""

    def __init__(self, store: GradeStore, run_id: int, told: Callable[[T, float], None]) -> None:
        """``told`` is called for each outcome, in order, once its grade is committed, with its
        share of the commit time in seconds. Nobody else may use the store until the end."""
        self._store, self._run_id, self._told = store, run_id, told
        self._waiting: queue.Queue[T | None] = queue.Queue(WAITING)
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="commits", daemon=True)

    def __enter__(self) -> Commits[T]:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._waiting.put(None)
        self._thread.join()
        if self._failed is not None and kind is None:
            raise self._failed

    def give(self, outcome: T) -> None:
        """Queue an outcome to be recorded. Raises the error of an earlier recording:
        ``StoreError``, or whatever ``told`` raised."""
        if self._failed is not None:
            raise self._failed
        self._waiting.put(outcome)

    def _work(self) -> None:
        more = True
        while more:
            together = [self._waiting.get()]
            while together[-1] is not None and not self._waiting.empty():
                together.append(self._waiting.get())
            more = together[-1] is not None
            if self._failed is None:
                self._commit([one for one in together if one is not None])

    def _commit(self, outcomes: list[T]) -> None:
        begun = time.monotonic()
        try:
            if outcomes:
                # A grade is committed before it is told of.
                self._store.record_all(self._run_id, [outcome.grade for outcome in outcomes])
            taken = (time.monotonic() - begun) / max(1, len(outcomes))
            for outcome in outcomes:
                self._told(outcome, taken)
        except BaseException as bad:  # noqa: BLE001  raised again where grades are given
            self._failed = bad
