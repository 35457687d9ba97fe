"""A long queue of tiny submissions through the real intake, box and gradebook: what it costs in
memory along the way, and whether everybody who handed in is in the gradebook at the end.

Each of ``distinct`` contents is run in the box once; equal contents share stored evidence, so the
others are read, recognised, judged, written and recorded without being run.
Covered: the memory of the grader's own process and of its warm process, from the empty queue to
the written gradebook; submissions, grades, rows and files counted and compared by name.
Not covered: large notebooks; workers on other machines.
"""

from __future__ import annotations

import csv
import gc
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from sys import getallocatedblocks
from typing import Any

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.grade_class import ClassGrader
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import ResultsFolder, RunFile
from autograder.execution.engines.local import Local
from autograder.gradebook.store import GradeStore
from autograder.grading.context import GradedSubmission
from autograder.interop.intake import Download, Intake, take_in
from autograder.notebook.students import safe_name
from autograder.sandbox.box import Box
from autograder.tools.bench.soak import Sample, take_sample

ASSIGNMENT = """\
format = 1
id = "queue"
title = "A long queue"

[[exercise]]
id = "answer"
title = "The answer"
defines = ["answer", "number"]

[[exercise.check]]
id = "answer"
kind = "value"
title = "`answer` is 42"
points = 2
name = "answer"

[[exercise.check]]
id = "number"
kind = "value"
title = "`number` is a whole number"
points = 1
name = "number"
"""
SOLUTION = """\
# %% exercise="answer"
# BEGIN SOLUTION
answer = 42
number = 0
# END SOLUTION
"""
SAMPLES = 40  # on the curve
GROWN_MB = 16.0  # that the grader may grow by from half of the queue to its end
KEPT = 0.5  # pieces of memory that it may keep for each submission meanwhile ...
KEPT_ANYWAY = 20_000  # ... in addition to this many


@dataclass(frozen=True, slots=True)
class Moment:
    """The grader after some submissions; ``rate``: submissions per second since the last moment;
    ``kept``: pieces of memory that Python holds, reserves excluded."""

    sample: Sample
    rate: float
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Queued:
    """The result of a queue. Times are seconds by the clock, memory MB.

    ``intake``: listing all of it; ``end``: from the last grade to the written gradebook, with the
    memory then; ``peak_mb``: the most at any time. ``missing``: who is not in the gradebook, or
    without a result or a page, by name.
    """

    handed_in: int
    distinct: int
    intake_s: float
    intake_mb: float
    grading_s: float
    end_s: float
    end_mb: float
    peak_mb: float
    statuses: dict[str, int]
    recorded: int
    rows: int
    results: int
    pages: int
    evidence: int
    missing: tuple[str, ...]
    moments: tuple[Moment, ...] = field(repr=False)

    @property
    def grown_mb(self) -> float:
        """Growth of the grader, in MB, from half of the queue to the written gradebook."""
        half = self.moments[len(self.moments) // 2 :]
        return max(self.end_mb, half[-1].sample.grader_mb) - half[0].sample.grader_mb

    @property
    def accounted(self) -> bool:
        """Whether everybody is in every count, and nobody else."""
        counts = {self.recorded, self.rows, self.results, self.pages, sum(self.statuses.values())}
        # A queue that lost somebody is told of.
        return not self.missing and counts == {self.handed_in}

    @property
    def flat(self) -> bool:
        """Whether the grader's memory stayed within the bounds."""
        half = self.moments[len(self.moments) // 2 :]
        kept = half[-1].kept - half[0].kept
        more = half[-1].sample.graded - half[0].sample.graded
        return self.grown_mb <= GROWN_MB and kept <= KEPT_ANYWAY + KEPT * more

    def plain(self) -> dict[str, Any]:
        """The result as plain data."""
        said = {"grown_mb": self.grown_mb, "grown_mb_allowed": GROWN_MB, "flat": self.flat}
        return {**asdict(self), **said, "accounted": self.accounted}


class Curve:
    """Takes a sample at regular intervals, and at the last submission."""

    def __init__(self, box: Box, total: int, *, tell: Callable[[object], None]) -> None:
        self._box, self._total, self._tell = box, total, tell
        self._done, self.last = 0, time.monotonic()
        self.moments = [Moment(take_sample(0, box), 0.0, getallocatedblocks())]

    def done(self, graded: GradedSubmission) -> None:
        """One more is graded and recorded."""
        self._done += 1
        self._tell(graded)
        if self._done % max(1, self._total // SAMPLES) and self._done < self._total:
            return
        now, before = time.monotonic(), self.moments[-1].sample.graded
        rate = (self._done - before) / max(now - self.last, 1e-9)
        sample = take_sample(self._done, self._box)
        self.moments.append(Moment(sample, rate, getallocatedblocks()))
        self.last = now


def queue_bench(
    folder: Path,
    *,
    count: int,
    distinct: int,
    workers: int,
    progress: WorkProgress,
) -> Queued:
    """Make ``count`` submissions of ``distinct`` contents in ``folder`` and grade them all.

    Takes about 50 KB of disk for each. Raises ``SandboxError``, ``StoreError``.
    """
    loaded = make_assignment(folder / "assignments" / "queue")
    progress.begin("Writing submissions", count)
    make_hand_ins(folder / "hand-ins", count=count, distinct=distinct)
    workspace, offer = ResultsFolder(folder / "out"), prepare(loaded)
    with box_for(loaded, offer, require="weak", hide=[folder]) as box:
        run = workspace.begin(
            RunFile("autograder-run/1", loaded.spec.id, str(loaded.folder), 1, False)
        )
        context = make_context(
            loaded, offer, box, seed=run.seed, draw=False, evidence=workspace.evidence
        )
        engine = Local(workers)
        prepared = prepare_reference(context, engine, progress.begin)
        grader = ClassGrader(prepared, workspace, engine, ["bench", "--queue", str(count)])
        return _graded(grader, box.box(), folder / "hand-ins", min(distinct, count), progress)


def _graded(
    grader: ClassGrader, box: Box, hand_ins: Path, distinct: int, progress: WorkProgress
) -> Queued:
    loaded = grader.prepared.context.loaded
    gc.collect()
    before, begun = take_sample(0, box), time.monotonic()
    intake = take_in(Download([hand_ins]), loaded.spec)
    taken = time.monotonic()
    count = len(intake.hand_ins)
    curve = Curve(box, count, tell=progress.done)
    grader.grade(intake, replace(progress, done=curve.done))
    ended, at_end = time.monotonic(), take_sample(count, box)
    return Queued(
        count,
        distinct,
        taken - begun,
        curve.moments[0].sample.grader_mb - before.grader_mb,
        curve.last - taken,
        ended - curve.last,
        at_end.grader_mb,
        getrusage(RUSAGE_SELF).ru_maxrss / 1024,
        **_counted(intake, grader.workspace, loaded),
        moments=tuple(curve.moments),
    )


def make_assignment(folder: Path) -> Loaded:
    """The tiny assignment that the queue is graded by."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "assignment.toml").write_text(ASSIGNMENT, encoding="utf-8")
    (folder / "solution.py").write_text(SOLUTION, encoding="utf-8")
    return load(folder)


def make_hand_ins(folder: Path, *, count: int, distinct: int) -> None:
    """Write ``count`` notebooks of one cell; three in four have the right answer."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = [tiny_notebook(number) for number in range(distinct)]
    for number in range(count):
        (folder / f"student-{number:06}.ipynb").write_bytes(contents[number % distinct])


def tiny_notebook(number: int) -> bytes:
    """A notebook of one cell."""
    source = f"answer = {42 if number % 4 else 41}\nnumber = {number}"
    cell: dict[str, object] = {"cell_type": "code", "source": source, "execution_count": None}
    cell |= {"outputs": [], "metadata": {}}
    made = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(made).encode()


def _counted(intake: Intake, workspace: ResultsFolder, loaded: Loaded) -> dict[str, Any]:
    """Counts of what exists at the end, and who is missing."""
    with GradeStore(workspace.database) as store:
        recorded = store.current(loaded.spec.id)
    statuses: dict[str, int] = {}
    for one in recorded.values():
        statuses[one.status] = statuses.get(one.status, 0) + 1
    rows = set(_first_column(workspace.gradebook))
    results = {path.name for path in (workspace.folder / "results").iterdir()}
    pages = {path.name for path in (workspace.folder / "feedback").iterdir()}
    missing = [
        one.student
        for one in intake.hand_ins
        if one.student not in recorded
        or one.student not in rows
        or f"{safe_name(one.student)}.json" not in results
        or f"{safe_name(one.student)}.html" not in pages
    ]
    return {
        "statuses": dict(sorted(statuses.items())),
        "recorded": len(recorded),
        "rows": len(rows),
        "results": len(results),
        "pages": len(pages),
        "evidence": sum(1 for _ in workspace.evidence.glob("??/*.evidence")),
        "missing": tuple(missing),
    }


def _first_column(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        yield from (row[0] for row in rows)
