"""Which cells' figures and printed text count as an exercise's, and how much of them is kept."""

from __future__ import annotations

from collections.abc import Collection

from autograder.wire.messages import GIVEN

MAX_FIGURES = 16  # of one exercise, and pictures of one cell
PRINTED = 20_000  # characters of an exercise's printed text that a check may look at


def shown_by(exercise: str, drew: Collection[str]) -> frozenset[str]:
    """Whose figures count as an exercise's, of those that ``drew`` any ("" is no exercise): its
    own; else those of no exercise; else all that the student drew."""
    first = next((owner for owner in (exercise, "") if owner in drew), None)
    return frozenset(drew) - {GIVEN} if first is None else frozenset({first})


def told_by(exercise: str, drew: Collection[str]) -> tuple[str, ...]:
    """Whose printed text goes with these figures: the exercise's own, and that of cells that are
    no exercise's or drew one of them."""
    return exercise, *sorted({"", *drew} - {exercise})  # guard: printed text goes with the figures
