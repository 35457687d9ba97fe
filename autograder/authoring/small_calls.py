"""The small calls that students get with the public evidence, and the solution's answers to them.

Covered: only of public checks, and only calls that were made anew and that the solution passes.
Not covered: checks on devices, of which a single case is many calls.
"""

from __future__ import annotations

import msgspec

from autograder.assignment.kinds import DeviceCheck
from autograder.authoring.leak_check.search import holding
from autograder.authoring.leak_check.values import hidden_values
from autograder.grading.context import PreparedClass
from autograder.judging.checks.finding import Args, Cases, Reference
from autograder.judging.diagnosis.case_trial import CaseTrial, inputs_of
from autograder.judging.diagnosis.small_calls import asked_of
from autograder.student.public_evidence import PublicEvidence, SmallCase, is_public, unquoted
from autograder.wire.messages import Outcome

MOST_CALLS = 10  # of an exercise


def with_small_calls(made: PublicEvidence, prepared: PreparedClass) -> PublicEvidence:
    """The public evidence with the smallest calls of each public check."""
    reference, spec = prepared.reference, prepared.context.loaded.spec
    secrets = [s.needle for s in hidden_values(spec, reference.cases, reference.run)]

    def kept(trial: CaseTrial) -> bool:
        shown = rows_of(trial, reference.cases), _answers(trial, reference)
        # A small call that is part of a hidden one is left out.
        return not holding(msgspec.msgpack.encode(shown), secrets)

    small: list[SmallCase] = []
    answers: dict[str, Outcome] = {}
    for exercise in spec.exercise:
        # Small calls of hidden checks are not given away.
        shown = [c for c in exercise.check if is_public(c, exercise)]
        public = [c.id for c in shown if not isinstance(c, DeviceCheck)]
        for trial in asked_of(exercise, public, reference, most=MOST_CALLS, kept=kept):
            rows = rows_of(trial, reference.cases)
            small.append(SmallCase(exercise.id, trial.check.id, rows))
            answers |= _answers(trial, reference)
    outcomes = dict(sorted((made.outcomes | answers).items()))
    return msgspec.structs.replace(made, small=tuple(small), outcomes=outcomes)


def _answers(trial: CaseTrial, reference: Reference) -> dict[str, Outcome]:
    """The solution's answers to the calls of a small trial."""
    given = {}
    for probe in trial.probes:
        record = reference.run.probe(probe.id)
        assert record is not None and record.claim is not None, "the solution passes it"
        given[probe.id] = unquoted(record.claim)
    return given


def rows_of(trial: CaseTrial, cases: Cases) -> dict[str, Args]:
    """The arguments of a small trial by the generator in whose place they are."""
    return {name: trial.cases[name][0] for name in inputs_of(trial.check, cases)}
