"""The engine that variants are tried in, with the progress of the trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autograder.classroom.known_mistakes import Report, WorkProgress
from autograder.execution.engines.base import Engine

Item = TypeVar("Item")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TrialEngine:
    """An engine whose work is reported to ``progress``."""

    engine: Engine
    progress: WorkProgress

    @property
    def report(self) -> Report:
        """Reports the beginning of a step."""
        return self.progress.begin

    def in_order(self, what: str, several: Sequence[Item], work: Callable[[Item], R]) -> list[R]:
        """The step ``what``: the result of ``work`` for each item, in the order of the items."""

        def done(number: int) -> R:
            outcome = work(several[number])
            self.progress.done(outcome)
            return outcome

        self.progress.begin(what, len(several))
        found = dict(self.engine.map(done, range(len(several))))
        return [found[number] for number in range(len(several))]
