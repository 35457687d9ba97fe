"""Mutants of the solution in the part of known mistakes: what wrong answers look like that nobody
foresaw.

Many mutants of an exercise run in one process, one cell after the other, each with its own copy of
the names. At the end the solution's own cell runs in the same way: if it is not right there, the
cells depend on each other, and the exercise has no such bank.

Covered: questions on the CPU. Not covered: cost; devices and dtypes; further runs of a training;
mutants whose cell fails or lacks a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from threading import Lock

from msgspec.structs import replace

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED
from autograder.assignment.model import Exercise
from autograder.classroom.known_mistakes import read_solution
from autograder.errors import NotStoredError, SandboxError
from autograder.evidence.records import Run
from autograder.grading.candidates import CandidateCell, answers_of, states_saved
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import stored_or_made
from autograder.grading.job import make_job
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.judged_check import ELSEWHERE
from autograder.judging.diagnosis.known import KnownMistake, known_later
from autograder.judging.diagnosis.small_calls import small_probes
from autograder.judging.verdict import Status
from autograder.mutation.mutants import Mutant, mutants_of
from autograder.notebook.structure.names import read_names
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, solution_cells
from autograder.wire.messages import Job, encode

SAME = "the solution"  # the name of its own cell in the job
CALL_S = 5.0  # of a mutant: one that takes longer is not compared
TOGETHER_S = 900.0  # of all of them
MOST_MB = 256  # of answers of all mutants of an exercise, as far as the solution's tell
JOB_MB = 40  # of those of one job
_NOT_ASKED = NO_WRONG_ANSWER | TIMED | ELSEWHERE


def mutant_bank(prepared: PreparedClass, exercise: str) -> tuple[KnownMistake, ...]:
    """The mutants of an exercise that have an explanation, with their evidence, stored or made now.
    Raises ``SpecError``, ``SandboxError``, ``StoreError``."""
    context = prepared.context
    spec = next(e for e in context.loaded.spec.exercise if e.id == exercise)
    if context.loaded.spec.brought is not None or exercise in context.unavailable:
        return ()
    solution = read_solution(context.loaded)
    variants = tuple(_told(mutant) for mutant in mutants_of(solution, spec) if mutant.explanation)
    if not variants:
        return ()
    size = _answers_mb(prepared, spec)
    if size * len(variants) > MOST_MB:
        return ()
    parts: dict[str, Run] = {}
    for some in _batches(variants, int(JOB_MB / size) if size else len(variants)):
        candidates = _candidates(solution, some)
        job = _job(prepared, solution, spec, candidates)
        found = answers_of(stored_or_made(context, job, context.runner).run, candidates)
        if SAME not in found or not _is_right(found[SAME], spec, prepared):
            return ()
        parts |= found
    reference = prepared.reference
    return tuple(
        known_later(spec, variant, partial(parts.__getitem__, variant.name), reference)
        for variant in variants
        if variant.name in parts
    )


class MutantBank:
    """The mutants of a class's exercises, each made when it is first needed; for many threads.

    An exercise whose mutants cannot be run has none, and is ``lost``: an explanation ends no batch.
    """

    def __init__(self, prepared: PreparedClass) -> None:
        self._prepared = prepared
        self._locks = {e.id: Lock() for e in prepared.context.loaded.spec.exercise}
        self._known: dict[str, Sequence[KnownMistake]] = {}
        self._lost: set[str] = set()

    @property
    def lost(self) -> frozenset[str]:
        """The exercises whose mutants could not be run."""
        return frozenset(self._lost)

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        """The mutants of an exercise. Raises ``SpecError``, ``StoreError``."""
        with self._locks[exercise]:
            if exercise not in self._known:
                try:
                    self._known[exercise] = mutant_bank(self._prepared, exercise)
                except (NotStoredError, SandboxError):
                    self._known[exercise] = ()
                    self._lost.add(exercise)
            return self._known[exercise]


def _batches(variants: Sequence[Variant], most: int) -> Iterator[Sequence[Variant]]:
    """Equal parts of at most that many, and at least one."""
    count = -(-len(variants) // max(1, most))
    yield from (variants[at::count] for at in range(count))


def _candidates(solution: Submission, variants: Sequence[Variant]) -> tuple[CandidateCell, ...]:
    """The mutants' cells, and the solution's own at the end."""
    exercise = variants[0].exercise
    (own,) = solution_cells(solution, exercise)
    names = tuple(sorted(read_names(own.source).defined))
    versions = [*((v.name, v.code) for v in variants), (SAME, own.source)]
    return tuple(
        CandidateCell(name, exercise, code, number, names)
        for number, (name, code) in enumerate(versions, start=own.number + 1)
    )


def _told(mutant: Mutant) -> Variant:
    """A mutant with what it tells a student."""
    said = f"Your results are exactly what the right solution would give if {mutant.explanation}."
    return Variant(mutant.name, mutant.exercise, f"as if {mutant.explanation}", said, mutant.code)


def _job(
    prepared: PreparedClass,
    solution: Submission,
    exercise: Exercise,
    candidates: Sequence[CandidateCell],
) -> Job:
    """The cells above the exercise's own, then each candidate's with the questions to it."""
    context = prepared.context
    job, _ = make_job(context, solution)
    small = small_probes(exercise, prepared.reference)
    asked = _asked(prepared, exercise)
    own = [*(probe for probe in job.probes if probe.id in asked), *small]
    start = candidates[0].number - 1  # of the solution's own cell
    above = [cell for cell in job.cells if cell.number < start]
    cells = [states_saved(start), *(candidate.cell for candidate in candidates)]
    limits = replace(
        job.limits,
        call_cpu_s=min(job.limits.call_cpu_s, CALL_S),
        submission_wall_s=max(job.limits.submission_wall_s, TOGETHER_S),
    )
    return replace(
        job,
        cells=(*above, *cells),
        keep_after=tuple((c.kept, c.number) for c in candidates),
        probes=tuple(candidate.asked(probe) for candidate in candidates for probe in own),
        limits=limits,
        draw=False,
        pretend=False,
    )


def _asked(prepared: PreparedClass, exercise: Exercise) -> frozenset[str]:
    """The ids of the questions that the checks ask."""
    return frozenset(
        probe.id
        for check in exercise.check
        if check.kind not in _NOT_ASKED
        for probe in probes(check, exercise.id, prepared.context.cases)
    )


def _answers_mb(prepared: PreparedClass, exercise: Exercise) -> float:
    """The size of the solution's own answers to the questions of an exercise."""
    asked = _asked(prepared, exercise)
    claims = (probe.claim for probe in prepared.expected.probes if probe.id in asked)
    return sum(len(encode(claim)) for claim in claims if claim is not None) / 2**20


def _is_right(run: Run, exercise: Exercise, prepared: PreparedClass) -> bool:
    """Whether every check that was asked passes."""
    asked = [check for check in exercise.check if check.kind not in _NOT_ASKED]
    found = (examine(check, exercise.id, run, prepared.reference) for check in asked)
    return all(finding.status is Status.PASSED for finding in found)
