"""A mistake of the flagship assignment that the bank does not have gets no other one's name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autograder.grading.context import PreparedClass
from autograder.judging.checks.faults import MISTAKES
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.fits import same_evidence
from autograder.judging.diagnosis.judged_check import ask
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.judge import judge
from autograder.judging.verdict import Status, Verdict


@pytest.fixture(scope="module")
def prepared(prepared_to_explain: PreparedClass) -> PreparedClass:
    """With known mistakes: they are the subject."""
    return prepared_to_explain


def verdicts_on(prepared: PreparedClass, mistake: KnownMistake, *, hidden: bool) -> list[Verdict]:
    """Of its own exercise; not of its cost, which is not asked of known mistakes."""
    context = prepared.context
    run, relations = mistake.evidence.run, context.loaded.relations
    found = judge(context.loaded.spec, run, Reference(prepared.expected, context.cases, relations))
    own = [v for v in found if v.exercise == mistake.exercise and v.kind != "speed"]
    return [v for v in own if not (hidden and v.public)]


def names_given(
    prepared: PreparedClass, mistake: KnownMistake, bank: Sequence[KnownMistake], *, hidden: bool
) -> set[str]:
    """The names that a hand-in with this mistake gets, surely or among others."""
    context, run = prepared.context, mistake.evidence.run
    verdicts = verdicts_on(prepared, mistake, hidden=hidden)
    reference = Reference(prepared.expected, context.cases)
    found = diagnose(context.loaded.spec, verdicts, run, reference, bank)
    return {m.name for v in found if v.cause is not None for m in v.cause.mistakes}


WHICH = [
    pytest.param(True, id="hidden checks alone"),
    pytest.param(False, id="all checks", marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.parametrize("hidden", WHICH)
def test_a_mistake_that_nobody_knows_gets_no_name(prepared: PreparedClass, hidden: bool) -> None:
    """Each mistake in turn is left out of the bank. A name is right only for equal results."""
    false = []
    for mistake in (mistake for mistake in prepared.bank if not mistake.carried):
        bank = [m for m in prepared.bank if m.said is not mistake.said]
        for name in names_given(prepared, mistake, bank, hidden=hidden):
            if name in MISTAKES:  # of devices: what the check itself can tell
                assert "device" in mistake.said.name
                continue
            other = next(m for m in bank if (m.said.name, m.exercise) == (name, mistake.exercise))
            # one that is carried into the exercise is compared in plain calls alone
            if not other.carried and not equal(prepared, mistake, other, hidden=hidden):
                false.append((mistake.said.name, name))
    assert false == []


def equal(prepared: PreparedClass, one: KnownMistake, other: KnownMistake, *, hidden: bool) -> bool:
    """Whether two known mistakes answer everything that was asked in the same way."""
    context = prepared.context
    exercise = next(e for e in context.loaded.spec.exercise if e.id == one.exercise)
    checks = {check.id: check for check in exercise.check}
    verdicts = verdicts_on(prepared, one, hidden=hidden)
    asked = [ask(checks[v.check], v, context.cases).within(prepared.expected) for v in verdicts]
    found = [(a, one.findings[a.check.id], other.findings[a.check.id]) for a in asked]
    return all(
        mine.status is theirs.status is Status.PASSED
        or same_evidence(a, one.evidence, other.evidence)
        or (not a.by_value and mine == theirs)
        for a, mine, theirs in found
    )
