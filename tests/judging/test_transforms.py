"""Right results in a simple disguise: named when it can be seen, and never when it is trivial."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.evidence.records import Run
from autograder.judging.checks.arrays import Bounds
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import probes
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import known
from autograder.judging.diagnosis.transforms.change import ComparedPair
from autograder.judging.diagnosis.transforms.recognise import recognise
from autograder.judging.judge import judge
from autograder.judging.verdict import DeviceOutcome, Status, Verdict
from autograder.wire.tensors import to_wire
from tests.support.local_answers import assignment_of
from tests.support.made_diagnosis import said
from tests.support.made_trials import ret
from tests.support.made_trials import run as run_of
from tests.support.tables import evaluated, table_beside

BOUNDS = Bounds(1e-6, 1e-6)
RNG = np.random.default_rng(3)
TABLE, OTHER, DEEP = RNG.normal(size=(5, 4)), RNG.normal(size=(3, 3)), RNG.normal(size=(2, 4, 3))


SYMMETRIC = OTHER + OTHER.T
NARROW, WIDE = RNG.normal(size=(6, 3)), RNG.normal(size=(2, 7))
CHANGES = table_beside(__file__)


@pytest.mark.parametrize("pairs", CHANGES)
def test_a_change_is_named_where_the_numbers_show_it_and_gives_nothing_away(pairs: str) -> None:
    given = [
        ComparedPair(np.asarray(a, np.float64), np.asarray(e, np.float64), BOUNDS)
        for a, e in evaluated(f"[{pairs}]", globals())
    ]
    found = recognise(given)
    assert (found.words if found else "") == CHANGES[pairs]


# ---------------------------------------------------------------- through the whole diagnosis

CASES = {"sizes": ((to_wire(1),), (to_wire(2),)), "hidden": ((to_wire(3),),)}
COMMON = {"title": "it is right", "points": 1, "kind": "function", "call": "f"}
SPEC = assignment_of(
    {"id": "seen", "inputs": "sizes", "public": True, **COMMON},
    {"id": "kept", "inputs": "hidden", **COMMON},
)
TABLES = (TABLE, OTHER, RNG.normal(size=(2, 6)))


def run(*results: Any) -> Run:
    ids = ("call/f/sizes/0", "call/f/sizes/1", "call/f/hidden/0")
    return run_of(dict(zip(ids, map(np.asarray, results), strict=True)))


def told(student: Run, **mistakes: Run) -> tuple[Verdict, ...]:
    reference = Reference(run(*TABLES), CASES)
    bank = [known(SPEC.exercise[0], said(n), one, reference) for n, one in mistakes.items()]
    return diagnose(SPEC, judge(SPEC, student, reference), student, reference, bank)


def test_a_disguise_of_the_right_result_is_told_without_a_number() -> None:
    for verdict in told(run(*(t.T for t in TABLES))):
        assert verdict.diagnosis == (
            "Your result is the right one, but transposed: rows and columns are swapped."
        )
        assert verdict.cause is not None and verdict.cause.transform == "transposed"
        assert (verdict.cause.sure, verdict.cause.mistakes) == ("named", ())


def test_a_known_mistake_goes_before_a_disguise() -> None:
    turned = run(*(t.T for t in TABLES))
    for verdict in told(turned, turn=turned):
        assert verdict.diagnosis == "turn"


def test_a_known_mistake_in_a_disguise_is_named_with_it() -> None:
    added = [t + np.arange(t.size).reshape(t.shape) for t in TABLES]
    for verdict in told(run(*(t.T for t in added)), add=run(*added)):
        assert verdict.diagnosis.startswith("add Your result is what that gives, but transposed")
        assert verdict.cause is not None and verdict.cause.transform == "transposed"
        assert [mistake.name for mistake in verdict.cause.mistakes] == ["name of add"]


def test_two_known_mistakes_in_a_disguise_are_not_told_apart_by_guessing() -> None:
    added = [t + np.arange(t.size).reshape(t.shape) for t in TABLES]
    found = told(run(*(t.T for t in added)), add=run(*added), again=run(*added))
    assert {v.diagnosis for v in found} == {""}


def test_a_known_mistake_that_shows_nowhere_else_is_no_part_of_a_disguise() -> None:
    """A mistake that passes these checks has the right results: the disguise is theirs."""
    almost = [t + 5e-8 for t in TABLES]
    found = told(run(*(t.T + 1.2e-7 for t in TABLES)), almost=run(*almost))
    assert all(v.cause is None or not v.cause.mistakes for v in found)


def test_a_disguise_in_some_calls_alone_is_none() -> None:
    found = told(run(TABLES[0].T, TABLES[1], TABLES[2].T))
    assert {v.diagnosis for v in found} == {""}


def test_what_is_right_but_for_a_changed_argument_is_no_disguise_of_a_mistake() -> None:
    """Twice a mistake that halves is the right result again."""
    ids = ("call/f/sizes/0", "call/f/sizes/1", "call/f/hidden/0")
    student = run_of({id_: ret(t, changed=(0,)) for id_, t in zip(ids, TABLES, strict=True)})
    for verdict in told(student, halve=run(*(t / 2 for t in TABLES))):
        assert (verdict.status.value, verdict.diagnosis) == ("failed", "")


@pytest.mark.parametrize("on_cpu", ["right", "wrong"])
def test_what_is_wrong_on_devices_only_is_no_change_of_the_numbers(on_cpu: str) -> None:
    """With stand-ins for earlier parts, the numbers may differ although they are right."""
    spec = assignment_of({"kind": "device", "call": "f", "inputs": "sizes"})
    devices = (DeviceOutcome("cpu", "beside", on_cpu), DeviceOutcome("cuda", "simulated", "wrong"))
    verdict = Verdict("ex", "c0", "device", False, Status.FAILED, 0, 1000, devices=devices)
    asked = [
        probe.id.removeprefix("ex/") for probe in probes(spec.exercise[0].check[0], "ex", CASES)
    ]
    right, doubled = (run_of(dict.fromkeys(asked, table)) for table in (TABLE, 2 * TABLE))
    (found,) = diagnose(spec, [verdict], doubled, Reference(right, CASES), ())
    told = "Your result is the right one, but multiplied by 2."
    assert found.diagnosis == ("" if on_cpu == "right" else told)
