"""Wrong answers that submissions share: right answers are alike anyway, wrong ones seldom are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from autograder.gradebook.grade import CheckGrade, Grade
from autograder.judging.verdict import Status
from autograder.similarity.model import SharedAnswer
from autograder.similarity.normal import digest
from autograder.similarity.rarity import NAT, surprise

KNOWN = 0.5  # share of its weight that a wrong answer keeps if a known mistake explains it
LEAST = 0.5  # nats that a wrong answer must weigh to count
_WRONG = (Status.FAILED, Status.RAISED)


@dataclass(frozen=True, slots=True)
class Answers:
    """Wrong answers by student and by exercise and check, as digests, and how many gave each."""

    given: Mapping[str, Mapping[tuple[str, str], int]]
    known: frozenset[tuple[str, str, int]]
    counts: Mapping[tuple[str, str, int], int]

    def shared(self, left: str, right: str) -> tuple[SharedAnswer, ...]:
        """The wrong answers that both gave: the rarest of each exercise, because the checks of an
        exercise tend to be wrong together."""
        mine, other = self.given.get(left, {}), self.given.get(right, {})
        best: dict[str, SharedAnswer] = {}
        for (exercise, check), answer in mine.items():
            if other.get((exercise, check)) != answer:
                continue
            key = (exercise, check, answer)
            others = self.counts[key] - 2
            weight = self._weight(key, others, 2)
            found = SharedAnswer(exercise, check, others, key in self.known, weight)
            if exercise not in best or found.weight > best[exercise].weight:
                best[exercise] = found
        return tuple(one for one in best.values() if one.weight >= LEAST)

    def weight(self, student: str, exercise: str) -> float:
        """The weight of a student's rarest wrong answer in an exercise, in nats."""
        keys = [
            (exercise, check, answer)
            for (of, check), answer in self.given.get(student, {}).items()
            if of == exercise
        ]
        return max((self._weight(key, self.counts[key] - 1, 1) for key in keys), default=0.0)

    def pairs(self, exercise: str) -> Iterator[tuple[str, str, float]]:
        """All pairs of students who share an uncommon wrong answer, with its weight in nats."""
        who: dict[tuple[str, str, int], list[str]] = {}
        for student, answers in sorted(self.given.items()):
            for (of, check), answer in answers.items():
                if of == exercise:
                    who.setdefault((of, check, answer), []).append(student)
        best: dict[tuple[str, str], float] = {}
        for key, students in who.items():
            weight = self._weight(key, len(students) - 2, 2)
            if weight >= LEAST:
                for pair in combinations(students, 2):
                    best[pair] = max(weight, best.get(pair, 0.0))
        yield from ((left, right, weight) for (left, right), weight in sorted(best.items()))

    def _weight(self, key: tuple[str, str, int], others: int, taken: int) -> float:
        weight = surprise(max(others, 0), max(len(self.given) - taken, 0)) / NAT
        return weight * KNOWN if key in self.known else weight


def wrong_answers(grades: Iterable[Grade]) -> Answers:
    """The wrong answers of a class; a student with two grades counts once."""
    given: dict[str, dict[tuple[str, str], int]] = {}
    known = set()
    for grade in grades:
        mine = given[grade.student] = {}
        for exercise in grade.exercises:
            for check in exercise.checks:
                if (answer := _answer(check)) is None:
                    continue
                mine[exercise.id, check.id] = answer
                cause = check.cause
                if cause is not None and cause.sure != "nothing" and not cause.mutant:
                    known.add((exercise.id, check.id, answer))
    counts = Counter(
        (exercise, check, answer)
        for mine in given.values()
        for (exercise, check), answer in mine.items()
    )
    return Answers(given, frozenset(known), counts)


def _answer(check: CheckGrade) -> int | None:
    """A wrong answer as a digest of the actual value; None if there was none."""
    if check.status not in _WRONG or check.by_hand:
        return None
    seen = [(m.where, m.kind, m.actual, m.path, m.numbers) for m in check.mismatches]
    return digest(repr(seen)) if seen else (digest(check.message) if check.message else None)
