"""What is asked of a box from outside, where running some cells in one child does not say it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.conformance.kind import LIMITS, WORKED, Place, Seen, run

BOMB = (
    "import threading, time\nthreading.stack_size(32768)\nmade = []\n"
    "for _ in range($count):\n"
    "    t = threading.Thread(target=time.sleep, args=(3,), daemon=True); t.start(); made.append(t)"
)
MANY_FILES = "for n in range(400):\n    open(f'f{n}', 'w').close()\nimport time; time.sleep(3.5)\n"
FOUR_THREADS = (
    "import threading\ndone = []\n"
    "made = [threading.Thread(target=done.append, args=(n,)) for n in range(4)]\n"
    "[t.start() for t in made]; [t.join() for t in made]\nprint(sorted(done))"
)


def between(place: Place, cells: Sequence[str]) -> Seen:
    """One child leaves something, the next one looks for it; both alive at the same time."""
    leave, look = cells
    first, second = place.spawn(), place.spawn()
    try:
        left = run(first, leave).text.strip()
        return run(second, look.replace("$left", left))
    finally:
        first.end()
        second.end()
        place.path("shm").unlink(missing_ok=True)


def others_have_threads(place: Place, cells: Sequence[str]) -> Seen:
    """One child takes all the threads that it can get; the next one still has four."""
    greedy, honest = place.spawn(), place.spawn()
    try:
        run(greedy, BOMB.replace("$count", str(LIMITS.processes - 4)))
        return run(honest, FOUR_THREADS)
    finally:
        greedy.end()
        honest.end()


def same_sentences(place: Place, cells: Sequence[str]) -> Seen:
    """The sentence of a stop says nothing that differs from run to run."""
    endings = {
        "while True: pass": {"cpu_s": 0.1},
        "import time; time.sleep(600)": {"wall_s": 0.1},
        "import os; os._exit(3)": {},
        "import os; os.abort()": {},
        "import os; os.write(3, b'\\xff' * 64); os._exit(0)": {},
        MANY_FILES: {},
    }
    odd = []
    for source, limits in endings.items():
        sentences = set()
        for _ in range(2):
            child = place.spawn()
            seen = run(child, source, **limits)
            sentences.add(seen.sentence or seen.text)
            child.end()
        if len(sentences) != 1 or "" in sentences:
            odd.append(sorted(sentences))
    return Seen(text=str(odd))


def is_killed_within_a_second(place: Place, cells: Sequence[str]) -> Seen:
    child = place.spawn()
    source = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    seen = run(child, source, cpu_s=0.1)
    return Seen(text=f"{seen.stop} {seen.alive} {0.9 < seen.cpu_s < 4}")


def outlives(place: Place, cells: Sequence[str]) -> Seen:
    """Whether a process that a child started is there once the child is gone."""
    child = place.spawn()
    said = run(
        child,
        "import os, time\npid = os.fork()\nif not pid:\n    os.setsid()\n"
        "    [os.close(fd) for fd in range(64) if fd > 2 and fd < 5 and fd != 4]\n"
        "    time.sleep(20)\n    os._exit(0)\nprint(pid)",
    )
    child.end()
    time.sleep(0.1)
    pid = said.text.strip()
    there = "namespaces" not in place.layers and pid.isdecimal() and Path(f"/proc/{pid}").exists()
    return Seen(text=WORKED if there else "OSError: it is gone")
