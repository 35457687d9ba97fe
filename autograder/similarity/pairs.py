"""Pairs of submissions that are more similar than chance and the class explain, most similar first.

Covered: other names, comments and formats, other orders of cells and of independent statements,
cells split or merged, added code that does nothing, partial copies.
Not covered: the same idea rewritten; who had it first; permitted group work.
A score is a reason to look, never proof of copying.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from autograder.gradebook.grade import Grade
from autograder.similarity.answers import Answers, wrong_answers
from autograder.similarity.fingerprint import Given, fingerprints
from autograder.similarity.model import CodeLines, Fingerprints, Fragment, HandInCode, Pair, Passage
from autograder.similarity.rarity import NAT, FragmentTable, Key, Keyed, Weights, keyed, table

DOUBT = 40.0  # nats of evidence at which a score keeps half of its height
DOUBT_IN_EXERCISE = 4.0
ENOUGH = 3.0  # nats at which one exercise has half of its maximum weight
INNER = 0.9  # weight of the submission that is more contained in the other
SHOWN = 30  # pairs
MOST = 8  # per pair
LEAST = 1.0  # nats that a statement must weigh to be shown
GAP = 2  # lines between two statements of one passage, at most
LONGEST = 24  # lines

Side = tuple[Fingerprints, Mapping[Key, Fragment]]


def ranked_pairs(
    hand_ins: Sequence[HandInCode],
    given: Given,
    *,
    common: Sequence[HandInCode] = (),
    grades: Iterable[Grade] = (),
    most: int = SHOWN,
) -> tuple[Pair, ...]:
    """The ``most`` pairs with the highest scores above zero, highest first.

    ``given``, the template's contents, is removed from every submission; ``common`` are right
    answers that many would write (the solution); ``grades`` show which wrong answers are shared.
    Only the first submission of a student is compared.
    """
    unique = {one.student: one for one in reversed(hand_ins)}
    codes = [unique[student] for student in sorted(unique)]
    if len(codes) < 2:
        return ()
    prints = [fingerprints(code, given) for code in codes]
    usual = [fingerprints(one, given) for one in common]
    answers = wrong_answers(sorted(grades, key=lambda grade: grade.student))
    seen = _Class(prints, usual, answers)
    return tuple(seen.pair(i, j) for i, j in seen.first(most))


def likeness(left: Fingerprints, right: Fingerprints) -> float:
    """The share of fragments that two submissions have in common, from 0 to 1, each weighted only
    by its kind, however common it is in a class."""
    by_words = not (left.parsed and right.parsed)
    sides = [keyed(one.words if by_words else one.structure) for one in (left, right)]
    both = sides[0].keys() & sides[1].keys()
    shared = sum(sides[0][key].share for key in both)
    whole = [sum(one.share for one in side.values()) for side in sides]
    return 2 * shared / sum(whole) if sum(whole) else 0.0


@dataclass(frozen=True, slots=True)
class _View:
    """The class seen in one way: by structure or by words."""

    fragments: tuple[Keyed, ...]
    table: FragmentTable


class _Class:
    """All submissions of a class and the similarity of any two."""

    def __init__(
        self, prints: Sequence[Fingerprints], usual: Sequence[Fingerprints], answers: Answers
    ) -> None:
        self._prints, self._answers = tuple(prints), answers
        parsed = np.array([one.parsed for one in prints])
        self._both = parsed[:, None] & parsed[None, :]
        self._structure = _view(
            [(one, keyed(one.structure)) for one in prints], [keyed(p.structure) for p in usual]
        )
        self._words = None
        if not parsed.all():
            self._words = _view(
                [(one, keyed(one.words)) for one in prints], [keyed(p.words) for p in usual]
            )
        self._exercises = sorted({e for one in prints for e in one.slices})
        said = {exercise: self._sums(exercise) for exercise in self._exercises}
        self._apart = {e: _apart(*sums) for e, sums in said.items()}
        none = np.zeros((len(prints), len(prints)))  # of a class without exercises to compare
        self._evidence: Weights = np.sum([none, *(common for common, _ in said.values())], axis=0)
        self._scores = _scores([(none, none), *said.values()], self._evidence)

    def first(self, most: int) -> list[tuple[int, int]]:
        """The pairs with the highest scores, by index; ties are broken by name."""
        left, right = np.triu_indices(len(self._prints), k=1)
        scores = self._scores[left, right]
        order = np.lexsort((right, left, -self._evidence[left, right], -scores))[:most]
        return [(int(left[at]), int(right[at])) for at in order if scores[at] > 0]

    def pair(self, i: int, j: int) -> Pair:
        """One pair with its details."""
        left, right = self._prints[i], self._prints[j]
        view = self._structure if self._both[i, j] or self._words is None else self._words
        compared = left.slices.keys() & right.slices.keys()
        return Pair(
            left.student,
            right.student,
            score=float(self._scores[i, j]),
            evidence=round(float(self._evidence[i, j]), 1),
            exercises={e: float(self._apart[e][i, j]) for e in sorted(compared)},
            passages=passages((left, view.fragments[i]), (right, view.fragments[j]), view.table),
            answers=self._answers.shared(left.student, right.student),
            by_tokens=view is self._words,
        )

    def _sums(self, exercise: str) -> tuple[Weights, Weights]:
        """What pairs share in an exercise and what the first of each has, in nats: code, and wrong
        answers."""
        common, whole = self._structure.table.sums(exercise)
        if self._words is not None:
            other_common, other_whole = self._words.table.sums(exercise)
            common = np.where(self._both, common, other_common)
            whole = np.where(self._both, whole, other_whole)
        common, whole = common / NAT, whole / NAT
        place = {one.student: at for at, one in enumerate(self._prints)}
        own = np.array([self._answers.weight(one.student, exercise) for one in self._prints])
        whole += own[:, None]
        for left, right, weight in self._answers.pairs(exercise):
            if left in place and right in place:
                i, j = place[left], place[right]
                common[i, j] += weight
                common[j, i] += weight
        return common, whole


def _view(prints: Sequence[tuple[Fingerprints, Keyed]], usual: Sequence[Keyed]) -> _View:
    return _View(tuple(own for _, own in prints), table(prints, usual))


def _share(common: Weights, whole: Weights) -> Weights:
    share: Weights = np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)
    return np.clip(share, 0, 1)


def _scores(sums: Sequence[tuple[Weights, Weights]], evidence: Weights) -> Weights:
    """For all pairs the share of one submission's exercises that the other has as well, to four
    digits, and lower the less evidence there is. Long exercises have a bounded weight.

    Of the two submissions the one that is more contained in the other counts for more: code that
    was added to a copy does not make it less of a copy.
    """
    say = [whole / (1 + whole / ENOUGH) for _, whole in sums]
    alike = [_share(*one) * weight for one, weight in zip(sums, say, strict=True)]
    contained = _share(np.sum(alike, axis=0), np.sum(say, axis=0))
    both = np.maximum(contained, contained.T), np.minimum(contained, contained.T)
    return _doubted(INNER * both[0] + (1 - INNER) * both[1], evidence, DOUBT)


def _apart(common: Weights, whole: Weights) -> Weights:
    """The scores of one exercise alone."""
    share = _share(common, whole)
    return _doubted((share + share.T) / 2, common, DOUBT_IN_EXERCISE)


def _doubted(share: Weights, evidence: Weights, doubt: float) -> Weights:
    made: npt.NDArray[np.float64] = np.round(share * evidence / (evidence + doubt), 4)
    return made


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
