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


TOLD = {
    "computing": (
        "n = 0\nwhile True: n += 1",
        Status.STOPPED,
        "Cell 1 was stopped in line 2 (`while True: n += 1`): it used more than 0.5 "
        "seconds of processor time, the limit for one cell, and did not finish.",
    ),
    "a loop of several lines": (
        "def f(n):\n    total = 0\n    for a in range(n):\n        for b in range(n):\n"
        "            total += a\n            total -= b\n    return total\nx = f(10**9)",
        Status.STOPPED,
        "Cell 1 was stopped in line 3 (`for a in range(n):`): it used more than 0.5 seconds",
    ),
    "a loop that calls others": (
        "def g(a):\n    a += 1\n    return a\ndef f():\n    a = 0\n    while True:\n"
        "        a = g(a)\n        a = g(-a)\nf()",
        Status.STOPPED,
        "Cell 1 was stopped in line 6 (`while True:`): it used more than 0.5 seconds",
    ),
    "waiting": (
        "import time\ntime.sleep(99)",
        Status.STOPPED,
        "Cell 1 was stopped in line 2 (`time.sleep(99)`): it took more than 1.5 seconds "
        "of elapsed time, the limit for one cell, and did not finish.",
    ),
    "a deadlock": (
        "import threading\nlock = threading.Lock(); lock.acquire(); lock.acquire()",
        Status.STOPPED,
        "it took more than 1.5 seconds of elapsed time, the limit for one cell",
    ),
    "memory at once": (
        "import torch\ny = torch.ones(10**9)",
        Status.STOPPED,
        "Cell 1 ran out of memory in line 2 (`y = torch.ones(10**9)`). It requested 4 GB at "
        "once; the whole notebook may use at most 300 MB.",
    ),
    "memory of NumPy": (
        "import numpy as np\ny = np.ones(10**9)",
        Status.STOPPED,
        "It requested 7.45 GiB at once; the whole notebook may use at most 300 MB.",
    ),
    "memory without end": (
        "y = []\nwhile True: y.append(bytearray(10**6))",
        Status.STOPPED,
        "used up the memory limit of the whole notebook (300 MB)",
    ),
    "disk": (
        "for n in range(9): open(str(n), 'wb').write(bytes(10**6))",
        Status.BROKEN,
        "A notebook may write at most 8 MB in 300 files.",
    ),
    "one large file": (
        "open('big', 'wb').write(bytes(9 * 2**20))",
        Status.BROKEN,
        "A notebook may write at most 8 MB",
    ),
    "many files": (
        "for n in range(400): open(str(n), 'w').close()",
        Status.BROKEN,
        "A notebook may write at most 8 MB in 300 files.",
    ),
    "open files": (
        "kept = [open('/dev/null') for _ in range(99)]",
        Status.BROKEN,
        "A notebook may have at most 64 files open at the same time.",
    ),
    "threads": (
        "import threading, time\n"
        "for _ in range(99): threading.Thread(target=time.sleep, args=(1,), daemon=True).start()",
        Status.BROKEN,
        "A notebook may run at most 24 threads at the same time.",
    ),
    "a program": (
        "import subprocess; subprocess.run(['ls'])",
        Status.BROKEN,
        "cannot start programs or processes, or use the network.",
    ),
    "the network": (
        "import urllib.request as u\nimport socket; socket.create_connection(('127.0.0.1', 80))",
        Status.BROKEN,
        "cannot start programs or processes, or use the network.",
    ),
    "a file elsewhere": (
        "open('/usr/lib/x', 'w')",
        Status.BROKEN,
        "can write only to its own folder and to /tmp",
    ),
    "an end of itself": (
        "import os; os._exit(3)",
        Status.STOPPED,
        "Cell 1 was stopped: the process ended itself (exit code 3).",
    ),
    "a crash": (
        "import ctypes; ctypes.string_at(0)",
        Status.STOPPED,
        "Cell 1 was stopped: the process crashed with signal SIGSEGV.",
    ),
}


@pytest.mark.parametrize("what", TOLD)
def test_the_student_reads_which_limit_was_met(warm_box: LazyBox, what: str) -> None:
    source, status, message = TOLD[what]
    short = {"more than 0.5 seconds": SHORT_CPU, "more than 1.5 seconds": SHORT_WALL}
    limits = next((limits for words, limits in short.items() if words in message), LIMITS)
    _, verdict = graded(warm_box, source, limits=limits)
    assert verdict.status is status
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
