"""A known mistake is named only where the work is like it as a whole, not in one check alone."""

from __future__ import annotations

from typing import Any

from autograder.diagnosis import diagnose, known
from autograder.judge import judge
from autograder.sandbox.run import Measured, ProbeRun, Run, Spent
from autograder.spec.model import Assignment
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_wire

CASES = {"few": ((to_wire(1),),), "more": ((to_wire(2),),), "most": ((to_wire(3),),)}
COMMON = {"title": "it is right", "points": 1}


def spec(*checks: dict[str, Any]) -> Assignment:
    numbered = [{"id": f"c{number}", **COMMON, **check} for number, check in enumerate(checks)]
    exercise = {"id": "ex", "title": "An exercise", "defines": ["x"], "check": numbered}
    return Assignment.model_validate(
        {"format": 1, "id": "a", "title": "An assignment", "exercise": [exercise]}
    )


def run(**values: Any) -> Run:
    """Names of ``CASES`` hold what a call of f returned, other names what they hold."""
    probes = []
    for name, value in values.items():
        id_ = f"ex/call/f/{name}/0" if name in CASES else f"ex/read/{name}"
        claim = Outcome("returned", to_wire(value))
        probes.append(ProbeRun(id_, claim, None, Spent(0.0, 0.0)))
    return Run((), tuple(probes), Measured(1.0, 1.0, 100.0, 1, "strong", ()))


def told(assignment: Assignment, right: Run, student: Run, **mistakes: Run) -> list[str]:
    """The diagnosis of each check; each mistake's advice is its name."""
    bank = [
        known(assignment.exercise[0], advice, mistake, right, CASES, {})
        for advice, mistake in mistakes.items()
    ]
    verdicts = judge(assignment, student, right, CASES, {})
    return [v.diagnosis for v in diagnose(assignment, verdicts, student, bank, CASES)]


FUNCTION = spec(*({"kind": "function", "call": "f", "inputs": name} for name in CASES))
VALUES = spec(*({"kind": "value", "name": name} for name in ("x", "y", "z")))


def test_a_function_that_goes_wrong_otherwise_elsewhere_has_not_this_mistake() -> None:
    right, mistake = run(few=1, more=2, most=3), run(few=1, more=2, most=9)
    assert told(FUNCTION, right, run(few=1, more=2, most=9), seen=mistake) == ["", "", "seen"]
    assert told(FUNCTION, right, run(few=8, more=2, most=9), seen=mistake) == ["", "", "seen"]
    assert told(FUNCTION, right, run(few=8, more=8, most=9), seen=mistake) == ["", "", ""]


def test_a_value_that_a_mistake_shares_by_chance_does_not_name_it() -> None:
    right, mistake = run(x=1, y=2, z=3), run(x=7, y=8, z=9)
    assert told(VALUES, right, run(x=1, y=2, z=9), seen=mistake) == ["", "", ""]
    assert told(VALUES, right, run(x=1, y=8, z=9), seen=mistake) == ["", "seen", "seen"]


def test_of_several_mistakes_the_likest_is_named() -> None:
    right, student = run(x=1, y=2, z=3), run(x=1, y=8, z=9)
    near, same = run(x=7, y=8, z=9), run(x=1, y=8, z=9)
    assert told(VALUES, right, student, near=near, same=same) == ["", "same", "same"]
