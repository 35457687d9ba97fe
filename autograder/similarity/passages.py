"""Passages where two submissions have the same uncommon code, to be shown side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.similarity.model import CodeLines, Fingerprints, Fragment, Passage
from autograder.similarity.rarity import FragmentTable, Key

MOST = 8  # per pair
LEAST = 1.0  # nats that a statement must weigh to be shown
GAP = 2  # lines between two statements of one passage, at most
LONGEST = 24  # lines

Side = tuple[Fingerprints, Mapping[Key, Fragment]]


def passages(left: Side, right: Side, table: FragmentTable) -> tuple[Passage, ...]:
    """The passages with the most weight, by exercise and line."""
    exercises = {n: e for e, numbers in reversed(list(left[0].slices.items())) for n in numbers}
    found = []
    for key, fragment in left[1].items():
        other = right[1].get(key)
        if other is None or not fragment.whole:
            continue
        weight, having = table.found(key)
        if weight >= LEAST * fragment.share:
            exercise = exercises.get(fragment.place.cell, "")
            found.append(Passage(exercise, fragment.place, other.place, having - 2, weight))
    joined = _joined(sorted(set(found), key=_order))
    best = sorted(joined, key=lambda one: (-one.weight, _order(one)))[:MOST]
    return tuple(sorted(best, key=_order))


def _joined(found: Sequence[Passage]) -> list[Passage]:
    """Passages that are close together on both sides become one."""
    joined: list[Passage] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is None or not (_near(last.left, one.left) and _near(last.right, one.right)):
            joined.append(one)
        else:
            joined[-1] = Passage(
                last.exercise,
                _over(last.left, one.left),
                _over(last.right, one.right),
                min(last.others, one.others),
                round(last.weight + one.weight, 3),
            )
    return joined


def _order(one: Passage) -> tuple[str, CodeLines, CodeLines]:
    return one.exercise, one.left, one.right


def _near(before: CodeLines, after: CodeLines) -> bool:
    if before.cell != after.cell:
        return False
    apart = max(after.first - before.last, before.first - after.last)
    return apart <= GAP and _over(before, after).last - _over(before, after).first < LONGEST


def _over(one: CodeLines, other: CodeLines) -> CodeLines:
    return CodeLines(one.cell, min(one.first, other.first), max(one.last, other.last))
