"""Several versions of one cell in one job, each with its own copy of the names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from autograder.evidence.records import ProbeRun, Run
from autograder.wire.messages import Call, Cell, Figures, Probe, Read

# before each version random numbers are where they were before the first one
_SAVED = """import random as _random, sys as _sys, numpy as _numpy
_torch = _sys.modules.get("torch")
_states = _random.getstate(), _numpy.random.get_state(), _torch and _torch.get_rng_state()
"""
_RESTORED = (
    "_random.setstate(_states[0]); _numpy.random.set_state(_states[1]); "
    "_states[2] is None or _torch.set_rng_state(_states[2])"
)


def states_saved(number: int) -> Cell:
    """The cell that has to run before the versions."""
    return Cell(number, _SAVED)


@dataclass(frozen=True, slots=True)
class CandidateCell:
    """A version of an exercise's cell, to be run as cell ``number``. ``names``: those that it
    defines."""

    name: str
    exercise: str
    code: str
    number: int
    names: tuple[str, ...]

    @property
    def kept(self) -> str:
        """The exercise under whose name its names are kept."""
        return f"{self.exercise}~{self.name}"

    @property
    def cell(self) -> Cell:
        """The cell, which fails unless it defines all its names itself."""
        # Mutants do not see each other's names.
        forget = f"[globals().pop(name, None) for name in {self.names!r}]"
        # A mutant that lacks a name is not compared.
        need = "\n".join(self.names)
        return Cell(self.number, f"{_RESTORED}\n{forget}\n{self.code}\n{need}\npass\n", self.kept)

    def asked(self, probe: Probe) -> Probe:
        """A question to the exercise as one to this version."""
        assert isinstance(probe.request, Read | Call | Figures), "others only in imported ones"
        return Probe(
            f"{self.name}: {probe.id}",
            self.kept,
            replace(probe.request, exercise=self.kept),
            f"{self.name}: {probe.check}",
        )


def answers_of(run: Run, candidates: Iterable[CandidateCell]) -> Mapping[str, Run]:
    """The answers of each version whose cell ran, by its name, as if it had been asked alone."""
    whole = run.whole()
    fine = {cell.number for cell in whole.cells if cell.claim is not None and not cell.claim.error}
    own: dict[str, list[ProbeRun]] = {c.name: [] for c in candidates if c.number in fine}
    for probe in whole.probes:
        name, _, id_ = probe.id.partition(": ")
        if name in own:
            own[name].append(replace(probe, id=id_))
    return {name: replace(whole, cells=(), probes=tuple(p)) for name, p in own.items()}
