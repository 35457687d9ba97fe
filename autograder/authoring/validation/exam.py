"""An exam of the explanations: wrong answers that the bank does not hold, and whether what is said
of them is true.

Six families: known mistakes that are taken out of the bank one at a time; mutants of a family of
faults that is taken out; mutants of mutants; two known mistakes in different definitions, of which
every pair is asked; two in one definition; and known mistakes that are written in another way.
Every explanation is tried on small calls that a submission is not asked, in another run: it is
false if it is not given once their answers are known. What a check itself says is about its own
calls, and not tried.

Not covered: whether a true explanation helps.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.assignment.pretrained import prepare
from autograder.authoring.validation.merging import apart, merged
from autograder.authoring.validation.rewrites.families import SURE
from autograder.authoring.validation.small_call_sizes import (
    numbers_in,
    why_so_large,
    without_small_call,
)
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import question
from autograder.authoring.validation.variants import VariantSubmission
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import mistakes_of, read_solution, refuse_brought
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.files import scratch_folder
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import joined, obtained
from autograder.grading.job import answered
from autograder.grading.small_run import small_job, with_small_calls
from autograder.judging.diagnosis.by_mutants import Mutants, explain_by_mutants
from autograder.judging.diagnosis.case_trial import WRONG
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.small_calls import passed_probes
from autograder.judging.judge import judge
from autograder.judging.verdict import Cause, Status, Verdict
from autograder.mutation.mutants import Mutant, mutate
from autograder.notebook.structure.names import parse
from autograder.notebook.structure.needed_cells import narrowed
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant, solution_cells
from autograder.reports.validation.exam import WORDS, ExamAnswer, ExamTable, Explained
from autograder.sandbox.box import Level

_NUMBER = re.compile(r"\d+")
SPELLINGS = 4  # of each known mistake
MISSING, HELD_OUT = "a mistake that is not in the bank", "a fault that no mutant has"
TWO_STEPS, OTHERWISE = "two faults", "a known mistake, written otherwise"
TWO, TWO_IN_ONE = "two known mistakes", "two known mistakes in one definition"


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """A wrong answer. ``without``: the known mistake, or the operator of mutants, that the bank
    must not have."""

    family: str
    variant: Variant
    without: str = ""


@dataclass(frozen=True, slots=True)
class _OtherMutants:
    """The mutants of all operators but one."""

    mutants: Mutants
    without: str

    @property
    def lost(self) -> frozenset[str]:
        return self.mutants.lost

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        own = f"{exercise}-{self.without}-"
        return [m for m in self.mutants.of(exercise) if not m.said.name.startswith(own)]


def hold_exam(
    folder: Path, trials: TrialEngine, *, require: Level, seed: int, most: int
) -> ExamTable:
    """Ask how wrong answers to the assignment in ``folder`` are explained: of each family ``most``,
    drawn by seed, and all pairs of mistakes in different definitions.
    Raises ``SpecError``, ``SandboxError``."""
    loaded = load(folder)
    refuse_brought(loaded, "validated")
    offer = prepare(loaded)
    with scratch_folder() as scratch, box_for(loaded, offer, require=require) as box:
        context = make_context(loaded, offer, box, seed=seed, draw=False, evidence=scratch)
        prepared = prepare_reference(context, trials.engine, trials.report)
        solution = read_solution(loaded)
        asked = exam_questions(prepared, solution, seed=seed, most=most)
        found = trials.in_order(
            "Asking for explanations", asked, lambda one: _answer(prepared, solution, one)
        )
    return ExamTable(loaded.spec.id, tuple(answer for answer in found if answer is not None))


def exam_questions(
    prepared: PreparedClass, solution: Submission, *, seed: int, most: int
) -> list[ExamQuestion]:
    """The wrong answers of all families."""
    mistakes = mistakes_of(prepared.context)
    spec, away = prepared.context.loaded.spec, prepared.context.unavailable
    exercises = {e.id: e for e in spec.exercise if e.id not in away}
    families: tuple[Iterator[ExamQuestion], ...] = (
        (ExamQuestion(MISSING, mistake, mistake.name) for mistake in mistakes),
        _mutants(solution, exercises.values()),
        _two_steps(solution, exercises.values(), seed),
        _spellings(mistakes),
    )
    asked: list[ExamQuestion] = []
    for family in families:
        every = list(family)
        random.Random(seed).shuffle(every)  # noqa: S311  a sample
        asked += every[:most]
    every_pair = itertools.combinations(mistakes, 2)
    pairs = [(one, other) for one, other in every_pair if one.exercise == other.exercise]
    random.Random(seed).shuffle(pairs)  # noqa: S311  a sample
    asked += _two_mistakes(solution, pairs, exercises, side_by_side=True)
    in_one = _two_mistakes(solution, pairs, exercises, side_by_side=False)
    return asked + list(itertools.islice(in_one, most))


def _mutants(solution: Submission, exercises: Collection[Exercise]) -> Iterator[ExamQuestion]:
    for exercise in exercises:
        for mutant in _mutated(solution, exercise):
            yield ExamQuestion(HELD_OUT, mutant.variant, mutant.operator)


def _two_steps(
    solution: Submission, exercises: Collection[Exercise], seed: int
) -> Iterator[ExamQuestion]:
    """Of each mutant one mutant."""
    draw = random.Random(seed)  # noqa: S311  a sample
    for exercise in exercises:
        for first in _mutated(solution, exercise):
            both = [m for m in mutate(first.code, exercise) if m.line != first.line]
            if both:
                second = draw.choice(both)
                name = f"{first.name} and {second.operator}"
                yield ExamQuestion(TWO_STEPS, _named(name, exercise.id, second.code))


def _mutated(solution: Submission, exercise: Exercise) -> list[Mutant]:
    cells = solution_cells(solution, exercise.id)
    return list(mutate(cells[0].source, exercise)) if len(cells) == 1 else []


def _two_mistakes(
    solution: Submission,
    pairs: Sequence[tuple[Variant, Variant]],
    exercises: Mapping[str, Exercise],
    *,
    side_by_side: bool,
) -> Iterator[ExamQuestion]:
    """Pairs of known mistakes that can stand together: in different definitions, or in different
    lines of one."""
    for one, other in pairs:
        (cell,) = solution_cells(solution, one.exercise)
        names = exercises[one.exercise].defines
        if apart(cell.source, one.code, other.code, names) is not side_by_side:
            continue
        code = merged(cell.source, one.code, other.code)
        if code is not None and parse(code) is not None:
            name = f"{one.name} and {other.name}"
            family = TWO if side_by_side else TWO_IN_ONE
            yield ExamQuestion(family, _named(name, one.exercise, code))


def _spellings(mistakes: Sequence[Variant]) -> Iterator[ExamQuestion]:
    """Known mistakes with one rewrite that means the same."""
    for mistake in mistakes:
        tree = parse(mistake.code)
        made = [] if tree is None else [t for family in SURE.values() for t in family(tree)]
        for number, code in enumerate(dict.fromkeys(map(ast.unparse, made))):
            if number < SPELLINGS:
                name = f"{mistake.name}, written otherwise ({number + 1})"
                yield ExamQuestion(OTHERWISE, _named(name, mistake.exercise, code))


def _named(name: str, exercise: str, code: str) -> Variant:
    return Variant(name, exercise, name, "", code)


def _answer(
    prepared: PreparedClass, solution: Submission, asked: ExamQuestion
) -> ExamAnswer | None:
    """How one wrong answer is explained; None if it loses nothing, or is told as missing."""
    context, reference, variant = prepared.context, prepared.reference, asked.variant
    submission = VariantSubmission(
        "mutant", variant.name, variant.exercise, "", apply_variant(solution, variant)
    )
    exercise = next(e for e in context.loaded.spec.exercise if e.id == variant.exercise)
    try:
        spec, job, located = question(prepared, submission, short=True)
        first = answered(context, job)
        judged = judge(spec, first.run, reference, located)
        if not any(verdict.status in WRONG for verdict in judged):
            return None
        asked_small = small_job(context, job, located, judged, reference)
        run = with_small_calls(context, first, asked_small).run
        every = passed_probes(exercise, reference)
        more = [obtained(context, narrowed(job, located, every)).run] if every else []
    except (SandboxError, SubmissionError) as lost:
        return ExamAnswer(asked.family, variant.name, exercise.id, "nothing", unclear=str(lost))
    later = joined(first.run, more, first.run.lost)
    bank = [m for m in prepared.bank if m.said.name != asked.without]
    mutants = prepared.mutants
    if asked.family == HELD_OUT:
        mutants = _OtherMutants(prepared.mutants, asked.without)

    def told(run: Run, *, thorough: bool) -> tuple[Verdict, ...]:
        first = diagnose(spec, judged, run, reference, bank, thorough=thorough)
        return explain_by_mutants(spec, first, run, reference, mutants, thorough=thorough)

    usual, tried = told(run, thorough=False), told(later, thorough=True)
    said = [(verdict, kind_of(verdict)) for verdict in usual if verdict.status in WRONG]
    order: list[Explained] = list(WORDS)
    verdict, kind = min(said, key=lambda one: order.index(one[1]))
    after = {verdict.check: verdict for verdict in tried}
    own = {verdict.check: verdict.diagnosis for verdict in judged}
    false = [
        f"{wrong.check}: {after[wrong.check].diagnosis or 'nothing'}"
        for wrong, _ in said
        if wrong.diagnosis not in ("", own[wrong.check])
        and _claim(after[wrong.check]) != _claim(wrong)
    ]
    sizes = [numbers_in(verdict.smallest) for verdict in usual if verdict.smallest is not None]
    return ExamAnswer(
        asked.family,
        variant.name,
        exercise.id,
        kind,
        verdict.diagnosis or verdict.message,
        tuple(sizes),
        tuple(dict.fromkeys(without_small_call(exercise, usual, run, reference))),
        tuple(dict.fromkeys(why_so_large(exercise, usual, run, reference))),
        "; ".join(false[:1]),
    )


def _claim(verdict: Verdict) -> str:
    """What an explanation says, without the number of calls that it counts."""
    return _NUMBER.sub("", verdict.diagnosis)


def kind_of(verdict: Verdict) -> Explained:
    """How a wrong check is explained."""
    cause = verdict.cause or Cause("nothing")
    if len(cause.mistakes) == 1 or cause.sure == "ambiguous":
        return "mistake"
    if cause.mistakes:
        return "mistakes"
    if cause.transform:
        return "change"
    if cause.mutant:
        return "mutant"
    if verdict.diagnosis:
        return "property"
    plain = all(m.numbers is not None and not m.text for m in verdict.mismatches)
    return "nothing" if verdict.status is Status.FAILED and plain else "message"
