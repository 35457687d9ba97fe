"""What separates wrong calls from right ones: said if it is exact and was tried, else nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from autograder.assignment.arguments import by_columns, made
from autograder.evidence.records import Stop
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.call_arguments import Arguments, CallArguments
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.properties import properties
from autograder.judging.diagnosis.separation import JudgedCall, separating
from autograder.judging.judge import judge
from autograder.wire.tensors import from_wire
from autograder.wire.values import ITEMSIZE, ConstructedObject
from tests.support.local_answers import answers, assignment_of, every_call
from tests.support.made_calls import KINDS, anything, wire
from tests.support.tables import evaluated, table_beside

CALLS = 80  # of each kind; half of them are fresh
Rule = Callable[..., Any]


def plain(args: Arguments) -> list[Any]:
    """The arguments as Python values, of an object its own arguments."""
    return [
        [from_wire(value) for value in one.args]
        if isinstance(one, ConstructedObject) and one.target != "(by columns)"
        else from_wire(one.args[0] if isinstance(one, ConstructedObject) else one)
        for one in args
    ]


def judged(many: Sequence[Arguments], wrong: Sequence[bool]) -> list[JudgedCall]:
    """Calls of which the second half is fresh."""
    pairs = zip(many, wrong, strict=True)
    return [JudgedCall(tuple(a), w, 2 * i >= len(many)) for i, (a, w) in enumerate(pairs)]


def said(calls: Sequence[JudgedCall]) -> str:
    found = separating(calls)
    return found.words if found else ""


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> list[Arguments]:
    rng = np.random.default_rng(7)
    return [KINDS[request.param](rng) for _ in range(CALLS)]


# ---------------------------------------------------------------- faults, and what is said of them

# kind of call -> what is said of a fault -> the calls that it makes wrong
FAULTS = table_beside(__file__)


@pytest.mark.parametrize(
    ("name", "words"), [(name, words) for name, faults in FAULTS.items() for words in faults]
)
def test_a_fault_is_told_by_its_property(name: str, words: str) -> None:
    rule, rng = evaluated(FAULTS[name][words], globals()), np.random.default_rng(11)
    many = [KINDS[name](rng) for _ in range(CALLS)]
    assert said(judged(many, [bool(rule(*plain(args))) for args in many])) == words


def test_what_the_student_reads() -> None:
    many = [wire(number, width) for number in range(1, 5) for width in range(1, 9)]
    found = separating(judged(many, [width % 2 == 1 for *_, width in many]))
    assert found is not None and (found.wrong, found.right) == (16, 16)
    words = "Wrong in all 16 calls in which the second argument is odd; right in the other 16."
    words += " Small calls that were made to find out are among them."
    assert found.sentence == words


def test_a_tensor_that_is_not_contiguous() -> None:
    """It is not the numbers that differ."""
    ids = [torch.arange(n).reshape(2, -1) for n in (4, 4, 6, 6, 8, 8, 10, 10)]
    many = [wire(by_columns(one) if at % 2 else one) for at, one in enumerate(ids)]
    assert said(judged(many, [at % 2 == 1 for at in range(8)])) == "the ids are not contiguous"


def test_lengths_that_follow_from_each_other_are_one_explanation() -> None:
    """A table has the width that its object was made with; some calls leave it out."""
    rng = np.random.default_rng(5)
    many = []
    for width, rows in rng.integers(1, 7, size=(60, 2)).tolist():
        state = [torch.ones(rows, width)] if width == 1 or rng.random() < 0.5 else []
        many.append(wire(made("Layer", rows, width, state=state), torch.arange(3)))
    wrong = [from_wire(args[0].args[1]) == 1 for args in many]  # type: ignore[union-attr]
    assert said(judged(many, wrong)) == "the second argument of Layer is 1"


# ---------------------------------------------------------------- every property


def test_opposites_are_opposite_and_words_are_complete(kind: list[Arguments]) -> None:
    """And no number of an input is in them."""
    free = "|".join((*ITEMSIZE, "0", "1", "2"))
    for found in properties([CallArguments(args) for args in kind]):
        assert re.fullmatch(r"[A-Za-z][\w ,]*[\w]", found.words), found.words
        assert not re.search(r"\d", re.sub(rf"\b({free})\b", "", found.words)), found.words
        assert found.holds(kind[0]) is found.test(CallArguments(kind[0]))


# ---------------------------------------------------------------- when nothing is said

MANY = [wire(number, width) for width in range(1, 9) for number in (3, 4, 6, 5)]
ODD = [width % 2 == 1 for _, width in MANY]  # type: ignore[operator]
GOOD = judged(MANY, ODD)


def test_one_call_that_refutes_it_is_enough() -> None:
    assert said(GOOD) == "the second argument is odd"
    for place, call in enumerate(GOOD):
        refuted = [*GOOD[:place], replace(call, wrong=not call.wrong), *GOOD[place + 1 :]]
        assert said(refuted) != said(GOOD)


def test_all_wrong_or_all_right_calls_are_not_separated() -> None:
    for wrong in (True, False):
        assert said([replace(call, wrong=wrong) for call in GOOD]) == ""
    assert separating([]) is None


def test_fresh_calls_of_both_kinds_must_have_tried_it() -> None:
    """Two of each are enough, one is not; and it was found on others."""
    right, wrong = (
        [place for place, is_odd in enumerate(ODD) if is_odd is w] for w in (False, True)
    )
    for fresh, enough in (
        (right[:2] + wrong[:2], True),
        (right[:2] + wrong[:1], False),
        (right[:1] + wrong[:2], False),
        (right + wrong, False),
        (right + wrong[:2], False),
        (right[:2] + wrong, False),
    ):
        calls = [replace(call, fresh=place in fresh) for place, call in enumerate(GOOD)]
        assert bool(said(calls)) is enough


def test_calls_to_which_it_does_not_apply_have_not_tried_it() -> None:
    """Ids cannot be 0 in a call that has no ids."""
    zero, others = ([wire(torch.tensor([id_, n])) for n in (3, 4, 5, 6)] for id_ in (0, 1))

    def asked(right: Sequence[Arguments]) -> str:
        many = [*zero[:2], *others[:2], *zero[2:], *right]
        return said(judged(many, [True, True, False, False] * 2))

    assert "is 0" in asked(others[2:])
    assert asked([wire("a"), wire("b")]) == ""


def test_of_two_properties_that_cannot_be_told_apart_neither_is_said() -> None:
    """Odd widths and negative numbers of rows, always together."""
    same = [wire(-number if width % 2 else number, width) for number, width in MANY]  # type: ignore
    assert said(judged(same, ODD)) == ""
    apart = [*judged(same, ODD), JudgedCall(wire(-3, 2), False, True)]
    assert said(apart) == "the second argument is odd"


def test_of_two_that_are_more_specific_what_they_have_in_common_is_said() -> None:
    wrong = [(1, n, 1) for n in (4, 5, 2, 3)]
    right = [(2, 4, 3), (3, 5, 2), (3, 3, 4), (4, 2, 4)]
    shapes = [shape for pair in zip(wrong, right, strict=True) for shape in pair]
    many = [wire(torch.arange(5, 5 + math.prod(shape)).reshape(shape)) for shape in shapes]
    assert said(judged(many, [True, False] * 4)) == "an axis of the ids has length 1"


def test_each_of_two_properties_must_have_been_tried_alone() -> None:
    """A fault of id 0 in an odd width; without calls of one alone it may be the other."""
    many = [wire(number, width) for width in range(1, 9) for number in range(4)]
    wrong = [number == 0 and width % 2 == 1 for number, width in many]  # type: ignore[operator]
    calls = judged(many, wrong)
    assert said(calls) == "the first argument is 0 and the second argument is odd"
    even = [c for c in calls if not (c.fresh and c.args[0] == 0 and c.args[1] % 2 == 0)]  # type: ignore
    assert said(even) == ""


# ---------------------------------------------------------------- whatever the calls


def test_no_value_is_too_odd() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        many = [
            tuple(anything(rng) for _ in range(rng.integers(0, 4)))
            for _ in range(rng.integers(1, 12))
        ]
        separating(judged(many, [bool(w) for w in rng.integers(0, 2, size=len(many))]))
        for found in properties([CallArguments(args) for args in many]):
            assert found.words
            assert all(found.holds(args) in (True, False, None) for args in many[:2])


def test_a_constructed_object_without_a_class_is_not_looked_into() -> None:
    """What a call of the student's own returns is not known from its arguments."""
    many = [wire(made("own_table", n), n % 3) for n in range(12)]
    words = [found.words for found in properties([CallArguments(args) for args in many])]
    assert words and not any("own_table" in clause for clause in words)


def test_calls_that_never_end_are_not_left_out_of_the_count() -> None:
    """A student's code could choose by a hidden input how many there are."""
    spec = assignment_of({"id": "c", "kind": "function", "call": "f", "inputs": "many"})
    shapes = ((5, 3), (1, 2), (6, 4), (3, 7), (8, 1), (4, 3))
    cases = {"many": tuple(wire(torch.ones(shape)) for shape in shapes)}
    asked = every_call(spec.exercise[0], cases)
    reference = Reference(answers(asked, {"f": lambda x: x * 2}), cases)
    ended = answers(asked, {"f": lambda x: x * 2 if len(x) % 2 else x})
    stopped = {"claim": None, "stop": Stop("wall", "it never ended")}
    records = [
        msgspec.structs.replace(record, **stopped) if record.id.endswith("/many/5") else record
        for record in ended.probes
    ]
    never = msgspec.structs.replace(ended, probes=tuple(records))
    found = []
    for run in (ended, never):
        (verdict,) = diagnose(spec, judge(spec, run, reference), run, reference, [])
        found.append(verdict.diagnosis)
    assert "even" in found[0] and found[1] == ""
