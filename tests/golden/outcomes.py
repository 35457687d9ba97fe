"""What graders say about every answer that an assignment has, as lines of text.

A submission is a line with its name and its points, and below it, indented, a line for each check
that is not simply passed and for each exercise that has something to say::

    mistake/softmax/softmax_wrong_axis  11/20
      softmax/rows  failed  0/2  [named: softmax_wrong_axis]  `softmax` returned ...
      softmax  failed  3/5  Your rows do not sum to one. | 1 gave wrong values

Covered: the solution, the template, known mistakes, equivalents, samples, and some mutants, graded
like a class of this seed. Answers of one exercise are asked about it and the exercises that build
on it; the points are those of these. Not covered: real accelerators; seeds that are drawn; repairs
where torch is used, because trying the edits takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from math import floor, log10
from pathlib import Path

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.assignment.packages import TORCH
from autograder.assignment.pretrained import prepare
from autograder.authoring.validation.variants import VariantSubmission, tries
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import Report, bank_of, mistakes_of, read_solution
from autograder.classroom.mutant_bank import MutantBank
from autograder.classroom.reference import make_context, prepare_reference
from autograder.evidence.records import Run, TimeSpent
from autograder.evidence.store import PACKAGE, versions
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Inline, Local
from autograder.files import write_atomic
from autograder.gradebook.grade import CheckGrade, ExerciseGrade
from autograder.gradebook.rounding import written
from autograder.grading.context import (
    FoundSubmission,
    GradedSubmission,
    GradingContext,
    PreparedClass,
    Runner,
)
from autograder.judging.diagnosis.by_mutants import NO_MUTANTS
from autograder.judging.diagnosis.known import part_names
from autograder.judging.verdict import Status
from autograder.notebook.formats.find import find as find_submissions
from autograder.pipeline import grade_submission
from autograder.reports.feedback.feedback import ExerciseFeedback, feedback
from autograder.sandbox.processor import capabilities, passed_on
from autograder.wire.messages import Call, Job
from tests.support.kept_evidence import KeptEvidence, folder_in

SEED = 20_170_612
MUTANTS = 60  # of an assignment; a few more where that does not meet every exercise and operator
UNGRADED = "\n  ungraded: "
WHOLE = "-"  # instead of an exercise: a whole notebook
QUICK_S, NO_REPAIRS_S = 0.002, 10.0  # what an answer is said to cost
NOT_STORED = "0" * 64  # the key of no evidence

Source = VariantSubmission | FoundSubmission
Blocks = Mapping[str, str]  # the lines of each submission, by its name

# ------------------------------------------------------------------ the submissions


def submissions(loaded: Loaded) -> dict[str, Source]:
    """Everything that is graded, by name and in its order."""
    made: list[VariantSubmission] = []
    mutants: list[VariantSubmission] = []
    for one in tries(loaded, read_solution(loaded)):
        if one.sort != "trivial":
            (mutants if one.sort == "mutant" else made).append(one)
    examples = loaded.folder / "examples"
    samples = find_submissions([examples]) if examples.is_dir() else []
    named: dict[str, Source] = {
        f"{one.sort}/{one.exercise or WHOLE}/{one.name}": one for one in (*made, *chosen(mutants))
    }
    named |= {f"sample/{WHOLE}/{one.student}": FoundSubmission(one) for one in samples}
    return dict(sorted(named.items()))


def chosen(mutants: Sequence[VariantSubmission]) -> Iterator[VariantSubmission]:
    """The first ones by the digest of their names, and then whatever meets an exercise or an
    operator that no other does."""
    met: set[str] = set()
    for number, one in enumerate(sorted(mutants, key=lambda one: digest(one.name))):
        assert one.mutant is not None
        own = {one.exercise, one.mutant.operator}
        if number < MUTANTS or not own <= met:
            met |= own
            yield one


def digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()


# ------------------------------------------------------------------ their grades


def asking(loaded: Loaded, exercise: str) -> Loaded:
    """The assignment with the checks of one exercise, and of those that build on it: what else is
    asked is the same for all its answers. With all checks for ``WHOLE``."""
    every = loaded.spec.exercise
    own = next((one for one in every if one.id == exercise), None)
    if own is None:
        return loaded
    names = {name.partition(".")[0] for name in own.defines}
    kept = tuple(
        one if one is own or names & part_names(one) else one.model_copy(update={"check": ()})
        for one in every
    )
    return replace(loaded, spec=loaded.spec.model_copy(update={"exercise": kept}))


@dataclass(frozen=True, slots=True)
class SameCost:
    """A box in which every answer is said to cost the same, apart from timed calls: how many edits
    are tried to find a repair goes by that, and a busy machine must not change what is found."""

    box: Runner
    each: TimeSpent

    def run(self, job: Job) -> Run:
        run, each = self.box.run(job), self.each
        timed = {p.id for p in job.probes if isinstance(p.request, Call) and p.request.discard}
        return msgspec.structs.replace(
            run,
            cells=tuple(msgspec.structs.replace(cell, spent=each) for cell in run.cells),
            probes=tuple(
                one if one.id in timed else msgspec.structs.replace(one, spent=each)
                for one in run.probes
            ),
            measured=msgspec.structs.replace(run.measured, cpu_s=0.0, wall_s=0.0, waited_s=0.0),
        )

    def accepts(self, level: str) -> bool:
        return self.box.accepts(level)


@dataclass(frozen=True, slots=True)
class GoldenGrader:
    """Grades submissions of an assignment. Runs and lines are kept in ``folder``, each named by all
    that could change it, so that what was interrupted continues."""

    loaded: Loaded
    folder: Path
    workers: int = 2

    def blocks(self, wanted: Mapping[str, Source], report: Report) -> Iterator[tuple[str, str]]:
        """The lines of each submission, in no order."""
        kept = self.folder / "lines" / self._state()
        missing = dict[str, Source]()
        for name, source in wanted.items():
            path = kept / digest(name)
            if path.is_file():
                yield name, path.read_text(encoding="utf-8")
            else:
                missing[name] = source
        for name, block in self._graded(missing, report):
            if UNGRADED not in block:  # that may have been a busy moment
                write_atomic(kept / digest(name), block.encode())
            yield name, block

    def alone(self, wanted: Mapping[str, Source]) -> Iterator[tuple[str, str]]:
        """The same, each compared with no other known mistake than itself, and with no mutant."""
        return self._graded(wanted, _untold, alone=True)

    def _graded(
        self, wanted: Mapping[str, Source], report: Report, *, alone: bool = False
    ) -> Iterator[tuple[str, str]]:
        by_exercise: dict[str, list[tuple[str, Source]]] = {}
        for name, source in wanted.items():
            by_exercise.setdefault(name.split("/")[1], []).append((name, source))
        offer = prepare(self.loaded)
        outer, inner = (
            Local(self.workers),
            Inline() if len(by_exercise) > 1 else Local(self.workers),
        )

        def graded(exercise: str) -> list[tuple[str, str]]:
            report(f"{self.loaded.spec.id}/{exercise}", len(by_exercise[exercise]))
            loaded = asking(self.loaded, exercise)
            context = make_context(loaded, offer, runner, seed=SEED, draw=False, evidence=evidence)
            prepared = _prepared(replace(context, store=KeptEvidence(evidence)), inner, alone=alone)
            work = partial(_block, prepared, alone=alone)
            return [block for _, block in inner.map(work, by_exercise[exercise])]

        evidence = folder_in(self.folder / "evidence")
        each_s = NO_REPAIRS_S if TORCH in self.loaded.packages else QUICK_S
        with box_for(self.loaded, offer, require="weak") as box:
            runner = SameCost(box, TimeSpent(each_s, each_s))
            for _, several in outer.map(graded, sorted(by_exercise)):
                yield from several

    def _state(self) -> str:
        """The digest of all that could change the lines."""
        loaded, found = self.loaded, sha256()
        own = [Path(__file__), loaded.template]
        for folder in (PACKAGE, loaded.folder, loaded.solutions):
            own += sorted(p for p in folder.rglob("*.*") if p.suffix != ".pyc" and p.is_file())
        for path in own:
            found.update(path.name.encode() + b"\0" + path.read_bytes())
        machine = sorted(versions().items()), passed_on(), capabilities(), loaded.digest
        found.update(repr(machine).encode())
        return f"{loaded.spec.id}-{found.hexdigest()[:16]}"


def _prepared(context: GradingContext, engine: Engine, *, alone: bool) -> PreparedClass:
    """What the submissions are compared with; ``alone``: known mistakes are run when they are
    compared with, and there are no mutants."""
    prepared = prepare_reference(context, engine, _untold, mistakes=False)
    asked = {one.id for one in context.loaded.spec.exercise if one.check}
    later = {mistake.name: (NOT_STORED,) for mistake in mistakes_of(context)} if alone else {}
    bank = bank_of(prepared, asked, engine, _untold, later)
    return replace(prepared, bank=bank, mutants=NO_MUTANTS if alone else MutantBank(prepared))


def _untold(what: str, total: int) -> None:
    """Nobody is told of small steps."""


def _block(prepared: PreparedClass, named: tuple[str, Source], *, alone: bool) -> tuple[str, str]:
    name, source = named
    if alone:
        own = name.rpartition("/")[2]
        prepared = replace(prepared, bank=[k for k in prepared.bank if k.said.name == own])
    graded = grade_submission(prepared, source, 0.0)
    return name, "".join(f"{line}\n" for line in lines(name, graded, prepared.context.loaded.spec))


# ------------------------------------------------------------------ their lines


def lines(name: str, graded: GradedSubmission, spec: Assignment) -> Iterator[str]:
    """What is said of one submission."""
    grade = graded.grade
    shown = feedback(grade, spec)
    bonus = f", bonus {amount(grade.bonus, grade.bonus_max)}" if grade.bonus_max else ""
    yield f"{name}  {amount(grade.score, grade.max_score)}{bonus}"
    if grade.status != "graded":
        yield f"  {grade.status}: {one_line(grade.reason)}"
    yield from (f"  note: {one_line(note)}" for note in shown.repairs)
    for exercise, told in zip(grade.exercises, shown.exercises, strict=True):
        yield from _exercise(exercise, told)


def _exercise(exercise: ExerciseGrade, told: ExerciseFeedback) -> Iterator[str]:
    public = iter(told.public)
    for check in exercise.checks:
        texts: Iterable[str] = ()
        if check.public and not check.by_hand:
            seen = next(public)
            picture = "a picture" if seen.picture is not None else ""
            hint = f"hint: {seen.hint}" if seen.hint else ""
            texts = seen.message, *seen.differences, seen.devices, hint, picture
        elif check.message:
            texts = (f"(to graders) {check.message}",)
        if not _is_plain(check):
            place = f"{exercise.id}/{check.id}"
            points = amount(check.score, check.max_score)
            line = f"  {place}  {check.status.value}  {points}  {_label(check)}{joined(texts)}"
            yield line.rstrip()
    said = list(told.told)
    if told.hidden is not None:
        said += [*told.hidden.problems, *(f"hint: {hint}" for hint in told.hidden.hints)]
    if told.repair is not None:
        said.append(f"repair: {told.repair.place}: {told.repair.before} -> {told.repair.after}")
    if exercise.repair is not None and exercise.repair != told.repair:
        repair = exercise.repair
        said.append(f"(to graders) {repair.place}: {repair.before} -> {repair.after}")
    if exercise.status not in (Status.PASSED, Status.MANUAL) or any(said):
        points = amount(exercise.score, exercise.max_score)
        yield f"  {exercise.id}  {exercise.status.value}  {points}  {joined(said)}".rstrip()


def _is_plain(check: CheckGrade) -> bool:
    """Whether it is passed, with nothing more to say, or waits for a grader like everybody's."""
    full = check.status is Status.PASSED and check.score == check.max_score
    return check.status is Status.MANUAL or (full and not check.message)


def _label(check: CheckGrade) -> str:
    """The kind of cause, and what it names."""
    if check.cause is None:
        return ""
    names = ", ".join(mistake.name for mistake in check.cause.explanations())
    return f"[{check.cause.sure}{': ' if names else ''}{names}]  "


def amount(score: int | None, most: int) -> str:
    return f"{written(score, decimals=3) or '-'}/{written(most, decimals=3)}"


def joined(texts: Iterable[str]) -> str:
    return " | ".join(one_line(text) for text in texts if text)


# ------------------------------------------------------------------ their numbers

# With a fraction or an exponent; points, which are exact, have a stroke beside them.
NUMBER = re.compile(r"(?<![\w./])\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)(?![\w./]*\d)")
DIGITS, NOISE = 3, 1e-5


def one_line(text: str) -> str:
    """A text in one line, without digits that depend on the processor."""
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return NUMBER.sub(lambda found: _rounded(found[0]), escaped)


def _rounded(number: str) -> str:
    """Three digits; "~0" for what rounding errors leave of zero, unlike a bound such as 1e-06."""
    value = float(number)
    if value != 0 and value < NOISE and len(number.partition("e")[0].strip("0.")) > 2:
        return "~0"
    shown = f"{value:.{DIGITS}g}"
    return shown if {".", "e"} & {*shown} else f"{shown}.0"  # 9.996 like 9.99, and not like 10


def same(one: str, other: str) -> bool:
    """Whether two texts are equal but for the last of the three digits, which may be rounded up on
    one processor and down on another."""
    if one == other:
        return True
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=False)
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(
        abs(float(a) - float(b)) <= 1.01 * 10 ** (floor(log10(float(a))) - DIGITS + 1)
        for a, b in pairs
        if a != b
    )


# ------------------------------------------------------------------ their file


def read_blocks(path: Path) -> Blocks:
    """The lines of a file, by submission; none if there is no such file."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = re.findall(r"^(\S.*?)(  .*\n(?:  .*\n)*)", text, re.MULTILINE)
    return {name: name + rest for name, rest in found}


def file_of(blocks: Blocks) -> str:
    return "".join(blocks[name] for name in sorted(blocks))
