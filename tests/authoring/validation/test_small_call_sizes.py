"""How many numbers a small call holds that a student reads, and why no smaller one is shown."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import torch
from torch import Tensor

from autograder.authoring.validation.small_call_sizes import (
    LARGER,
    MADE,
    NOT_ASKED,
    REFUSED,
    RIGHT_BELOW,
    WRITTEN,
    numbers_in,
    why_so_large,
)
from autograder.judging.checks.finding import Cases, Reference
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.judge import judge
from autograder.judging.verdict import SmallestCall
from tests.support.local_answers import answers, assignment_of, every_call
from tests.support.made_calls import wire

SPEC = assignment_of({"id": "c", "kind": "function", "call": "f", "inputs": "many"})
MANY = tuple(wire(torch.arange(3.0, 3.0 + n)) for n in (5, 7, 10))
OWN = (wire(torch.arange(8.0)),)
Function = Callable[[Tensor], Tensor]


def test_numbers_are_counted_in_the_call_and_in_both_results() -> None:
    for call, expected, actual, count in (
        ("rotate(torch.tensor([[1., 2.]]), 1)", "tensor([-2., 1.])", "tensor([2.0, 1e-05])", 7),
        ("f('a b')", "[0, 1]", "KeyError", 2),
        ("x2(torch.ones(1, dtype=torch.float32))", "None", "None", 1),
    ):
        assert numbers_in(SmallestCall(call, expected, actual)) == count


def reasons(right: Function, wrong: Function, cases: Cases, *, fewest: int = 0) -> list[str]:
    """Why the small call of a wrong answer is large; ``fewest``: how many of its small calls were
    not asked, the smallest first."""
    asked = every_call(SPEC.exercise[0], cases)
    reference = Reference(answers(asked, {"f": right}), cases)
    run = answers(asked, {"f": wrong})
    lost = [record for record in run.probes if is_small(record.id)][:fewest]
    run = msgspec.structs.replace(run, probes=tuple(r for r in run.probes if r not in lost))
    verdicts = diagnose(SPEC, judge(SPEC, run, reference), run, reference, [])
    return list(why_so_large(SPEC.exercise[0], verdicts, run, reference))


def test_a_large_small_call_has_a_reason() -> None:
    def long(x: Tensor) -> Tensor:
        return x[:4] if len(x) > 4 else torch.tensor([1e-9, 1e9])  # no room for rounding

    def outer(x: Tensor) -> Tensor:
        return x.sum() * torch.ones(3, 3)

    def wide(x: Tensor) -> Tensor:
        return torch.cat([x] * 3)

    made, own = {"many": MANY}, {"many": MANY, "many_small": OWN}
    mixed = {"many": MANY, "many_small": (wire(torch.arange(3.0)), *OWN)}
    for right, wrong, cases, reason in (
        (outer, lambda x: outer(x) + 1, made, f"{MADE} has 19 numbers"),
        (lambda x: x, lambda x: x + 1, own, f"{WRITTEN} has 24 numbers"),
        (long, lambda x: torch.ones(20), mixed, REFUSED),
        (wide, lambda x: wide(x) + (len(x) > 2), made, RIGHT_BELOW),
        (lambda x: x.sum(), lambda x: torch.ones(20), made, LARGER),
        (lambda x: x, lambda x: x + 1, made, ""),
    ):
        assert reasons(right, wrong, cases) == ([f"function: {reason}"] if reason else [])


def test_smaller_calls_that_are_not_asked_are_a_reason() -> None:
    wrong: Function = lambda x: x + 1  # noqa: E731
    assert reasons(
        lambda x: x, wrong, {"many": MANY, "many_small": (wire(torch.ones(2)), *OWN)}, fewest=1
    ) == [f"function: {NOT_ASKED}"]
