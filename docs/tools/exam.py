"""An exam of the explanations: wrong answers that the bank does not hold, and whether what is said
of them is true. The numbers are in docs/validation.md.

``python -m docs.tools.exam ASSIGNMENT`` prints the table; ``--most N`` (20) answers of each family,
``--seed N``, ``--jobs N``, ``--json``. Status 1 when an explanation is false.

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
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from autograder.assignment.model import Exercise
from autograder.authoring.validation.rewrites.families import SURE
from autograder.authoring.validation.trials import question
from autograder.authoring.validation.variants import VariantSubmission
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import mistakes_of
from autograder.classroom.reference import prepare_reference
from autograder.errors import SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.files import scratch_folder
from autograder.gradebook.visible import one_line
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
from autograder.notebook.template.variant import Variant, apply_variant, solution_cells
from docs.tools.measuring import Course, markdown, options, shown
from docs.tools.merging import apart, merged
from docs.tools.small_call_sizes import FEW, numbers_in, why_so_large, without_small_call

Explained = Literal["mistake", "mistakes", "change", "mutant", "property", "message", "nothing"]
WORDS: dict[Explained, str] = {  # the best first
    "mistake": "a known mistake",
    "mistakes": "several of them",
    "change": "a changed result",
    "mutant": "as if ...",
    "property": "what wrong calls share",
    "message": "the check's own message",
    "nothing": "not explained",
}
COLUMNS = (
    "family",
    "asked",
    *WORDS.values(),
    "with a small call",
    f"of up to {FEW} numbers",
    "explained falsely",
)

_NUMBER = re.compile(r"\d+")
SPELLINGS = 4  # of each known mistake
MISSING, HELD_OUT = "a mistake that is not in the bank", "a fault that no mutant has"
TWO_STEPS, OTHERWISE = "two faults", "a known mistake, written otherwise"
TWO, TWO_IN_ONE = "two known mistakes", "two known mistakes in one definition"


class ExamAnswer(msgspec.Struct, frozen=True):
    """One wrong answer, and how it is explained. "message": by the check's own sentence, which says
    more than how many numbers differ. ``text``: of the first explanation; ``small``: how many
    numbers each small call holds that is shown, with both results; ``without``: the kinds of failed
    checks that have none, and why; ``large``: why a small call has more than ``FEW`` numbers;
    ``false``: what further calls refuted, if anything."""

    family: str
    name: str
    exercise: str
    explained: Explained
    text: str = ""
    small: tuple[int, ...] = ()
    without: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
    false: str = ""
    unclear: str = ""


class ExamTable(msgspec.Struct, frozen=True):
    """All answers of an exam; those that lose no points are not among them."""

    assignment: str
    answers: tuple[ExamAnswer, ...]

    @property
    def valid(self) -> bool:
        """Whether no explanation is false."""
        return not any(answer.false for answer in self.answers)


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


def hold_exam(course: Course, most: int) -> ExamTable:
    """Ask how wrong answers are explained: of each family ``most``, drawn by seed, and all pairs of
    mistakes in different definitions. Raises ``SpecError``, ``SandboxError``."""
    trials = course.trials
    with (
        scratch_folder() as scratch,
        box_for(course.loaded, course.offer, require=course.require) as box,
    ):
        context = course.context(box, scratch, course.seed)
        prepared = prepare_reference(context, trials.engine, trials.report)
        asked = exam_questions(course, mistakes_of(context), most)
        found = trials.in_order(
            "Asking for explanations", asked, lambda one: _answer(course, prepared, one)
        )
    answers = tuple(answer for answer in found if answer is not None)
    return ExamTable(course.loaded.spec.id, answers)


def exam_questions(course: Course, mistakes: Sequence[Variant], most: int) -> list[ExamQuestion]:
    """The wrong answers of all families."""
    families: tuple[Iterator[ExamQuestion], ...] = (
        (ExamQuestion(MISSING, mistake, mistake.name) for mistake in mistakes),
        _mutants(course),
        _two_steps(course),
        _spellings(mistakes),
    )
    asked: list[ExamQuestion] = []
    for family in families:
        every = list(family)
        random.Random(course.seed).shuffle(every)
        asked += every[:most]
    every_pair = itertools.combinations(mistakes, 2)
    pairs = [(one, other) for one, other in every_pair if one.exercise == other.exercise]
    random.Random(course.seed).shuffle(pairs)
    asked += _two_mistakes(course, pairs, side_by_side=True)
    return [*asked, *itertools.islice(_two_mistakes(course, pairs, side_by_side=False), most)]


def _mutants(course: Course) -> Iterator[ExamQuestion]:
    for exercise in course.exercises.values():
        for mutant in _mutated(course, exercise):
            yield ExamQuestion(HELD_OUT, mutant.variant, mutant.operator)


def _two_steps(course: Course) -> Iterator[ExamQuestion]:
    """Of each mutant one mutant."""
    draw = random.Random(course.seed)
    for exercise in course.exercises.values():
        for first in _mutated(course, exercise):
            both = [m for m in mutate(first.code, exercise) if m.line != first.line]
            if both:
                second = draw.choice(both)
                name = f"{first.name} and {second.operator}"
                yield ExamQuestion(TWO_STEPS, _named(name, exercise.id, second.code))


def _mutated(course: Course, exercise: Exercise) -> list[Mutant]:
    cells = solution_cells(course.solution, exercise.id)
    return list(mutate(cells[0].source, exercise)) if len(cells) == 1 else []


def _two_mistakes(
    course: Course, pairs: Sequence[tuple[Variant, Variant]], *, side_by_side: bool
) -> Iterator[ExamQuestion]:
    """Pairs of known mistakes that can stand together: in different definitions, or in different
    lines of one."""
    for one, other in pairs:
        (cell,) = solution_cells(course.solution, one.exercise)
        names = course.exercises[one.exercise].defines
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


def _answer(course: Course, prepared: PreparedClass, asked: ExamQuestion) -> ExamAnswer | None:
    """How one wrong answer is explained; None if it loses nothing, or is told as missing."""
    context, reference, variant = prepared.context, prepared.reference, asked.variant
    submission = VariantSubmission(
        "mutant", variant.name, variant.exercise, "", apply_variant(course.solution, variant)
    )
    exercise = course.exercises[variant.exercise]
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


def view(table: ExamTable) -> str:
    """A row for each family; then what is explained falsely or not at all, and how often a failed
    check of a kind is shown no small call, or a large one, by the reason."""
    answers = table.answers
    families = dict.fromkeys(answer.family for answer in answers)
    rows = [(f, *_counts([a for a in answers if a.family == f])) for f in families]
    lines = [f"{table.assignment}:", markdown(COLUMNS, [*rows, ("all", *_counts(answers))])]
    for a in answers:
        if a.false:
            lines.append(one_line(f"{a.exercise}, {a.name}: {a.text} (refuted: {a.false})"))
        if a.explained == "nothing":
            lines.append(one_line(f"{a.exercise}, {a.name}: not explained {a.unclear}"))
    reasons = [f"without a small call: {why}" for a in answers for why in a.without]
    reasons += [f"more than {FEW} numbers: {why}" for a in answers for why in a.large]
    lines += [f"{count} {why}" for why, count in Counter(reasons).most_common()]
    return "\n".join(lines)


def _counts(answers: Sequence[ExamAnswer]) -> list[int]:
    counts = Counter(answer.explained for answer in answers)
    small = [answer.small for answer in answers if answer.small]
    few = sum(max(sizes) <= FEW for sizes in small)
    false = sum(bool(answer.false) for answer in answers)
    return [len(answers), *(counts[key] for key in WORDS), len(small), few, false]


def main(arguments: Sequence[str]) -> int:
    """Hold an exam; returns the exit status."""
    parser = options(__doc__)
    parser.add_argument("--most", type=int, default=20)
    asked = parser.parse_args(arguments)
    table = shown(asked, lambda course: hold_exam(course, asked.most), view)
    return int(not table.valid)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
