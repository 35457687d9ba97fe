"""Calls of one check that are sent together: what is inside when, and what happens to the rest."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from autograder.evidence.records import Run
from autograder.evidence.stops import TOO_MUCH
from autograder.sandbox.account import RunAccount
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.wire.messages import Call, CallEnvironment, Cell, Job, Limits, Probe
from autograder.wire.tensors import from_wire
from autograder.wire.values import Items, Value
from tests.support.tables import table_beside

LIMITS = Limits(
    cell_cpu_s=5,
    cell_wall_s=20,
    call_cpu_s=0.3,
    call_wall_s=5,
    submission_wall_s=60,
    memory_mb=1024,
    disk_mb=16,
    output_kb=16,
    reply_mb=1,
)
START, FORGE = table_beside(__file__).values()  # cells


def calls(
    target: str, count: int, *more: Value, check: str = "e/c", **options: object
) -> tuple[Probe, ...]:
    """``target(0, ...)``, ``target(1, ...)`` and so on, asked by one check."""
    requests = [Call("e", target, (n, *more), **options) for n in range(count)]  # type: ignore[arg-type]
    return tuple(
        Probe(f"{check}/{target}/{n}", "e", request, check) for n, request in enumerate(requests)
    )


def job(probes: Sequence[Probe], **limits: float) -> Job:
    bounds = msgspec.structs.replace(LIMITS, **limits)
    return Job((Cell(1, START, "e"),), (("e", 1),), tuple(probes), 1, bounds, draw=False)


def values(made: Run) -> list[object]:
    """What each call returned, or the cause for which it was stopped."""
    return [
        probe.stop.cause if probe.stop is not None else from_wire(probe.claim.value)  # type: ignore[union-attr]
        for probe in made.probes
    ]


def acting(source: str, number: int) -> tuple[Probe, ...]:
    """Five calls, of which one does what the source says."""
    return calls("acts", 5, Items("tuple", (source, number)))


def test_inputs_of_one_check_are_inside_together_and_of_no_other(plain_box: Box) -> None:
    """The first call of a function goes alone: how it returns tells whether others may follow."""
    asked = (*calls("waits", 3), *calls("waits", 3, check="e/hidden"))
    timed = calls("waits", 2, check="e/timed", discard=True)
    made = run(job([*asked, *timed]), plain_box)
    assert values(made)[:6] == [False, True, False, True, True, False]
    assert values(made)[6:] == [False, False]
    alone = tuple(msgspec.structs.replace(probe, check="") for probe in asked)
    assert values(run(job(alone), plain_box)) == [False] * 6


@pytest.mark.parametrize(
    ("source", "cause"),
    [("os._exit(3)", "died"), ("while True: pass", "cpu"), (FORGE, "protocol")],
    ids=["dies", "loops", "answers the next question first"],
)
def test_what_ends_a_batch_costs_the_one_call_that_did_it(
    plain_box: Box, source: str, cause: str
) -> None:
    made = run(job(acting(source, 2)), plain_box)
    first, second, culprit, *rest = values(made)
    assert culprit == cause
    assert first == second != rest[0] == rest[1]  # the rest was asked in a fresh child
    assert made.measured.children == 2


def test_simulated_calls_in_a_batch_have_no_more_than_their_share(plain_box: Box) -> None:
    place = CallEnvironment("cuda", simulated=True)
    slow = calls("acts", 60, Items("tuple", ()), place=place)
    source = START + "\ndef acts(n, what):\n    time.sleep(0.1)\n    return own\n"
    whole = job(slow, submission_wall_s=12)
    made = run(msgspec.structs.replace(whole, cells=(Cell(1, source, "e"),)), plain_box)
    stops = [probe.stop for probe in made.probes]
    assert stops[:3] == [None] * 3 and stops[-2:] == [TOO_MUCH] * 2


def test_what_is_only_defined_later_is_found_in_a_batch(plain_box: Box) -> None:
    probes = calls("waits", 1) + calls("late", 3)
    whole = job(probes)
    cells = (*whole.cells, Cell(2, "def late(n): return n"))
    made = run(msgspec.structs.replace(whole, cells=cells), plain_box)
    assert values(made)[1:] == [0, 1, 2]


def test_calls_that_travel_alone() -> None:
    known = calls("f", 4)
    state = RunAccount(job(known), 1e9, at_once={"e f"})
    assert state.together(known) == list(known)
    assert state.together(known[:2] + calls("f", 2, check="e/other")) == list(known[:2])
    device = RunAccount(msgspec.structs.replace(job(known), device="cuda"), 1e9, at_once={"e f"})
    stopped = RunAccount(job(known), 1e9, at_once={"e f"})
    stopped.stops["e f"] += 1
    unknown = RunAccount(job(known), 1e9)
    assert [len(one.together(known)) for one in (device, stopped, unknown)] == [1, 1, 1]
