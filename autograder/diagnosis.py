"""Says which known mistake a wrong result equals. Pure: compares evidence with evidence.

A known mistake is run like a submission. When a failed check's evidence equals the
mistake's evidence, or is wrong in the very same words and numbers, the student is told
what the instructor wrote about that mistake. A wrong guess here costs nobody a point.

One check alone proves little: a function that returns zeros has no gradient either, like one
that detaches. So a mistake is named only when it goes as the student's work does on most
checks of the same function or name and on half of the exercise's; the likest one is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from autograder.checks.finding import Cases, Finding, Relations
from autograder.checks.registry import examine, probes
from autograder.sandbox.run import Run
from autograder.spec.model import (
    Assignment,
    Check,
    Exercise,
    FigureCheck,
    FunctionCheck,
    GradientCheck,
    RaisesCheck,
    RelationCheck,
    SpeedCheck,
)
from autograder.verdict import Status, Verdict

_BY_VALUE = ("value", "function", "gradient", "choice")


@dataclass(frozen=True, slots=True)
class Known:
    """A known mistake of one exercise: what to tell the student, its evidence, and what
    each check of the exercise finds in it (by check id)."""

    exercise: str
    advice: str
    run: Run
    findings: Mapping[str, Finding]


def known(
    exercise: Exercise, advice: str, run: Run, expected: Run, cases: Cases, relations: Relations
) -> Known:
    """Examine a known mistake's evidence as a student's would be."""
    findings = {
        check.id: examine(check, exercise.id, run, expected, cases, relations)
        for check in exercise.check
        if check.kind != "speed"  # what a mistake costs is not measured again
    }
    return Known(exercise.id, advice, run, findings)


def diagnose(
    assignment: Assignment, verdicts: Sequence[Verdict], run: Run, bank: Sequence[Known],
    cases: Cases,
) -> tuple[Verdict, ...]:  # fmt: skip
    """The same verdicts, with a diagnosis where a wrong result equals a known mistake's."""
    checks = {(e.id, c.id): c for e in assignment.exercise for c in e.check}
    told: list[Verdict] = []
    for verdict in verdicts:
        advice = ""
        if verdict.status in (Status.FAILED, Status.RAISED):
            same = [v for v in verdicts if v.exercise == verdict.exercise]
            own = [(checks[v.exercise, v.check], v) for v in same]
            check = checks[verdict.exercise, verdict.check]
            equal = [m for m in bank if _equals(check, verdict, run, m, cases)]
            alike = [(_likeness(check, own, run, m, cases), m.advice) for m in equal]
            advice = max([(0, ""), *alike], key=lambda one: one[0])[1]
        told.append(msgspec.structs.replace(verdict, diagnosis=advice) if advice else verdict)
    return tuple(told)


def _likeness(
    check: Check, own: Sequence[tuple[Check, Verdict]], run: Run, mistake: Known, cases: Cases
) -> int:
    """How many checks of the exercise go as the mistake does; 0 when too few do."""
    votes = [(other, _agrees(other, verdict, run, mistake, cases)) for other, verdict in own]
    near = [vote for other, vote in votes if vote is not None and _subject(check) & _subject(other)]
    far = [vote for _, vote in votes if vote is not None]
    enough = 2 * sum(near) > len(near) and 2 * sum(far) >= len(far)
    return sum(far) if enough else 0


def _agrees(
    check: Check, verdict: Verdict, run: Run, mistake: Known, cases: Cases
) -> bool | None:
    """Whether a check goes as it does for the mistake; None where nothing can be said.

    Two relations that fail in other words say nothing: tables are random, words tell of them.
    """
    finding = mistake.findings.get(check.id)
    if finding is None or verdict.status in (Status.SKIPPED, Status.UNGRADED, Status.MANUAL):
        return None
    passed = finding.status is Status.PASSED, verdict.status is Status.PASSED
    if any(passed):
        return all(passed)
    return _equals(check, verdict, run, mistake, cases) or (
        None if check.kind == "relation" else False
    )


def _subject(check: Check) -> frozenset[str]:
    """The names that a check asks for; two checks of one function share it."""
    match check:
        case RelationCheck():
            return frozenset((*check.reads, *(call.call for call in check.calls)))
        case FigureCheck():
            return frozenset((check.shows,))
        case FunctionCheck() | GradientCheck() | RaisesCheck() | SpeedCheck():
            return frozenset((check.call,))
    return frozenset((check.name,))


def _equals(check: Check, verdict: Verdict, run: Run, mistake: Known, cases: Cases) -> bool:
    finding = mistake.findings.get(check.id)
    if mistake.exercise != verdict.exercise or finding is None:
        return False
    if finding.status is not verdict.status:
        return False
    if verdict.status is Status.RAISED:
        asked = probes(check, verdict.exercise, cases)
        return bool(asked) and all(_raised_alike(run, mistake.run, p.id) for p in asked)
    same_words = bool(finding.message) and finding.message == verdict.message
    if same_words and finding.mismatches == verdict.mismatches:
        return True
    if check.kind not in _BY_VALUE:
        return False
    same = examine(check, verdict.exercise, run, mistake.run, cases, {})
    return same.status is Status.PASSED


def _raised_alike(run: Run, mistake: Run, id_: str) -> bool:
    ours, theirs = run.probe(id_), mistake.probe(id_)
    if ours is None or theirs is None or ours.claim is None or theirs.claim is None:
        return False
    if ours.claim.error is None or theirs.claim.error is None:
        return ours.claim.status == theirs.claim.status == "returned"
    return (ours.claim.error.types, ours.claim.error.text) == (
        theirs.claim.error.types, theirs.claim.error.text,
    )  # fmt: skip
