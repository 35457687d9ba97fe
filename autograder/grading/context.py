"""What the pipeline is given, and what it gives back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from autograder.assignment.kinds import Check
from autograder.assignment.load import Loaded, OwnValues
from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceStore
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import unscored
from autograder.grading.runs import JudgedRun, Trace
from autograder.judging.checks.finding import Cases, Finding, Reference
from autograder.judging.diagnosis.by_mutants import NO_MUTANTS, Mutants
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.verdict import Verdict
from autograder.notebook.arranged import ArrangedNotebook
from autograder.notebook.formats.beside import without_taken
from autograder.notebook.formats.find import FoundFile, read_found
from autograder.notebook.structure.locate import Located
from autograder.notebook.structure.outline import NO_OUTLINE, Outline
from autograder.notebook.submission import Submission, TemplateStamp
from autograder.wire.messages import Job

Arrange = Callable[
    [Assignment, Submission, Path], ArrangedNotebook
]  # takes the assignment's folder


class Runner(Protocol):
    """What runs a job: the box, or a replacement that refuses because all is stored already."""

    def run(self, job: Job) -> Run: ...
    def accepts(self, level: str) -> bool: ...


class SubmissionSource(Protocol):
    """A submission that can be read when its turn comes."""

    @property
    def student(self) -> str: ...
    @property
    def name(self) -> str: ...
    def read(self) -> Submission: ...


class Judging(Protocol):
    """The judging of one run with remembered findings: for ``judge``, and instead of
    ``diagnose``."""

    def look(
        self,
        check: Check,
        exercise: str,
        actual: Run,
        reference: Reference,
    ) -> Finding: ...
    def diagnose(
        self,
        assignment: Assignment,
        judged: Sequence[Verdict],
        run: Run,
        reference: Reference,
        bank: Sequence[KnownMistake],
    ) -> tuple[Verdict, ...]: ...
    def trace(self) -> Trace | None: ...


class Watcher(Protocol):
    """Is notified of a submission's progress while it is graded; an exception from it ends the
    grading.

    Each run begins, and is judged twice: at once, and when its wrong results are explained.
    """

    def begins(self, submission: Submission, located: Located) -> None: ...
    def judged(self, verdicts: Sequence[Verdict], run: Run) -> None: ...


class _Unwatched:
    """Ignores all notifications."""

    def begins(self, submission: Submission, located: Located) -> None: ...
    def judged(self, verdicts: Sequence[Verdict], run: Run) -> None: ...


UNWATCHED = _Unwatched()


class Memory(Protocol):
    """Remembers what checks have found, and how it was explained."""

    def begin(self, keys: Sequence[str]) -> Judging: ...


@dataclass(frozen=True, slots=True)
class FoundSubmission:
    """A found file that is read when its turn comes."""

    found: FoundFile

    @property
    def student(self) -> str:
        return self.found.student

    @property
    def name(self) -> str:
        return self.found.name

    def read(self) -> Submission:
        """The cells; raises ``SubmissionError``."""
        return read_found(self.found)


@dataclass(frozen=True, slots=True)
class AttemptSet:
    """Attempts of one student, earliest first, of which the best counts."""

    student: str
    attempts: tuple[SubmissionSource, ...]

    @property
    def name(self) -> str:
        return self.attempts[-1].name

    def read(self) -> Submission:
        """The last one; raises ``SubmissionError``."""
        return self.attempts[-1].read()


@dataclass(frozen=True, slots=True)
class GradingContext:
    """One assignment at one seed, with what runs jobs and where evidence is kept."""

    loaded: Loaded
    cases: Cases
    seed: int
    draw: bool
    runner: Runner
    store: EvidenceStore
    models: str = ""  # digest of the pretrained models in the box
    unavailable: frozenset[str] = frozenset()  # exercises that the box cannot offer
    devices: tuple[str, ...] = ()  # real accelerators to test on as well
    device_runner: Runner | None = None  # runs their jobs; None: only stored runs are used
    released: TemplateStamp | None = None  # of the template that students have
    outline: Outline = NO_OUTLINE  # the template's cells, by which a submission's are recognised
    memory: Memory | None = None  # of earlier judging; None: everything is judged again
    mends: bool = True  # whether to restore given cells; not in stored submissions, which have them
    arrange: Arrange | None = None  # how a notebook of another tool is arranged for its run
    given: frozenset[str] = frozenset()  # the cells of the template of such a notebook
    data: OwnValues = ()  # what ``grader.data`` returns
    watcher: Watcher = UNWATCHED  # is notified of a submission's progress
    alone: bool = True  # whether nothing else runs; beside others, a run may lack time

    def settled(self, submission: Submission) -> Submission:
        """The submission without files in the place of the assignment's, and notes on its files."""
        return without_taken(submission, self.loaded.files.contents)

    def reference(self, expected: Run) -> Reference:
        """What submissions are compared with; ``expected``: the solution's run."""
        return Reference(expected, self.cases, self.loaded.relations, self.unavailable)


Settle = Callable[[tuple[Verdict, ...], Run], tuple[Verdict, ...]]


class Personal(Protocol):
    """What differs from student to student in an assignment."""

    def of(self, prepared: PreparedClass, student: str) -> PreparedClass:
        """What this student's submission is compared with."""
        ...


class _Nobody:
    """Every student is compared with the same."""

    def of(self, prepared: PreparedClass, student: str) -> PreparedClass:
        return prepared


NOT_PERSONAL = _Nobody()


def _as_judged(verdicts: tuple[Verdict, ...], run: Run) -> tuple[Verdict, ...]:
    return verdicts


@dataclass(frozen=True, slots=True)
class PreparedClass:
    """A context with what submissions are compared with: the solution's run, known mistakes and
    mutants. ``settle`` has the last word on the verdicts of a run."""

    context: GradingContext
    expected: Run
    bank: Sequence[KnownMistake] = ()
    mutants: Mutants = NO_MUTANTS
    personal: Personal = NOT_PERSONAL
    settle: Settle = _as_judged

    @property
    def reference(self) -> Reference:
        """The solution's run, and what it was asked."""
        return self.context.reference(self.expected)

    def run_alone(self, alone: bool) -> PreparedClass:
        """What submissions are compared with when they run alone, or beside others."""
        return replace(self, context=replace(self.context, alone=alone))


@dataclass(frozen=True, slots=True)
class GradedSubmission:
    """One submission's outcome; ``submission``, ``located`` and ``run`` are None when nothing could
    be run. ``attempts``: the outcomes of all, where the best of several counts. ``tries``: each run
    of this notebook as it was judged, before the better results were combined."""

    grade: Grade
    fresh: bool = False  # whether student code was run for it now
    submission: Submission | None = None
    located: Located | None = None
    run: Run | None = None
    attempts: tuple[GradedSubmission, ...] = ()
    tries: tuple[JudgedRun, ...] = ()


def without_score(
    context: GradingContext,
    handed: SubmissionSource,
    status: Literal["rejected", "ungraded"],
    reason: str,
) -> GradedSubmission:
    """The outcome of a submission that cannot be read, or on which our side failed: no score, which
    is not zero."""
    hand_in = SubmittedFile(handed.name, "")
    spec = context.loaded.spec
    grade = unscored(spec, hand_in, student=handed.student, status=status, reason=reason)
    return GradedSubmission(grade)


def failed_on(
    context: GradingContext, handed: SubmissionSource, bad: Exception
) -> GradedSubmission:
    """The outcome of a submission on which the grader itself failed."""
    reason = f"the grader itself failed: {type(bad).__name__}: {str(bad)[:300]}"
    return without_score(context, handed, "ungraded", reason)


def notebook_seed(seed: int) -> int:
    """The seed of a notebook's own random numbers. A cell can read it, so it must not reveal the
    run's seed, from which the hidden inputs are drawn."""
    return int.from_bytes(hashlib.sha256(f"notebook {seed}".encode()).digest()[:6], "big")


def best_of(tried: tuple[GradedSubmission, ...]) -> GradedSubmission:
    """The best of several attempts, the earliest among equals. If one could not be graded through
    our fault, that one: it might have been the best, and a grader must look."""
    best = next((g for g in tried if g.grade.status == "ungraded"), None) or max(
        tried, key=lambda g: -1 if g.grade.score is None else g.grade.score
    )
    hand_in, number = best.grade.submission, tried.index(best) + 1
    note = f"Attempt {number} of {len(tried)} counts: {hand_in.file}."
    kept = msgspec.structs.replace(hand_in, repairs=(*hand_in.repairs, note))
    grade = msgspec.structs.replace(best.grade, submission=kept)
    return replace(best, grade=grade, fresh=any(g.fresh for g in tried), attempts=tried)
