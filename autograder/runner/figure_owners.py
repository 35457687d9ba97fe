"""Which cells' figures and printed text count as an exercise's, and how much of them is kept."""

from __future__ import annotations

from collections.abc import Collection

from autograder.wire.messages import GIVEN

MAX_FIGURES = 16  # per exercise, and pictures per cell
PRINTED = 20_000  # characters of an exercise's printed text that a check may look at


def shown_by(exercise: str, drew: Collection[str]) -> frozenset[str]:
    """The owners whose figures count as an exercise's, among those that ``drew`` any ("" is no
    exercise): the exercise itself; else cells of no exercise; else all that the student drew."""
    first = next((owner for owner in (exercise, "") if owner in drew), None)
    return frozenset(drew) - {GIVEN} if first is None else frozenset({first})


def told_by(exercise: str, drew: Collection[str]) -> tuple[str, ...]:
    """The owners whose printed text goes with these figures: the exercise itself, cells of no
    exercise, and cells that drew one of the figures."""
    return exercise, *sorted({"", *drew} - {exercise})
