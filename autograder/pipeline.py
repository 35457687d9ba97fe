"""The whole flow, top to bottom. Read this file first.

A submission is read, its job is made and run in the box; the evidence is judged, wrong results are
explained, and the verdicts become a grade. Everything but the step through the box is a pure
function of stored evidence: grading a class again walks through the same functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from autograder.errors import AutograderError, NotStoredError, SandboxError, SubmissionError
from autograder.evidence.store import versions
from autograder.execution.engines.base import Engine
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.grading import reordered_run as other_runs
from autograder.grading.context import (
    AttemptSet,
    GradedSubmission,
    PreparedClass,
    SubmissionSource,
    best_of,
    failed_on,
    without_score,
)
from autograder.grading.job import answered, make_job
from autograder.grading.reordered_run import Attempt
from autograder.grading.timing import Timing, timing_of
from autograder.judging.checks.registry import examine
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.judge import judge
from autograder.notebook.structure.notes import made_from
from autograder.notebook.structure.restored import put_back, put_before
from autograder.notebook.submission import Submission

Finish = Callable[[SubmissionSource, GradedSubmission], None]


def grade_class(
    prepared: PreparedClass, sources: Sequence[SubmissionSource], engine: Engine, finish: Finish
) -> Iterator[GradedSubmission]:
    """Every submission as it is done; ``finish`` (writing its files) is part of the work."""
    started = time.monotonic()

    def work(source: SubmissionSource) -> GradedSubmission:
        try:
            graded = grade_student(prepared, source, started)
            finish(source, graded)
        except AutograderError:
            raise  # a full disk, a stale store: the same for every submission
        except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
            graded = failed_on(prepared.context, source, bad)
            finish(source, graded)
        return graded

    yield from (graded for _, graded in engine.map(work, sources))


def grade_student(
    prepared: PreparedClass, source: SubmissionSource, started: float
) -> GradedSubmission:
    """One student, of whose attempts the best counts where there are several."""
    if not isinstance(source, AttemptSet):
        return grade_submission(prepared, source, started)
    return best_of(tuple(grade_submission(prepared, one, started) for one in source.attempts))


def grade_submission(
    prepared: PreparedClass, source: SubmissionSource, started: float
) -> GradedSubmission:
    """One submission from file to grade. A fault of the submission or of the box is a grade too.
    ``started``: when its class was, by the monotonic clock."""
    begun = time.monotonic()
    try:
        submission, first = first_attempt(prepared, source.read())
        best, attempts, notes = best_attempt(prepared, submission, first)
    except SubmissionError as bad:
        return without_score(prepared.context, source, "rejected", str(bad))
    except SandboxError as lost:
        return without_score(prepared.context, source, "ungraded", str(lost))
    spec, released = prepared.context.loaded.spec, prepared.context.released
    stamps = made_from(submission.stamp, assignment=spec.id, released=released)
    file = SubmittedFile(source.name, submission.sha256, (*submission.repairs, *stamps, *notes))
    peak_mb = best.run.measured.peak_mb
    timing = timing_of(best.took, queued_s=begun - started, peak_mb=peak_mb)
    grade = points(
        spec,
        file,
        best.verdicts,
        best.run,
        student=source.student,
        timing=timing,
        versions=versions(),
    )
    return GradedSubmission(grade, best.fresh, submission, best.located, best.run, tries=attempts)


def first_attempt(prepared: PreparedClass, submission: Submission) -> tuple[Submission, Attempt]:
    """A submission as it is run first: with given cells of the template that it has lost put back,
    and with those that the student has changed in front of them, where theirs fail."""
    context = prepared.context
    if not context.mends:  # guard: regrade: nothing is put into what is kept
        return submission, attempt(prepared, submission)
    # guard: given cells that are gone are put back
    submission = put_back(submission, context.outline)
    first = attempt(prepared, submission)
    whole = put_before(submission, context.outline, other_runs.failed_cells(first))
    if whole is None:  # guard: a changed given cell that fails
        return submission, first
    return whole, other_runs.once_more(first, attempt(prepared, whole))


def best_attempt(
    prepared: PreparedClass, submission: Submission, first: Attempt
) -> tuple[Attempt, tuple[Attempt, ...], tuple[str, ...]]:
    """The best result of a submission: as it is (``first``), without the given cells that were put
    into it, and in the repaired order, if that can change anything. Returns it with all attempts
    and the notes on them."""
    spec, outline = prepared.context.loaded.spec, prepared.context.outline
    early = other_runs.too_early(first.located, first.run)
    best, attempts, notes = first, [first], other_runs.notes_on(first, early)
    # guard: a cell that is put in lowers no result
    for less in other_runs.without_added_cells(submission, first):
        # guard: regrade: a run that was never made ends no batch
        with suppress(NotStoredError):  # a new rule asks for it: what was run is what counts
            attempts.append(attempt(prepared, less))
            best, said = other_runs.better_without(spec, best, attempts[-1])
            notes += said
    ordered = other_runs.in_repaired_order(spec, outline, submission, first, early)
    if ordered is not None:
        attempts.append(attempt(prepared, ordered))
        best, said = other_runs.joined(spec, best, attempts[-1])
        notes += said
    return best, tuple(attempts), notes


def attempt(prepared: PreparedClass, submission: Submission) -> Attempt:
    """One run of a submission, judged and diagnosed. Raises ``SandboxError``, ``StoreError``."""
    context, reference = prepared.context, prepared.reference
    spec, watcher = context.loaded.spec, context.watcher
    job, located = make_job(context, submission)
    if watcher is not None:
        watcher.begins(submission, located)
    made = answered(context, job)
    begun = time.monotonic()
    seen = context.memory.begin(made.keys) if context.memory is not None else None
    judged = judge(spec, made.run, reference, located, look=seen.look if seen else examine)
    if watcher is not None:
        watcher.judged(judged, made.run)
    explain = seen.diagnose if seen else diagnose
    verdicts = explain(spec, judged, made.run, reference, prepared.bank)
    took = made.took + Timing(judge_s=time.monotonic() - begun)
    trace = seen.trace() if seen and not made.run.lost else None
    return Attempt(verdicts, made.run, located, made.fresh, took, trace)
