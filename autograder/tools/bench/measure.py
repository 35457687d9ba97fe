"""Measures the grader against plain execution and against nbconvert, interleaved in one run.

Every round runs the same notebook in all ways in turn, so that drift of the machine affects
all of them; differences and ratios are taken within a round, medians over the rounds.
Processor seconds (user and system) are compared; the clock is noisy.

Covered: cost of the box, the transport, the judging, the feedback page; workers; memory.
Not covered: a cold disk, a machine that is busy with something else.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import TracebackType

import msgspec
import nbformat

from autograder.classroom.results_folder import ResultsFolder
from autograder.classroom.write_results import write_student
from autograder.errors import SandboxError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.grading.context import (
    GradedSubmission,
    GradingContext,
    PreparedClass,
    SubmissionSource,
)
from autograder.grading.job import make_job
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_class, grade_submission
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run as drive
from autograder.wire.messages import Begin, Job, RunCell, encode, frame

MEMORY_FIELDS = ("Private_Clean:", "Private_Dirty:")


@dataclass(frozen=True, slots=True)
class Round:
    """Processor seconds of one round. ``*_drawn``: with the figures drawn to PNG."""

    plain_cells: float
    plain_all: float
    grader: float
    plain_cells_drawn: float
    plain_all_drawn: float
    grader_drawn: float
    page: float
    nbconvert: float


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """How large a measurement is, and what does the work. ``engine``: as for ``place_for``;
    ``count``: submissions in a class; ``figures``: how many the notebook draws."""

    engine: str
    workers: int
    count: int
    rounds: int
    figures: int


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What one benchmark measured. ``speedups``: seconds with one worker over those with two;
    ``memory_mb``: private memory of a child; ``layers_ms``: of isolation, by the clock;
    ``simulated_ms``: as from ``simulated_ms``; ``explained``: as from ``explanation_figures``;
    ``figures``: how many the notebook draws."""

    rounds: tuple[Round, ...]
    speedups: tuple[float, ...]
    memory_mb: float
    layers_ms: tuple[float, ...]
    simulated_ms: Mapping[str, float]
    explained: Mapping[str, float]
    figures: int


@dataclass(frozen=True, slots=True)
class ClassTime:
    """Seconds for a class by the clock, and processor seconds of the grader's own process."""

    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class OneFile:
    """A submission that has already been read."""

    student: str
    submission: Submission

    @property
    def name(self) -> str:
        return f"{self.student}.ipynb"

    def read(self) -> Submission:
        return self.submission


class PlainProcess:
    """The plain process, kept warm; a context manager."""

    def __enter__(self) -> PlainProcess:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder.tools.bench.plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def cost(self, job: Job) -> tuple[float, float]:
        """Processor seconds of the cells, and of the cells and the calls."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(frame(encode(job)))
        self._process.stdin.flush()
        cells, both = self._process.stdout.readline().split()
        return float(cells), float(both)


def bench_submission(solution: Submission, prepared: PreparedClass, *, figures: int) -> Submission:
    """The solution without exercises that need packages of their own, and with ``figures``
    of its drawing cells (an exercise's own first)."""
    dropped = {e.id for e in prepared.context.loaded.spec.exercise if e.requires}
    code = [c for c in solution.cells if c.kind == "code" and c.exercise not in dropped]
    drawing = [c for c in code if "plt.subplots(" in c.source or "plt.figure(" in c.source]
    drawing.sort(key=lambda cell: not cell.exercise)
    without = {c.number for c in drawing[figures:]}
    kept = tuple(c for c in solution.cells if c.exercise not in dropped and c.number not in without)
    return msgspec.structs.replace(solution, cells=kept)


def measure_round(
    prepared: PreparedClass, box: Box, submission: Submission, plain: PlainProcess
) -> Round:
    """Run all ways in turn, once."""
    job, _ = make_job(prepared.context, submission)
    quiet = msgspec.structs.replace(job, draw=False)
    drawn = msgspec.structs.replace(job, draw=True)
    cells, both = plain.cost(quiet)
    ours = grader_cpu(prepared, box, submission, quiet)[0]
    cells_drawn, both_drawn = plain.cost(drawn)
    ours_drawn, graded = grader_cpu(prepared, box, submission, drawn)
    page = page_cpu(prepared, graded)
    return Round(
        cells, both, ours, cells_drawn, both_drawn, ours_drawn, page, nbconvert_cpu(submission)
    )


def grader_cpu(
    prepared: PreparedClass, box: Box, submission: Submission, job: Job
) -> tuple[float, GradedSubmission]:
    """Processor seconds of everything between a read submission and its grade: child, zygote,
    transport and store, judging and diagnosis."""
    total = 0.0

    class Metered:
        """Runs in the given box and counts what the child and the zygote cost."""

        def run(self, job: Job) -> Run:
            nonlocal total
            made, spent = run_cpu(job, box)
            total += spent
            return made

        def accepts(self, level: str) -> bool:
            return False

    with scratch_folder() as folder:
        context = GradingContext(
            prepared.context.loaded,
            prepared.context.cases,
            prepared.context.seed,
            job.draw,
            Metered(),
            EvidenceFolder(folder),
            prepared.context.models,
            prepared.context.unavailable,
        )
        started = time.thread_time()
        graded = grade_submission(
            PreparedClass(context, prepared.expected), OneFile("bench", submission), 0.0
        )
        total += time.thread_time() - started
    return total, graded


def run_cpu(job: Job, box: Box) -> tuple[Run, float]:
    """A run, and the processor seconds of its children and of the zygote for it."""
    before = box.zygote_cpu()
    made = drive(job, box)
    return made, made.measured.cpu_s + box.zygote_cpu() - before


def page_cpu(prepared: PreparedClass, graded: GradedSubmission) -> float:
    """Processor seconds of writing the result and the feedback page."""
    with scratch_folder() as folder:
        started = time.thread_time()
        write_student(ResultsFolder(folder), graded, prepared.context.loaded.spec)
        return time.thread_time() - started


def as_notebook(submission: Submission) -> nbformat.NotebookNode:
    """A submission as the notebook file that a student would hand in."""
    notebook = nbformat.v4.new_notebook()
    new = {
        "code": nbformat.v4.new_code_cell,
        "markdown": nbformat.v4.new_markdown_cell,
        "raw": nbformat.v4.new_raw_cell,
    }
    for cell in submission.cells:
        made = new[cell.kind](cell.source)
        if cell.exercise:
            made.metadata["exercise"] = cell.exercise
        notebook.cells.append(made)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    return notebook


def nbconvert_cpu(submission: Submission) -> float:
    """Processor seconds of `jupyter nbconvert --execute` on the same cells, kernel included."""
    with scratch_folder() as folder:
        path = folder / "bench.ipynb"
        nbformat.write(as_notebook(submission), path)
        before = _children()
        done = subprocess.run(  # noqa: S603  our own interpreter
            [
                sys.executable,
                "-m",
                "nbconvert",
                "--to",
                "notebook",
                "--execute",
                "--allow-errors",
                "--log-level=ERROR",
                "--output=out.ipynb",
                str(path),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SandboxError(f"nbconvert failed: {done.stderr[-500:]}")
        return _children() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def workers_ratio(
    prepared: PreparedClass, submission: Submission, *, count: int, rounds: int
) -> list[float]:
    """Seconds by the clock with one worker over those with two, on the same class."""
    drawn = replace(prepared, context=replace(prepared.context, draw=True))
    ratios = []
    for number in range(rounds):
        took: dict[int, float] = {}
        for workers in (1, 2) if number % 2 else (2, 1):
            took[workers] = class_time(drawn, submission, count, Local(workers)).wall_s
        ratios.append(took[1] / took[2])
    return ratios


def class_time(
    prepared: PreparedClass, submission: Submission, count: int, engine: Engine, *, first: int = 0
) -> ClassTime:
    """Grade ``count`` submissions of the same notebook, numbered from ``first`` on, and write all
    files to a folder of their own, so that they find no other class's evidence."""
    with scratch_folder() as folder:
        spent = time.process_time()
        context = replace(prepared.context, store=EvidenceFolder(folder / "evidence"))
        space = ResultsFolder(folder)
        numbers = range(first, first + count)
        files = [OneFile(f"s{number}", distinct(submission, number)) for number in numbers]

        def finish(handed: SubmissionSource, graded: GradedSubmission) -> None:
            write_student(space, graded, context.loaded.spec)

        started = time.monotonic()
        for _ in grade_class(replace(prepared, context=context), files, engine, finish):
            pass
        return ClassTime(time.monotonic() - started, time.process_time() - spent)


def distinct(submission: Submission, number: int) -> Submission:
    """The notebook as a distinct submission, with another first line and another digest."""
    return begun_with(submission, f"# hand-in {number}\n")


def begun_with(submission: Submission, text: str) -> Submission:
    """The notebook with a text in front of its first code cell."""
    first = next(c for c in submission.cells if c.kind == "code")
    changed = msgspec.structs.replace(first, source=text + first.source)
    cells = tuple(changed if c is first else c for c in submission.cells)
    return msgspec.structs.replace(submission, cells=cells)


def child_memory_mb(prepared: PreparedClass, box: Box, submission: Submission) -> float:
    """Private memory of a child that has run all cells (PSS minus what it shares), in MB."""
    job, _ = make_job(prepared.context, submission)
    child = box.spawn(job.limits)
    try:
        child.ask(Begin(job.seed, 100_000, True), cpu_s=30, wall_s=60)
        for cell in job.cells:
            child.ask(RunCell(cell.number, cell.source, cell.exercise), cpu_s=30, wall_s=60)
        lines = Path(f"/proc/{child.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(MEMORY_FIELDS)) / 1024
    finally:
        child.end()


def medians(rounds: Sequence[Round]) -> dict[str, float]:
    """The median of every column, in milliseconds."""
    return {
        f.name: 1000 * statistics.median(getattr(r, f.name) for r in rounds) for f in fields(Round)
    }


def median_of(rounds: Sequence[Round], figure: Callable[[Round], float]) -> float:
    """The median of a difference or ratio taken within each round."""
    return statistics.median(figure(r) for r in rounds)
