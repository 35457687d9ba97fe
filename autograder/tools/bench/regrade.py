"""A stored class of any size, and what judging it again costs after a tolerance has changed.

Some tens of distinct submissions (the sample class, known mistakes, other right answers) are run
in the box. Every further student hands in one of these with their own comment at the end of the
first code cell. That changes the input and the key of the evidence; the box would give the same
evidence except for its times, so the evidence under the new key is a full copy of the real one.
Everything else is done by `grade` itself.

Covered: reading, keys, judging, diagnosis, pages, gradebook, as in a real class of this size.
Not covered: times that differ between copies; a disk whose files are not in memory.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.grade_class import ClassGrader, ReceivedClass
from autograder.classroom.known_mistakes import Report, WorkProgress, read_solution, variants_in
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import ResultsFolder, RunFile
from autograder.errors import SandboxError, SpecError, SubmissionError
from autograder.evidence.records import Run
from autograder.evidence.store import key_of
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass, Runner, SubmissionSource
from autograder.notebook.formats.find import find, read_found
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import apply_variant
from autograder.tools.bench.measure import OneFile
from autograder.wire.messages import Job

DISTINCT = 60  # submissions that are run in the box
CHANGED = 3  # the index of the changed tolerance in the assignment
FACTORS = (2.0, 1e-12, 1e12)
_OWN = re.compile(r"\n# hand-in of student-\d+\Z")
_ATOL = re.compile(r"^(atol = )([0-9.e-]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RegradeCost:
    """One `autograder regrade`: seconds by the clock, processor seconds of it and its workers,
    how many grades have changed, and the largest memory of one process in MB."""

    change: str
    wall_s: float
    cpu_s: float
    moved: int
    peak_mb: float


class Copied:
    """Runs a job once for all submissions that differ only in their own comment."""

    def __init__(self, context: GradingContext) -> None:
        self._setting = context

    def run(self, job: Job) -> Run:
        """The stored run of the same cells without the comment; runs them when there is none."""
        cells = tuple(
            msgspec.structs.replace(cell, source=_OWN.sub("", cell.source)) for cell in job.cells
        )
        plain = msgspec.structs.replace(job, cells=cells)
        known = self._setting.store.load(key_of(plain))
        return known if known is not None else self._setting.runner.run(job)

    def accepts(self, level: str) -> bool:
        return True


def regrade_bench(
    loaded: Loaded, folder: Path, *, count: int, workers: int, report: Report
) -> list[RegradeCost]:
    """Store a class in ``folder``, then change one tolerance three times: twice as much, so
    small that right answers fail, and back. Takes some minutes and 4 MB per student."""
    engine = Local(workers)
    copy = load(copy_course(loaded, folder / "course"))
    workspace, offer = ResultsFolder(folder / "out"), prepare(copy)
    with box_for(copy, offer, require="weak", hide=[workspace.folder]) as box:
        run = workspace.begin(RunFile("autograder-run/1", copy.spec.id, str(copy.folder), 1, True))
        context = make_context(
            copy, offer, box, seed=run.seed, draw=True, evidence=workspace.evidence
        )
        prepared = prepare_reference(context, engine, report)
        store_class(prepared, workspace, engine, count=count, report=report)
    report("Judging again", len(FACTORS))
    return [
        timed_regrade(
            workspace,
            workers=workers,
            change=change_tolerance(copy.folder, number=CHANGED, factor=factor),
        )
        for factor in FACTORS
    ]


def store_class(
    prepared: PreparedClass, workspace: ResultsFolder, engine: Engine, *, count: int, report: Report
) -> None:
    """Fill a results folder with ``count`` graded students."""
    kinds = list(distinct_hand_ins(prepared.context, count=min(count, DISTINCT)))
    plain: Sequence[SubmissionSource] = [
        OneFile(f"student-{n:04}", one) for n, one in enumerate(kinds)
    ]
    own: Sequence[SubmissionSource] = [
        OneFile(f"student-{n:04}", with_comment(kinds[n % len(kinds)], n))
        for n in range(len(kinds), count)
    ]
    runner: Runner = Copied(prepared.context)
    copying = replace(prepared, context=replace(prepared.context, runner=runner))
    for one, files in ((prepared, plain), (copying, own)):
        grader = ClassGrader(one, workspace, engine, ["bench", "--regrade", str(count)])
        grader.grade(ReceivedClass(files), WorkProgress(report, lambda graded: None))


def distinct_hand_ins(context: GradingContext, *, count: int) -> Iterator[Submission]:
    """The sample class as far as it can be read, then variants of the solution, evenly chosen."""
    loaded = context.loaded
    given = 0
    samples = loaded.folder / "examples"
    for found in find([samples]) if samples.is_dir() else ():
        if given < count:
            try:
                yield read_found(found)
            except SubmissionError:
                continue
            given += 1
    solution = read_solution(loaded)
    left_out = context.unavailable
    every = [*variants_in(loaded, "mistakes"), *variants_in(loaded, "equivalents")]
    variants = [one for one in every if one.exercise not in left_out]
    wanted = count - given
    for number in range(wanted):
        yield apply_variant(solution, variants[number * len(variants) // wanted])


def with_comment(submission: Submission, number: int) -> Submission:
    """The submission with a student's own comment at the end of its first code cell."""
    first = next((cell for cell in submission.cells if cell.kind == "code"), None)
    if first is None:
        return submission
    comment = f"\n# hand-in of student-{number:04}"
    cells = tuple(
        msgspec.structs.replace(cell, source=cell.source + comment) if cell is first else cell
        for cell in submission.cells
    )
    return msgspec.structs.replace(submission, cells=cells)


def copy_course(loaded: Loaded, target: Path) -> Path:
    """Copy the assignment, its solution and template below ``target``; returns its new folder."""
    folder = target / "assignments" / loaded.spec.id
    shutil.copytree(loaded.folder, folder)
    if loaded.solutions != loaded.folder:
        shutil.copytree(loaded.solutions, target / "solutions" / loaded.spec.id)
    if loaded.template.is_file():
        (target / "student_templates").mkdir()
        shutil.copy(loaded.template, target / "student_templates")
    return folder


def change_tolerance(folder: Path, *, number: int, factor: float) -> str:
    """Multiply one absolute tolerance of assignment.toml; returns a description.

    ``number`` counts the lines ``atol = ...`` from 0. Raises ``SpecError`` without such a line.
    """
    path = folder / "assignment.toml"
    text = path.read_text(encoding="utf-8")
    places = list(_ATOL.finditer(text))
    if number >= len(places):
        raise SpecError([f"{path}: has no line 'atol = ...' number {number + 1} to change"])
    at = places[number]
    new = f"{float(at[2]) * factor:g}"
    path.write_text(text[: at.start(2)] + new + text[at.end(2) :], encoding="utf-8")
    line = text.count("\n", 0, at.start()) + 1
    return f"line {line}: atol {at[2]} to {new}"


def timed_regrade(workspace: ResultsFolder, *, change: str, workers: int) -> RegradeCost:
    """Run the command as a process of its own; raises ``SandboxError`` when it fails."""
    before = _scores(workspace)
    command = [
        sys.executable,
        "-m",
        "autograder",
        "regrade",
        str(workspace.folder),
        "--workers",
        str(workers),
        "--yes",
    ]
    with (workspace.folder / "regrade.log").open("wb") as log:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)  # noqa: S603
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        said = (workspace.folder / "regrade.log").read_text(encoding="utf-8", errors="replace")
        raise SandboxError(f"the regrade failed: {said[-500:]}")
    after = _scores(workspace)
    moved = sum(before[student] != after[student] for student in before)
    return RegradeCost(change, wall, usage.ru_utime + usage.ru_stime, moved, usage.ru_maxrss / 1024)


def _scores(workspace: ResultsFolder) -> dict[str, str]:
    rows = workspace.gradebook.read_text(encoding="utf-8").splitlines()
    return {row.split(",")[0]: ",".join(row.split(",")[2:]) for row in rows[1:]}
