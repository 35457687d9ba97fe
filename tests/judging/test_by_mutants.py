"""Explanations by mutants: only if no known mistake explains the result, only one that agrees in
every call of the function, and only if no other explanation agrees as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
import torch

from autograder.evidence.records import Run
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.diagnosis.by_mutants import explain_by_mutants
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import ExaminedMistake, KnownMistake, known
from autograder.judging.judge import judge
from autograder.judging.verdict import Cause, Status, Verdict
from autograder.notebook.template.variant import Variant
from autograder.wire.messages import Error, Outcome
from autograder.wire.tensors import to_wire
from tests.support.local_answers import assignment_of
from tests.support.made_trials import run as run_of

CASES = {"small": ((to_wire(1),), (to_wire(2),)), "large": ((to_wire(30),), (to_wire(50),))}
CHECKS = [
    {"id": name, "kind": "function", "title": name, "points": 1, "call": call, "inputs": name}
    for name, call in (("small", "f"), ("large", "f"))
]
OTHER = {**CHECKS[0], "id": "other", "call": "g"}
SPEC = assignment_of(*CHECKS, OTHER)
RIGHT = {"small": (2.0, 5.0), "large": (31.5, 52.25), "other": (1.0, 1.0)}
FACTOR: dict[str, tuple[Any, Any]] = {"small": (2.5, [7.0, 8.0, 9.5]), "large": (11.75, 12.125)}
FAILS = Outcome("raised", error=Error(("ValueError", "Exception"), "no"))


@dataclass
class Bank:
    """Mutants by their words; counts how often it is asked."""

    mutants: Sequence[KnownMistake]
    lost: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        self.asked.append(exercise)
        return self.mutants


def run(**results: tuple[Any, Any]) -> Run:
    """The answers to the calls of each check, the right ones by default."""
    claims = {}
    for name, pair in {**RIGHT, **results}.items():
        call, inputs = ("g", "small") if name == "other" else ("f", name)
        claims |= {f"call/{call}/{inputs}/{n}": result for n, result in enumerate(pair)}
    return run_of(claims)


REFERENCE = Reference(run(), CASES)


def mistake(name: str, words: str, wrong: Run) -> KnownMistake:
    said = Variant(name, "ex", f"as if {words}", f"It is as if {words}.", "")
    return known(SPEC.exercise[0], said, wrong, REFERENCE)


def told(student: Run, bank: Bank, mistakes: Sequence[KnownMistake] = ()) -> dict[str, Verdict]:
    verdicts = judge(SPEC, student, REFERENCE)
    verdicts = diagnose(SPEC, verdicts, student, REFERENCE, mistakes)
    verdicts = explain_by_mutants(SPEC, verdicts, student, REFERENCE, bank)
    return {verdict.check: verdict for verdict in verdicts}


def test_a_result_equal_to_a_mutants_is_told_by_its_words() -> None:
    bank = Bank([mistake("m", "a factor were left out", run(**FACTOR))])
    verdicts = told(run(**FACTOR), bank)
    for check in ("small", "large"):
        assert verdicts[check].cause == Cause("named", mutant="as if a factor were left out")
        assert verdicts[check].diagnosis == "It is as if a factor were left out."
    assert verdicts["other"].cause is None


@pytest.mark.parametrize(
    "other",
    [
        {**FACTOR, "large": (11.75, 12.25)},
        {**FACTOR, "large": (11.75, FAILS)},
        {"small": FACTOR["small"]},
        {**FACTOR, "small": (2.0, 7.0)},
    ],
)
def test_one_call_that_differs_is_enough_for_none(other: dict[str, Any]) -> None:
    """Also one in another check of the function, or one that is right in one of them alone."""
    mutant = Bank([mistake("m", "a factor were left out", run(**FACTOR))])
    assert {v.diagnosis for v in told(run(**other), mutant).values()} == {""}
    mutant = Bank([mistake("m", "a factor were left out", run(**other))])
    assert {v.diagnosis for v in told(run(**FACTOR), mutant).values()} == {""}


def test_behind_an_exception_in_every_wrong_call_another_fault_can_hide() -> None:
    """What a submission is not asked may get past the exception, where only one of two faults is
    the mutant's."""
    for large, explained in (
        ((FAILS, FAILS), False),
        ((31.5, FAILS), False),
        ((11.75, FAILS), True),
    ):
        wrong = run(**{**FACTOR, "large": large})
        verdicts = told(wrong, Bank([mistake("m", "a factor were left out", wrong)]))
        assert bool(verdicts["small"].diagnosis) is explained


def test_what_is_wrong_in_another_function_does_not_matter() -> None:
    bank = Bank([mistake("m", "a factor were left out", run(**FACTOR))])
    verdicts = told(run(**FACTOR, other=(7.0, 9.5)), bank)
    assert verdicts["small"].cause == Cause("named", mutant="as if a factor were left out")
    assert verdicts["other"].cause == Cause("nothing")


def test_a_mutant_that_was_not_asked_everything_explains_nothing() -> None:
    part = run(**FACTOR)
    part = Run((), tuple(p for p in part.probes if "large" not in p.id), part.measured)
    bank = Bank([mistake("m", "a factor were left out", part)])
    assert {v.diagnosis for v in told(run(**FACTOR), bank).values()} == {""}


def test_equal_numbers_of_another_dtype_are_not_the_mutants() -> None:
    wide = {"small": tuple(torch.tensor(x, dtype=torch.float64) for x in FACTOR["small"])}
    bank = Bank([mistake("m", "a factor were left out", run(**{**FACTOR, **wide}))])
    narrow = {"small": tuple(torch.tensor(x, dtype=torch.float32) for x in FACTOR["small"])}
    assert told(run(**{**FACTOR, **narrow}), bank)["small"].cause == Cause("nothing")
    assert told(run(**{**FACTOR, **wide}), bank)["small"].cause != Cause("nothing")


@pytest.mark.parametrize(
    ("small", "large", "enough"),
    [
        ((True, False), (True, False), False),
        ((1, 0), (0, 1), False),
        ((4321, 5.0), RIGHT["large"], True),
        ((FAILS, FAILS), (FAILS, FAILS), False),
        (("a", "b"), ("c", 7.5), True),
        ((FAILS, [0.5, 1.5, 2.5]), (FAILS, [7.5]), True),
    ],
)
def test_answers_that_may_agree_by_chance_explain_nothing(
    small: Any, large: Any, enough: bool
) -> None:
    wrong = run(small=small, large=large)
    bank = Bank([mistake("m", "a factor were left out", wrong)])
    verdicts = told(wrong, bank)
    assert bool(verdicts["small"].diagnosis) == enough


def test_a_check_whose_own_answers_are_right_is_left_open() -> None:
    """It failed for another reason, such as what a function keeps from call to call."""
    student = run(large=(11.75, [1.5, 2.5]))
    failed = mistake("m", "a factor were left out", student)
    findings = {**failed.findings, "small": Finding(Status.FAILED)}
    mutant = KnownMistake("ex", failed.said, lambda: ExaminedMistake(failed.evidence, findings))
    verdicts = [
        msgspec.structs.replace(verdict, status=Status.FAILED, cause=Cause("nothing"))
        if verdict.check != "other"
        else verdict
        for verdict in judge(SPEC, student, REFERENCE)
    ]
    small, large, _ = explain_by_mutants(SPEC, verdicts, student, REFERENCE, Bank([mutant]))
    assert large.cause == Cause("named", mutant="as if a factor were left out")
    assert small.cause == Cause("nothing")


def test_mutants_with_other_words_that_fit_as_well_leave_it_open() -> None:
    same, more = "a factor were left out", "a term of a sum were left out"
    twice = Bank([mistake("m", same, run(**FACTOR)), mistake("n", same, run(**FACTOR))])
    assert told(run(**FACTOR), twice)["small"].cause == Cause("named", mutant=f"as if {same}")
    several = Bank([mistake("m", same, run(**FACTOR)), mistake("n", more, run(**FACTOR))])
    assert told(run(**FACTOR), several)["small"].cause == Cause("nothing")


def test_what_is_explained_already_asks_for_no_mutant() -> None:
    bank = Bank([mistake("m", "a factor were left out", run(**FACTOR))])
    known_one = mistake("known", "the factor is missing", run(**FACTOR))
    verdicts = told(run(**FACTOR), bank, [known_one])
    assert verdicts["small"].diagnosis == "It is as if the factor is missing."
    assert not told(run(), bank)["small"].diagnosis
    assert bank.asked == []
