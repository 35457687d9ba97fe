"""The kinds of checks: what each asks of a run, and what it finds in two runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from autograder.assignment.kinds import Check
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
from autograder.judging.checks.arrays import Bounds
from autograder.judging.checks.finding import Cases, Finding, Reference, Relations, Trial
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.checks.stage import Stage
from autograder.judging.verdict import Status
from autograder.wire.messages import Probe


class Kind(NamedTuple):
    """One kind of check: what it asks of a run, and what it finds in two. All functions are pure; a
    mapping by kind gives them their own type of check.

    ``later``: questions that it may ask later; ``further``: those that it does ask, given the first
    answers. ``stage``: how a step is called with stand-ins for earlier parts. ``bounds``: accepted
    differences between two dtypes, if not its tolerance. ``least_parts``: explained from the calls
    that depend least on the student's other parts.
    """

    probes: Callable[[Any, str, Cases], tuple[Probe, ...]]
    examine: Callable[[Any, Trial], Finding]
    later: Callable[[Any, str, Cases], tuple[Probe, ...]] | None = None
    further: Callable[[Any, str, Run, Cases, Relations], tuple[Probe, ...]] | None = None
    stage: Stage | None = None
    bounds: Callable[[Any, str, str, tuple[int, ...]], Bounds] | None = None
    least_parts: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "value": Kind(value.probes, value.examine),
        "function": Kind(function.probes, function.examine, stage=function.STAGE),
        "module": Kind(module.probes, module.examine),
        "gradient": Kind(gradient.probes, gradient.examine, stage=gradient.STAGE),
        "relation": Kind(
            relation.probes,
            relation.examine,
            stage=relation.STAGE,
            bounds=relation.bounds,
        ),
        "raises": Kind(raises.probes, raises.examine),
        "figure": Kind(figure.probes, figure.examine),
        "choice": Kind(choice.probes, choice.examine),
        "written": Kind(written.probes, written.examine),
        "speed": Kind(speed.probes, speed.examine),
        "pipeline": Kind(pipeline.probes, pipeline.examine, least_parts=True),
        "training": Kind(
            training.probes,
            training.examine,
            later=training.later,
            further=training.further,
            bounds=training.bounds,
        ),
        "device": Kind(device.probes, device.examine),
        "precision": Kind(precision.probes, precision.examine, bounds=precision.bounds),
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
    kind = KINDS[check.kind]
    own = kind.probes(check, exercise_id, cases)
    more = stage.probes(kind.stage, check, exercise_id, cases)
    later = repeated_calls.probes(check, exercise_id, cases)
    return (*own, *more, *later, *corners.probes(check, exercise_id, cases))


def every_probe(check: Check, exercise_id: str, cases: Cases) -> tuple[Probe, ...]:
    """The probes of ``check``, and those that it may need once they are answered."""
    own = probes(check, exercise_id, cases)
    later = KINDS[check.kind].later
    return own if later is None else (*own, *later(check, exercise_id, cases))


def further(
    check: Check, exercise_id: str, run: Run, cases: Cases, relations: Relations
) -> tuple[Probe, ...]:
    """The further probes that ``check`` needs because the answers in ``run`` leave it undecided."""
    ask = KINDS[check.kind].further
    return () if ask is None else ask(check, exercise_id, run, cases, relations)


def examine(
    check: Check,
    exercise_id: str,
    actual: Run,
    reference: Reference,
) -> Finding:
    """What ``check`` finds in a student's run and the reference's. Raises nothing."""
    trial = Trial(exercise_id, actual, reference.run, reference.cases, reference.relations)
    kind = KINDS[check.kind]
    found = kind.examine(check, trial)
    if found.status is Status.PASSED:
        return repeated_calls.examine(check, trial) or corners.examine(check, trial) or found
    if found.status is Status.UNGRADED:
        return found
    return stage.excused(kind.stage, check, trial) or found
