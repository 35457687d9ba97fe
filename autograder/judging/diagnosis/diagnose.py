"""Finds what a wrong result looks like: a known mistake, a simple change of the right result, or
nothing. Pure: compares evidence with evidence, and never guesses.

A known mistake is run like a submission. The student reads the instructor's text about it; if two
or three fit equally, all are given as possible; if more fit, or none, nothing is named. Nothing
here costs or earns a point, and nothing about a hidden check is revealed.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED
from autograder.assignment.model import Assignment, Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.changes import change_of, far_from, together
from autograder.judging.diagnosis.fits import fitting
from autograder.judging.diagnosis.judged_check import JudgedCheck, ask, blank
from autograder.judging.diagnosis.known import Evidence, KnownMistake, decode
from autograder.judging.diagnosis.smallest import outcomes, smallest
from autograder.judging.verdict import Cause, Mistake, SmallestCall, Status, Sure, Verdict

MOST = 3  # mistakes that are given as possible
SEVERAL = "Several known mistakes look like this; yours may be one of them."
# guard: a prediction is not explained as a right one in disguise
_NOT_LOOKED_AT = NO_WRONG_ANSWER | TIMED

Told = tuple[Cause, str]  # and the text for the student
_NOTHING: Told = (Cause("nothing"), "")


def diagnose(
    assignment: Assignment,
    verdicts: Sequence[Verdict],
    run: Run,
    reference: Reference,
    bank: Sequence[KnownMistake],
) -> tuple[Verdict, ...]:
    """Add to each wrong verdict its cause, and text for the student; return all verdicts."""
    wrong = (Status.FAILED, Status.RAISED)
    told: dict[tuple[str, str], Told] = {}
    calls: dict[tuple[str, str], SmallestCall] = {}
    for exercise in {v.exercise for v in verdicts if v.status in wrong}:
        spec = next(e for e in assignment.exercise if e.id == exercise)
        own = [mistake for mistake in bank if mistake.exercise == exercise]
        plain = _judged(spec, verdicts, reference, stood_in=False)
        whole = _exercise(plain, run, reference.run, own)
        told |= whole
        if _NOTHING in whole.values() and _has_parts(spec):
            stood_in = _judged(spec, verdicts, reference, stood_in=True)
            alone = _exercise(stood_in, run, reference.run, own)
            told |= {at: words for at, words in alone.items() if whole.get(at) == _NOTHING}
        own_verdicts = [v for v in verdicts if v.exercise == exercise]
        small = outcomes(spec, own_verdicts, run, reference)
        calls |= {(exercise, id_): c for id_, c in smallest(small, run, reference).items()}
    explained = (_with_cause(v, told.get((v.exercise, v.check))) for v in verdicts)
    return tuple(
        msgspec.structs.replace(v, smallest=calls.get((v.exercise, v.check))) for v in explained
    )


def _with_cause(verdict: Verdict, explanation: Told | None) -> Verdict:
    """A verdict with its explanation; without one, what its own check says is kept."""
    if explanation is None or (explanation == _NOTHING and verdict.cause is not None):
        return verdict
    return msgspec.structs.replace(verdict, cause=explanation[0], diagnosis=explanation[1])


def _judged(
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


def _exercise(
    every: Sequence[JudgedCheck], run: Run, expected: Run, own: Sequence[KnownMistake]
) -> dict[tuple[str, str], Told]:
    """The explanation of each wrong check of one exercise; ``own``: its known mistakes."""
    mine, right = (_evidence(every, one) for one in (run, expected))
    fits = fitting(every, mine, own)
    explanations: dict[tuple[str, str], Told] = {}
    changed: dict[tuple[str, ...], Told] = {}
    for asked in every:
        if not asked.wrong or blank(asked, run):
            continue
        found, group = fits[asked.check.id], together(asked, every)
        ids = tuple(judged.check.id for judged in group)
        if not found and ids not in changed:
            changed[ids] = _changed(group, mine, right, own)
        explanations[asked.verdict.exercise, asked.check.id] = (
            _named(found) if found else changed[ids]
        )
    return explanations


def _has_parts(spec: Exercise) -> bool:
    """Whether a check of the exercise may be tried with stand-ins for earlier parts."""
    return any(getattr(check, "parts", ()) for check in spec.check)


def _evidence(every: Sequence[JudgedCheck], run: Run) -> Evidence:
    records = {p.id: run.probe(p.id) for asked in every for p in asked.probes}
    return decode(run, [record for record in records.values() if record is not None])


def _named(found: Sequence[KnownMistake]) -> Told:
    """One mistake by its name; a few that fit equally as possible ones; many are not named."""
    if len(found) > MOST:  # guard: more than three possible mistakes are none
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
    changes = [(mistake, change_of(group, ours, mistake.evidence)) for mistake in wrong]
    found = [(m, change) for m, change in changes if change is not None and change.clear]
    if len(found) != 1:
        return _NOTHING
    ((mistake, change),) = found
    cause = Cause("named", (_mistake(mistake),), change.name)
    return cause, f"{mistake.said.tell} In addition, your {what} is {change.words}."


def _is_wrong(mistake: KnownMistake, group: Sequence[JudgedCheck]) -> bool:
    """Whether the mistake is wrong wherever the work is; otherwise a change of the right result, or
    another mistake, is needed to explain it."""
    findings = [mistake.findings.get(asked.check.id) for asked in group if asked.wrong]
    return all(f is not None and f.status is Status.FAILED for f in findings)


def _mistake(known: KnownMistake) -> Mistake:
    return Mistake(known.said.name, known.said.title)
