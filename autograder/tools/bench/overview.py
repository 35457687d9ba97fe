"""Every promised speed, measured in one run: the reached value beside the required one.

Processor seconds (user and system) of whole commands, their children included: the clock of a
shared machine is unreliable. Covered: the start of commands, classes of all assignments with the
known mistakes of a new seed, nbconvert, what the box adds, regrading, the size of evidence.
Not covered: `make test`, `make grade` on a new machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from prometheus_client.parser import text_string_to_metric_families
from rich.console import RenderableType
from rich.table import Table

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import Report
from autograder.classroom.metrics.recorder import RUNS
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import SandboxError
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.notebook.formats.read import read
from autograder.tools.bench.measure import (
    PlainProcess,
    as_notebook,
    bench_submission,
    measure_round,
    median_of,
)
from autograder.tools.bench.regrade import distinct_hand_ins, regrade_bench

STARTS = 3  # of each command; the median counts
LOOKS = 1.0  # seconds for a command that looks something up
MEBIBYTE = 1024**2


@dataclass(frozen=True, slots=True)
class Goal:
    """What one assignment must reach: seconds for each submission of a class of ``students``, and
    how many times as much nbconvert costs, without drawing and with two figures."""

    students: int
    seconds: float
    nbconvert: float
    nbconvert_drawn: float


GOALS = {
    "embedding-fundamentals": Goal(31, 1.5, 10, 7),
    "rotary-and-unembedding": Goal(29, 1.0, 12, 8),
    "embedding-layer": Goal(31, 0.6, 20, 18),
    "embeddings-and-position": Goal(90, 0.5, 25, 15),
}
FLAGSHIP = "embeddings-and-position"
ADDED_MS, EVIDENCE_MB, REGRADE_S = 30.0, 0.8, 7.0


@dataclass(frozen=True, slots=True)
class SpeedLine:
    """One promised speed: ``reached`` and ``required`` in ``unit``."""

    figure: str
    reached: float
    required: float
    unit: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        return self.reached >= self.required if self.at_least else self.reached <= self.required

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "figure": self.figure,
            "reached": round(self.reached, 3),
            "required": self.required,
            "unit": self.unit,
            "met": self.is_met,
        }


def overview(
    courses: Sequence[Loaded], *, rounds: int, regraded: int, workers: int, report: Report
) -> Iterator[SpeedLine]:
    """Every line as it is measured. ``regraded``: submissions of the class that is judged again;
    the goal is for 2,000. Takes some minutes. Raises ``SandboxError``."""
    with scratch_folder() as folder:
        for loaded in courses:
            report(f"A class of {loaded.spec.id}", 1)
            yield from _class(loaded, folder / loaded.spec.id, workers)
        report("Starting commands", 1)
        yield from _starts(folder / courses[-1].spec.id / "out")
    for loaded in courses:
        report(f"Against nbconvert: {loaded.spec.id}", rounds)
        yield from _against_nbconvert(loaded, rounds=rounds, report=report)
    flagship = next(loaded for loaded in courses if loaded.spec.id == FLAGSHIP)
    with scratch_folder() as folder:
        times = regrade_bench(flagship, folder, count=regraded, workers=workers, report=report)
    yield SpeedLine(f"regrade of {regraded} after one tolerance", times[0].cpu_s, REGRADE_S, "s")


def overview_table(lines: Sequence[SpeedLine]) -> RenderableType:
    """The reached and the required values, a line each."""
    table = Table(title="Promised speed", title_justify="left")
    for column in ("figure", "reached", "required", ""):
        table.add_column(column, justify="left" if column in ("figure", "") else "right")
    for line in lines:
        sign = ">=" if line.at_least else "<="
        table.add_row(
            line.figure,
            f"{line.reached:.2f} {line.unit}",
            f"{sign} {line.required:g} {line.unit}",
            "reached" if line.is_met else "not reached",
        )
    return table


def processor_seconds(*command: str | Path) -> float:
    """Processor seconds of a command and its children. Raises ``SandboxError`` when it fails."""
    with scratch_folder() as folder, (folder / "said").open("w+b") as said:
        process = subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, *map(str, command)], stdout=said, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            words = " ".join(map(str, command))
            text = said.read().decode("utf-8", "replace")[-500:]
            raise SandboxError(f"{words} ended with status {process.returncode}: {text}")
    return usage.ru_utime + usage.ru_stime


def _starts(results: Path) -> Iterator[SpeedLine]:
    """What commands cost over a graded class, and what a student's first import adds to torch's."""
    ours = ("-m", "autograder")
    for words, required in (
        (("--help",), 0.3),
        (("--version",), 0.3),
        (("show", results), LOOKS),
        (("gradebook", "show", results), LOOKS),
        (("export", "xlsx", results, "--out", results / "grades.xlsx"), LOOKS),
        (("return", results, "--to", "canvas", "--out", results / "return.zip"), LOOKS),
    ):
        named = " ".join(str(word) for word in words if not isinstance(word, Path))
        yield SpeedLine(f"autograder {named}", _typical(*ours, *words), required, "s")
    kernel = "import IPython, torch"  # a notebook has both before it imports anything of ours
    added = _typical("-c", f"{kernel}, autograder.student") - _typical("-c", kernel)
    yield SpeedLine("import autograder.student, above torch's own", added, 0.3, "s")


def _typical(*command: str | Path) -> float:
    return statistics.median(processor_seconds(*command) for _ in range(STARTS))


def _class(loaded: Loaded, folder: Path, workers: int) -> Iterator[SpeedLine]:
    """A class of distinct submissions, graded by the command under a new seed. The known mistakes
    were run for it ahead of the class, which is not counted."""
    goal = GOALS[loaded.spec.id]
    offer = prepare(loaded)
    with box_for(loaded, offer, require="weak") as box:
        context = make_context(loaded, offer, box, seed=1, draw=False, evidence=folder / "evidence")
        submissions = list(distinct_hand_ins(context, count=goal.students))
    (folder / "class").mkdir(parents=True)
    for number, submission in enumerate(submissions):
        target = folder / "class" / f"student-{number:03}.ipynb"
        nbformat.write(as_notebook(submission), target)
    out = folder / "out"
    processor_seconds("-m", "autograder", "prepare", loaded.folder, "--workers", str(workers))
    spent = processor_seconds(
        "-m",
        "autograder",
        "grade",
        loaded.folder,
        folder / "class",
        "--out",
        out,
        "--workers",
        str(workers),
        "--devices",
        "none",
    )
    count, name = len(submissions), loaded.spec.id
    yield SpeedLine(f"{name}: a prepared class of {count}, each", spent / count, goal.seconds, "s")
    runs = _count_runs(ResultsFolder(out).metrics)
    yield SpeedLine(f"{name}: runs for {count} submissions", runs, count + 2, "runs")
    if name == FLAGSHIP:
        kept = sum(p.stat().st_size for p in (out / "evidence").rglob("*") if p.is_file())
        each = kept / count / MEBIBYTE
        yield SpeedLine("evidence, with that of known mistakes, each", each, EVIDENCE_MB, "MB")


def _count_runs(metrics: Path) -> int:
    """The runs of submissions that a metrics file counts, made and stored."""
    families = text_string_to_metric_families(metrics.read_text("utf-8"))
    samples = (sample for family in families for sample in family.samples)
    return int(sum(sample.value for sample in samples if sample.name == f"{RUNS}_total"))


def _against_nbconvert(loaded: Loaded, *, rounds: int, report: Report) -> Iterator[SpeedLine]:
    goal, offer = GOALS[loaded.spec.id], prepare(loaded)
    with scratch_folder() as folder, box_for(loaded, offer, require="weak") as lazy:
        context = make_context(loaded, offer, lazy, seed=1, draw=False, evidence=folder)
        prepared = prepare_reference(context, Local(1), report, mistakes=False)
        submission = bench_submission(read(loaded.solution), prepared, figures=2)
        with PlainProcess() as plain:
            every = [
                measure_round(prepared, lazy.box(), submission, plain) for _ in range(rounds + 1)
            ]
    measured, name = every[1:], loaded.spec.id  # the first warms up
    undrawn = median_of(measured, lambda r: r.nbconvert / r.grader)
    drawn = median_of(measured, lambda r: r.nbconvert / r.grader_drawn)
    yield SpeedLine(f"{name}: nbconvert costs, nothing drawn", undrawn, goal.nbconvert, "x", True)
    yield SpeedLine(f"{name}: nbconvert costs, two figures", drawn, goal.nbconvert_drawn, "x", True)
    if name == FLAGSHIP:
        added = 1000 * median_of(measured, lambda r: r.grader - r.plain_all)
        yield SpeedLine("flagship: box, transport and judging", added, ADDED_MS, "ms")
