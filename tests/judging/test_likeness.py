"""A known mistake is named only where the work is like it as a whole, not in one check alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.relation import RelationView
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import known
from autograder.judging.judge import judge
from autograder.wire.tensors import to_wire
from tests.support.local_answers import assignment_of
from tests.support.made_diagnosis import said
from tests.support.made_trials import run as run_of

CASES = {"few": ((to_wire(1),),), "more": ((to_wire(2),),), "most": ((to_wire(3),),)}


def run(**values: Any) -> Run:
    """Names of ``CASES`` hold what a call of f returned, other names what they hold."""
    return run_of({f"call/f/{n}/0" if n in CASES else f"read/{n}": v for n, v in values.items()})


def told(
    assignment: Assignment,
    right: Run,
    student: Run,
    relations: Mapping[str, Any] | None = None,
    **mistakes: Run,
) -> list[str]:
    """The diagnosis of each check; each mistake's advice is its name."""
    reference = Reference(right, CASES, relations or {})
    bank = [
        known(assignment.exercise[0], said(name), one, reference) for name, one in mistakes.items()
    ]
    verdicts = judge(assignment, student, reference)
    return [v.diagnosis for v in diagnose(assignment, verdicts, student, reference, bank)]


FUNCTION_CHECKS = [{"kind": "function", "call": "f", "inputs": name} for name in CASES]
FUNCTION = assignment_of(*FUNCTION_CHECKS)
VALUES = assignment_of(*({"kind": "value", "name": name} for name in ("x", "y", "z")))


def test_a_function_that_goes_wrong_otherwise_elsewhere_has_not_this_mistake() -> None:
    right, mistake = run(few=1, more=2, most=3), run(few=1, more=2, most=9)
    assert told(FUNCTION, right, run(few=1, more=2, most=9), seen=mistake) == ["", "", "seen"]
    assert told(FUNCTION, right, run(few=8, more=2, most=9), seen=mistake) == ["", "", ""]
    assert told(FUNCTION, right, run(few=8, more=8, most=9), seen=mistake) == ["", "", ""]


def test_a_value_that_a_mistake_shares_by_chance_does_not_name_it() -> None:
    right, mistake = run(x=1, y=2, z=3), run(x=7, y=8, z=9)
    assert told(VALUES, right, run(x=1, y=2, z=9), seen=mistake) == ["", "", ""]
    assert told(VALUES, right, run(x=1, y=8, z=9), seen=mistake) == ["", "seen", "seen"]


def test_of_several_mistakes_the_likest_is_named() -> None:
    right, student = run(x=1, y=2, z=3), run(x=1, y=8, z=9)
    near, same = run(x=7, y=8, z=9), run(x=1, y=8, z=9)
    assert told(VALUES, right, student, near=near, same=same) == ["", "same", "same"]


def test_a_result_that_is_wrong_in_another_way_elsewhere_speaks_against_a_mistake() -> None:
    right, mistake = run(x=1, y=2, z=3), run(x=7, y=8, z=9)
    assert told(VALUES, right, run(x=7, y=8, z=4), seen=mistake) == ["", "", ""]


def test_two_mistakes_in_two_functions_are_both_named() -> None:
    right = run(few=1, more=2, most=3, y=4)
    both_kinds = assignment_of(*(FUNCTION_CHECKS), {"kind": "value", "name": "y"})
    function, value = run(few=8, more=8, most=8, y=4), run(few=1, more=2, most=3, y=5)
    both = run(few=8, more=8, most=8, y=5)
    known_ = {"function": function, "value": value}
    assert told(both_kinds, right, both, **known_) == ["function"] * 3 + ["value"]
    assert told(both_kinds, right, both, value=value) == [""] * 4


def test_what_an_unknown_mistake_breaks_as_well_leaves_most_of_the_exercise_unlike() -> None:
    right, zeros = run(x=1, y=2, z=3), run(x=0, y=0, z=0)
    assert told(VALUES, right, zeros, seen=run(x=1, y=2, z=0)) == ["", "", ""]


def test_hidden_checks_alone_are_enough() -> None:
    """What is not among the verdicts is not looked at, in favour or against."""
    right, mistake = run(few=1, more=2, most=3), run(few=7, more=2, most=9)
    bank = [known(FUNCTION.exercise[0], said("m"), mistake, Reference(right, CASES))]
    student = run(few=5, more=2, most=9)
    verdicts = judge(FUNCTION, student, Reference(right, CASES))
    for given, expected in ((verdicts, [""] * 3), (verdicts[1:], ["", "m"])):
        found = diagnose(FUNCTION, given, student, Reference(right, CASES), bank)
        assert [v.diagnosis for v in found] == expected


def test_equal_words_about_results_of_another_form_are_not_one_mistake() -> None:
    """A relation may say the very same of a list of numbers and of a list of texts."""

    def is_five(seen: RelationView) -> Iterator[str]:
        if seen.value("x") != 5:
            yield "`x` is not right."

    relations = {"is_five": is_five}
    one = assignment_of({"kind": "relation", "relation": "is_five", "reads": ["x"]})
    right, texts, numbers = run(x=5), run(x=["a", "b"]), run(x=[1, 2])
    for student, expected in ((texts, "texts"), (run(x=["c", "d"]), "texts"), (numbers, "")):
        assert told(one, right, student, relations, texts=texts) == [expected]


def test_methods_of_one_class_speak_for_and_against_one_mistake() -> None:
    checks = [{"kind": "function", "call": f"C.{n}", "inputs": "few"} for n in ("f", "g")]
    both = assignment_of(*checks)

    def made(f: int, g: int) -> Run:
        return run_of({"call/C.f/few/0": f, "call/C.g/few/0": g})

    assert told(both, made(1, 2), made(8, 9), seen=made(8, 9)) == ["seen", "seen"]
    assert told(both, made(1, 2), made(8, 2), seen=made(8, 9)) == ["", ""]


def test_of_calls_alone_equal_words_prove_nothing() -> None:
    """Calls get equal inputs: one mistake gives equal results. A student's own name may differ."""

    def is_even(seen: RelationView) -> Iterator[str]:
        if any(call.number() % 2 for call in seen.calls("f", "few")):
            yield "That is odd."

    relations = {"is_even": is_even}
    calls = [{"call": "f", "inputs": "few"}]
    for reads, expected in (((), ["", "seen"]), (("x",), ["seen", "seen"])):
        one = assignment_of(
            {"kind": "relation", "relation": "is_even", "reads": reads, "calls": calls}
        )
        right, mistake = run(x=1, few=2), run(x=2, few=3)
        for student, words in zip((run(x=7, few=5), run(x=7, few=3)), expected, strict=True):
            assert told(one, right, student, relations, seen=mistake) == [words]


def test_a_mistake_that_would_break_as_much_again_is_not_named() -> None:
    right, student = run(x=1, y=2, z=3), run(x=1, y=2, z=9)
    assert told(VALUES, right, student, seen=run(x=1, y=8, z=9)) == ["", "", ""]
    assert told(VALUES, right, student, seen=run(x=1, y=2, z=9)) == ["", "", "seen"]


def test_results_of_several_tensors_are_compared_part_by_part() -> None:
    """Within the tolerance, also where the parts have no form in common."""

    def pair(by: float, *, rows: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.ones(rows, 3) * by, torch.tensor(by)

    check = {"kind": "function", "call": "f", "inputs": "few"}
    one = assignment_of(
        {**check, "tolerance": {"rtol": 1e-3, "atol": 0.0, "why": "rounding of products"}}
    )
    right, mistake = run(few=pair(1)), run(few=pair(7))
    for own, expected in (
        (pair(7), "seen"),
        (pair(7.001), "seen"),
        (pair(7.1), ""),
        ((pair(7)[0], pair(1)[1]), ""),
        (pair(7, rows=1), ""),
        (pair(7)[::-1], ""),
        (pair(7)[:1], ""),
        (list(pair(7)), "seen"),
    ):
        assert told(one, right, run(few=own), seen=mistake) == [expected]
