"""Student-like code under the simulation has the verdicts that a CUDA build gives it."""

from __future__ import annotations

import pytest

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.explain import fault_of
from autograder.runner.simulated_device.unsupported import not_simulated
from tests.support.device_cases import CASES, MORE, Case
from tests.support.device_driver import run


@pytest.mark.parametrize("case", (*CASES, *MORE), ids=lambda case: case.id)
def test_verdicts(case: Case) -> None:
    with SimulatedAccelerator():
        beside = run(case, "cpu")
    with SimulatedAccelerator():
        on_device = run(case, "cuda")
    assert (beside.verdict, on_device.verdict) == (case.cpu, case.cuda), (
        beside.error,
        on_device.error,
    )
    for seen in (beside, on_device):
        if seen.verdict != "E":
            continue
        assert seen.error is not None
        assert case.at and case.at in seen.line
        assert not_simulated(seen.error) == ""
        fault = fault_of(seen.error, arguments=seen.arguments, names=seen.names or {})
        if not case.origin[0]:  # no rule of a device was broken
            assert fault is None
            continue
        assert fault is not None
        told = fault.source if fault.origin == "made" else fault.name
        assert (fault.origin, told) == case.origin


def test_every_kind_of_verdict_is_among_the_cases() -> None:
    assert (len(CASES), len(MORE)) == (66, 70)
    assert len({case.id for case in (*CASES, *MORE)}) == len(CASES) + len(MORE)
    assert {case.cuda for case in CASES} == {"ok", "E", "D", "V"}
    assert sum(case.cpu == "E" for case in CASES) == 4
