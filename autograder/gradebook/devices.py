"""Counts of where a class's device checks were tried: on simulated and on real devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from autograder.gradebook.grade import Grade
from autograder.judging.verdict import DeviceOutcome

How = Literal["real", "simulated", "beside"]


class DeviceTally(msgspec.Struct, frozen=True):
    """One device over all checks of a class: how often each result occurred."""

    device: str
    how: How
    results: dict[str, int]

    @property
    def tried(self) -> int:
        """How many checks have a result from it."""
        return self.results.get("right", 0) + self.results.get("wrong", 0)


class TriedCount:
    """Counts grade by grade."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, How], Counter[str]] = {}

    def add(self, grade: Grade) -> None:
        """One more grade."""
        for ran in _all(grade):
            self._counts.setdefault((ran.device, ran.how), Counter())[ran.result] += 1

    def tried(self) -> tuple[DeviceTally, ...]:
        """In the order of the checks; empty when no check asks for devices."""
        return tuple(
            DeviceTally(device, how, dict(sorted(results.items())))
            for (device, how), results in self._counts.items()
        )


def _all(grade: Grade) -> Iterable[DeviceOutcome]:
    for exercise in grade.exercises:
        for check in exercise.checks:
            yield from check.devices
