"""Every limit is met once, and what the student reads names the cell and the limit."""

from __future__ import annotations

import msgspec
import pytest

from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import probes
from autograder.judging.judge import CellPlaces, judge
from autograder.judging.verdict import Status, Verdict
from autograder.sandbox.driver import run
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Cell, Job, Limits, Probe
from tests.support.tables import table_beside

LIMITS = Limits(
    cell_cpu_s=20,
    cell_wall_s=60,
    submission_wall_s=120,
    memory_mb=300,
    disk_mb=8,
    files=300,
    open_files=64,
    processes=24,
    output_kb=8,
    reply_mb=4,
)
# For what is to meet the limit on time, and nothing else: some machines need more than half a
# second to fill the memory.
SHORT_CPU = msgspec.structs.replace(LIMITS, cell_cpu_s=0.5)
SHORT_WALL = msgspec.structs.replace(LIMITS, cell_wall_s=1.5)
ASKED = Assignment.model_validate(
    {
        "format": 1,
        "id": "limits",
        "title": "Limits",
        "exercise": [
            {
                "id": "one",
                "title": "One",
                "defines": ["x"],
                "check": [
                    {"id": "x", "kind": "value", "title": "`x` is 1", "points": 1, "name": "x"}
                ],
            }
        ],
    }
)


def graded(box: LazyBox, *sources: str, limits: Limits = LIMITS) -> tuple[Run, Verdict]:
    """The run of these cells, and the verdict on the ``x`` that the last one should make."""
    cells = tuple(Cell(n, source, "one") for n, source in enumerate(sources, 1))
    asked = probes(ASKED.exercise[0].check[0], "one", {})
    job = Job(cells, (("one", len(cells)),), asked, 1, limits, draw=False)
    right = msgspec.structs.replace(job, cells=(Cell(1, "x = 1", "one"),), keep_after=(("one", 1),))
    made, reference = run(job, box.box()), run(right, box.box())
    owners = {"one": tuple(cell.number for cell in cells)}
    (verdict,) = judge(ASKED, made, Reference(reference), CellPlaces(owners=owners))
    return made, verdict


TOLD = table_beside(__file__)


@pytest.mark.parametrize("what", TOLD)
def test_the_student_reads_which_limit_was_met(warm_box: LazyBox, what: str) -> None:
    source, message = TOLD[what]["cell"], TOLD[what]["said"]
    short = {"more than 0.5 seconds": SHORT_CPU, "more than 1.5 seconds": SHORT_WALL}
    limits = next((limits for words, limits in short.items() if words in message), LIMITS)
    _, verdict = graded(warm_box, source, limits=limits)
    assert verdict.status.value == TOLD[what]["status"]
    assert message in verdict.message


def test_a_value_too_large_to_look_at_is_named(warm_box: LazyBox) -> None:
    _, verdict = graded(warm_box, "import torch; x = torch.ones(2**21)")
    assert verdict.status is Status.STOPPED
    assert "its result is larger than 4 MB" in verdict.message


def test_output_beyond_the_limit_costs_nothing_and_is_counted(warm_box: LazyBox) -> None:
    made, verdict = graded(warm_box, "print('a' * 10_000)\nx = 1")
    assert verdict.status is Status.PASSED
    assert made.cells[0].claim is not None
    assert made.cells[0].claim.dropped == 10_001 - 8 * 1024


HOARD = (
    "hoard = []\ntry:\n    while True: hoard.append(bytearray(10**6))\nexcept MemoryError: {end}"
)


@pytest.mark.parametrize("end", ["raise", "pass"])
def test_who_holds_all_the_memory_is_cut_out(warm_box: LazyBox, end: str) -> None:
    """Whether it raises itself or lets others starve: they are run again without it."""
    needs = "y = bytearray(100 * 10**6)\nx = 1"
    made, verdict = graded(warm_box, HOARD.format(end=end), needs)
    assert verdict.status is Status.PASSED
    first = made.cells[0].stop
    assert first is not None and first.cause == "memory"
    assert made.cells[1].stop is None and made.measured.children == 2


def test_a_process_that_ends_while_a_cell_holds_the_memory_costs_that_cell(
    warm_box: LazyBox,
) -> None:
    """With hardly any memory left a process can end without an exception."""
    ends = "import os\ndef f():\n    if 'hoard' in globals(): os.abort()\n    return 1"
    sources = (HOARD.format(end="pass").replace("10**6", "10**5"), ends)
    cells = tuple(Cell(n, source, "one") for n, source in enumerate(sources, 1))
    asked = (Probe("f", "one", Call("one", "f", ())),)
    limits = msgspec.structs.replace(LIMITS, memory_mb=2_500)
    made = run(Job(cells, (("one", 2),), asked, 1, limits, draw=False), warm_box.box())
    assert made.cells[0].stop is not None and made.cells[0].stop.cause == "memory"
    assert made.probes[0].stop is None and made.measured.children == 2


def test_a_cell_that_asks_for_too_much_and_holds_nothing_keeps_its_names(
    warm_box: LazyBox,
) -> None:
    made, verdict = graded(warm_box, "x = 1\nimport torch\ntorch.ones(10**12)")
    assert verdict.status is Status.PASSED and made.measured.children == 1
