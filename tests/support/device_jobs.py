"""A context whose runner answers jobs without running them, here and on a device."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograder.errors import SandboxError
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.evidence.store import EvidenceFolder
from autograder.grading.context import GradingContext
from autograder.wire.messages import Call, CallEnvironment, Cell, Job, Limits, Outcome, Probe

MEASURED = Measured(0.0, 0.0, 0.0, 1, "strong", ())


def call(
    name: str, number: int = 0, place: CallEnvironment | None = None, exercise: str = "e"
) -> Probe:
    where = f"@{place.device}" if place is not None else ""
    id_ = f"{exercise}/call/{name}/{number}{where}"
    return Probe(id_, exercise, Call(exercise, name, (), place=place))


def job(*probes: Probe, device: str = "cuda", cells: int = 1, **limits: Any) -> Job:
    made = tuple(Cell(n, f"cell {n}", "e") for n in range(1, cells + 1))
    return Job(made, (("e", cells),), probes, 1, Limits(**limits), draw=False, device=device)


CPU, CUDA = CallEnvironment("cpu", simulated=True), CallEnvironment("cuda")


def record(id_: str, value: int = 1) -> ProbeRun:
    return ProbeRun(id_, Outcome("returned", value), None, TimeSpent(0.0, 0.0))


class Runs:
    """Runs a job by saying 1 to every probe; or loses it."""

    def __init__(self, lost: str = "") -> None:
        self.jobs: list[Job] = []
        self.lost = lost

    def run(self, job: Job) -> Run:
        self.jobs.append(job)
        if self.lost:
            raise SandboxError(self.lost)
        return Run((), tuple(record(p.id) for p in job.probes), MEASURED)

    def accepts(self, level: str) -> bool:
        return level == "strong"


NOTHING_ASKED: Any = SimpleNamespace(spec=SimpleNamespace(exercise=()))


def setting_of(folder: Path, cpu: Runs, device: Runs | None, *devices: str) -> GradingContext:
    store = EvidenceFolder(folder)
    return GradingContext(
        NOTHING_ASKED, {}, 1, False, cpu, store, devices=devices or ("cuda",), device_runner=device
    )


WHOLE = job(call("f"), call("f", 1, CUDA), device="")
