"""What the benchmarks measure with: processor seconds of runs, commands and nbconvert."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import nbformat

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import KeptSubmission
from autograder.evidence.records import Run
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.grading.context import GradedSubmission, PreparedClass
from autograder.judging.diagnosis.case_trial import is_small
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.wire.messages import Job


@dataclass(frozen=True, slots=True)
class Ratio:
    """Values of one ratio, each taken within one round."""

    text: str
    values: Sequence[float]


@dataclass
class Meter:
    """Runs jobs in a box, and counts processor seconds, jobs and questions by purpose."""

    box: Box
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    jobs: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)

    def run(self, job: Job) -> Run:
        before = _processor_s(self.box.zygote_pid())
        made = run(job, self.box)
        purpose = _purpose(job)
        self.seconds[purpose] += made.measured.cpu_s
        self.seconds[purpose] += _processor_s(self.box.zygote_pid()) - before
        self.jobs[purpose] += 1
        self.questions[purpose] += len(job.probes)
        return made

    def accepts(self, level: str) -> bool:
        return False


def _processor_s(pid: int) -> float:
    """Processor seconds that a process has used, without those of its children."""
    return time.clock_gettime((~pid << 3) | 2)


def _purpose(job: Job) -> str:
    """Why a job is run, by the names under which its cells' names are kept and its questions."""
    kept = [name for name, _ in job.keep_after if "~" in name]
    if kept:
        return "edits" if any("~edit " in name for name in kept) else "mutants"
    return "small" if all(is_small(probe.id) for probe in job.probes) else "judged"


@contextmanager
def ready(loaded: Loaded, *, mistakes: bool) -> Any:
    """The prepared class of an assignment, and its box."""
    offer = prepare(loaded)
    with scratch_folder() as folder, box_for(loaded, offer, require="weak") as lazy:
        context = make_context(loaded, offer, lazy, seed=1, draw=False, evidence=folder)
        silent: Callable[[str, int], None] = lambda what, total: None  # noqa: E731
        yield prepare_reference(context, Local(1), silent, mistakes=mistakes), lazy.box()


def graded(prepared: PreparedClass, submission: Submission) -> tuple[GradedSubmission, float]:
    """A graded submission, and the processor seconds of the grader's own process for it."""
    source = KeptSubmission("student", "student.ipynb", submission)
    begun = time.thread_time()
    return grade_submission(prepared, source, 0.0), time.thread_time() - begun


def metered(prepared: PreparedClass, meter: Meter, **changes: Any) -> PreparedClass:
    return replace(prepared, context=replace(prepared.context, runner=meter, **changes))


def command(*words: str | Path) -> float:
    """Processor seconds of a program of ours, its children included; it must succeed."""
    with scratch_folder() as folder, (folder / "said").open("w+b") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", *map(str, words)], stdout=said, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = (folder / "said").read_text("utf-8", "replace")
    assert process.returncode == 0, f"{words}: {text[-1000:]}"
    return usage.ru_utime + usage.ru_stime


def nbconvert(notebook: Path) -> float:
    """Processor seconds of `jupyter nbconvert --execute`, kernel included."""
    to = ("--to", "notebook", "--output", f"{notebook.stem}-executed.ipynb")
    return command("nbconvert", *to, "--execute", "--allow-errors", "--log-level=ERROR", notebook)


def write_notebook(submission: Submission, path: Path) -> Path:
    """The file that a student would hand in."""
    new = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    notebook = nbformat.v4.new_notebook()
    for cell in submission.cells:
        made = new.get(cell.kind, nbformat.v4.new_raw_cell)(cell.source)
        made.metadata |= {"exercise": cell.exercise} if cell.exercise else {}
        notebook.cells.append(made)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    nbformat.write(notebook, path)
    return path


def without_packages(submission: Submission, loaded: Loaded) -> Submission:
    """The solution without exercises that need packages of their own."""
    dropped = {exercise.id for exercise in loaded.spec.exercise if exercise.requires}
    cells = tuple(cell for cell in submission.cells if cell.exercise not in dropped)
    return msgspec.structs.replace(submission, cells=cells)
