"""Small calls: of the form of a check's own, bounded in number, and passed by the solution."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from autograder.assignment.model import Exercise
from autograder.grading.device_runs import real_device
from autograder.judging.checks.finding import Args, Cases, Reference
from autograder.judging.checks.registry import probes as own_probes
from autograder.judging.checks.relation import RelationView
from autograder.judging.diagnosis.case_outcomes import small_outcomes
from autograder.judging.diagnosis.case_trial import again_id, is_small
from autograder.judging.diagnosis.small_calls import (
    MOST_CALLS,
    asked_again,
    asked_of,
    passed,
    small_probes,
    tried_probes,
)
from autograder.judging.verdict import Status, Verdict
from autograder.wire.messages import Call, Outcome
from tests.support.local_answers import answers, assignment_of
from tests.support.made_calls import wire
from tests.support.tables import table_beside

TABLES = tuple(
    wire(torch.arange(float(r * c)).reshape(r, c) * 977, 2.0) for r, c in ((5, 7), (3, 8))
)
CASES: dict[str, tuple[Args, ...]] = {
    "shown": (wire(torch.tensor([[1.0, 2.0]]), 1.0), wire(torch.ones(2, 3), 2.0)),
    "hidden": TABLES,
    "wrong": (wire(torch.zeros(4), 3.0),),
    "said": (wire("the cat sat"), wire("on the mat")),
    "meant": (wire("a quixotic walrus slept"),),
}
CHECKS = table_beside(__file__, "checks")
SCALED = ("scaled", "times", "larger", "multiple", "product")  # functions that do the same


def scaled(table: torch.Tensor, by: float) -> torch.Tensor:
    if table.dim() != 2:
        raise ValueError("a table has two axes")
    if table.shape[0] == table.shape[1]:
        raise RuntimeError("something that the text does not say")
    return table * by


def words(text: str) -> int:
    return len(text.split())


def is_longer(seen: RelationView) -> Iterator[str]:
    pairs = zip(seen.calls("words", "said"), seen.calls("drawn", "said"), strict=True)
    if not all(one.number() < other.number() for one, other in pairs):
        yield "It is not longer."


def exercise(*checks: Mapping[str, Any]) -> Exercise:
    return assignment_of(*(checks or CHECKS)).exercise[0]


def reference(asked: Exercise, cases: Cases) -> Reference:
    """The solution's answers. ``drawn`` gives something random: for a single word it is large with
    the first seed only."""
    probes = tried_probes(asked, cases)
    functions = {"words": words, "drawn": lambda text: 100, **dict.fromkeys(SCALED, scaled)}
    run = answers(probes, functions)
    texts = {
        probe.id: str(probe.request.args[0]) for probe in probes if isinstance(probe.request, Call)
    }
    records = tuple(
        msgspec.structs.replace(record, claim=Outcome("returned", 0))
        if "/seed " in record.id
        and record.claim == Outcome("returned", 100)
        and " " not in texts[record.id]
        else record
        for record in run.probes
    )
    run = msgspec.structs.replace(run, probes=records)
    return Reference(run, cases, {"is_longer": is_longer})


def test_calls_on_a_device_count_though_the_machine_lacks_another() -> None:
    asked = exercise({**CHECKS[1], "kind": "device", "devices": ["cuda"], "lands": "any"})
    cases = dict(CASES)
    probes = [probe for probe in tried_probes(asked, cases) if not real_device(probe)]
    assert len(probes) < len(tried_probes(asked, cases))
    right = Reference(answers(probes, {"scaled": scaled}), cases, {})
    wrong = answers(probes, {"scaled": lambda table, by: table + by})
    failed = [Verdict("ex", "hidden", "device", False, Status.FAILED, 0, 1)]
    found = small_outcomes(asked, failed, wrong, right)
    assert found and any(outcome.wrong for outcome in found)
    assert not any(outcome.wrong for outcome in small_outcomes(asked, failed, right.run, right))


def test_a_submission_is_asked_a_bounded_number_of_calls() -> None:
    more = [{**CHECKS[1], "id": name, "call": name} for name in SCALED[1:]]
    asked = exercise(*CHECKS, *more)
    right = reference(asked, dict(CASES))
    names = [check.id for check in asked.check]
    assert len(small_probes(asked, right)) > 2 * MOST_CALLS
    for count in (1, len(names) - 1, len(names)):
        for failed in itertools.combinations(names, count):
            trials = asked_of(asked, failed, right)
            ids = {probe.id for trial in trials for probe in trial.probes}
            assert len(ids) <= MOST_CALLS
            assert {trial.check.id for trial in trials} == set(failed)  # each has some
            again = [probe.id for probe in asked_again(trials)]
            assert 0 < len(again) == len({*again}) <= MOST_CALLS - len(ids)
            assert {*again} <= {again_id(id_) for id_ in ids} and is_small(again[0])
    assert asked_of(asked, (), right) == ()


def test_no_small_call_is_a_call_of_a_check() -> None:
    """The first case is just what the smallest call of its form would be, and another check has
    the second."""
    asked = exercise()
    small = (wire(torch.tensor([[1.0, 2.0, 3.0]]), 2.0), wire("a"))
    cases = {**CASES, "hidden": (*TABLES, small[0]), "meant": (*CASES["meant"], small[1])}
    used = {case for several in cases.values() for case in several}
    calls = {p.request.args for p in tried_probes(asked, cases) if isinstance(p.request, Call)}
    assert calls.isdisjoint(used)
    calls = {p.request.args for p in tried_probes(asked, CASES) if isinstance(p.request, Call)}
    assert set(small) <= calls
    named = exercise(*CHECKS, {**CHECKS[1], "id": "also", "inputs": "hidden_small"})
    cases = {**CASES, "hidden_small": small[:1]}  # a check's own, too, in spite of its name
    calls = {p.request.args for p in tried_probes(named, cases) if isinstance(p.request, Call)}
    assert small[0] not in calls


def test_what_the_solution_does_not_pass_is_not_asked() -> None:
    """It raises for square tables, of which no text speaks and no check asks."""
    asked = exercise()
    right = reference(asked, dict(CASES))
    tried = {p.request.args for p in tried_probes(asked, CASES) if isinstance(p.request, Call)}
    square = wire(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 2.0)
    assert square in tried
    assert square not in {trial.args for trial in passed(asked, right)}
    raised = {
        record.id
        for record in right.run.probes
        if record.claim and record.claim.error and "RuntimeError" in record.claim.error.types
    }
    assert raised and raised.isdisjoint(p.id for p in small_probes(asked, right))


def test_a_relation_must_hold_with_every_seed() -> None:
    asked = exercise()
    right = reference(asked, dict(CASES))
    texts = {str(t.args[0]) for t in passed(asked, right) if t.check.id == "pair"}
    assert texts and all(" " in text for text in texts)
    assert any(" " not in str(t.args[0]) for t in passed(asked, right) if t.check.id == "said")


def test_numbers_too_large_for_the_tolerance_are_not_asked() -> None:
    """Right answers round in another order; a narrow tolerance would call them wrong."""
    asked = exercise(
        {**CHECKS[1], "tolerance": {"rtol": 0.0, "atol": 1e-5, "why": "measured for this test"}}
    )
    own = tuple(wire(torch.tensor([[by, 0.0, 1.0]]), 1.0) for by in (1.0, 30.0, 300.0, math.inf))
    right = reference(asked, {**CASES, "hidden_small": own})
    assert [trial.args for trial in passed(asked, right)] == [own[0], own[1], own[3]]


@pytest.mark.parametrize("zero", [False, True])
def test_results_that_are_not_finite_are_asked_only_where_a_check_has_some(zero: bool) -> None:
    """The logarithm of 0, which a right answer may refuse, is asked only of those who saw it."""
    asked = exercise({**CHECKS[1], "call": "logarithms"})
    cases = {**CASES, "hidden": wire_each(torch.tensor([[3.5, 0.0 if zero else 7.5]]))}
    probes = (*tried_probes(asked, cases), *own_probes(asked.check[0], asked.id, cases))
    right = Reference(answers(probes, {"logarithms": torch.log}), cases, {})
    found = [trial.args[0] for trial in passed(asked, right)]
    assert found
    assert any(0.0 in numbers(value) for value in found) is zero


def wire_each(*tensors: torch.Tensor) -> tuple[Args, ...]:
    return tuple(wire(tensor) for tensor in tensors)


def numbers(value: Any) -> list[float]:
    return list(np.frombuffer(value.data, "<f4"))


def test_an_authors_own_small_calls_are_used_instead() -> None:
    asked = exercise(CHECKS[1], CHECKS[4])
    own = (wire(torch.tensor([[7.0, 8.0, 9.0]]), 2.0), wire(torch.tensor([[6.0, 5.0]]), 1.0))
    right = reference(asked, {**CASES, "hidden_small": own})
    given = {trial.args for trial in passed(asked, right) if trial.check.id == "hidden"}
    assert given == set(own)
    assert any(trial.check.id == "meant" for trial in passed(asked, right))
    none = reference(asked, {**CASES, "hidden_small": ()})
    assert not any(trial.check.id == "hidden" for trial in passed(asked, none))


def test_several_generators_have_own_small_calls_together_or_not_at_all() -> None:
    asked = exercise({**CHECKS[0], "id": "both", "alternatives": ["hidden"]})
    one, other = CASES["shown"], wire(torch.zeros(1, 2), 2.0)
    for small, expected in (
        ({"shown_small": (other,), "hidden_small": (other, one[0])}, 1),
        ({"shown_small": (other,), "hidden_small": ()}, 0),
        ({"shown_small": (), "hidden_small": (other,)}, 0),
    ):
        cases = {**CASES, **small}
        calls = {p.request.args for p in tried_probes(asked, cases) if isinstance(p.request, Call)}
        assert len(calls) == expected


def test_words_are_those_of_public_inputs() -> None:
    asked = exercise(CHECKS[3], CHECKS[4])
    texts = {
        str(p.request.args[0]) for p in tried_probes(asked, CASES) if isinstance(p.request, Call)
    }
    said = {word for text in texts for word in text.split()}
    assert said & {"the", "cat", "sat", "on", "mat"}
    assert not said & {"quixotic", "walrus", "slept"}
