"""How often the diagnosis is right, over all known mistakes of the flagship assignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
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
from tests.support.effort import costs_at_most

WRONG = (Status.FAILED, Status.RAISED)


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one known mistake that was handed in."""

    mistake: KnownMistake
    named: frozenset[str]
    possible: frozenset[str]

    @property
    def right(self) -> bool:
        return self.named == {self.mistake.said.name}

    @property
    def false(self) -> frozenset[str]:
        return self.named - {self.mistake.said.name}


def verdicts_on(prepared: PreparedClass, mistake: KnownMistake, *, hidden: bool) -> list[Verdict]:
    """Of its own exercise; not of its cost, which is not asked of known mistakes."""
    context = prepared.context
    run, relations = mistake.evidence.run, context.loaded.relations
    found = judge(context.loaded.spec, run, Reference(prepared.expected, context.cases, relations))
    own = [v for v in found if v.exercise == mistake.exercise and v.kind != "speed"]
    return [v for v in own if not (hidden and v.public)]


def told(
    prepared: PreparedClass, mistake: KnownMistake, bank: Sequence[KnownMistake], *, hidden: bool
) -> Told | None:
    """None where nothing goes wrong that can be seen."""
    context, run = prepared.context, mistake.evidence.run
    verdicts = verdicts_on(prepared, mistake, hidden=hidden)
    if not any(v.status in WRONG for v in verdicts):
        return None
    found = diagnose(
        context.loaded.spec, verdicts, run, Reference(prepared.expected, context.cases), bank
    )
    causes = [v.cause for v in found if v.cause is not None]
    named = {m.name for c in causes if c.sure == "named" for m in c.mistakes}
    possible = {m.name for c in causes if c.sure == "ambiguous" for m in c.mistakes}
    return Told(mistake, frozenset(named), frozenset(possible))


WHICH = [
    pytest.param(True, id="hidden checks alone"),
    pytest.param(False, id="all checks", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("hidden", WHICH)
def test_known_mistakes_are_named_rightly_and_none_wrongly(
    prepared: PreparedClass, hidden: bool
) -> None:
    every = [told(prepared, m, prepared.bank, hidden=hidden) for m in prepared.bank]
    found = [one for one in every if one is not None]
    assert len(found) >= (60 if hidden else 80)
    assert [(one.mistake.said.name, one.false) for one in found if one.false] == []
    assert sum(one.right for one in found) / len(found) >= 0.95
    for one in found:  # what is not named is at least among what is given as possible
        assert one.right or one.mistake.said.name in one.possible


@pytest.mark.parametrize("hidden", WHICH)
def test_a_mistake_that_nobody_knows_gets_no_name(prepared: PreparedClass, hidden: bool) -> None:
    """Each mistake in turn is left out of the bank. A name is right only for equal results."""
    named, false, number = [], [], 0
    for mistake in own(prepared):
        others = [other for other in prepared.bank if other.said is not mistake.said]
        found = told(prepared, mistake, others, hidden=hidden)
        number += found is not None
        for name in () if found is None else found.named | found.possible:
            named.append((mistake.said.name, name))
            if name in MISTAKES:  # of devices: what the check itself can tell
                assert "device" in mistake.said.name
                continue
            other = next(
                other
                for other in others
                if (other.said.name, other.exercise) == (name, mistake.exercise)
            )
            # one that is carried into the exercise is compared in plain calls alone
            if not other.carried and not equal(prepared, mistake, other, hidden=hidden):
                false.append(named[-1])
    print(f"left out in turn: {number}, given a name: {named}, a false one: {false}")
    assert false == []


def own(prepared: PreparedClass) -> list[KnownMistake]:
    """The mistakes in their own exercises."""
    return [mistake for mistake in prepared.bank if not mistake.carried]


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


def test_a_diagnosis_is_quick_and_equal_each_time(prepared: PreparedClass) -> None:
    for mistake in own(prepared)[::3]:
        others = [other for other in prepared.bank if other.said is not mistake.said]
        verdicts = verdicts_on(prepared, mistake, hidden=False)
        given = (verdicts, mistake.evidence.run, prepared.reference, others)
        with costs_at_most(0.9, mistake.said.name):
            once = diagnose(prepared.context.loaded.spec, *given)
        again = diagnose(prepared.context.loaded.spec, *given)
        assert msgspec.json.encode(once) == msgspec.json.encode(again)


def test_where_nothing_is_wrong_nothing_is_looked_for(prepared: PreparedClass) -> None:
    context, right = prepared.context, prepared.expected
    spec = context.loaded.spec
    verdicts = judge(spec, right, Reference(right, context.cases, context.loaded.relations))
    with costs_at_most(0.005):
        assert (
            diagnose(spec, verdicts, right, Reference(right, context.cases), prepared.bank)
            == verdicts
        )
