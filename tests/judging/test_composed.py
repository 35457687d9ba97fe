"""Two mistakes in one function, each in some calls: named together if they account for all of
them, in the checks' own calls and in the small ones."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import msgspec
import pytest
import torch
from torch import Tensor

from autograder.evidence.records import Run, Stop
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.by_mutants import explain_by_mutants
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake, carried, known
from autograder.judging.judge import judge
from autograder.judging.verdict import Cause, Verdict
from tests.support.local_answers import answers, assignment_of, every_call
from tests.support.made_calls import wire
from tests.support.made_diagnosis import said

Function = Callable[[Tensor], Tensor]
SPEC = assignment_of({"id": "c", "kind": "function", "call": "f", "inputs": "many"})
LENGTHS = (5, 1, 1, 6, 8, 10, 7)  # the first is the one that is made small
CASES = {"many": tuple(wire(torch.arange(3.0, 3.0 + n) * (i + 1)) for i, n in enumerate(LENGTHS))}
ASKED = every_call(SPEC.exercise[0], CASES)


def right(x: Tensor) -> Tensor:
    return x * 2


def single(x: Tensor) -> Tensor:
    return x * 3 if len(x) == 1 else right(x)


def even(x: Tensor) -> Tensor:
    return x * 4 if len(x) % 2 == 0 else right(x)


def odd(x: Tensor) -> Tensor:
    return x * 5 if len(x) % 2 and len(x) > 1 else right(x)


def both(x: Tensor) -> Tensor:
    return single(x) if len(x) == 1 else even(x)


def run(function: Function) -> Run:
    return answers(ASKED, {"f": function})


REFERENCE = Reference(run(right), CASES)
BANK = {name: run(f) for name, f in (("single", single), ("even", even), ("odd", odd))}


def bank(*names: str, **more: Run) -> list[KnownMistake]:
    every = {**BANK, **more}
    return [known(SPEC.exercise[0], said(name), every[name], REFERENCE) for name in (*names, *more)]


def told(student: Run, mistakes: list[KnownMistake]) -> Verdict:
    verdicts = judge(SPEC, student, REFERENCE)
    (verdict,) = diagnose(SPEC, verdicts, student, REFERENCE, mistakes)
    return verdict


def names(verdict: Verdict) -> list[str]:
    mistakes = verdict.cause.mistakes if verdict.cause else ()
    return [mistake.name.removeprefix("name of ") for mistake in mistakes]


def test_two_mistakes_that_touch_different_calls_are_both_named_costliest_first() -> None:
    verdict = told(run(both), bank("odd", "single", "even"))
    assert names(verdict) == ["even", "single"]
    assert verdict.diagnosis == "even In addition: single"
    every = told(run(lambda x: odd(x) if len(x) in (3, 5, 7) else both(x)), bank(*BANK))
    assert set(names(every)) == set(BANK)


def test_a_right_call_refutes_a_mistake_that_touches_it() -> None:
    verdict = told(run(lambda x: right(x) if len(x) == 8 else both(x)), bank(*BANK))
    assert names(verdict) == []


def test_a_small_call_that_no_mistake_was_asked_refutes_none() -> None:
    small = [record.id for record in run(both).probes if is_small(record.id)]
    left = set(small[-1:])
    few = {
        name: msgspec.structs.replace(
            one, probes=tuple(record for record in one.probes if record.id not in left)
        )
        for name, one in BANK.items()
    }
    assert names(told(run(both), bank(**few))) == ["even", "single"]


def test_a_call_that_no_mistake_explains_refutes_all() -> None:
    verdict = told(run(lambda x: x * 9 if len(x) == 7 else both(x)), bank(*BANK))
    assert names(verdict) == []


def test_of_two_sets_that_fit_none_is_told() -> None:
    verdict = told(run(both), bank("single", "even", twin=BANK["even"]))
    assert names(verdict) == []


def test_small_calls_must_be_as_predicted() -> None:
    """Right in a way in the checks' own calls, other ones in small ones."""
    assert names(told(run(lambda x: both(x) if len(x) != 2 else x * 9), bank(*BANK))) == []
    assert names(told(run(lambda x: both(x) if len(x) != 2 else right(x)), bank(*BANK))) == []


def test_nothing_is_composed_without_small_calls() -> None:
    student = run(both)
    own = tuple(record for record in student.probes if not is_small(record.id))
    assert names(told(msgspec.structs.replace(student, probes=own), bank(*BANK))) == []


def test_one_mistake_must_predict_the_small_calls_too() -> None:
    assert names(told(run(even), bank("even"))) == ["even"]
    # the same where the check asks: its even calls have six elements or more
    assert names(told(run(lambda x: even(x) if len(x) > 5 else right(x)), bank("even"))) == []


@pytest.mark.parametrize("fault", ["even", "both", "negated"])
def test_a_small_call_that_was_stopped_says_nothing(fault: str) -> None:
    """Its limit is lower than that of a check's own calls."""
    student = run({"even": even, "both": both, "negated": lambda x: -right(x)}[fault])
    stop = Stop("cpu", "It took too long.")
    small = [record for record in student.probes if is_small(record.id)]
    late = [msgspec.structs.replace(record, claim=None, stop=stop) for record in small[-2:]]
    own = [record for record in student.probes if not is_small(record.id)]
    few = (*own, *small[:-2])
    stopped = msgspec.structs.replace(student, probes=(*few, *late))
    unasked = msgspec.structs.replace(student, probes=few)
    assert told(stopped, bank(*BANK)) == told(unasked, bank(*BANK))
    assert told(stopped, bank(*BANK)).cause != Cause("nothing")


def test_an_exercises_own_mistake_comes_before_one_of_an_earlier_part() -> None:
    (own,) = bank("even")
    earlier = carried(SPEC.exercise[0], said("earlier"), lambda: BANK["even"], REFERENCE)
    assert names(told(run(even), [earlier, own])) == ["even"]
    assert names(told(run(even), [earlier])) == ["earlier"]


def test_a_change_of_the_right_result_must_hold_in_the_small_calls_too() -> None:
    for student, change in (
        (run(lambda x: -right(x)), "negated"),
        (run(lambda x: -right(x) if len(x) not in (2, 3, 4) else x * 9), ""),
    ):
        verdict = told(student, bank(*BANK))
        assert verdict.cause is not None and verdict.cause.transform == change


def test_a_mutant_must_predict_the_small_calls_too() -> None:
    mutants = SimpleNamespace(lost=frozenset(), of=lambda exercise: bank("even"))
    for student, expected in (
        (run(even), "even"),
        (run(lambda x: even(x) if len(x) > 5 else x * 7 if len(x) == 2 else right(x)), ""),
    ):
        (verdict,) = explain_by_mutants(SPEC, (told(student, []),), student, REFERENCE, mutants)
        assert verdict.cause is not None
        assert verdict.cause.mutant.removeprefix("title of ") == expected


def test_a_mutant_must_predict_the_small_calls_of_every_check_of_the_function() -> None:
    spec = assignment_of(
        {"id": "c", "kind": "function", "call": "f", "inputs": "many"},
        {"id": "rows", "kind": "function", "call": "f", "inputs": "rows"},
    )
    rows = tuple(wire(torch.arange(3.0, 3.0 + 2 * n).reshape(n, 2)) for n in (6, 5, 8))
    cases = {**CASES, "rows": rows}
    asked = every_call(spec.exercise[0], cases)
    reference = Reference(answers(asked, {"f": right}), cases)
    mutant = answers(asked, {"f": even})
    own = [known(spec.exercise[0], said("even"), mutant, reference)]
    mutants = SimpleNamespace(lost=frozenset(), of=lambda exercise: own)
    for function, expected in (
        (even, True),
        (lambda x: x * 7 if x.dim() == 2 and len(x) == 2 else even(x), False),
    ):
        student = answers(asked, {"f": function})
        verdicts = diagnose(spec, judge(spec, student, reference), student, reference, [])
        found = explain_by_mutants(spec, verdicts, student, reference, mutants)
        first = next(verdict for verdict in found if verdict.check == "c")
        assert first.cause is not None and bool(first.cause.mutant) is expected


def test_calls_that_raise_are_told_apart() -> None:
    def raises(x: Tensor) -> Tensor:
        if len(x) == 1:
            raise KeyError("one")
        return even(x)

    verdict = told(run(raises), bank("even", "odd"))
    assert names(verdict) == ["even"]
    assert verdict.diagnosis == "even In addition, some calls raise KeyError."

    def two_kinds(x: Tensor) -> Tensor:
        if len(x) == 7:
            raise ValueError("seven")
        return raises(x)

    assert names(told(run(two_kinds), bank("even", "odd"))) == []


def test_the_name_of_an_exception_tells_nothing_of_a_hidden_input() -> None:
    """A student's code can name an exception after the numbers that it meets."""

    def telling(x: Tensor) -> Tensor:
        if len(x) == 1:
            kind = "MetMoreThan5" if x[0] > 5 else "KeyError"  # no small call does
            raise type(kind, (Exception,), {})
        return even(x)

    verdict = told(run(telling), bank("even", "odd"))
    assert names(verdict) == [] and "Met" not in verdict.diagnosis
