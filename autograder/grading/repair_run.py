"""One edit from right: small edits of a student's own cell, run and judged as answers are.

There are two further jobs for an exercise with wrong checks. In the first, every edit is asked a
few of the calls that go wrong. In the second, the edits that get these right are asked everything
that the exercise asks, and small calls that are new to them.

Covered: a repair is shown only if it makes every check pass. Its line is found with public and
small calls alone: a student's code can choose which of its edits is right with a hidden input, and
the line would then tell of that input. It changes no verdict; if a job cannot be made, there is no
repair.
Not covered: exercises that build on one in which something is wrong; what goes wrong with hidden
inputs only; speed, further runs of a training, real devices; cells that leave too little of the
bound of processor time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from msgspec.structs import replace

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED, Check
from autograder.assignment.model import Exercise
from autograder.errors import NotStoredError, SandboxError
from autograder.evidence.records import Run
from autograder.grading.candidates import CandidateCell, answers_of, states_saved
from autograder.grading.context import GradingContext
from autograder.grading.device_runs import EvidenceResult, real_device, stored_or_made
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.case_outcomes import small_outcomes
from autograder.judging.diagnosis.case_trial import WRONG, CaseTrial, given_trials
from autograder.judging.verdict import Repair, Status, Verdict
from autograder.mutation.edits import CellEdit, edits_of
from autograder.notebook.structure.locate import Located
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.needed_cells import needed_cells
from autograder.wire.messages import Call, Cell, Figures, Job, Probe, Read

MOST_EDITS = 60
MOST_LEFT = 7  # edits that are asked everything
MOST_QUESTIONS = 4  # of the first job
# That both jobs may be expected to take, and the first. Far above what small functions take, so
# that only slow ones have fewer edits, and not those on a busy machine.
CPU_S, FIRST_CPU_S = 8.0, 5.0
CALL_S = 0.5  # of one edit
TOGETHER_S = 30.0  # of the clock, of one job
_LEAST_CALL_S = 0.0005


@dataclass(frozen=True, slots=True)
class _Question:
    """A check, or one case of it, that an edit has to get right."""

    exercise: str
    check: Check
    probes: tuple[Probe, ...]
    hidden: bool  # whether it has hidden inputs
    trial: CaseTrial | None = None

    @property
    def calls(self) -> bool:
        """Whether something is called."""
        return any(isinstance(probe.request, Call) for probe in self.probes)

    def is_right(self, run: Run, reference: Reference) -> bool:
        """Whether these answers are right."""
        if self.trial is not None:
            found = self.trial.look(self.exercise, run, reference)
        else:
            found = examine(self.check, self.exercise, run, reference)
        return found.status is Status.PASSED


@dataclass(frozen=True, slots=True)
class RepairRuns:
    """Looks for repairs of one run of a submission."""

    context: GradingContext
    reference: Reference
    job: Job
    located: Located

    def repaired(
        self, verdicts: Sequence[Verdict], evidence: EvidenceResult
    ) -> tuple[tuple[Verdict, ...], EvidenceResult]:
        """The verdicts, with a repair at the first wrong check of each exercise that has one; and
        the evidence, with the time of the further jobs. Raises ``StoreError``."""
        found = dict[tuple[str, str], Repair]()
        made = list[EvidenceResult]()
        failing = {v.exercise for v in verdicts if v.status not in (Status.PASSED, Status.MANUAL)}
        for exercise in self.context.loaded.spec.exercise:
            own = [v for v in verdicts if v.exercise == exercise.id]
            wrong = [v for v in own if v.status in WRONG]
            # Edits that took too long are the last.
            if not wrong or any(_took_long(result.run) for result in made):
                continue
            work = _Work(exercise, self.job, self.located, evidence.run, self.reference)
            # What may be wrong because of an earlier exercise is not edited.
            if not failing.isdisjoint({cell.exercise for cell in work.above} - {exercise.id}):
                continue
            # A repair that cannot be looked for costs nothing.
            with suppress(SandboxError, NotStoredError):
                repair = self._repair(work, own, made)
                if repair is not None:
                    found[exercise.id, wrong[0].check] = repair
        repaired = (replace(v, repair=found.get((v.exercise, v.check))) for v in verdicts)
        return tuple(repaired), _with_time(evidence, made)

    def _repair(
        self, work: _Work, verdicts: Sequence[Verdict], made: list[EvidenceResult]
    ) -> Repair | None:
        cell = work.answer
        first = list(islice(work.telling(verdicts), MOST_QUESTIONS))
        if cell is None or not first:
            return None
        base_s, each_s = work.cost(first)
        most = min(MOST_EDITS, int((FIRST_CPU_S - base_s) / each_s))
        edits = edits_of(cell.source, work.exercise, work.names, max(0, most))
        left, _ = self._right(work, edits, first, made)
        if not 0 < len(left) <= MOST_LEFT:
            return None
        rest_s = CPU_S - base_s - len(edits) * each_s
        every = [*work.questions(), *work.small(verdicts)]
        base_s, each_s = work.cost(every)
        if base_s + len(left) * each_s > rest_s:
            return None
        likely, right = self._right(work, left, every, made)
        # Edits in different lines are no repair.
        if len({edit.line for edit in likely}) != 1:
            return None
        return _repair_of(right)

    def _right(
        self,
        work: _Work,
        edits: Sequence[CellEdit],
        questions: Sequence[_Question],
        made: list[EvidenceResult],
    ) -> tuple[list[CellEdit], list[CellEdit]]:
        """The edits that get all questions without hidden inputs right, and those of them that get
        the others right, too."""
        if not edits:
            return [], []
        candidates = work.candidates(edits)
        job = work.repair_job(candidates, questions)
        made.append(stored_or_made(self.context, job, self.context.runner))
        runs = answers_of(made[-1].run, candidates)
        pairs = zip(edits, candidates, strict=True)
        ran = [(edit, runs[c.name]) for edit, c in pairs if c.name in runs]
        shown = [question for question in questions if not question.hidden]
        # Hidden inputs do not choose an edit.
        likely = [(edit, run) for edit, run in ran if self._all_right(shown, run)]
        right = [edit for edit, run in likely if self._all_right(questions, run)]
        return [edit for edit, _ in likely], right

    def _all_right(self, questions: Iterable[_Question], run: Run) -> bool:
        return all(question.is_right(run, self.reference) for question in questions)


def _took_long(run: Run) -> bool:
    """Whether a job took much more processor time, or time of the clock, than was expected of
    both."""
    measured = run.measured
    return measured.cpu_s > 2 * CPU_S or measured.wall_s - measured.waited_s > TOGETHER_S / 2


def _with_time(evidence: EvidenceResult, more: Iterable[EvidenceResult]) -> EvidenceResult:
    for result in more:
        evidence = evidence.followed_by(result, evidence.run)
    return evidence


def _repair_of(right: Sequence[CellEdit]) -> Repair | None:
    """The simplest of these edits, which are all in one line."""
    if not right:
        return None
    simplest = min(right, key=lambda edit: len(edit.after))
    return Repair(simplest.line, simplest.words, simplest.before, simplest.after)


@dataclass(frozen=True)
class _Work:
    """One exercise of a submission, in which something is wrong."""

    exercise: Exercise
    job: Job
    located: Located
    run: Run
    reference: Reference

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that the exercise asks for, without methods."""
        return frozenset(name.split(".")[0] for name in self.exercise.defines)

    @cached_property
    def answer(self) -> Cell | None:
        """The cell that is edited: the only one of the exercise that defines any of its names."""
        numbers = self.located.owners.get(self.exercise.id, ())
        own = [cell for cell in self.job.cells if cell.number in numbers]
        defining = [cell for cell in own if self.names & read_names(cell.source).defined]
        return defining[0] if len(defining) == 1 else None

    @cached_property
    def above(self) -> tuple[Cell, ...]:
        """The cells that run before the edited ones."""
        probes = (probe for question in self.questions() for probe in question.probes)
        return needed_cells(self.job.cells, self.located, {self.exercise.id}, probes)

    @property
    def checks(self) -> list[Check]:
        """The checks that an edit has to pass."""
        return [c for c in self.exercise.check if c.kind not in NO_WRONG_ANSWER | TIMED]

    def questions(self) -> Iterator[_Question]:
        """Every check as a whole."""
        for check in self.checks:
            every = probes(check, self.exercise.id, self.reference.cases)
            own = tuple(probe for probe in every if not real_device(probe))
            yield _Question(self.exercise.id, check, own, not check.public)

    def small(self, verdicts: Sequence[Verdict]) -> Iterator[_Question]:
        """The small calls of the wrong checks."""
        for outcome in small_outcomes(self.exercise, verdicts, self.run, self.reference):
            yield self._of(outcome.trial, hidden=False)

    def _of(self, trial: CaseTrial, *, hidden: bool) -> _Question:
        every = probes(trial.check, self.exercise.id, self.reference.cases)
        reads = (probe for probe in every if isinstance(probe.request, Read))
        return _Question(self.exercise.id, trial.check, (*trial.probes, *reads), hidden, trial)

    def telling(self, verdicts: Sequence[Verdict]) -> Iterator[_Question]:
        """What goes wrong without hidden inputs, as little as possible: of each wrong check in turn
        the smallest call; a public check none of whose calls goes wrong alone as a whole."""
        wrong = {v.check for v in verdicts if v.status in WRONG}
        small = [q for q in self.small(verdicts) if self._goes_wrong(q)]
        for question in self.questions():
            # Only functions are edited, not answers that are written down.
            if question.check.id not in wrong or not question.calls:
                continue
            own = [q for q in small if q.check.id == question.check.id]
            if own or not question.hidden:
                yield own[0] if own else next(self._given(question.check), question)

    def _given(self, check: Check) -> Iterator[_Question]:
        for trial in given_trials(self.exercise, check, self.reference):
            question = self._of(trial, hidden=not check.public)
            if self._goes_wrong(question):
                yield question

    def _goes_wrong(self, question: _Question) -> bool:
        if question.trial is None:
            return False
        found = question.trial.look(question.exercise, self.run, self.reference)
        return found.status in WRONG

    def cost(self, questions: Iterable[_Question]) -> tuple[float, float]:
        """The expected seconds of processor time of a job with these questions: of the cells above,
        and of each version. Goes by what the student's own took."""
        took = {cell.number: cell.spent.cpu_s for cell in self.run.cells}
        each_s = took.get(self.answer.number, 0.0) if self.answer is not None else 0.0
        for id_ in {probe.id for question in questions for probe in question.probes}:
            ending = self.run.ending(id_)
            each_s += max(_LEAST_CALL_S, ending[1].cpu_s if ending is not None else 0.0)
        return sum(took.get(cell.number, 0.0) for cell in self.above), each_s

    def candidates(self, edits: Iterable[CellEdit]) -> list[CandidateCell]:
        """The edited cells."""
        assert self.answer is not None, "only of an exercise with such a cell"
        names = tuple(sorted(read_names(self.answer.source).defined))
        start = max(cell.number for cell in self.job.cells) + 2  # after the saved states
        return [
            CandidateCell(f"edit {number}", self.exercise.id, edit.code, number, names)
            for number, edit in enumerate(edits, start=start)
        ]

    def repair_job(
        self, candidates: Sequence[CandidateCell], questions: Sequence[_Question]
    ) -> Job:
        """The needed cells and each version, then the questions to it, those without hidden inputs
        first."""
        limits, saved = self.job.limits, states_saved(candidates[0].number - 1)
        shown = {p.id: p for q in questions if not q.hidden for p in q.probes}
        hidden = {p.id: p for q in questions for p in q.probes if p.id not in shown}
        probes = tuple(
            candidate.asked(probe)
            # Every version is asked without hidden inputs first.
            for asked in (shown, hidden)
            for candidate in candidates
            for probe in asked.values()
        )
        return replace(
            self.job,
            cells=(*self.above, saved, *(candidate.cell for candidate in candidates)),
            keep_after=tuple((c.kept, c.number) for c in candidates),
            probes=probes,
            limits=replace(
                limits,
                call_cpu_s=min(limits.call_cpu_s, CALL_S),
                submission_wall_s=min(limits.submission_wall_s, TOGETHER_S),
            ),
            draw=any(isinstance(probe.request, Figures) for probe in probes),
            pretend=False,
        )
