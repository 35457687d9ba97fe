"""What is asked of a box from outside, where running some cells in one child does not say it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.conformance.kind import WORKED, Place, Seen, run


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
        Path(place.names["shm"]).unlink(missing_ok=True)


def others_have_threads(place: Place, cells: Sequence[str]) -> Seen:
    """One child takes all the threads that it can get; the next one still has four."""
    greedy, honest = place.spawn(), place.spawn()
    try:
        run(greedy, cells[0])
        return run(honest, cells[1])
    finally:
        greedy.end()
        honest.end()


def same_sentences(place: Place, cells: Sequence[str]) -> Seen:
    """The sentence of a stop says nothing that differs from run to run."""
    limits: dict[int, dict[str, float]] = {0: {"cpu_s": 0.1}, 1: {"wall_s": 0.1}}
    odd = []
    for at, source in enumerate(cells):  # from the third on they end themselves
        sentences = set()
        for _ in range(2):
            child = place.spawn()
            seen = run(child, source, **limits.get(at, {}))
            sentences.add(seen.sentence or seen.text)
            child.end()
        if len(sentences) != 1 or "" in sentences:
            odd.append(sorted(sentences))
    return Seen(text=str(odd))


def is_killed_within_a_second(place: Place, cells: Sequence[str]) -> Seen:
    child = place.spawn()
    seen = run(child, cells[0], cpu_s=0.1)
    return Seen(text=f"{seen.stop} {seen.alive} {0.9 < seen.cpu_s < 4}")


def outlives(place: Place, cells: Sequence[str]) -> Seen:
    """Whether a process that a child started is there once the child is gone."""
    child = place.spawn()
    said = run(child, cells[0])
    child.end()
    time.sleep(0.1)
    pid = said.text.strip()
    there = "namespaces" not in place.layers and pid.isdecimal() and Path(f"/proc/{pid}").exists()
    return Seen(text=WORKED if there else "OSError: it is gone")
