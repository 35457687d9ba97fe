"""Naming a known mistake: only the right one, only where something is wrong, never for points."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import torch

from autograder.assignment.model import Assignment
from autograder.evidence.records import ProbeRun, Run, Stop, TimeSpent
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.diagnose import SEVERAL, diagnose
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.judge import judge
from autograder.judging.verdict import Cause, Mistake, Status
from autograder.wire.messages import Error, Outcome
from autograder.wire.values import Array, Complex, Items, Mapping, Module, Opaque, Value, Whole
from tests.support.effort import costs_at_most
from tests.support.made_diagnosis import (
    ADVICE,
    CASES,
    RELATIONS,
    assignment,
    bank,
    diagnosed,
    run,
    said,
    told,
)
from tests.support.tables import evaluated, table_beside


def raised(type_: str, text: str = "boom") -> Outcome:
    return Outcome("raised", error=Error((type_, "Exception"), text, 3, "f(x)"))


# ---------------------------------------------------------------- equal by value


def test_a_wrong_value_is_named_where_it_equals_a_mistakes() -> None:
    found = diagnosed("value", 6, 5, 5)
    assert (found.status, found.diagnosis) == (Status.FAILED, ADVICE)
    assert found.cause == Cause("named", (Mistake(f"name of {ADVICE}", f"title of {ADVICE}"),))
    other = diagnosed("value", 6, 5, 4)
    assert (other.status, other.diagnosis) == (Status.FAILED, "")
    assert other.cause == Cause("nothing")  # in the data, and not to the student
    assert diagnosed("value", 6, 5, 6).cause is None
    nan = float("nan")
    assert diagnosed("value", 6.0, nan, nan).diagnosis == ADVICE
    assert diagnosed("value", 6.0, nan, 5.0).diagnosis == ""


def test_a_wrong_tensor_equals_a_mistakes_up_to_rounding() -> None:
    right, mistake = torch.ones(3), torch.tensor([1.0, 2.0, 0.1])
    assert diagnosed("value", right, mistake, mistake * (1 + 1e-7)).diagnosis == ADVICE
    assert diagnosed("value", right, mistake, mistake * 1.01).diagnosis == ""
    assert diagnosed("value", right, mistake, mistake[:2]).diagnosis == ""


def test_calls_must_go_wrong_where_the_mistakes_do() -> None:
    right, mistake = {"f/0": 1, "f/1": 4}, {"f/0": 2, "f/1": 4.5}
    assert diagnosed("function", right, mistake, mistake).diagnosis == ADVICE
    students = (
        {"f/0": 2, "f/1": 7},
        {"f/0": 3, "f/1": 4.5},
        {"f/0": 1, "f/1": 4.5},
        {"f/0": 2, "f/1": 4},
    )
    for student in students:
        assert diagnosed("function", right, mistake, student).diagnosis == ""


# ---------------------------------------------------------------- equal in words


def test_what_is_wrong_in_the_same_words_is_named_and_in_others_not() -> None:
    """A relation judges random values: two odd numbers need not be equal to be one mistake."""
    found = diagnosed("relation", 2, 3, 7)
    assert (found.message, found.diagnosis) == ("`x` is odd.", ADVICE)
    assert diagnosed("relation", 2, "three", 7).diagnosis == ""
    assert diagnosed("module", torch.nn.Linear(3, 2), 5, "a text").diagnosis == ""


def test_a_check_that_names_numbers_is_compared_in_its_words() -> None:
    mistake = {"f/0": 7, "f/1": raised("ValueError")}
    found = diagnosed(
        "raises", {"f/0": raised("ValueError"), "f/1": raised("ValueError")}, mistake, mistake
    )
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
        {
            "f/0": raised("IndexError", "index 4 is out of range"),
            "f/1": raised("IndexError", "index 4 is out of range"),
        },
        {"f/0": 1, "f/1": Stop("cpu", "too long")},
        {"f/0": 1, "f/1": Outcome("missing")},
        {"f/0": 1},
    ],
    ids=["text", "type", "place", "oftener", "stopped", "missing", "no record"],
)
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
    lent = [KnownMistake("other", said(ADVICE), own[0].examined)]
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
    whole = assignment().model_dump(mode="json", by_alias=True)
    (check,) = whole["exercise"][0]["check"]
    checks = [{**check, "id": name, "name": name} for name in names]
    whole["exercise"][0]["check"] = checks
    return Assignment.model_validate(whole)


def advice_on(
    spec: Assignment, student: Run, expected: Run, mistakes: list[KnownMistake]
) -> list[str]:
    verdicts = judge(spec, student, Reference(expected, CASES, RELATIONS))
    found = diagnose(spec, verdicts, student, Reference(expected, CASES), mistakes)
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


def test_a_diagnosis_changes_nothing_else() -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    (before, other) = judge(spec, wrong, Reference(expected, CASES, RELATIONS))
    mistakes = bank(spec, expected, (ADVICE, wrong))
    after, same = diagnose(spec, (before, other), wrong, Reference(expected, CASES), mistakes)
    assert msgspec.structs.replace(after, diagnosis="", cause=None) == before and same == other
    unnamed, _ = diagnose(spec, (before, other), wrong, Reference(expected, CASES), [])
    assert msgspec.structs.replace(unnamed, cause=None) == before


def test_what_a_mistake_costs_is_not_measured_again() -> None:
    spec, expected = assignment("speed"), run({"f/0": 1, "f/1": 4})
    mistakes = bank(spec, expected, (ADVICE, expected))
    assert mistakes[0].findings == {}
    slow = msgspec.structs.replace(
        expected,
        probes=tuple(
            ProbeRun(f"ex/call/f/numbers/{n}/time", p.claim, None, TimeSpent(9, 9))
            for n, p in enumerate(expected.probes)
        ),
    )
    found = told(spec, slow, expected, mistakes)
    assert (found.diagnosis, found.cause) == ("", None)


# ---------------------------------------------------------------- how sure it is


def test_what_is_not_filled_in_has_no_cause() -> None:
    blank = {"f/0": raised("NotImplementedError"), "f/1": raised("NotImplementedError")}
    assert diagnosed("function", {"f/0": 1, "f/1": 4}, blank, blank).cause is None


@pytest.mark.parametrize(
    ("equal", "sure"), [(1, "named"), (2, "ambiguous"), (3, "ambiguous"), (4, "nothing")]
)
def test_up_to_three_mistakes_that_fit_equally_are_given_as_possible(equal: int, sure: str) -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    names = ["first", "second", "third", "fourth"][:equal]
    others = [("other", run({"x": 4}))]
    mistakes = bank(spec, expected, *others, *((name, wrong) for name in names))
    found = told(spec, wrong, expected, mistakes)
    assert found.cause is not None and found.cause.sure == sure
    told_names = [] if sure == "nothing" else [f"name of {name}" for name in names]
    assert [mistake.name for mistake in found.cause.mistakes] == told_names
    listed = " ".join(f"({n}) {name}" for n, name in enumerate(names, start=1))
    words = {"named": "first", "ambiguous": f"{SEVERAL} {listed}", "nothing": ""}
    assert found.diagnosis == words[sure]


def test_equal_words_of_two_mistakes_are_told_once() -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    found = told(spec, wrong, expected, bank(spec, expected, ("same", wrong), ("same", wrong)))
    assert found.cause is not None and found.cause.sure == "ambiguous"
    assert found.diagnosis == "same"


def test_a_mistake_equal_in_results_goes_before_one_equal_in_words_alone() -> None:
    spec = assignment("relation")
    expected, three, seven = run({"x": 2}), run({"x": 3}), run({"x": 7})
    mistakes = bank(spec, expected, ("three", three), ("seven", seven))
    assert told(spec, seven, expected, mistakes).diagnosis == "seven"
    assert told(spec, run({"x": 9}), expected, mistakes).diagnosis.startswith(SEVERAL)


def test_equal_evidence_gives_equal_bytes() -> None:
    spec, expected, wrong = assignment(), run({"x": 6}), run({"x": 5})
    mistakes = bank(spec, expected, ("first", wrong), ("second", wrong))
    once, again = (told(spec, wrong, expected, mistakes) for _ in range(2))
    assert msgspec.json.encode(once) == msgspec.json.encode(again)


# ---------------------------------------------------------------- kinds of evidence


def test_a_text_in_the_place_of_a_number_is_compared_as_text() -> None:
    assert diagnosed("value", 6, "6,0", "6,0", number=True).diagnosis == ADVICE
    assert diagnosed("value", 6, "6,0", "6.0", number=True).diagnosis == ""


def test_a_forgotten_return_is_named_where_it_is_known() -> None:
    nothing = {"f/0": None, "f/1": None}
    assert diagnosed("function", {"f/0": 1, "f/1": 4}, nothing, nothing).diagnosis == ADVICE


def test_a_wrong_dtype_must_be_the_mistakes() -> None:
    right, mistake = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]).double()
    own = {"f/0": mistake, "f/1": mistake}
    whole = {"f/0": right.int(), "f/1": right.int()}
    expected = {"f/0": right, "f/1": right}
    assert diagnosed("function", expected, own, own, dtype="float32").diagnosis == ADVICE
    assert diagnosed("function", expected, own, whole, dtype="float32").diagnosis == ""


def test_two_wrong_results_of_equal_shape_are_not_one_mistake() -> None:
    """Both are told in the same words: only their shape is wrong to speak of."""
    right, mistake, other = torch.ones(3), torch.ones(4), torch.zeros(4)
    assert diagnosed("value", right, mistake, mistake).diagnosis == ADVICE
    assert diagnosed("value", right, mistake, other).diagnosis == ""


def test_integers_beside_each_other_are_two_mistakes() -> None:
    assert diagnosed("value", 38_400_000, 38_400_768, 38_400_769).diagnosis == ""
    assert diagnosed("value", 38_400_000, 38_400_768, 38_400_768.0, number=True).diagnosis == ADVICE


def test_an_address_in_an_exceptions_text_makes_no_difference() -> None:
    texts = [f"<f at 0x7f{digit}> is no number" for digit in "ab"]
    mistake, student = ({"f/0": 1, "f/1": raised("TypeError", text)} for text in texts)
    assert diagnosed("function", {"f/0": 1, "f/1": 4}, mistake, student).diagnosis == ADVICE


NASTY_NAMES = {one.__name__: one for one in (Complex, Module, Opaque, Whole, Mapping, Items, Array)}
NASTY: list[Value] = [evaluated(text, NASTY_NAMES) for text in table_beside(__file__, "nasty")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["value", "function", "relation", "module", "raises"])
def test_no_claim_raises_or_takes_long(kind: str) -> None:
    """Each nasty value as the student's, beside a bank that holds all the others."""
    spec = assignment(kind)
    fine = {"x": torch.nn.Linear(3, 2)} if kind == "module" else {"x": 6}
    calls = [raised("ValueError")] * 2 if kind == "raises" else [torch.rand(2, 3), torch.ones(2, 3)]
    expected = run({**fine, "f/0": calls[0], "f/1": calls[1]})
    runs = [run(dict.fromkeys(("x", "f/0", "f/1"), Outcome("returned", v))) for v in NASTY]
    mistakes = bank(spec, expected, *((str(n), one) for n, one in enumerate(runs)))
    assert all(dict(mistake.findings) for mistake in mistakes)  # once for a class
    for number, one in enumerate(runs):
        verdicts = judge(spec, one, Reference(expected, CASES, RELATIONS))
        others = mistakes[:number] + mistakes[number + 1 :]
        with costs_at_most(0.5):
            found = diagnose(spec, verdicts, one, Reference(expected, CASES), others)
        assert [v.status for v in found] == [v.status for v in verdicts]
        assert diagnose(spec, verdicts, one, Reference(expected, CASES), mistakes)
