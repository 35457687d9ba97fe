"""Naming a known mistake: only the right one, only where something is wrong, never for points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
import torch

from autograder.checks.relation import Seen
from autograder.diagnosis import Known, diagnose, known
from autograder.judge import judge
from autograder.sandbox.run import Measured, ProbeRun, Run, Spent, Stop
from autograder.spec.model import Assignment
from autograder.verdict import Status, Verdict
from autograder.wire.messages import Error, Outcome
from autograder.wire.tensors import to_wire

SPENT = Spent(0.0, 0.0)
CASES = {"numbers": ((to_wire(1),), (to_wire(2),))}
KEYS: dict[str, dict[str, Any]] = {
    "value": {"name": "x"},
    "function": {"call": "f", "inputs": "numbers"},
    "relation": {"relation": "is_even", "reads": ["x"]},
    "raises": {"call": "f", "inputs": "numbers", "error": ["ValueError"]},
    "speed": {"call": "f", "inputs": "numbers", "at_most": 2.0},
    "module": {"name": "x", "type": "Linear", "table": [2, 3]},
}
ADVICE = "You added where you should multiply."


def is_even(seen: Seen) -> Iterator[str]:
    if seen.number("x") % 2:
        yield "`x` is odd."


RELATIONS = {"is_even": is_even}


def raised(type_: str, text: str = "boom") -> Outcome:
    return Outcome("raised", error=Error((type_, "Exception"), text, 3, "f(x)"))


def run(values: Mapping[str, Any], *, exercise: str = "ex") -> Run:
    """Reads by name, calls as "f/0", "f/1"; Outcomes and Stops as they are."""
    probes = []
    for name, claim in values.items():
        stop = claim if isinstance(claim, Stop) else None
        if not isinstance(claim, Outcome | Stop):
            claim = Outcome("returned", to_wire(claim))
        target, _, number = name.partition("/")
        id_ = f"{exercise}/call/{target}/numbers/{number}" if number else f"{exercise}/read/{name}"
        probes.append(ProbeRun(id_, None if stop else claim, stop, SPENT))
    return Run((), tuple(probes), Measured(1.0, 1.0, 100.0, 1, "strong", ()))


def assignment(kind: str = "value", **more: Any) -> Assignment:
    check = {"id": "c", "kind": kind, "title": "it is right", "points": 1, **KEYS[kind], **more}
    exercises = [
        {"id": id_, "title": "An exercise", "defines": ["x"], "check": [check]}
        for id_ in ("ex", "other")
    ]
    return Assignment.model_validate(
        {"format": 1, "id": "a", "title": "An assignment", "exercise": exercises}
    )


def bank(
    spec: Assignment, expected: Run, *wrong: tuple[str, Run], exercise: int = 0
) -> list[Known]:
    return [
        known(spec.exercise[exercise], advice, mistake, expected, CASES, RELATIONS)
        for advice, mistake in wrong
    ]


def told(spec: Assignment, student: Run, expected: Run, mistakes: list[Known]) -> Verdict:
    """The verdict on exercise "ex" after diagnosis."""
    verdicts = judge(spec, student, expected, CASES, RELATIONS)
    return diagnose(spec, verdicts, student, mistakes, CASES)[0]


def diagnosed(kind: str, right: Any, mistake: Any, student: Any, **more: Any) -> Verdict:
    """One mistake, one student; each given as ``x``, or as a dict of reads and calls."""
    spec = assignment(kind, **more)
    runs = [run(v if isinstance(v, dict) else {"x": v}) for v in (right, mistake, student)]
    return told(spec, runs[2], runs[0], bank(spec, runs[0], (ADVICE, runs[1])))


# ---------------------------------------------------------------- equal by value


def test_a_wrong_value_that_equals_a_mistakes_is_named() -> None:
    found = diagnosed("value", 6, 5, 5)
    assert (found.status, found.diagnosis) == (Status.FAILED, ADVICE)


def test_a_wrong_tensor_equals_a_mistakes_up_to_rounding() -> None:
    right, mistake = torch.ones(3), torch.tensor([1.0, 2.0, 0.1])
    assert diagnosed("value", right, mistake, mistake * (1 + 1e-7)).diagnosis == ADVICE
    assert diagnosed("value", right, mistake, mistake * 1.01).diagnosis == ""
    assert diagnosed("value", right, mistake, mistake[:2]).diagnosis == ""


def test_another_wrong_value_is_not_named() -> None:
    found = diagnosed("value", 6, 5, 4)
    assert (found.status, found.diagnosis) == (Status.FAILED, "")


def test_calls_must_go_wrong_where_the_mistakes_do() -> None:
    right, mistake = {"f/0": 1, "f/1": 4}, {"f/0": 2, "f/1": 4.5}
    assert diagnosed("function", right, mistake, mistake).diagnosis == ADVICE
    students = ({"f/0": 2, "f/1": 7}, {"f/0": 3, "f/1": 4.5}, {"f/0": 1, "f/1": 4.5},
                {"f/0": 2, "f/1": 4})  # fmt: skip
    for student in students:
        assert diagnosed("function", right, mistake, student).diagnosis == ""


def test_not_a_number_is_alike_in_words() -> None:
    nan = float("nan")
    assert diagnosed("value", 6.0, nan, nan).diagnosis == ADVICE
    assert diagnosed("value", 6.0, nan, 5.0).diagnosis == ""


# ---------------------------------------------------------------- equal in words


def test_what_is_wrong_in_the_same_words_is_named() -> None:
    """A relation judges random values: two odd numbers need not be equal to be one mistake."""
    found = diagnosed("relation", 2, 3, 7)
    assert (found.message, found.diagnosis) == ("`x` is odd.", ADVICE)


def test_what_is_wrong_in_other_words_is_not_named() -> None:
    assert diagnosed("relation", 2, "three", 7).diagnosis == ""
    assert diagnosed("module", torch.nn.Linear(3, 2), 5, "a text").diagnosis == ""


def test_a_check_that_names_numbers_is_compared_in_its_words() -> None:
    mistake = {"f/0": 7, "f/1": raised("ValueError")}
    found = diagnosed("raises", {"f/0": raised("ValueError"), "f/1": raised("ValueError")},
                      mistake, mistake)  # fmt: skip
    assert (found.status, found.diagnosis) == (Status.FAILED, ADVICE)


# ---------------------------------------------------------------- raised alike


def test_a_call_that_raises_as_the_mistake_does_is_named() -> None:
    right = {"f/0": 1, "f/1": 4}
    mistake = {"f/0": 1, "f/1": raised("IndexError", "index 4 is out of range")}
    found = diagnosed("function", right, mistake, mistake)
    assert (found.status, found.diagnosis) == (Status.RAISED, ADVICE)


@pytest.mark.parametrize(
    "student",
    [
        {"f/0": 1, "f/1": raised("IndexError", "index 5 is out of range")},
        {"f/0": 1, "f/1": raised("KeyError", "index 4 is out of range")},
        {"f/0": raised("IndexError", "index 4 is out of range"), "f/1": 4},
        {"f/0": raised("IndexError", "index 4 is out of range"),
         "f/1": raised("IndexError", "index 4 is out of range")},
        {"f/0": 1, "f/1": Stop("cpu", "too long")},
        {"f/0": 1, "f/1": Outcome("missing")},
        {"f/0": 1},
    ],
    ids=["text", "type", "place", "oftener", "stopped", "missing", "no record"],
)  # fmt: skip
def test_a_call_that_fails_otherwise_is_not_named(student: dict[str, Any]) -> None:
    mistake = {"f/0": 1, "f/1": raised("IndexError", "index 4 is out of range")}
    assert diagnosed("function", {"f/0": 1, "f/1": 4}, mistake, student).diagnosis == ""


def test_a_wrong_value_is_no_exception_and_the_other_way_round() -> None:
    right, error = {"f/0": 1, "f/1": 4}, {"f/0": 1, "f/1": raised("IndexError")}
    wrong = {"f/0": 1, "f/1": 5}
    assert diagnosed("function", right, error, wrong).diagnosis == ""
    assert diagnosed("function", right, wrong, error).diagnosis == ""


# ---------------------------------------------------------------- where nothing may be said


def test_a_mistake_of_another_exercise_is_never_named() -> None:
    """Not even with the same evidence: its advice speaks of something else."""
    spec = assignment()
    expected, wrong = run({"x": 6}), run({"x": 5})
    own, others = (bank(spec, expected, (ADVICE, wrong), exercise=n) for n in (0, 1))
    lent = [Known("other", ADVICE, wrong, own[0].findings)]
    assert told(spec, wrong, expected, own).diagnosis == ADVICE
    assert told(spec, wrong, expected, others).diagnosis == ""
    assert told(spec, wrong, expected, lent).diagnosis == ""


@pytest.mark.parametrize("student", [6, Outcome("missing"), Stop("cpu", "too long"), ...])
def test_only_what_failed_or_raised_is_explained(student: Any) -> None:
    found = diagnosed("value", 6, student, student)
    assert found.status not in (Status.FAILED, Status.RAISED) and found.diagnosis == ""


def test_a_mistake_says_nothing_about_a_check_that_it_passes() -> None:
    spec = assignment("relation")
    expected, even, odd = run({"x": 2}), run({"x": 4}), run({"x": 5})
    assert told(spec, odd, expected, bank(spec, expected, (ADVICE, even))).diagnosis == ""


def several(*names: str) -> Assignment:
    """An exercise with one check of a value for each name."""
    whole = assignment().model_dump(mode="json")
    (check,) = whole["exercise"][0]["check"]
    checks = [{**check, "id": name, "name": name} for name in names]
    whole["exercise"][0]["check"] = checks
    return Assignment.model_validate(whole)


def advice_on(spec: Assignment, student: Run, expected: Run, mistakes: list[Known]) -> list[str]:
    verdicts = judge(spec, student, expected, CASES, RELATIONS)
    found = diagnose(spec, verdicts, student, mistakes, CASES)
    return [v.diagnosis for v in found if v.exercise == "ex"]


def test_the_likest_mistake_is_named() -> None:
    spec, expected = several("x", "y"), run({"x": 6, "y": 6})
    one, both = run({"x": 5, "y": 6}), run({"x": 5, "y": 9})
    mistakes = bank(spec, expected, ("one", one), ("both", both))
    assert advice_on(spec, one, expected, mistakes) == ["one", ""]
    assert advice_on(spec, both, expected, mistakes) == ["both", "both"]


def test_one_likeness_among_many_differences_proves_nothing() -> None:
    spec, expected = several("w", "x", "y", "z"), run(dict.fromkeys("wxyz", 6))
    mistakes = bank(spec, expected, (ADVICE, run(dict.fromkeys("wxy", 6) | {"z": 0})))
    alike, unlike = run(dict.fromkeys("wxy", 6) | {"z": 0}), run(dict.fromkeys("wxyz", 0))
    assert advice_on(spec, alike, expected, mistakes) == ["", "", "", ADVICE]
    assert advice_on(spec, unlike, expected, mistakes) == ["", "", "", ""]


def test_the_first_of_two_equal_mistakes_is_named() -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    mistakes = bank(spec, expected, ("not this", run({"x": 4})), ("first", wrong), ("then", wrong))
    assert told(spec, wrong, expected, mistakes).diagnosis == "first"


def test_a_diagnosis_changes_nothing_else() -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    (before, other) = judge(spec, wrong, expected, CASES, RELATIONS)
    mistakes = bank(spec, expected, (ADVICE, wrong))
    after, same = diagnose(spec, (before, other), wrong, mistakes, CASES)
    assert msgspec.structs.replace(after, diagnosis="") == before and same == other
    assert diagnose(spec, (before, other), wrong, [], CASES) == (before, other)


def test_what_a_mistake_costs_is_not_measured_again() -> None:
    spec, expected = assignment("speed"), run({"f/0": 1, "f/1": 4})
    assert bank(spec, expected, (ADVICE, expected))[0].findings == {}
