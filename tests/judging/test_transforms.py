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

BOUNDS = Bounds(1e-6, 1e-6)
RNG = np.random.default_rng(3)
TABLE, OTHER, DEEP = RNG.normal(size=(5, 4)), RNG.normal(size=(3, 3)), RNG.normal(size=(2, 4, 3))


def name(*pairs: tuple[Any, Any]) -> str:
    """The transform of the first of each pair against the second."""
    made = [
        ComparedPair(np.asarray(a, np.float64), np.asarray(e, np.float64), BOUNDS) for a, e in pairs
    ]
    found = recognise(made)
    return found.name if found else ""


def words(*pairs: tuple[Any, Any]) -> str:
    found = recognise([ComparedPair(np.asarray(a), np.asarray(e), BOUNDS) for a, e in pairs])
    return found.words if found else ""


def test_a_symmetric_table_is_not_transposed() -> None:
    symmetric = OTHER + OTHER.T
    assert name((symmetric.T, symmetric)) == ""
    assert name((symmetric.T, symmetric), (TABLE.T, TABLE)) == "transposed"


def test_a_row_laid_on_its_side_is_not_transposed() -> None:
    row = TABLE[:1]
    assert name((row.T, row)) == "reshaped"


def test_what_two_changes_explain_is_not_named() -> None:
    """Of a table of ones and zeros, many things are true."""
    assert name((np.roll(np.eye(4), 1, axis=0), np.eye(4))) == ""


def test_single_numbers_are_scaled_only_together() -> None:
    numbers = [0.3, -1.25, 4.0]
    assert name((-0.3, 0.3)) == name((0.6, 0.3)) == ""
    assert name(*((-n, n) for n in numbers)) == "negated"
    assert name(*((2 * n, n) for n in numbers)) == "scaled"
    assert name(*((n * n, n) for n in numbers)) == "squared"
    assert name(*((n * n + n, n) for n in numbers)) == ""


def test_a_factor_is_told_only_where_it_gives_nothing_away() -> None:
    assert words((2 * TABLE, TABLE)) == "multiplied by 2"
    assert words((TABLE / 2, TABLE)) == "multiplied by 1/2"
    assert words((3 * OTHER[:, :2], OTHER[:, :2])) == "multiplied by a constant"
    assert words((3 * TABLE, TABLE), (3 * DEEP, DEEP)) == "multiplied by 3"
    assert words((17.25 * TABLE, TABLE)) == "multiplied by a constant"
    assert not any(digit in words((17.25 * TABLE, TABLE)) for digit in "0123456789")


def test_a_factor_that_follows_from_the_width_is_told_as_its_rule() -> None:
    narrow, wide = RNG.normal(size=(6, 3)), RNG.normal(size=(2, 7))
    pairs = [(np.sqrt(t.shape[-1]) * t, t) for t in (narrow, wide)]
    assert words(*pairs).startswith("multiplied by the square root of its width")
    divided = [(t / t.shape[-1], t) for t in (narrow, wide)]
    assert words(*divided).startswith("divided by its width")
    assert words((2.5 * narrow, narrow), (5.1 * wide, wide)) == ""


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


def test_rows_moved_in_short_tables_too_are_recognised() -> None:
    pairs = [(np.roll(t, 1, axis=0), t) for t in (TABLE, TABLE[:2], TABLE[:1], TABLE[:0])]
    assert name(*pairs) == "rolled"


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
