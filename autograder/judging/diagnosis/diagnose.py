"""Finds what a wrong result looks like: a known mistake, a simple change of the right result, or
nothing. Pure: compares evidence with evidence, and never guesses.

A known mistake is run like a submission. The student reads the instructor's text about it; if two
or three fit equally, all are given as possible; if more fit, or none, nothing is named. Nothing
here costs or earns a point, and nothing about a hidden check is revealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED
from autograder.assignment.model import Assignment, Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_outcomes import (
    given_outcomes,
    predicted,
    separated,
    small_outcomes,
)
from autograder.judging.diagnosis.case_trial import WRONG, CaseOutcome
from autograder.judging.diagnosis.changes import change_of, far_from, together
from autograder.judging.diagnosis.composed import Composition, composed
from autograder.judging.diagnosis.decoded_run import Evidence, decode
from autograder.judging.diagnosis.fits import fitting
from autograder.judging.diagnosis.judged_check import JudgedCheck, ask, blank
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.smallest import smallest
from autograder.judging.verdict import Cause, Mistake, Status, Sure, Verdict
from autograder.wire.messages import Probe

MOST = 3  # mistakes that are given as possible
SEVERAL = "Several known mistakes look like this; yours may be one of them."
# A prediction is not explained as a right one in disguise.
_NOT_LOOKED_AT = NO_WRONG_ANSWER | TIMED

Told = tuple[Cause, str]  # and the text for the student
_NOTHING: Told = (Cause("nothing"), "")


def diagnose(
    assignment: Assignment,
    verdicts: Sequence[Verdict],
    run: Run,
    reference: Reference,
    bank: Sequence[KnownMistake],
    *,
    thorough: bool = False,
) -> tuple[Verdict, ...]:
    """Add to each wrong verdict its cause, and text for the student; return all verdicts.

    ``thorough``: an explanation must also hold in small calls that a submission is not asked.
    """
    explained: dict[tuple[str, str], Verdict] = {}
    for exercise in dict.fromkeys(v.exercise for v in verdicts if v.status in WRONG):
        spec = next(e for e in assignment.exercise if e.id == exercise)
        own = [mistake for mistake in bank if mistake.exercise == exercise]
        judged = [v for v in verdicts if v.exercise == exercise]
        small = small_outcomes(spec, judged, run, reference, thorough=thorough)
        work = _Work(spec, run, reference, own, judged, small)
        explained |= {(v.exercise, v.check): v for v in _explained(work)}
    return tuple(explained.get((v.exercise, v.check), v) for v in verdicts)


@dataclass(frozen=True)
class _Work:
    """One exercise of a submission, with what explains it. ``own``: its known mistakes; ``small``:
    what its failed checks find in small calls."""

    spec: Exercise
    run: Run
    reference: Reference
    own: Sequence[KnownMistake]
    verdicts: Sequence[Verdict]
    small: Sequence[CaseOutcome]
    seen: dict[str, tuple[CaseOutcome, ...]] = field(default_factory=dict)

    @cached_property
    def small_answers(self) -> tuple[Evidence, Evidence]:
        """The student's and the solution's answers to the small calls."""
        asked = [probe for outcome in self.small for probe in outcome.trial.probes]
        return decoded(self.run, asked), decoded(self.reference.run, asked)

    def with_small(self, checks: Sequence[JudgedCheck]) -> list[JudgedCheck]:
        """The checks with the questions about their small calls."""
        asked: dict[str, dict[str, Probe]] = {}
        for outcome in self.small:
            probes = {probe.id: probe for probe in outcome.trial.probes}
            asked.setdefault(outcome.trial.check.id, {}).update(probes)
        return [replace(c, probes=(*c.probes, *asked.get(c.check.id, {}).values())) for c in checks]

    def given(self, checks: Sequence[JudgedCheck]) -> tuple[CaseOutcome, ...]:
        """The outcomes of these checks' own cases, each check's looked at once."""
        for asked in checks:
            if asked.check.id not in self.seen:
                found = given_outcomes(self.spec, [asked], self.run, self.reference)
                self.seen[asked.check.id] = found
        return tuple(outcome for asked in checks for outcome in self.seen[asked.check.id])

    def predicted(self, mistake: KnownMistake, asked: JudgedCheck) -> bool:
        """Whether a mistake also gives the results of the small calls."""
        return predicted(mistake, asked, self.small, self.small_answers[0], self.reference)


def _explained(work: _Work) -> Iterator[Verdict]:
    """All verdicts of the exercise, the wrong ones with their explanation."""
    spec, verdicts, reference = work.spec, work.verdicts, work.reference
    told = _exercise(work, judged_checks(spec, verdicts, reference, stood_in=False))
    open_ = {id_ for id_, (cause, _) in told.items() if cause.sure == "nothing"}
    if open_ and has_parts(spec):
        alone = _exercise(work, judged_checks(spec, verdicts, reference, stood_in=True))
        told |= {id_: said for id_, said in alone.items() if id_ in open_ and said != _NOTHING}
    calls = smallest(work.small, work.run, reference)
    for verdict in verdicts:
        found = _with_cause(verdict, told.get(verdict.check))
        yield msgspec.structs.replace(found, smallest=calls.get(verdict.check))


def _with_cause(verdict: Verdict, explanation: Told | None) -> Verdict:
    """A verdict with its explanation; without one, what its own check says is kept."""
    if explanation is None or (explanation == _NOTHING and verdict.cause is not None):
        return verdict
    return msgspec.structs.replace(verdict, cause=explanation[0], diagnosis=explanation[1])


def judged_checks(
    spec: Exercise, verdicts: Sequence[Verdict], reference: Reference, *, stood_in: bool
) -> list[JudgedCheck]:
    """The checks of one exercise that were judged by results.

    First with the plain calls; if those leave a mistake open, with stand-ins for earlier parts.
    Work that builds on no earlier part, or on right ones, gets no explanation that needs stand-ins.
    """
    checks = {check.id: check for check in spec.check}
    return [
        ask(checks[v.check], v, reference.cases, defines=spec.defines, stood_in=stood_in).within(
            reference.run
        )
        for v in verdicts
        if v.exercise == spec.id and v.check in checks and v.kind not in _NOT_LOOKED_AT
    ]


def _exercise(work: _Work, every: Sequence[JudgedCheck]) -> dict[str, Told]:
    """The explanation of each wrong check of one exercise, by its id."""
    mine, right = (evidence_of(every, one) for one in (work.run, work.reference.run))
    fits = fitting(every, mine, work.own)
    with_small = work.with_small(every)
    both = [evidence_of(with_small, one) for one in (work.run, work.reference.run)]
    told: dict[str, Told] = {}
    changed: dict[tuple[str, ...], Told] = {}
    parts: dict[tuple[str, ...], Composition | None] = {}
    for asked in every:
        if not asked.wrong or blank(asked, work.run):
            continue
        # A known mistake must predict the small calls.
        found = [mistake for mistake in fits[asked.check.id] if work.predicted(mistake, asked)]
        # A mistake of the exercise itself comes before one that is carried into it.
        found = [mistake for mistake in found if not mistake.carried] or found
        group = together(asked, every)
        ids = tuple(one.check.id for one in group)
        if not found and ids not in changed:
            placed = all(one.only_on_devices for one in group if one.wrong)
            # A change must hold in the small calls, too.
            whole = [one for one in with_small if one.check.id in ids]
            # What is wrong on devices only is no change of the numbers.
            changed[ids] = _NOTHING if placed else _changed(whole, both[0], both[1], work.own)
        told[asked.check.id] = _named(found) if found else changed[ids]
        if told[asked.check.id] == _NOTHING:
            near = [one for one in every if one.near(asked)]
            subject = tuple(one.check.id for one in near)
            if subject not in parts:
                small = (work.small, *work.small_answers)
                parts[subject] = composed(near, (mine, right), work.own, small)
            told[asked.check.id] = _in_parts(work, asked, every, parts[subject])
    return told


def _in_parts(
    work: _Work,
    asked: JudgedCheck,
    every: Sequence[JudgedCheck],
    found: Composition | None,
) -> Told:
    """Several known mistakes, each in some of the calls; or what the wrong calls have in common."""
    if found is not None:
        return Cause("named", tuple(map(_mistake, found.mistakes))), found.words
    separation = separated(asked, every, work.small, work.given)
    if separation is None:
        return _NOTHING
    return Cause("nothing", property=separation.words), separation.sentence


def has_parts(spec: Exercise) -> bool:
    """Whether a check of the exercise may be tried with stand-ins for earlier parts."""
    return any(getattr(check, "parts", ()) for check in spec.check)


def evidence_of(every: Sequence[JudgedCheck], run: Run) -> Evidence:
    return decoded(run, [probe for asked in every for probe in asked.probes])


def decoded(run: Run, probes: Sequence[Probe]) -> Evidence:
    """A run with the numbers of its answers to these questions."""
    records = {probe.id: run.probe(probe.id) for probe in probes}
    return decode(run, [record for record in records.values() if record is not None])


def _named(found: Sequence[KnownMistake]) -> Told:
    """One mistake by its name; a few that fit equally as possible ones; many are not named."""
    if len(found) > MOST:  # more than three possible mistakes are none
        return _NOTHING
    mistakes = tuple(map(_mistake, found))
    advice = tuple(dict.fromkeys(mistake.said.tell for mistake in found))
    sure: Sure = "named" if len(found) == 1 else "ambiguous"
    if len(advice) == 1:
        return Cause(sure, mistakes), advice[0]
    listed = " ".join(f"({number}) {text}" for number, text in enumerate(advice, start=1))
    return Cause(sure, mistakes), f"{SEVERAL} {listed}"


def _changed(
    group: Sequence[JudgedCheck], ours: Evidence, expected: Evidence, bank: Sequence[KnownMistake]
) -> Told:
    """The right result, or that of one known mistake, changed in a simple way."""
    what = "gradient" if any(asked.check.kind == "gradient" for asked in group) else "result"
    right = change_of(group, ours, expected)
    if right is not None:
        return Cause("named", (), right.name), f"Your {what} is the right one, but {right.words}."
    if not far_from(group, ours, expected):
        return _NOTHING  # almost right: so would a mistake be whose effect is undone
    wrong = [mistake for mistake in bank if _is_wrong(mistake, group)]
    changes = [
        (
            m,
            change_of(
                [asked.within(m.evidence.run) for asked in group], ours, m.evidence, clear=True
            ),
        )
        for m in wrong
    ]
    found = [(m, change) for m, change in changes if change is not None]
    if len(found) != 1:
        return _NOTHING
    ((mistake, change),) = found
    cause = Cause("named", (_mistake(mistake),), change.name)
    return cause, f"{mistake.said.tell} Your {what} is what that gives, but {change.words}."


def _is_wrong(mistake: KnownMistake, group: Sequence[JudgedCheck]) -> bool:
    """Whether the mistake is wrong wherever the work is; otherwise a change of the right result, or
    another mistake, is needed to explain it."""
    findings = [mistake.findings.get(asked.check.id) for asked in group if asked.wrong]
    return all(f is not None and f.status is Status.FAILED for f in findings)


def _mistake(known: KnownMistake) -> Mistake:
    return Mistake(known.said.name, known.said.title)
