"""What explanations cost: the further runs of wrong submissions, beside their judged runs.

Covered: processor seconds of the small calls, of edits, of the mutants that are run once for a
class, and of comparing the answers; how many further calls there are.
Not covered: the known mistakes, which are run ahead of a class.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.classroom.mutant_bank import MutantBank
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.files import scratch_folder
from autograder.grading.context import GradedSubmission, PreparedClass
from autograder.judging.diagnosis.by_mutants import explain_by_mutants
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.judge import judge
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import apply_variant
from autograder.pipeline import grade_submission
from autograder.sandbox.box import Box
from autograder.tools.bench.measure import OneFile, run_cpu
from autograder.wire.messages import Job


@dataclass(frozen=True, slots=True)
class ExplanationCost:
    """The cost of one wrong submission, in processor seconds. ``compared_s``: of the grader, for
    comparing answers with those of known mistakes and mutants; ``calls``: further ones."""

    judged_s: float
    small_s: float
    edits_s: float
    compared_s: float
    calls: int

    @property
    def without_edits_s(self) -> float:
        """Everything but edits."""
        return self.small_s + self.compared_s

    @property
    def ratio(self) -> float:
        """The cost with explanations over that of the judged run alone."""
        return 1 + (self.without_edits_s + self.edits_s) / self.judged_s


@dataclass(frozen=True, slots=True)
class ExplanationCosts:
    """Those of some wrong submissions. ``mutants_s``: of all mutants, each submission's share;
    ``right_jobs``: further jobs of a right submission."""

    wrong: tuple[ExplanationCost, ...]
    mutants_s: float
    right_jobs: int


@dataclass
class _Metered:
    """Runs in a box, and counts seconds and jobs by what they are for."""

    box: Box
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    jobs: Counter[str] = field(default_factory=Counter)
    calls: int = 0

    def run(self, job: Job) -> Run:
        made, spent = run_cpu(job, self.box)
        purpose = _purpose(job)
        self.seconds[purpose] += spent
        self.jobs[purpose] += 1
        self.calls += len(job.probes) if purpose == "small" else 0
        return made

    def accepts(self, level: str) -> bool:
        return False


def _purpose(job: Job) -> str:
    """Why a job is run, by the names under which its cells' names are kept and its questions."""
    if any("~" in kept for kept, _ in job.keep_after):
        return "edits" if any("~edit " in kept for kept, _ in job.keep_after) else "mutants"
    return "small" if all(is_small(probe.id) for probe in job.probes) else "judged"


def explanation_costs(prepared: PreparedClass, box: Box, *, count: int) -> ExplanationCosts:
    """Grades the solution, and ``count`` of the known mistakes, evenly chosen, each unknown while
    it is graded."""
    solution = read_solution(prepared.context.loaded)
    every = [
        mistake
        for mistake in variants_in(prepared.context.loaded, "mistakes")
        if mistake.exercise not in prepared.context.unavailable
    ]
    chosen = [every[number * len(every) // count] for number in range(min(count, len(every)))]
    with scratch_folder() as folder:
        metered = _Metered(box)
        context = replace(prepared.context, runner=metered, store=EvidenceFolder(folder))
        ours = replace(prepared, context=context)
        ours = replace(ours, mutants=MutantBank(ours))
        _graded(ours, solution)
        right_jobs = metered.jobs.total() - 1
        wrong = []
        for mistake in chosen:
            bank = [known for known in ours.bank if known.said.name != mistake.name]
            alone = replace(ours, bank=bank)
            before, calls = dict(metered.seconds), metered.calls
            graded = _graded(alone, apply_variant(solution, mistake))
            spent = {p: all_s - before.get(p, 0.0) for p, all_s in metered.seconds.items()}
            judged_s, small_s, edits_s = (spent.get(p, 0.0) for p in ("judged", "small", "edits"))
            compared_s, more = _compared_s(alone, graded), metered.calls - calls
            wrong.append(ExplanationCost(judged_s, small_s, edits_s, compared_s, more))
        return ExplanationCosts(tuple(wrong), metered.seconds["mutants"] / len(wrong), right_jobs)


def _graded(prepared: PreparedClass, submission: Submission) -> GradedSubmission:
    return grade_submission(prepared, OneFile("bench", submission), 0.0)


def _compared_s(prepared: PreparedClass, graded: GradedSubmission) -> float:
    """Processor seconds of explaining the wrong results of a graded submission once more."""
    assert graded.run is not None and graded.located is not None, "the box has run it"
    spec, reference = prepared.context.loaded.spec, prepared.reference
    judged = judge(spec, graded.run, reference, graded.located)
    begun = time.thread_time()
    told = diagnose(spec, judged, graded.run, reference, prepared.bank)
    explain_by_mutants(spec, told, graded.run, reference, prepared.mutants)
    return time.thread_time() - begun


def explanation_figures(costs: ExplanationCosts) -> dict[str, float]:
    """Medians and the largest of all, in milliseconds."""
    every = costs.wrong

    def ms(seconds: Sequence[float]) -> tuple[float, float]:
        return 1000 * statistics.median(seconds), 1000 * max(seconds)

    without_edits, most = ms([cost.without_edits_s for cost in every])
    edits, most_edits = ms([cost.edits_s for cost in every])
    return {
        "explained_ms": without_edits,
        "explained_most_ms": most,
        "edits_ms": edits,
        "edits_most_ms": most_edits,
        "mutants_ms": 1000 * costs.mutants_s,
        "explained_calls": max(cost.calls for cost in every),
        "explained_ratio": statistics.median(cost.ratio for cost in every),
        "right_jobs": costs.right_jobs,
    }
