"""The whole flow, top to bottom. Read this file first.

A submission is read, its job is run in the box, the evidence is judged, wrong results are
explained, and verdicts become a grade. All but that run is a pure function of stored evidence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from autograder.errors import AutograderError, NotStoredError, SandboxError, SubmissionError
from autograder.evidence.store import versions
from autograder.execution.engines.base import Engine
from autograder.execution.engines.once_more import map_once_more
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.grading import runs as other_runs
from autograder.grading.context import (
    AttemptSet,
    GradedSubmission,
    PreparedClass,
    SubmissionSource,
    best_of,
    failed_on,
    without_score,
)
from autograder.grading.job import answered, asked_names, make_job
from autograder.grading.quoted_lines import quoted
from autograder.grading.repair_run import RepairRuns
from autograder.grading.runs import JudgedRun
from autograder.grading.small_run import small_job, with_small_calls
from autograder.grading.timing import Timing, timing_of
from autograder.judging.checks.registry import examine
from autograder.judging.diagnosis.by_mutants import explain_by_mutants
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.judge import judge
from autograder.notebook.structure.notes import empty_note, template_notes
from autograder.notebook.structure.restored import insert_originals, restore_missing
from autograder.notebook.submission import Submission

Finish = Callable[[SubmissionSource, GradedSubmission], None]


def grade_class(
    prepared: PreparedClass, sources: Sequence[SubmissionSource], engine: Engine, finish: Finish
) -> Iterator[GradedSubmission]:
    """Yield submissions as they are done, those that lacked time beside others last; ``finish``
    (writing the files) is part of the work."""
    started = time.monotonic()

    def work(source: SubmissionSource, *, alone: bool) -> GradedSubmission:
        try:
            graded = grade_student(prepared.run_alone(alone), source, started)
            finish(source, graded)
        except AutograderError:
            raise  # a full disk, a stale store: the same for every submission
        except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
            graded = failed_on(prepared.context, source, bad)
            finish(source, graded)
        return graded

    yield from map_once_more(engine, work, sources)


def grade_student(
    prepared: PreparedClass, source: SubmissionSource, started: float
) -> GradedSubmission:
    """Grade one student; of several attempts the best counts."""
    if not isinstance(source, AttemptSet):
        return grade_submission(prepared, source, started)
    every = (grade_submission(prepared, attempt, started) for attempt in source.attempts)
    return best_of(tuple(every))


def grade_submission(
    prepared: PreparedClass, source: SubmissionSource, class_started: float
) -> GradedSubmission:
    """One submission from file to grade. A fault of the submission or of the box is a grade too.
    ``class_started``: when grading of its class began, by the monotonic clock."""
    begun = time.monotonic()
    try:
        prepared = prepared.personal.of(prepared, source.student)
        submission, first = first_run(prepared, prepared.context.settled(source.read()))
        best, runs, notes = best_run(prepared, submission, first)
    except SubmissionError as bad:
        return without_score(prepared.context, source, "rejected", str(bad))
    except SandboxError as lost:
        return without_score(prepared.context, source, "ungraded", str(lost))
    spec, released = prepared.context.loaded.spec, prepared.context.released
    stamps = template_notes(submission.stamp, assignment=spec.id, released=released)
    file = SubmittedFile(source.name, submission.sha256, (*submission.repairs, *stamps, *notes))
    timing = timing_of(best.took, queued_s=begun - class_started, peak_mb=best.run.measured.peak_mb)
    grade = points(spec, file, best.verdicts, best.run, student=source.student)
    grade = grade.with_run(timing, versions(), doubt=empty_note(best.located.owners, spec.id))
    return GradedSubmission(grade, best.fresh, submission, best.located, best.run, tries=runs)


def first_run(prepared: PreparedClass, submission: Submission) -> tuple[Submission, JudgedRun]:
    """Restores missing given cells of the template, and runs the submission. If a given cell that
    the student has changed fails, inserts the original before it and runs the notebook again."""
    context = prepared.context
    if not context.mends:  # nothing is put into what is kept
        return submission, judged_run(prepared, submission)
    submission = restore_missing(submission, context.outline, asked_names(context))
    first = judged_run(prepared, submission)
    with_originals = insert_originals(submission, context.outline, other_runs.failed_cells(first))
    if with_originals is None:
        return submission, first
    second = judged_run(prepared, with_originals)
    return with_originals, other_runs.once_more(first, second)


def best_run(
    prepared: PreparedClass, submission: Submission, first: JudgedRun
) -> tuple[JudgedRun, tuple[JudgedRun, ...], tuple[str, ...]]:
    """Tries a submission as submitted (``first``), without inserted cells, and in repaired order;
    the better result of each exercise counts. Returns that, all runs, and notes on them."""
    spec = prepared.context.loaded.spec
    early = other_runs.too_early(first.located, first.run)
    best, runs, notes = first, [first], other_runs.notes_on(first, early)
    for other, join in other_runs.further_runs(spec, submission, first, early):
        try:
            runs.append(judged_run(prepared, other))
            best, said = join(spec, best, runs[-1])
        except NotStoredError:  # a stricter rule wants a run that nothing called for before
            said = (other_runs.NOT_STORED,)
        notes += said
    return best, tuple(runs), notes


def judged_run(prepared: PreparedClass, submission: Submission) -> JudgedRun:
    """One run of a submission, judged and diagnosed. Raises ``SandboxError``, ``StoreError``."""
    context, reference, spec = prepared.context, prepared.reference, prepared.context.loaded.spec
    job, located = make_job(context, submission)
    context.watcher.begins(submission, located)
    made = answered(context, job)
    begun = time.monotonic()
    remembered = context.memory.begin(made.keys) if context.memory is not None else None
    look = remembered.look if remembered else examine
    judged = judge(spec, made.run, reference, located, look=look)
    context.watcher.judged(judged, made.run)
    judge_s = time.monotonic() - begun
    made = with_small_calls(context, made, small_job(context, job, located, judged, reference))
    judged, made = RepairRuns(context, reference, job, located).repaired(judged, made)
    begun = time.monotonic()
    explain = remembered.diagnose if remembered else diagnose
    verdicts = quoted(explain(spec, judged, made.run, reference, prepared.bank), job.cells)
    if remembered is None:  # else they are in what is remembered
        verdicts = explain_by_mutants(spec, verdicts, made.run, reference, prepared.mutants)
    verdicts = prepared.settle(verdicts, made.run)
    context.watcher.judged(verdicts, made.run)
    took = made.took + Timing(judge_s=judge_s + time.monotonic() - begun)
    trace = remembered.trace() if remembered and not made.run.lost else None
    return JudgedRun(verdicts, made.run, located, made.fresh, took, trace)
