"""How surprising it is that two submissions share a fragment, given how many others have it.

The probability that another, independent submission has a fragment is estimated from the class
without the submissions being compared: (number that have it + 1/5) / (number in all + 1). The
weight is the negative logarithm of that probability, in nats, so a fragment that everyone has
weighs nothing. Weights are integers, in thousandths, so their sums are exact and the same class
gives the same bytes on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from autograder.similarity.model import Fingerprints, Fragment

NAT = 1000
PRIOR = 0.2  # per submission, what nobody else has

Weights = npt.NDArray[np.float64]
Key = tuple[int, int]  # digest and which occurrence of it
Keyed = Mapping[Key, Fragment]


def surprise(having: float, of: float) -> int:
    """The weight of a fragment that ``having`` of ``of`` others have, in thousandths of nats."""
    chance = (having + PRIOR) / (of + 1)
    return max(0, round(-math.log(chance) * NAT))  # what a class shares is no evidence


def keyed(fragments: Iterable[Fragment]) -> dict[Key, Fragment]:
    """The fragments of one submission; a second copy of one has its own key."""
    seen: Counter[int] = Counter()
    found = {}
    for fragment in fragments:
        found[fragment.digest, seen[fragment.digest]] = fragment
        seen[fragment.digest] += 1
    return found


@dataclass(frozen=True, slots=True)
class FragmentTable:
    """Who has which fragment. ``has`` is [submissions, fragments] of 0 and 1; ``shared`` and
    ``alone`` [fragments] are weights of a fragment that both of a pair have, or one of them;
    ``having`` [fragments] counts who has it, without the instructor's. ``index``: the position of a
    fragment in these; ``homes``: those of each exercise."""

    index: Mapping[Key, int]
    homes: Mapping[str, npt.NDArray[np.int64]]
    has: Weights
    shared: Weights
    alone: Weights
    having: npt.NDArray[np.int64]

    def sums(self, exercise: str) -> tuple[Weights, Weights]:
        """For all pairs [n, n] what they share in an exercise, and what the first of them has."""
        columns = self.homes.get(exercise, np.zeros(0, np.int64))
        has, shared, alone = self.has[:, columns], self.shared[columns], self.alone[columns]
        common = (has * shared) @ has.T
        more = (has * (shared - alone)) @ has.T
        return common, (has @ alone)[:, None] + more

    def found(self, key: Key) -> tuple[float, int]:
        """The weight of a shared fragment in nats, and how many submissions have it."""
        at = self.index[key]
        return float(self.shared[at]) / NAT, int(self.having[at])


def table(
    hand_ins: Sequence[tuple[Fingerprints, Keyed]], common: Sequence[Iterable[Key]]
) -> FragmentTable:
    """The fragments of a class with their weights. ``common``: fragments of the instructor's own
    right answers; each counts as one more submission."""
    having = Counter(key for _, own in hand_ins for key in own)
    usual = Counter(key for own in common for key in own)
    share = {key: one.share for _, own in hand_ins for key, one in own.items()}
    keys = sorted(having)
    index = {key: at for at, key in enumerate(keys)}
    has = np.zeros((len(hand_ins), len(keys)))
    for row, (_, own) in enumerate(hand_ins):
        has[row, [index[key] for key in own]] = 1
    others = len(hand_ins) + len(common)

    def weights(taken: int) -> Weights:
        made = (
            share[key] * surprise(max(having[key] - taken, 0) + usual[key], max(others - taken, 0))
            for key in keys
        )
        return np.round(np.fromiter(made, float, len(keys)))

    counts = np.fromiter((having[key] for key in keys), np.int64, len(keys))
    return FragmentTable(index, _homes(hand_ins, index), has, weights(2), weights(1), counts)


def _homes(
    hand_ins: Sequence[tuple[Fingerprints, Keyed]], index: Mapping[Key, int]
) -> dict[str, npt.NDArray[np.int64]]:
    """For each exercise the fragments that are mostly found in its cells, so that a cell that
    answers two exercises at once does not mix them up."""
    votes: Counter[tuple[Key, str]] = Counter()
    for print_, own in hand_ins:
        exercises: dict[int, list[str]] = {}
        for exercise, numbers in print_.slices.items():
            for number in numbers:
                exercises.setdefault(number, []).append(exercise)
        votes.update(
            (key, exercise) for key, one in own.items() for exercise in exercises[one.place.cell]
        )
    home: dict[Key, str] = {}
    for (key, exercise), _ in sorted(votes.items(), key=lambda one: (-one[1], one[0])):
        home.setdefault(key, exercise)
    found: dict[str, list[int]] = {}
    for key, at in index.items():
        found.setdefault(home[key], []).append(at)
    return {exercise: np.array(places, np.int64) for exercise, places in sorted(found.items())}
