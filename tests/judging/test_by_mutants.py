"""An answer that no known mistake explains is told by a mutant with exactly its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.by_mutants import explain_by_mutants
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake, known
from autograder.judging.judge import judge
from autograder.judging.verdict import Verdict
from tests.support.local_answers import answers, assignment_of, every_call
from tests.support.made_calls import wire
from tests.support.made_diagnosis import said

CHECK = {"kind": "function", "call": "f"}
SPEC = assignment_of(
    {"id": "one", "inputs": "ones", **CHECK}, {"id": "two", "inputs": "twos", **CHECK}
)
CASES = {
    "ones": tuple(wire(torch.arange(2.0, 2.0 + n)) for n in (5, 7)),
    "twos": tuple(wire(torch.arange(7.0, 7.0 + n)) for n in (6, 9)),
}
ASKED = every_call(SPEC.exercise[0], CASES)


@dataclass(frozen=True)
class Stored:
    """Mutants that are at hand; ``asked`` counts how often they were wanted."""

    mutants: Sequence[KnownMistake]
    asked: list[str]
    lost: frozenset[str] = frozenset()

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        self.asked.append(exercise)
        return self.mutants


def run(*factors: float) -> Run:
    """``x`` times a factor: for up to four elements, up to five, and more."""

    def f(x: Tensor) -> Tensor:
        return x * factors[0 if len(x) <= 4 else 1 if len(x) in (5, 7) else 2] - x.roll(1) ** 2

    return answers(ASKED, {"f": f})


REFERENCE = Reference(run(1, 1, 1), CASES)


def mutant(advice: str, result: Run) -> KnownMistake:
    return known(SPEC.exercise[0], said(advice), result, REFERENCE)


def told(
    student: Run, *mutants: KnownMistake, bank: Sequence[KnownMistake] = ()
) -> tuple[list[str], int]:
    """What each check's verdict says, and how often mutants were wanted."""
    asked: list[str] = []
    verdicts = diagnose(SPEC, judge(SPEC, student, REFERENCE), student, REFERENCE, bank)
    stored = Stored(mutants, asked)
    after: tuple[Verdict, ...] = explain_by_mutants(SPEC, verdicts, student, REFERENCE, stored)
    return [verdict.diagnosis for verdict in after], len(asked)


def test_the_mutant_with_all_the_results_is_told() -> None:
    student = run(3.1, 3.1, 3.1)
    said_of, asked = told(student, mutant("It.", student), mutant("No.", run(2.2, 2.2, 2.2)))
    assert (said_of, asked) == (["It.", "It."], 1)


def test_mutants_come_after_known_mistakes() -> None:
    student = run(3.1, 3.1, 3.1)
    said_of, asked = told(student, mutant("It.", student), bank=[mutant("Known.", student)])
    assert (said_of, asked) == (["Known.", "Known."], 0)


def test_a_mutant_must_agree_in_every_check_of_the_function() -> None:
    assert "It." not in told(run(1, 3.1, 3.1), mutant("It.", run(1, 3.1, 2.2)))[0]
    assert "It." not in told(run(1, 3.1, 1), mutant("It.", run(1, 3.1, 2.2)))[0]
    assert told(run(1, 3.1, 1), mutant("It.", run(1, 3.1, 1)))[0] == ["It.", ""]


def test_a_mutant_must_predict_the_small_calls() -> None:
    assert "It." not in told(run(5.3, 3.1, 3.1), mutant("It.", run(3.1, 3.1, 3.1)))[0]


def test_mutants_with_different_explanations_give_none() -> None:
    student = run(3.1, 3.1, 3.1)
    twins = mutant("It.", student), mutant("Or it.", student)
    assert not {"It.", "Or it."} & set(told(student, *twins)[0])
    assert told(student, twins[0], twins[0])[0] == ["It.", "It."]
