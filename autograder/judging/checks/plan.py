"""What judging derives from a class's inputs alone, made once and not for each student.

Which calls a check asks, which of them are varied, which are repeated elsewhere: all of that is the
same for every submission. A plan is a mapping of the inputs, so it can be passed wherever they are
expected.

Not covered: decoded values. A relation may change the tensors that it is given, so it always gets
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from autograder.judging.checks.finding import Args, Cases

T = TypeVar("T")


class JudgingPlan(dict[str, tuple[Args, ...]]):
    """The cases of a class by the name of their generator, and what was derived from them."""

    def __init__(self, cases: Cases) -> None:
        super().__init__(cases)
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of ``make``, which depends only on the cases and on what is in ``key``."""
        try:
            made: T = self._made[key]
        except KeyError:
            made = self._made[key] = make()
        return made


@dataclass(frozen=True, slots=True, eq=False)
class IdentityKey:
    """Part of a key: this very object, such as a check, which has no hash of its own."""

    thing: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


def once(cases: Cases, key: Hashable, make: Callable[[], T]) -> T:
    """The result of ``make``; cached under ``key`` if ``cases`` is a ``JudgingPlan``."""
    return cases.once(key, make) if isinstance(cases, JudgingPlan) else make()
