"""The kinds of checks: what each asks of a run, and what it finds in two runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from autograder.assignment.kinds import Check, TrainingCheck
from autograder.evidence.records import Run
from autograder.judging.checks import (
    choice,
    corners,
    device,
    embedded_tests,
    figure,
    function,
    gradient,
    module,
    pipeline,
    precision,
    prediction,
    raises,
    relation,
    repeated_calls,
    speed,
    stage,
    training,
    value,
    written,
)
from autograder.judging.checks.finding import Cases, Finding, Reference, Relations, Trial
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.verdict import Status
from autograder.wire.messages import Probe


class Kind(NamedTuple):
    """One kind of check. Both functions are pure; a mapping by kind gives them their own type."""

    probes: Callable[[Any, str, Cases], tuple[Probe, ...]]
    examine: Callable[[Any, Trial], Finding]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "value": Kind(value.probes, value.examine),
        "function": Kind(function.probes, function.examine),
        "module": Kind(module.probes, module.examine),
        "gradient": Kind(gradient.probes, gradient.examine),
        "relation": Kind(relation.probes, relation.examine),
        "raises": Kind(raises.probes, raises.examine),
        "figure": Kind(figure.probes, figure.examine),
        "choice": Kind(choice.probes, choice.examine),
        "written": Kind(written.probes, written.examine),
        "speed": Kind(speed.probes, speed.examine),
        "pipeline": Kind(pipeline.probes, pipeline.examine),
        "training": Kind(training.probes, training.examine),
        "device": Kind(device.probes, device.examine),
        "precision": Kind(precision.probes, precision.examine),
        "prediction": Kind(prediction.probes, prediction.examine),
        "examples": Kind(embedded_tests.example_probes, embedded_tests.examine_examples),
        "test_function": Kind(embedded_tests.function_probes, embedded_tests.examine_function),
        "test_cell": Kind(embedded_tests.cell_probes, embedded_tests.examine_cell),
        "answer_cell": Kind(embedded_tests.answer_probes, embedded_tests.examine_answer),
    }
)


def probes(check: Check, exercise_id: str, cases: Cases) -> tuple[Probe, ...]:
    """What ``check`` needs to know; probes of equal content have equal ids."""
    key = ("probes", IdentityKey(check), exercise_id)
    return once(cases, key, lambda: _probes(check, exercise_id, cases))


def _probes(check: Check, exercise_id: str, cases: Cases) -> tuple[Probe, ...]:
    own = KINDS[check.kind].probes(check, exercise_id, cases)
    more = stage.probes(check, exercise_id, cases)
    later = repeated_calls.probes(check, exercise_id, cases)
    return (*own, *more, *later, *corners.probes(check, exercise_id, cases))


def every_probe(check: Check, exercise_id: str, cases: Cases) -> tuple[Probe, ...]:
    """The probes of ``check``, and those that it may come to need once they are answered."""
    own = probes(check, exercise_id, cases)
    if not isinstance(check, TrainingCheck):
        return own
    return (*own, *training.later(check, exercise_id, cases))


def further(
    check: Check, exercise_id: str, run: Run, cases: Cases, relations: Relations
) -> tuple[Probe, ...]:
    """What ``check`` needs besides, because the answers in ``run`` leave open what it finds."""
    if not isinstance(check, TrainingCheck):
        return ()
    return training.further(check, exercise_id, run, cases, relations)


def examine(
    check: Check,
    exercise_id: str,
    actual: Run,
    reference: Reference,
) -> Finding:
    """What ``check`` finds in a student's run and the reference's. Raises nothing."""
    trial = Trial(exercise_id, actual, reference.run, reference.cases, reference.relations)
    found = KINDS[check.kind].examine(check, trial)
    if found.status is Status.PASSED:
        return repeated_calls.examine(check, trial) or corners.examine(check, trial) or found
    if found.status is Status.UNGRADED:
        return found
    return stage.excused(check, trial) or found
