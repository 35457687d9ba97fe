"""Puts tries through the ordinary pipeline and keeps what the rules need.

Mistakes and equivalents run as whole notebooks, because their effect on other exercises counts.
Trivial answers and mutants are run up to their own exercise and asked about it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from autograder.assignment.model import Assignment, Exercise
from autograder.authoring.validation.mistake_naming import by_cost_alone, looked_at, outcome
from autograder.authoring.validation.variants import VariantSubmission
from autograder.errors import SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder, EvidenceStore, RecordStamp, key_of
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import on_cpu
from autograder.grading.job import evidence, make_job, with_probes
from autograder.judging.checks.explain import SENTENCE, SHORT_SENTENCE, sentence
from autograder.judging.diagnosis.case_trial import CaseOutcome
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake, known
from autograder.judging.diagnosis.small_calls import accepted, small_probes
from autograder.judging.diagnosis.smallest import smallest
from autograder.judging.judge import judge
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.structure.locate import Located, up_to
from autograder.reports.validation.model import VariantRow
from autograder.wire.messages import Job, Limits, Probe

SHORT = ("trivial", "mutant")  # sorts that are asked about their own exercise alone
PATIENCE, LEAST_S = 20.0, 2.0  # a mutant that loops is stopped after this multiple of the usual
FINE = frozenset({Status.PASSED.value, Status.MANUAL.value})
_SIDES = re.compile(
    r"(?:expected (\S+), got|should be (\S+), not|is (\S+), expected) (\S+?)[.;)]*(?=\s|$)"
)
_SHAPES = re.compile(r"shape (\[[\d, ]*\])[^.]*has: ([^.)]*)")
_COUNTED = re.compile(
    r"(?:^|[.;:,] |\ball )(\d+)(?: of \d+)? [a-z]+ (differs?|is|are|was|were|has|have)\b"
)
_CODE = re.compile(r"`[^`]*`")
_HEADLESS = re.compile(r"[.:]  (?=[a-z])")
_SINGULAR = frozenset({"differs", "is", "was", "has"})


class JudgedMistake(NamedTuple):
    """A known mistake that was made: its bank entry, and how it was judged."""

    entry: KnownMistake
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """One try's outcome. ``key`` finds its evidence; ``fresh`` when it was run just now."""

    what: VariantSubmission
    row: VariantRow
    key: str
    fresh: bool
    lost: str = ""  # why there is no outcome: the grader failed, or the variant is not a notebook
    unclear: tuple[str, ...] = ()  # checks that came out ungraded, with their messages
    untrue: tuple[tuple[str, str], ...] = ()  # checks whose message contradicts itself, and how
    small: tuple[tuple[str, str], ...] = ()  # of an equivalent: small calls that it fails, by check
    mistake: JudgedMistake | None = None
    told: str = ""  # of a known mistake: how it was named, from the hidden checks alone


class Keys:
    """A store that remembers which evidence was asked for, so that the rest can be dropped."""

    def __init__(self, store: EvidenceStore) -> None:
        self._store = store
        self.asked: set[str] = set()

    def load(self, key: str) -> Run | None:
        self.asked.add(key)
        return self._store.load(key)

    def open(self, key: str) -> Run | None:
        self.asked.add(key)
        return self._store.open(key)

    def save(self, key: str, run: Run) -> None:
        self._store.save(key, run)

    def stamp(self, key: str, known: RecordStamp | None = None) -> RecordStamp | None:
        self.asked.add(key)
        return self._store.stamp(key, known)

    def drop_others(self) -> int:
        """Delete evidence that nothing asked for from a folder; returns the file count. Raises
        ``StoreError``."""
        folder = self._store
        return folder.keep_only(self.asked) if isinstance(folder, EvidenceFolder) else 0


def attempt(prepared: PreparedClass, one: VariantSubmission, *, short: bool) -> TrialResult:
    """Run and judge one try; ``short`` asks it about its own exercise alone, if it has one."""
    context = prepared.context
    try:
        spec, job, located = question(prepared, one, short=short)
        if one.sort == "equivalent":
            job = with_probes(job, small_questions(prepared, one.exercise))
        run, fresh = evidence(context, job)
    except (SandboxError, SubmissionError) as lost:
        return TrialResult(one, _row(one, ()), "", True, str(lost))
    verdicts = judge(spec, run, prepared.reference, located)
    mistake = _mistake(prepared, one, run, verdicts) if one.sort == "mistake" else None
    right = one.sort == "equivalent"
    return TrialResult(
        one,
        _row(one, verdicts),
        key_of(on_cpu(job)),
        fresh,
        unclear=_unclear(verdicts),
        untrue=tuple(untrue(verdicts)),
        small=tuple(failed_small_calls(prepared, one.exercise, run)) if right else (),
        mistake=mistake,
    )


def question(
    prepared: PreparedClass, one: VariantSubmission, *, short: bool
) -> tuple[Assignment, Job, Located]:
    """What is asked of one try: the checks that are judged, the job, and where the cells are.
    Raises ``SubmissionError``."""
    context = prepared.context
    spec = context.loaded.spec
    job, located = make_job(context, one.submission)
    if short and one.exercise:
        spec = alone(spec, one.exercise)
        job = _short(job, one.exercise, located)
    if one.sort in SHORT:
        job = msgspec.structs.replace(job, limits=_brisk(job.limits, prepared.expected))
    return spec, job, located


def _mistake(
    prepared: PreparedClass, one: VariantSubmission, run: Run, verdicts: Sequence[Verdict]
) -> JudgedMistake:
    return JudgedMistake(bank_entry(prepared, one, run), tuple(verdicts))


def bank_entry(prepared: PreparedClass, one: VariantSubmission, run: Run) -> KnownMistake:
    """What a class is compared with: a known mistake, from its run of the whole notebook."""
    context = prepared.context
    exercise = next(e for e in context.loaded.spec.exercise if e.id == one.exercise)
    assert one.variant is not None
    return known(exercise, one.variant, run, prepared.reference)


def diagnosed(
    prepared: PreparedClass, one: TrialResult, bank: Sequence[KnownMistake]
) -> TrialResult:
    """A known mistake with the names that feedback would give it; any other try unchanged."""
    if one.mistake is None or by_cost_alone(one.mistake.verdicts):
        return one
    context, made = prepared.context, one.mistake
    told = diagnose(
        context.loaded.spec,
        looked_at(made.verdicts),
        made.entry.evidence.run,
        prepared.reference,
        bank,
    )
    causes = [v.cause for v in told if v.cause is not None]
    names = tuple(dict.fromkeys(m.name for cause in causes for m in cause.mistakes))
    row = msgspec.structs.replace(one.row, diagnosed=names)
    return replace(one, row=row, told=outcome(one.what.name, causes))


def alone(spec: Assignment, exercise: str) -> Assignment:
    """The assignment with one exercise only."""
    return spec.model_copy(update={"exercise": tuple(e for e in spec.exercise if e.id == exercise)})


def _short(job: Job, exercise: str, located: Located) -> Job:
    """The job cut at the exercise's end, asked about that exercise alone."""
    return msgspec.structs.replace(
        job,
        cells=up_to(exercise, job.cells, located),
        keep_after=tuple(pair for pair in job.keep_after if pair[0] == exercise),
        probes=tuple(probe for probe in job.probes if probe.exercise == exercise),
        draw=False,
    )


def _brisk(limits: Limits, expected: Run) -> Limits:
    """Limits at a multiple of what the reference needed, never above the assignment's.

    Rounded, because limits are part of the evidence's key.
    """
    cell = max((c.spent.cpu_s for c in expected.cells), default=0.0)
    call = max((p.spent.cpu_s for p in expected.probes), default=0.0)
    return msgspec.structs.replace(
        limits,
        cell_cpu_s=min(limits.cell_cpu_s, _rounded(cell)),
        call_cpu_s=min(limits.call_cpu_s, _rounded(call)),
    )


def _rounded(seconds: float) -> float:
    """The next power of two from ``PATIENCE`` times the seconds on, at least ``LEAST_S``."""
    bound = LEAST_S
    while bound < PATIENCE * seconds:
        bound *= 2
    return bound


def _row(one: VariantSubmission, verdicts: Sequence[Verdict]) -> VariantRow:
    earned: dict[str, int] = {}
    for verdict in verdicts:
        earned[verdict.exercise] = earned.get(verdict.exercise, 0) + verdict.earned
    statuses = {f"{v.exercise}/{v.check}": v.status.value for v in verdicts}
    return VariantRow(one.sort, one.name, one.exercise, one.title, statuses, earned)


def _unclear(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    return tuple(
        f"{v.exercise}/{v.check}: {v.message}" for v in verdicts if v.status is Status.UNGRADED
    )


def stored(prepared: PreparedClass, tried: TrialResult) -> Run | None:
    """A try's stored evidence."""
    return prepared.context.store.load(tried.key) if tried.key else None


def by_exercise(tried: Sequence[TrialResult]) -> Mapping[str, tuple[TrialResult, ...]]:
    """The tries of each exercise."""
    found: dict[str, list[TrialResult]] = {}
    for one in tried:
        found.setdefault(one.row.exercise, []).append(one)
    return {exercise: tuple(several) for exercise, several in found.items()}


def small_questions(prepared: PreparedClass, exercise: str) -> list[Probe]:
    """All questions about small calls of an exercise; of every exercise if it is empty."""
    every = _exercises(prepared, exercise)
    return [probe for one in every for probe in small_probes(one, prepared.reference)]


def failed_small_calls(
    prepared: PreparedClass, exercise: str, run: Run
) -> Iterator[tuple[str, str]]:
    """The checks that find a fault in a small call of a right answer, so that they ask for what the
    assignment's text does not; each with the smallest of these calls."""
    for one in _exercises(prepared, exercise):
        seen: set[str] = set()
        for trial in accepted(one, prepared.reference):
            outcome = CaseOutcome(trial, trial.look(one.id, run, prepared.reference))
            if outcome.wrong and trial.check.id not in seen:
                seen.add(trial.check.id)
                call = smallest([outcome], run, prepared.reference).get(trial.check.id)
                text = outcome.finding.message
                if call is not None:
                    text = f"`{call.call}` should give {call.expected}, not {call.actual}"
                yield f"{one.id}/{trial.check.id}", text


def _exercises(prepared: PreparedClass, exercise: str) -> list[Exercise]:
    context = prepared.context
    return [
        one
        for one in context.loaded.spec.exercise
        if one.id not in context.unavailable and exercise in ("", one.id)
    ]


def untrue(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    """Checks whose message contradicts itself, with what is wrong."""
    for verdict in verdicts:
        found = list(contradictions(verdict.message))
        for mismatch in verdict.mismatches:
            if mismatch.expected and mismatch.expected == mismatch.actual:
                found.append(f"expected and actual are both {mismatch.expected!r}")
            found += contradictions(sentence(mismatch))
        yield from ((f"{verdict.exercise}/{verdict.check}", text) for text in dict.fromkeys(found))


def contradictions(text: str) -> tuple[str, ...]:
    """What is wrong with a message; empty for one that can be true.

    Covered: two sides that are the same as printed, a sentence that is said twice, a shape that is
    both missing and present, numbers and verbs that do not agree, back-quotes that do not close, a
    sentence without its beginning. Not covered: what a message says of the student's code.
    """
    return tuple(_contradictions(text))


def _contradictions(text: str) -> Iterator[str]:
    for *expected, actual in _SIDES.findall(text):
        if actual in expected:
            yield f"both sides are {actual}: {text}"
    for shape, shapes in _SHAPES.findall(text):
        if shape in shapes:
            yield f"the shape {shape} is both missing and present: {text}"
    for count, verb in _COUNTED.findall(text):
        if (count == "1") != (verb in _SINGULAR):
            yield f"{count} and '{verb}' do not agree: {text}"
    sentences = [one for one in map(str.strip, SENTENCE.findall(text)) if len(one) > SHORT_SENTENCE]
    if len(set(sentences)) < len(sentences):
        yield f"a sentence is said twice: {text}"
    if text.count("`") % 2:
        yield f"a back-quote is not closed: {text}"
    if _HEADLESS.search(_CODE.sub("x", text)):
        yield f"a sentence has no beginning: {text}"
