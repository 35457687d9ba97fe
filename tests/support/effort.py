"""What a task may cost on any machine: seconds stretch where the machine itself is slow.

A bound is for growth (what is quadratic takes minutes), not for speed, which `make bench`
measures. So it is some times what the task costs where nothing else runs; and a task that costs
more is compared with a yardstick timed there and then, which a slow processor, or one that is
shared with others, does slowly too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

QUIET_S = 0.05  # what the yardstick costs on a quiet core of 2021


@contextmanager
def costs_at_most(seconds: float, of: str = "") -> Iterator[None]:
    """Fail if the body needs more than ``seconds`` of processor time on a quiet core."""
    began = time.process_time()
    yield
    spent = time.process_time() - began
    if spent > seconds:
        slower = max(1.0, min(_yardstick() for _ in range(3)) / QUIET_S)
        assert spent <= seconds * slower, f"{of} {spent:.2f} s, on a core {slower:.1f} times slower"


def _yardstick() -> float:
    """What some of everything that the grader does costs: objects, dictionaries, text, bytes."""
    began = time.process_time()
    for _ in range(8):
        rows = [{"a": n, "b": [str(n), (n, -n)]} for n in range(1_000)]
        found = {hash((row["a"], -1)): row for row in rows}
        json.loads(json.dumps(list(found.values())))
    assert len(bytes(bytearray(20_000_000))) == 20_000_000
    return time.process_time() - began
