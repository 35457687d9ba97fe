"""Where a class's checks of devices were tried, counted: what was simulated, what was real."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from autograder.gradebook.grade import Grade
from autograder.verdict import Ran


class Tried(msgspec.Struct, frozen=True):
    """One device over all checks of a class: how often each result came."""

    device: str
    how: Literal["real", "simulated", "beside"]
    results: dict[str, int]

    @property
    def tried(self) -> int:
        """How many checks have a result from it."""
        return self.results.get("right", 0) + self.results.get("wrong", 0)


def tried_devices(grades: Iterable[Grade]) -> tuple[Tried, ...]:
    """In the order of the checks; empty when no check asks for devices."""
    counts: dict[tuple[str, Literal["real", "simulated", "beside"]], Counter[str]] = {}
    for ran in _all(grades):
        counts.setdefault((ran.device, ran.how), Counter())[ran.result] += 1
    return tuple(
        Tried(device, how, dict(sorted(results.items())))
        for (device, how), results in counts.items()
    )


def _all(grades: Iterable[Grade]) -> Iterable[Ran]:
    for grade in grades:
        for exercise in grade.exercises:
            for check in exercise.checks:
                yield from check.devices
