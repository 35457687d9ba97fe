"""Whether right answers keep their points however they are written: generated equivalents.

Each rewrite of an answer is first run on inputs that no check uses, and must give the same results
as the original answer; then it must have full marks. Whole notebooks that combine an assignment's
own equivalents and the layouts are graded like a class; if one loses points, the fewest parts that
still lose them are named. The same is done with notebooks in which right answers build on a known
mistake of an earlier exercise, which must not be charged again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED, Check
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment, Exercise
from autograder.authoring.validation.equivalents import (
    Combination,
    Rewrite,
    carried_forward,
    combinations,
    rewrites,
)
from autograder.authoring.validation.rules import ACCEPTED
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import failed_small_calls, question, small_questions
from autograder.authoring.validation.variants import VariantSubmission
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.classroom.reference import prepare_reference
from autograder.errors import SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.grading.context import GradingContext, PreparedClass
from autograder.grading.job import evidence, with_probes
from autograder.judging.checks.registry import probes
from autograder.judging.diagnosis.decoded_run import Evidence, decode
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.judge import judge
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.reports.validation.model import FamilyCount, Generated, LostPoints, Problem
from autograder.wire.messages import Probe

MORE = 100  # rewrites of an assignment's own equivalents, besides all those of the solution
SAMPLE = 60  # of the rewrites with ``quick``; half as many notebooks
_NOT_COMPARED = NO_WRONG_ANSWER | TIMED | {"training", "figure"}


@dataclass(frozen=True)
class _Course:
    """The assignment with the contexts that its answers are tried in."""

    prepared: PreparedClass
    fresh: GradingContext  # with other inputs
    solution: Submission
    originals: Mapping[tuple[str, str], Run] = field(default_factory=dict)

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        return {exercise.id: exercise for exercise in self.prepared.context.loaded.spec.exercise}


@dataclass(frozen=True, slots=True)
class _Outcome:
    """``different``: it means something else, so nothing follows from its points."""

    wrong: tuple[tuple[str, str], ...] = ()  # checks with their messages
    different: bool = False
    parts: str = ""


def try_equivalents(
    context: GradingContext,
    fresh: GradingContext,
    trials: TrialEngine,
    *,
    quick: bool = False,
) -> Generated:
    """Generate and grade equivalents. ``fresh`` is the setting with another seed; ``quick`` draws
    a sample by the setting's. Raises ``SpecError`` where the solution does not pass.
    """
    loaded, seed = context.loaded, context.seed
    prepared = prepare_reference(context, trials.engine, trials.report, mistakes=False)
    course = _Course(prepared, fresh, read_solution(loaded))
    made, whole = _chosen(loaded, course.solution, context.unavailable, seed, quick=quick)
    course = replace(course, originals=_originals(course, made, trials))
    tried = trials.in_order("Trying rewrites", made, lambda one: _rewrite(course, one))
    graded = trials.in_order("Trying combinations", whole, lambda one: _combination(course, one))
    return _table(made, tried, whole, graded)


def unfair(found: Generated) -> Iterator[Problem]:
    """A problem for each check that a right answer does not pass."""
    for one in found.lost:
        text = f"a right answer ({one.parts}, rewritten) does not pass: {one.message}"
        if not one.diff:
            text = f"right answers ({one.parts}) do not pass together: {one.message}"
        yield Problem("unfair", text, one.name, one.check)


def _chosen(
    loaded: Loaded, solution: Submission, left_out: frozenset[str], seed: int, *, quick: bool
) -> tuple[Sequence[Rewrite], Sequence[Combination]]:
    own = [v for v in variants_in(loaded, "equivalents") if v.exercise not in left_out]
    made = rewrites(solution, loaded.spec, own, more=MORE, seed=seed)
    made = tuple(one for one in made if one.exercise not in left_out)
    mistakes = [v for v in variants_in(loaded, "mistakes") if v.exercise not in left_out]
    whole = combinations(loaded.spec, own, seed=seed)
    whole += tuple(carried_forward(loaded.spec, mistakes, own))
    if not quick:
        return made, whole
    order = random.Random(seed)  # noqa: S311  nothing secret
    return (
        order.sample(made, min(SAMPLE, len(made))),
        order.sample(whole, min(SAMPLE // 2, len(whole))),
    )


def _originals(
    course: _Course, made: Sequence[Rewrite], trials: TrialEngine
) -> Mapping[tuple[str, str], Run]:
    """The answers that rewrites are compared with, on the other inputs."""
    wanted = {(one.exercise, one.base): one for one in made if not one.sure}

    def run(one: Rewrite) -> Run:
        return _run(course, course.fresh, one, one.origin(course.solution))[0]

    runs = trials.in_order("Running the answers that are rewritten", list(wanted.values()), run)
    return dict(zip(wanted, runs, strict=True))


def _run(
    course: _Course,
    context: GradingContext,
    one: Rewrite,
    submission: Submission,
    more: Sequence[Probe] = (),
) -> tuple[Run, Assignment, Located]:
    """One answer asked about its own exercise alone, and ``more``. Raises ``SandboxError``,
    ``SubmissionError``."""
    asked = VariantSubmission("equivalent", one.name, one.exercise, one.family, submission)
    prepared = replace(course.prepared, context=context)
    spec, job, located = question(prepared, asked, short=True)
    return evidence(context, with_probes(job, more))[0], spec, located


def _rewrite(course: _Course, one: Rewrite) -> _Outcome:
    submission, context = one.submission(course.solution), course.prepared.context
    try:
        if not one.sure:
            original = course.originals[one.exercise, one.base]
            run, _, _ = _run(course, course.fresh, one, submission)
            if not same_meaning(course.fresh, course.exercises[one.exercise], original, run):
                # A rewrite that means something else is no equivalent.
                return _Outcome(different=True)
        more = small_questions(course.prepared, one.exercise)
        run, spec, located = _run(course, context, one, submission, more)
    except (SandboxError, SubmissionError) as lost:
        return _Outcome((("", str(lost)),))
    verdicts = judge(spec, run, context.reference(course.prepared.expected), located)
    wrong = [v for v in verdicts if v.status.value not in ACCEPTED]
    if wrong:
        return _Outcome(tuple((f"{v.exercise}/{v.check}", v.message) for v in wrong))
    small = failed_small_calls(course.prepared, one.exercise, run)
    return _Outcome(tuple((check, f"in a small call, {fault}") for check, fault in small))


def _combination(course: _Course, one: Combination) -> _Outcome:
    wrong = _graded(course, one)
    checks = {check for check, _ in wrong}
    return _Outcome(wrong, parts=_fewest(course, one, checks).title if wrong else "")


def _graded(course: _Course, one: Combination) -> tuple[tuple[str, str], ...]:
    """The checks that a notebook loses when it is graded like a submission of a class."""
    context = course.prepared.context
    submission = one.submission(course.solution, context.loaded.spec)
    handed = VariantSubmission("equivalent", one.name, "", one.title, submission)
    grade = grade_submission(PreparedClass(context, course.prepared.expected), handed, 0.0).grade
    if grade.status != "graded":
        return (("", grade.reason),)
    return tuple(
        (f"{exercise.id}/{check.id}", check.message)
        for exercise in grade.exercises
        if exercise.id not in one.wrong
        for check in exercise.checks
        if check.status.value not in ACCEPTED
    )


def _fewest(course: _Course, one: Combination, checks: Set[str]) -> Combination:
    """The combination without the parts that it does not need to lose these checks."""
    for smaller in one.smaller():
        if {check for check, _ in _graded(course, smaller)} >= checks:
            # Of a notebook that loses the fewest parts are named.
            return _fewest(course, smaller, checks)
    return one


def _table(
    made: Sequence[Rewrite],
    tried: Sequence[_Outcome],
    whole: Sequence[Combination],
    graded: Sequence[_Outcome],
) -> Generated:
    counts: dict[str, FamilyCount] = {}
    lost: list[LostPoints] = []
    for one, outcome in zip(made, tried, strict=True):
        before = counts.get(one.family, FamilyCount(0, 0, 0))
        counts[one.family] = FamilyCount(
            before.made + 1, before.different + outcome.different, before.lost + bool(outcome.wrong)
        )
        for check, message in outcome.wrong:
            lost.append(LostPoints(one.name, one.base, check, message, one.diff))
    for notebook, outcome in zip(whole, graded, strict=True):
        for check, message in outcome.wrong:
            lost.append(LostPoints(notebook.name, outcome.parts, check, message, ""))
    for family, built_on in (("combinations", False), ("right answers on a known mistake", True)):
        lose = [
            bool(o.wrong) for n, o in zip(whole, graded, strict=True) if bool(n.wrong) is built_on
        ]
        counts[family] = FamilyCount(len(lose), 0, sum(lose))
    return Generated(counts, tuple(lost))


def same_meaning(
    context: GradingContext, exercise: Exercise, original: Run, rewritten: Run
) -> bool:
    """Whether every value and call of the exercise is answered alike, errors by their types:
    within the check's tolerance or the usual one, so an unfair check hides no right answer.

    Not covered: what cannot be compared (a trained table, a figure's look); it only has to exist.
    """
    ours, theirs = decode(rewritten, rewritten.probes), decode(original, original.probes)
    return all(
        _alike(check, probe, ours, theirs)
        for check in exercise.check
        for probe in probes(check, exercise.id, context.cases)
    )


def _alike(check: Check, probe: Probe, ours: Evidence, theirs: Evidence) -> bool:
    one, other = ours.claim(probe.id), theirs.claim(probe.id)
    if one is None or other is None:
        return one is other
    if one.error is not None and other.error is not None:
        return one.error.types == other.error.types  # whatever the messages
    if check.kind in _NOT_COMPARED:
        return one.status == other.status
    usual = check.model_copy(update={"tolerance": None} if hasattr(check, "tolerance") else {})
    # A check's own tolerance does not decide what means the same.
    return any(same_answer(either, probe, ours, theirs) for either in (check, usual))
