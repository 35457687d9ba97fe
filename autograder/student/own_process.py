"""Runs a job's cells in a separate process and reads the results.

Covered: a process that dies or never answers: its last step counts as stopped, the rest as not
reached. Not covered: what the cells do to the machine; there is no sandbox.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from autograder.evidence.records import CellRun, Measured, ProbeRun, Run, Stop
from autograder.evidence.stops import how_it_died
from autograder.student.cells import ProtocolRecord
from autograder.student.live import NOT_MEASURED, READ_S, LiveAnswers
from autograder.wire.messages import HEADER, Call, Job, Probe, WireError, decode, encode

GRACE_S = 15.0  # beyond a limit that the process itself should observe
START_S = 180.0  # until the first record: imports on a slow disk
LOOK_S = 0.1
NO_DEVICE = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}  # as while it is graded
STUCK = Stop("wall", "it did not finish and could not be interrupted")


@dataclass
class GatheredRecords:
    """What the records say; ``cell`` and ``probe`` are those that have begun but not ended."""

    cells: list[CellRun] = field(default_factory=list)
    probes: list[ProbeRun] = field(default_factory=list)
    cell: int = 0
    probe: str = ""
    done: bool = False

    def add(self, record: ProtocolRecord) -> None:
        """Take one record."""
        self.cell, self.probe, self.done = record.begins_cell, record.begins_probe, record.done
        if record.cell is not None:
            self.cells.append(record.cell)
        if record.probe is not None:
            self.probes.append(record.probe)

    def end(self, stop: Stop) -> str:
        """The process is gone: what had begun was stopped; returns what that was."""
        if self.cell:
            self.cells.append(CellRun(self.cell, None, stop, NOT_MEASURED))
            return f"cell {self.cell}"
        if self.probe:
            self.probes.append(ProbeRun(self.probe, None, stop, NOT_MEASURED))
            return f"`{self.probe}`"
        return "the notebook"


def run_apart(job: Job, folder: Path) -> LiveAnswers:
    """All evidence of a job whose cells run in ``folder``. If the cells ask which accelerator
    exists, calls on the simulated one are made in a second process, as in the sandbox."""
    simulated = tuple(probe for probe in job.probes if _is_simulated(probe))
    if not job.pretend or not simulated:
        return _run(msgspec.structs.replace(job, pretend=False), folder)
    plain = tuple(probe for probe in job.probes if probe not in simulated)
    first = _run(msgspec.structs.replace(job, probes=plain, pretend=False), folder)
    second = _run(msgspec.structs.replace(job, probes=simulated), folder)
    probes = (*first.run.probes, *second.run.probes)
    return LiveAnswers(
        msgspec.structs.replace(first.run, probes=probes), first.ended or second.ended
    )


def _is_simulated(probe: Probe) -> bool:
    place = probe.request.place if isinstance(probe.request, Call) else None
    return place is not None and place.simulated


def _run(job: Job, folder: Path) -> LiveAnswers:
    gathered, ended = GatheredRecords(), ""
    with tempfile.TemporaryDirectory() as scratch:
        records = Path(scratch, "records")
        records.touch()
        Path(scratch, "job").write_bytes(encode(job))
        stop = _process(Path(scratch, "job"), records, folder, job)
        for record in _read(records):
            gathered.add(record)
    if not gathered.done:
        what = gathered.end(stop)
        ended = f"Python ended in {what}: {stop.text.rstrip('.')}. Everything after it was not run."
    measured = Measured(0.0, 0.0, 0.0, 1, "none", (), job.limits)
    return LiveAnswers(Run(tuple(gathered.cells), tuple(gathered.probes), measured), ended)


def _process(job_file: Path, records: Path, folder: Path, job: Job) -> Stop:
    """Run the process to its end; returns why it ended, if that was too early."""
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", "autograder.student.cells", str(job_file), str(records)]
    process = subprocess.Popen(  # noqa: S603  our own module
        command,
        cwd=folder,
        env={**os.environ, **NO_DEVICE, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        if not _ended(process, records, job):
            return STUCK
    finally:
        process.kill()
        code = process.wait()
    return how_it_died(max(code, 0), max(-code, 0), job.limits, memory=False)


def _ended(process: subprocess.Popen[bytes], records: Path, job: Job) -> bool:
    """Wait for the end; False when nothing was written for too long."""
    patience = max(job.limits.cell_wall_s, job.limits.call_wall_s, READ_S) + GRACE_S
    size, since = 0, time.monotonic()
    while process.poll() is None:
        now = records.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        if time.monotonic() - since > (patience if size else START_S):
            return False
        time.sleep(LOOK_S)
    return True


def _read(records: Path) -> Iterator[ProtocolRecord]:
    """The records, up to one that is cut off."""
    data, at = records.read_bytes(), 0
    while at + HEADER <= len(data):
        size = int.from_bytes(data[at : at + HEADER], "big")
        body, at = data[at + HEADER : at + HEADER + size], at + HEADER + size
        try:
            yield decode(body, ProtocolRecord)
        except WireError:
            return
