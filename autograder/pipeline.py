"""The whole flow, top to bottom. Read this file first.

source -> cells -> job -> (box) -> evidence -> verdicts -> grade -> reports. Everything
but the step through the box is a pure function of stored evidence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from autograder.errors import AutograderError, SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.evidence.store import versions
from autograder.execution.engines.base import Engine
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.grading.context import (
    AttemptSet,
    GradedSubmission,
    GradingContext,
    SubmissionSource,
    best_of,
    failed_on,
    without_score,
)
from autograder.grading.job import answered, make_job
from autograder.grading.reordered_run import Attempt, failed_cells, in_other_ways, once_more
from autograder.grading.timing import Timing, timing_of
from autograder.judging.checks.registry import examine
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.judge import judge
from autograder.notebook.structure.notes import made_from
from autograder.notebook.structure.restored import put_back, put_before
from autograder.notebook.submission import Submission
from autograder.wire.messages import Job


def evidence(setting: GradingContext, job: Job) -> tuple[Run, bool]:
    """A job's run, stored or made just now (then True); on real accelerators as well, if some
    are there. Raises ``SandboxError``, ``StoreError``."""
    found = answered(setting, job)
    return found.run, found.fresh


def reference(setting: GradingContext, solution: Submission) -> Run:
    """The solution's evidence: it is run exactly as a submission is."""
    return evidence(setting, make_job(setting, solution)[0])[0]


def attempt(
    setting: GradingContext, submission: Submission, expected: Run, bank: Sequence[KnownMistake]
) -> Attempt:
    """One run of a hand-in, judged and diagnosed. Raises ``SandboxError``, ``StoreError``."""
    spec, relations = setting.loaded.spec, setting.loaded.relations
    job, located = make_job(setting, submission)
    made = answered(setting, job)
    run, begun = made.run, time.monotonic()
    seen = setting.memory.begin(made.keys) if setting.memory is not None else None
    judged = judge(
        spec,
        run,
        expected,
        setting.cases,
        relations,
        look=seen.look if seen else examine,
        unavailable=setting.unavailable,
        owners=located.owners,
        builds_on=located.builds_on,
        unanswered=located.unanswered,
    )
    tell = seen.diagnose if seen else diagnose
    verdicts = tell(spec, judged, run, expected, bank, setting.cases)
    took = made.took + Timing(judge_s=time.monotonic() - begun)
    trace = seen.trace() if seen and not run.lost else None
    return Attempt(verdicts, run, located, made.fresh, took, trace)


def grade_one(
    setting: GradingContext,
    handed: SubmissionSource,
    expected: Run,
    bank: Sequence[KnownMistake],
    started: float,
) -> GradedSubmission:
    """One hand-in from file to grade. A fault of the hand-in or of the box is a grade too."""
    return graded_by(
        partial(attempt, setting, expected=expected, bank=bank), setting, handed, started
    )


def graded_by(
    attempt: Callable[[Submission], Attempt],
    setting: GradingContext,
    handed: SubmissionSource,
    started: float,
) -> GradedSubmission:
    """The same, each run of it judged by ``attempt``."""
    spec, student, begun = setting.loaded.spec, handed.student, time.monotonic()
    try:
        submission, outline = handed.read(), setting.outline
        # guard: given cells that are gone are put back
        submission = put_back(submission, outline) if setting.mends else submission
        tried = attempt(submission)
        # guard: regrade: nothing is put into what is kept
        whole = put_before(submission, outline, failed_cells(tried)) if setting.mends else None
        if whole is not None:  # guard: a changed given cell that fails
            submission, tried = whole, once_more(tried, attempt(whole))
        stamps = made_from(submission.stamp, assignment=spec.id, released=setting.released)
        tried, tries, said = in_other_ways(attempt, spec, setting.outline, submission, tried)
    except SubmissionError as bad:
        return without_score(setting, handed, "rejected", str(bad))
    except SandboxError as lost:
        return without_score(setting, handed, "ungraded", str(lost))
    peak_mb = tried.run.measured.peak_mb
    timing = timing_of(tried.took, queued_s=begun - started, peak_mb=peak_mb)
    hand_in = SubmittedFile(handed.name, submission.sha256, (*submission.repairs, *stamps, *said))
    grade = points(
        spec,
        hand_in,
        tried.verdicts,
        tried.run,
        student=student,
        timing=timing,
        versions=versions(),
    )
    return GradedSubmission(grade, tried.fresh, submission, tried.located, tried.run, tries=tries)


def grade_best(
    setting: GradingContext,
    handed: SubmissionSource,
    expected: Run,
    bank: Sequence[KnownMistake],
    started: float,
) -> GradedSubmission:
    """One student, of whose attempts the best counts where there are several."""
    if not isinstance(handed, AttemptSet):
        return grade_one(setting, handed, expected, bank, started)
    attempts = (grade_one(setting, one, expected, bank, started) for one in handed.attempts)
    return best_of(tuple(attempts))


def grade_class(
    setting: GradingContext,
    hand_ins: Sequence[SubmissionSource],
    expected: Run,
    bank: Sequence[KnownMistake],
    engine: Engine,
    finish: Callable[[SubmissionSource, GradedSubmission], None],
) -> Iterator[GradedSubmission]:
    """Every hand-in as it is done; ``finish`` (writing its files) is part of the work."""
    started = time.monotonic()

    def work(handed: SubmissionSource) -> GradedSubmission:
        try:
            graded = grade_best(setting, handed, expected, bank, started)
            finish(handed, graded)
        except AutograderError:
            raise  # a full disk, a stale store: the same for every hand-in
        except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
            graded = failed_on(setting, handed, bad)
            finish(handed, graded)
        return graded

    yield from (graded for _, graded in engine.map(work, hand_ins))
