"""What running a job yields. Claims (reported from inside) and measurements (taken outside) are
different types and never mix."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Literal

import msgspec

from autograder.wire.messages import CellDone, Limits, Outcome

_encode = msgspec.msgpack.encode

Cause = Literal[
    "cpu", "wall", "memory", "disk", "processes", "died", "output", "protocol", "budget"
]


class Stop(msgspec.Struct, frozen=True):
    """Why the outside ended a cell or a call. ``text`` is a sentence for the student."""

    cause: Cause
    text: str


class TimeSpent(msgspec.Struct, frozen=True):
    """Seconds measured from outside: processor time of the child, and the clock."""

    cpu_s: float
    wall_s: float


class CellRun(msgspec.Struct, frozen=True):
    """One cell: the child's claim, or why it was stopped, or neither (never run)."""

    number: int
    claim: CellDone | None
    stop: Stop | None
    spent: TimeSpent


class ProbeRun(msgspec.Struct, frozen=True):
    """One read or call: the child's claim, or why it was stopped, or neither (never asked)."""

    id: str
    claim: Outcome | None
    stop: Stop | None
    spent: TimeSpent


class Measured(msgspec.Struct, frozen=True):
    """Measurements of the whole run. ``children`` counts fresh starts after a culprit was left out.

    Parts of its elapsed time, over all its children: ``fork_s`` until they were ready, ``cells_s``,
    and ``calls_s`` (reads, calls, figures and tests); most of the rest is spent ending them.
    ``transit_s`` is what a cluster added to ``wall_s``, ``waited_s`` for how much of it no
    processor was free. ``capability`` is torch's name for the vector instructions that it used.
    """

    cpu_s: float
    wall_s: float
    peak_mb: float
    children: int
    level: str
    layers: tuple[str, ...]
    limits: Limits = Limits()
    fork_s: float = 0.0
    cells_s: float = 0.0
    calls_s: float = 0.0
    transit_s: float = 0.0
    capability: str = ""
    waited_s: float = 0.0


class Run(msgspec.Struct, frozen=True, dict=True):
    """All evidence of one submission's run. ``lost``: devices on which the grader's side failed,
    and how."""

    cells: tuple[CellRun, ...]
    probes: tuple[ProbeRun, ...]
    measured: Measured
    lost: tuple[str, ...] = ()

    def probe(self, id_: str) -> ProbeRun | None:
        """The one record of a probe; None when there is none or more than one."""
        found = self._by_id.get(id_, ())
        return found[0] if len(found) == 1 else None

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """Every cell and call that the outside ended."""
        stops = (*(cell.stop for cell in self.cells), *(probe.stop for probe in self.probes))
        return tuple(stop for stop in stops if stop is not None)

    def answer(self, id_: str) -> bytes | None:
        """The SHA-256 digest of a probe's encoded claim, empty without one; None as in
        ``probe``."""
        if id_ not in self._answers:
            found = self.probe(id_)
            data = None if found is None else _encode(found.claim) if found.claim else b""
            self._answers[id_] = data and hashlib.sha256(data).digest()
        return self._answers[id_]

    def ending(self, id_: str) -> tuple[Stop | None, TimeSpent] | None:
        """The measurements of a probe; None as in ``probe``."""
        found = self.probe(id_)
        return None if found is None else (found.stop, found.spent)

    def whole(self) -> Run:
        """The run with all its answers, if they were not read at once."""
        return self

    @cached_property
    def _answers(self) -> dict[str, bytes | None]:
        return {}

    @cached_property
    def _by_id(self) -> dict[str, list[ProbeRun]]:
        index: dict[str, list[ProbeRun]] = {}
        for probe in self.probes:
            index.setdefault(probe.id, []).append(probe)
        return index
