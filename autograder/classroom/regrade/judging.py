"""Judges runs, and remembers what each check found in which answers and how it was explained.

What a check finds is a function of the answers that it asked for, how they ended, and its
``Basis``: equal answers get the remembered finding without being read.

Covered: a check that looks at more of a run than its own answers; its findings are not remembered
(and neither is the grade: ``Trace`` is None then).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from autograder.assignment.kinds import Check
from autograder.assignment.model import Assignment
from autograder.classroom.regrade.basis import Basis, digest
from autograder.classroom.regrade.table import DigestTable
from autograder.evidence.records import ProbeRun, Run, Stop, TimeSpent
from autograder.grading.runs import Trace
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import examine
from autograder.judging.diagnosis.by_mutants import NO_MUTANTS, Mutants, explain_by_mutants
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.verdict import Status, Verdict
from autograder.wire.types import resolved

_WRONG = (Status.FAILED, Status.RAISED)


class WatchedRun(Run, frozen=True, dict=True, kw_only=True):
    """A run in which only some probes should be read; ``beyond`` lists everything else that was."""

    run: Run
    own: Collection[str]
    beyond: list[str]

    def probe(self, id_: str) -> ProbeRun | None:
        if id_ not in self.own:
            self.beyond.append(id_)
        return self.run.probe(id_)

    @property
    def stops(self) -> tuple[Stop, ...]:
        self.beyond.append("every stop")
        return self.run.stops

    def answer(self, id_: str) -> bytes | None:
        return self.run.answer(id_)

    def ending(self, id_: str) -> tuple[Stop | None, TimeSpent] | None:
        return self.run.ending(id_)


def watched(run: Run, own: Collection[str]) -> WatchedRun:
    """The run, in which only these probes should be read."""
    return WatchedRun(run.cells, run.probes, run.measured, run.lost, run=run, own=own, beyond=[])


@dataclass(frozen=True, slots=True)
class JudgingMemory:
    """The remembered findings of one class. ``mistakes`` gives the known mistakes of an exercise;
    the default is those of the pipeline. ``mutants`` explain what those leave open. ``whole``:
    whether grades are remembered as well."""

    table: DigestTable
    basis: Basis
    mistakes: Callable[[str], Sequence[KnownMistake]] | None = None
    mutants: Mutants = NO_MUTANTS
    whole: bool = True

    def begin(self, keys: Sequence[str]) -> RememberedJudging:
        """Start judging one run, whose evidence has these keys."""
        return RememberedJudging(self, tuple(keys), whole=self.whole)

    def finding(self, name: str, answers: bytes) -> bytes | None:
        """What a check ("exercise/check") finds in answers with this digest, as stored."""
        return self.table.get(self._key(name, answers))

    def _key(self, name: str, answers: bytes) -> bytes:
        return digest(b"finding", self.basis.checks[name], answers)

    def told(self, exercise: str, judged: bytes) -> bytes | None:
        """The verdicts with diagnoses for what was judged (a digest), as stored."""
        return self.table.get(digest(b"told", self.basis.exercises[exercise], judged))

    def found(
        self,
        check: Check,
        exercise: str,
        actual: Run,
        reference: Reference,
    ) -> tuple[Finding, bytes | None]:
        """What a check finds in a run, and the digest of that; None if it cannot be remembered."""
        name = f"{exercise}/{check.id}"
        answers = self.basis.answers(name, actual)
        stored = self.finding(name, answers)
        if stored is None:
            run = watched(actual, self.basis.probes[name])
            finding = examine(check, exercise, run, reference)
            stored = _encoded(finding)
            if run.beyond or stored is None:
                return finding, None
            self.table.put(self._key(name, answers), stored)
        return msgspec.msgpack.decode(stored, type=resolved(Finding)), digest(stored)


@dataclass(slots=True)
class RememberedJudging:
    """The judging of one run: provides its ``look`` and ``diagnose``."""

    memory: JudgingMemory
    keys: tuple[str, ...]
    looked: list[tuple[str, bytes, bytes, bytes]] = field(default_factory=list)
    told: list[tuple[str, bytes, bytes, bytes]] = field(default_factory=list)
    whole: bool = True

    def look(
        self,
        check: Check,
        exercise: str,
        actual: Run,
        reference: Reference,
    ) -> Finding:
        """What a check finds."""
        basis, name = self.memory.basis, f"{exercise}/{check.id}"
        finding, digest_ = self.memory.found(check, exercise, actual, reference)
        if digest_ is None:
            self.whole = False
        else:
            answers = basis.answers(name, actual)
            self.looked.append((name, basis.checks[name], answers, digest_))
        return finding

    def diagnose(
        self,
        assignment: Assignment,
        judged: Sequence[Verdict],
        run: Run,
        reference: Reference,
        bank: Sequence[KnownMistake],
    ) -> tuple[Verdict, ...]:
        """Like ``diagnose`` and ``explain_by_mutants``, one exercise after the other."""
        told: dict[tuple[str, str], Verdict] = {}
        for own in wrong_exercises(judged):
            for verdict in self._told(assignment, own, run, reference, bank):
                told[verdict.exercise, verdict.check] = verdict
        return tuple(told.get((v.exercise, v.check), v) for v in judged)

    def _told(
        self,
        assignment: Assignment,
        own: tuple[Verdict, ...],
        run: Run,
        reference: Reference,
        bank: Sequence[KnownMistake],
    ) -> tuple[Verdict, ...]:
        """One exercise's verdicts with their explanations."""
        basis, table, mistakes = self.memory.basis, self.memory.table, self.memory.mistakes
        exercise = own[0].exercise
        asked = (basis.probes[f"{exercise}/{v.check}"] for v in own)
        ids = basis.small[exercise].union(*asked)
        answers = [basis.answers(f"{exercise}/{v.check}", run) for v in own]
        answers.append(basis.explained_by(exercise, run))
        encoded = _encoded(own)
        key = digest(encoded or b"", answers)
        stored = self.memory.told(exercise, key)
        if stored is None:
            seen, known = watched(run, ids), mistakes(exercise) if mistakes else bank
            mutants = self.memory.mutants
            verdicts = diagnose(assignment, own, seen, reference, known)
            verdicts = explain_by_mutants(assignment, verdicts, seen, reference, mutants)
            stored = _encoded(verdicts)
            if seen.beyond or stored is None or encoded is None or exercise in mutants.lost:
                self.whole = False
                return verdicts
            table.put(digest(b"told", basis.exercises[exercise], key), stored)
        self.told.append((exercise, basis.exercises[exercise], key, digest(stored)))
        return msgspec.msgpack.decode(stored, type=resolved(tuple[Verdict, ...]))

    def trace(self) -> Trace | None:
        """What was found, and what that depended on; None if not all of it was remembered."""
        return Trace(self.keys, tuple(self.looked), tuple(self.told)) if self.whole else None


def wrong_exercises(judged: Sequence[Verdict]) -> Iterator[tuple[Verdict, ...]]:
    """The exercises in which something is wrong, each with all its verdicts."""
    for exercise in dict.fromkeys(v.exercise for v in judged if v.status in _WRONG):
        yield tuple(verdict for verdict in judged if verdict.exercise == exercise)


def _encoded(what: object) -> bytes | None:
    """None for a text that UTF-8 cannot hold."""
    try:
        return msgspec.msgpack.encode(what)
    except (ValueError, msgspec.MsgspecError):
        return None
