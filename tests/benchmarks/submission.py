"""One submission: grading the solution against executing the same notebook with nbconvert."""

from __future__ import annotations

import time
from collections.abc import Iterator

from autograder.assignment.load import Loaded
from autograder.classroom.results_folder import ResultsFolder
from autograder.classroom.write_results import write_student
from autograder.evidence.store import EvidenceFolder
from autograder.files import scratch_folder
from autograder.grading.context import PreparedClass
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.sandbox.box import Box
from tests.benchmarks.measure import (
    Meter,
    Ratio,
    graded,
    metered,
    nbconvert,
    ready,
    without_packages,
    write_notebook,
)


def measured(loaded: Loaded, *, rounds: int) -> Iterator[Ratio]:
    """The first round warms up."""
    with ready(loaded, mistakes=False) as (prepared, box), scratch_folder() as folder:
        submission = without_packages(read(loaded.solution), loaded)
        notebook = write_notebook(submission, folder / "solution.ipynb")
        plain, drawn, pages, executed = [], [], [], []
        for number in range(rounds + 1):
            one, _ = _seconds(prepared, box, submission, draw=False)
            two, page = _seconds(prepared, box, submission, draw=True)
            three = nbconvert(notebook)
            if number:
                plain.append(one), drawn.append(two), pages.append(page), executed.append(three)
    columns = list(zip(plain, drawn, pages, executed, strict=True))
    yield Ratio("nbconvert over grading, no figure drawn", [n / p for p, _, _, n in columns])
    yield Ratio("nbconvert over grading, figures drawn", [n / d for _, d, _, n in columns])
    yield Ratio("grading with figures over grading without", [d / p for p, d, _, _ in columns])
    yield Ratio("result file and page over grading", [g / d for _, d, g, _ in columns])


def _seconds(
    prepared: PreparedClass, box: Box, submission: Submission, *, draw: bool
) -> tuple[float, float]:
    """Processor seconds of everything from a submission that has been read to its grade, and of
    writing its files."""
    meter = Meter(box)
    with scratch_folder() as folder:
        ours = metered(prepared, meter, store=EvidenceFolder(folder), draw=draw)
        grade, own = graded(ours, submission)
        begun = time.thread_time()
        write_student(ResultsFolder(folder), grade, prepared.context.loaded.spec)
        return own + sum(meter.seconds.values()), time.thread_time() - begun
