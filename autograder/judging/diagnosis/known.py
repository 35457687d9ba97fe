"""A known mistake of an exercise: its text for the student, and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, Protocol

from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import examine
from autograder.judging.diagnosis.decoded_run import Evidence, decode


class MistakeText(Protocol):
    """What an instructor says about a mistake: to themselves, and to the student (``tell``)."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def tell(self) -> str: ...


@dataclass(frozen=True, slots=True)
class KnownMistake:
    """A known mistake: its text, and its evidence, available when work is first compared with it.
    ``carried``: it is of an earlier exercise, and known here by what this one gives with it."""

    exercise: str
    said: MistakeText
    examined: Callable[[], ExaminedMistake]
    carried: bool = False

    @property
    def evidence(self) -> Evidence:
        """Its run, decoded once for a whole class."""
        return self.examined().evidence

    @property
    def findings(self) -> Mapping[str, Finding]:
        """The finding of each check of the exercise in it, by check id."""
        return self.examined().findings


class Findings(Mapping[str, Finding]):
    """The finding of each check of an exercise in one run, by check id; made on demand, once."""

    def __init__(self, looks: Mapping[str, Callable[[], Finding]]) -> None:
        self._looks = looks

    def __getitem__(self, check: str) -> Finding:
        return self._looks[check]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._looks)

    def __len__(self) -> int:
        return len(self._looks)


class ExaminedMistake(NamedTuple):
    """A known mistake's evidence, and the findings of the checks in it."""

    evidence: Evidence
    findings: Mapping[str, Finding]


def known(
    exercise: Exercise,
    said: MistakeText,
    run: Run,
    reference: Reference,
) -> KnownMistake:
    """A known mistake, examined like a student's work."""
    return known_later(exercise, said, lambda: run, reference)


def known_later(
    exercise: Exercise,
    said: MistakeText,
    run: Callable[[], Run],
    reference: Reference,
) -> KnownMistake:
    """A known mistake that is examined only when work is first compared with it: in most classes
    some exercises have no wrong answers."""
    look = partial(_examined, exercise, run, reference)
    return KnownMistake(exercise.id, said, cache(look))


def carried(
    exercise: Exercise,
    said: MistakeText,
    run: Callable[[], Run],
    reference: Reference,
) -> KnownMistake:
    """A known mistake of an earlier exercise in one that builds on it. Nothing is excused in it:
    the work that it is compared with holds the mistake itself."""
    plain = [
        check.model_copy(update={"parts": ()}) if hasattr(check, "parts") else check
        for check in exercise.check
    ]
    alone = exercise.model_copy(update={"check": tuple(plain)})
    look = partial(_examined, alone, run, reference)
    return KnownMistake(exercise.id, said, cache(look), carried=True)


def part_names(exercise: Exercise) -> frozenset[str]:
    """The earlier functions and classes that an exercise's checks name as parts."""
    parts = (part for check in exercise.check for part in getattr(check, "parts", ()))
    return frozenset(part.name for part in parts)


def _examined(exercise: Exercise, find: Callable[[], Run], reference: Reference) -> ExaminedMistake:
    run = find()
    looks = {
        check.id: cache(partial(examine, check, exercise.id, run, reference))
        for check in exercise.check
        if not check.timed  # the cost of a mistake is not measured again
    }
    return ExaminedMistake(decode(run, run.probes), Findings(looks))
