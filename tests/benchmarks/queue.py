"""One queue: a long one of tiny submissions through the real intake, box and gradebook.

Each of ``distinct`` contents is run once; equal ones share stored evidence, and are read, judged,
written and recorded without being run. Ratios compare the end of the queue with its middle.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.grade_class import ClassGrader
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import ResultsFolder
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.gradebook.store import GradeStore
from autograder.interop.intake import Download, take_in
from autograder.sandbox.leftovers import resident_mb
from tests.benchmarks.measure import Ratio

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


@dataclass(frozen=True, slots=True)
class QueueOutcome:
    """``unaccounted``: who lacks a grade, a row, a result or a page, or has one without having
    handed in. ``moments``: processor seconds and MB of the grader's process after each one."""

    unaccounted: frozenset[str]
    evidence: int
    moments: tuple[tuple[float, float], ...]


def measured(*, count: int) -> Iterator[Ratio]:
    with scratch_folder() as folder:
        found = graded_queue(folder, count=count, distinct=200)
    assert not found.unaccounted, sorted(found.unaccounted)[:10]
    (half_s, half_mb), (end_s, end_mb) = found.moments[count // 2], found.moments[-1]
    quarter_s = found.moments[count // 4][0]
    yield Ratio(
        "time for each in the second half over the second quarter",
        [(end_s - half_s) / (count - count // 2) / ((half_s - quarter_s) / (count // 4))],
    )
    yield Ratio("memory at the end over memory at half of the queue", [end_mb / half_mb])


def graded_queue(folder: Path, *, count: int, distinct: int) -> QueueOutcome:
    """Make ``count`` submissions of ``distinct`` contents in ``folder`` and grade them all."""
    loaded = make_assignment(folder / "assignments" / "queue")
    make_hand_ins(folder / "hand-ins", count=count, distinct=distinct)
    workspace, offer = ResultsFolder(folder / "out"), prepare(loaded)
    moments = []

    def done(graded: object) -> None:
        moments.append((time.process_time(), resident_mb()))

    silent: Callable[[str, int], None] = lambda what, total: None  # noqa: E731
    with box_for(loaded, offer, require="weak", hide=[folder]) as box:
        context = make_context(loaded, offer, box, seed=1, draw=False, evidence=workspace.evidence)
        prepared = prepare_reference(context, Local(2), silent)
        intake = take_in(Download([folder / "hand-ins"]), loaded.spec)
        grader = ClassGrader(prepared, workspace, Local(2), ["benchmark"])
        grader.grade(intake, WorkProgress(silent, done))
    wanted = {f"student-{number:06}" for number in range(count)}
    evidence = sum(1 for _ in workspace.evidence.glob("??/*.evidence"))
    unaccounted = frozenset().union(*(wanted ^ names for names in _names(workspace)))
    return QueueOutcome(unaccounted, evidence, tuple(moments))


def _names(workspace: ResultsFolder) -> Iterator[set[str]]:
    """The students in each place where all of them must be at the end."""
    with GradeStore(workspace.database) as store:
        yield {name for name, one in store.current("queue").items() if one.status == "graded"}
    with workspace.gradebook.open(encoding="utf-8", newline="") as file:
        yield {row[0] for row in list(csv.reader(file))[1:]}
    for name in ("results", "feedback"):
        yield {path.stem for path in (workspace.folder / name).iterdir()}


def make_assignment(folder: Path) -> Loaded:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "assignment.toml").write_text(ASSIGNMENT, encoding="utf-8")
    (folder / "solution.py").write_text(SOLUTION, encoding="utf-8")
    return load(folder)


def make_hand_ins(folder: Path, *, count: int, distinct: int) -> None:
    """Write ``count`` notebooks of one cell; three in four have the right answer."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        content = tiny_notebook(number % distinct)
        (folder / f"student-{number:06}.ipynb").write_text(content)


def tiny_notebook(number: int) -> str:
    source = f"answer = {42 if number % 4 else 41}\nnumber = {number}"
    cell = {"cell_type": "code", "source": source, "execution_count": None}
    cells = [{**cell, "outputs": [], "metadata": {}}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
