"""What is made once for a class is what would be made for each student."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.assignment.load import Loaded, load, make_cases
from autograder.judging.checks.finding import Cases
from autograder.judging.checks.plan import JudgingPlan
from autograder.judging.checks.registry import probes
from autograder.wire.messages import Probe
from tests.conftest import ROOT

ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "assignments").glob("*/assignment.toml"))


def asked(loaded: Loaded, cases: Cases) -> Iterator[tuple[Probe, ...]]:
    for exercise in loaded.spec.exercise:
        for check in exercise.check:
            yield probes(check, exercise.id, cases)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_plan_asks_what_its_inputs_ask_and_makes_it_once(assignment: str) -> None:
    loaded = load(ROOT / "assignments" / assignment)
    cases = make_cases(loaded, 5)
    plan = JudgingPlan(cases)
    first = list(asked(loaded, plan))
    assert first == list(asked(loaded, cases))
    assert all(one is other for one, other in zip(first, asked(loaded, plan), strict=True))
    other_class = JudgingPlan(make_cases(loaded, 6))
    assert first != list(asked(loaded, other_class))
