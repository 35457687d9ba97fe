"""Runs a notebook's cells in a separate process and probes its names, for ``check`` in a shell.

The cells run as they do in grading, in the same shell and with the same answers, but without a
sandbox, on the student's machine. A notebook that checks itself does not do so here. Covered: cells
and calls that do not end, where the platform has timers. Not covered: what the cells do to the
machine; they are the student's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from autograder.assignment.packages import mentions_torch
from autograder.evidence.records import CellRun, ProbeRun, Stop
from autograder.runner import figures
from autograder.runner.output import Collector
from autograder.runner.session import Session
from autograder.runner.shell import make_shell
from autograder.runner.shims import student as stand_in
from autograder.runner.toolkit import toolkit
from autograder.student.live import NOT_MEASURED, READ_S
from autograder.student.watch import CallWatch
from autograder.wire.messages import (
    Answer,
    Begin,
    Call,
    Cell,
    CellDone,
    GivenText,
    Job,
    Keep,
    Kept,
    Outcome,
    Probe,
    Read,
    Request,
    RunCell,
    decode,
    encode,
    frame,
)


class ProtocolRecord(msgspec.Struct, frozen=True):
    """One line of the protocol that the parent reads: what begins, its result, and finally that all
    is done."""

    done: bool = False
    begins_cell: int = 0
    begins_probe: str = ""
    cell: CellRun | None = None
    probe: ProbeRun | None = None


class CellRunner:
    """Runs a job's cells and asks its probes, and passes each record to ``tell``."""

    def __init__(
        self, job: Job, session: Session, watch: CallWatch, tell: Callable[[ProtocolRecord], None]
    ):
        self._job, self._session, self._watch, self._tell = job, session, watch, tell
        self._answered: set[str] = set()

    def run(self) -> None:
        """Cells in order, names after each exercise; then names that were missing there, and
        calls."""
        job = self._job
        begin = Begin(job.seed, job.limits.output_kb * 1024, False, job.pretend, data=job.data)
        self._session.answer(begin)
        for cell in job.cells:
            self._cell(cell)
            for exercise, number in job.keep_after:
                if number == cell.number:
                    self._keep(exercise)
        for probe in job.probes:
            if probe.id not in self._answered:
                self._probe(probe)
        self._tell(ProtocolRecord(done=True))

    def _cell(self, cell: Cell) -> None:
        self._tell(ProtocolRecord(begins_cell=cell.number))
        request = RunCell(cell.number, cell.source, cell.exercise)
        limit = self._job.limits.cell_wall_s
        answer, stop = self._watch.call(lambda: self._session.answer(request), limit)
        claim = answer if isinstance(answer, CellDone) else None
        self._tell(ProtocolRecord(cell=CellRun(cell.number, claim, stop, NOT_MEASURED)))

    def _keep(self, exercise: str) -> None:
        """Keep the namespace, and read those of the exercise's names that exist."""
        wanted = [
            (probe, probe.request)
            for probe in self._job.probes
            if probe.exercise == exercise and isinstance(probe.request, Read)
        ]
        request = Keep(exercise, tuple(read for _, read in wanted))
        answer, _ = self._watch.call(lambda: self._session.answer(request), READ_S)
        outcomes = answer.outcomes if isinstance(answer, Kept) else ()
        for (probe, _), outcome in zip(wanted, outcomes, strict=False):
            if outcome.status != "missing":
                self._say(ProbeRun(probe.id, outcome, None, NOT_MEASURED))

    def _probe(self, probe: Probe) -> None:
        """Names that were missing after their exercise are read as they are at the end."""
        self._tell(ProtocolRecord(begins_probe=probe.id))
        request = probe.request
        assert not isinstance(request, GivenText), "questions about the file are not asked here"
        if isinstance(request, Read):
            request = msgspec.structs.replace(request, latest=True)
        answer, stop = self._ask(request)
        absent = isinstance(answer, Outcome) and answer.status == "missing"
        if absent and stop is None and isinstance(request, Call):
            answer, stop = self._ask(msgspec.structs.replace(request, latest=True))
        outcome = answer if isinstance(answer, Outcome) else None
        self._say(ProbeRun(probe.id, outcome, stop, NOT_MEASURED))

    def _ask(self, request: Request) -> tuple[Answer | None, Stop | None]:
        limits = self._job.limits
        seconds = limits.call_wall_s if isinstance(request, Call) else READ_S
        return self._watch.call(lambda: self._session.answer(request), seconds)

    def _say(self, record: ProbeRun) -> None:
        self._answered.add(record.id)
        self._tell(ProtocolRecord(probe=record))


def main(job_file: str, record_file: str) -> None:
    """Read the job, run it, write records as frames; nothing else is written anywhere."""
    job = decode(Path(job_file).read_bytes(), Job)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    # No Grader while a notebook is checked in a shell.
    sys.modules["autograder.student"].Grader = stand_in.Grader  # type: ignore[attr-defined]
    figures.install()
    if any(mentions_torch(cell.source) for cell in job.cells):
        with suppress(ImportError):  # the cell that needs it says so
            toolkit(needed=True)  # seeded, as in the sandbox
    collector = Collector()
    session = Session(make_shell(collector), collector)
    with Path(record_file).open("wb", buffering=0) as file, CallWatch() as watch:
        CellRunner(job, session, watch, lambda record: _write(file, record)).run()


def _write(file: object, record: ProtocolRecord) -> None:
    file.write(frame(encode(record)))  # type: ignore[attr-defined]


if __name__ == "__main__":
    main(*sys.argv[1:])
