"""Whether the grader's own memory stays flat: many submissions, and its size along the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.classroom.known_mistakes import Report
from autograder.classroom.results_folder import ResultsFolder
from autograder.classroom.write_results import write_student
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.grading.context import GradedSubmission, PreparedClass, SubmissionSource
from autograder.notebook.formats.read import read
from autograder.pipeline import grade_class
from autograder.sandbox.box import Box
from autograder.sandbox.leftovers import resident_mb
from autograder.tools.bench.measure import OneFile, bench_submission, distinct

SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident memory in MB after some submissions."""

    graded: int
    grader_mb: float
    zygote_mb: float


def soak(
    prepared: PreparedClass, box: Box, *, count: int, workers: int, report: Report
) -> list[Sample]:
    """Grade the solution ``count`` times, each time as a new submission, writing all files."""
    submission = bench_submission(read(prepared.context.loaded.solution), prepared, figures=0)
    every = max(1, count // SAMPLES)
    report("Grading", count)
    with scratch_folder() as folder:
        context = replace(prepared.context, store=EvidenceFolder(folder / "evidence"))
        space = ResultsFolder(folder)
        files = [OneFile(f"s{n}", distinct(submission, n)) for n in range(count)]

        def finish(handed: SubmissionSource, graded: GradedSubmission) -> None:
            write_student(space, graded, context.loaded.spec)

        outcomes = grade_class(replace(prepared, context=context), files, Local(workers), finish)
        samples = [take_sample(0, box)]
        for number, _ in enumerate(outcomes, start=1):
            if number % every == 0:
                samples.append(take_sample(number, box))
    return samples


def growth(samples: Sequence[Sample]) -> float:
    """MB that the grader grew by in the second half, when everything is warm."""
    half = samples[len(samples) // 2 :]
    return half[-1].grader_mb - half[0].grader_mb


def take_sample(graded: int, box: Box) -> Sample:
    """The memory of the grader and of the warm process now, after ``graded`` submissions."""
    return Sample(graded, resident_mb(), resident_mb(box.zygote_pid()))
