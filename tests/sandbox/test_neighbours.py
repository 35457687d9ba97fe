"""Hostile notebooks beside an ordinary one: no byte of its answers changes, and nothing is left.

Whole classes with every attack are in tests/attacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from autograder.evidence.records import Run
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.sandbox.leftovers import left_since, traces
from autograder.wire.messages import Call, Cell, Job, Limits, Probe, Read

pytestmark = pytest.mark.slow

HOSTILE = {  # the cell, and why it is stopped if it is
    "loops": ("while True: pass", "cpu"),
    "loops and ignores interrupts": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        "cpu",
    ),
    "takes all memory": ("hoard = []\nwhile True: hoard.append(bytearray(10**6))", "memory"),
    "fills its disk": ("open('big', 'wb').write(bytes(10**9))", ""),
    "leaves notes": (
        "import os\nfor place in ('/dev/shm', '/tmp', '/home/student', '/var/tmp'):\n"
        "    try: open(f'{place}/autograder-note', 'w').write('boo')\n    except OSError: pass",
        "",
    ),
    "ends everybody": (
        "import os, signal\nfor pid in (-1, 1, os.getppid(), 0):\n"
        "    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass",
        None,
    ),
    "starts threads that stay": (
        "import threading, time\nfor _ in range(30):\n"
        "    threading.Thread(target=time.sleep, args=(999,)).start()",
        "",
    ),
    "patches the libraries": (
        "import numpy as np, torch\n"
        "torch.manual_seed = np.random.seed = lambda *a: None\n"
        "torch.nn.Embedding.forward = lambda self, x: torch.zeros(1)",
        "",
    ),
    "crashes": ("import ctypes; ctypes.string_at(0)", "died"),
    "floods": ("import os\nfor _ in range(300): print('x' * 10**5)\nos.write(3, bytes(9))", None),
}
ORDINARY = """
import numpy as np, os, torch
drawn = [torch.rand(2).tolist(), np.random.rand(2).tolist()]
rows = torch.nn.Embedding(3, 2)(torch.arange(3)).tolist()
there = [os.listdir(place) for place in ('.', '/tmp', '/dev/shm')]
def f(x): return x + torch.rand(1)
print(drawn)
"""
LIMITS = Limits(cell_cpu_s=2, cell_wall_s=60, submission_wall_s=300, memory_mb=1024, disk_mb=16)


def job(source: str, *probes: Probe) -> Job:
    return Job((Cell(1, source, "e"),), (("e", 1),), probes, 1, LIMITS, draw=False)


def answers(done: Run) -> bytes:
    """All that a run says, without what was measured."""
    records = (*done.cells, *done.probes)
    return msgspec.msgpack.encode([(record.claim, record.stop) for record in records])


def descriptors() -> int:
    """How many sockets, pipes, namespaces and processes this process holds."""
    links = [str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]
    return sum(not link.startswith("/") for link in links)


def notes() -> Iterator[Path]:
    for place in ("/tmp", "/dev/shm", "/var/tmp", "/home/student", str(Path.home())):
        yield from Path(place).glob("autograder-note*")


def test_hostile_notebooks_change_no_byte_of_an_ordinary_one_and_leave_nothing() -> None:
    before, held = traces(), descriptors()
    reads = [Probe(name, "e", Read("e", name)) for name in ("drawn", "rows", "there")]
    ordinary = job(ORDINARY, *reads, Probe("f", "e", Call("e", "f", (1.5,), 3)))
    with Box() as box, ThreadPoolExecutor(2) as pool:
        if box.isolation.level == "weak":
            pytest.skip(f"too little isolation here: {box.isolation.missing}")
        alone = answers(run(ordinary, box))
        for name, (source, cause) in HOSTILE.items():
            loud = pool.submit(run, job(source), box)
            assert answers(run(ordinary, box)) == alone, f"beside one that {name}"
            stop = loud.result().cells[0].stop
            assert cause is None or (stop.cause if stop else "") == cause, (name, stop)
            assert answers(run(ordinary, box)) == alone, f"after one that {name}"
    assert left_since(before) == () and descriptors() <= held
    assert list(notes()) == []
