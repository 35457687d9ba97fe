"""Answers to the calls of an exercise, from functions that run here: for tests of the diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograder.assignment.model import Assignment, Exercise
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.judging.checks.finding import Cases
from autograder.judging.checks.registry import probes
from autograder.judging.diagnosis.small_calls import tried_probes
from autograder.wire.messages import Call, Error, Outcome, Probe
from autograder.wire.tensors import from_wire, to_wire

Functions = Mapping[str, Callable[..., Any]]


def assignment_of(*checks: Mapping[str, Any], **more: Any) -> Assignment:
    """One exercise "ex" with these checks, and more keys of its own."""
    every = [
        {"id": f"c{number}", "title": "it is right", "points": 1, **check}
        for number, check in enumerate(checks)
    ]
    names = sorted({check["call"].split(".")[0] for check in checks if "call" in check})
    one = {"id": "ex", "title": "An exercise", "defines": names or ["x"], "check": every, **more}
    spec = {"format": 1, "id": "a", "title": "An assignment", "exercise": [one]}
    return Assignment.model_validate(spec)


def every_call(exercise: Exercise, cases: Cases) -> list[Probe]:
    """The checks' own calls and the small ones."""
    own = [probe for check in exercise.check for probe in probes(check, exercise.id, cases)]
    return list({probe.id: probe for probe in (*own, *tried_probes(exercise, cases))}.values())


def answers(asked: Iterable[Probe], functions: Functions) -> Run:
    """What these functions give, as a run."""
    records = (
        ProbeRun(probe.id, _outcome(probe.request, functions), None, TimeSpent(0.0, 0.0))
        for probe in asked
        if isinstance(probe.request, Call)
    )
    return Run((), tuple(records), Measured(1.0, 1.0, 100.0, 1, "strong", ()))


def _outcome(call: Call, functions: Functions) -> Outcome:
    try:
        result = functions[call.target](*map(from_wire, call.args))
        return Outcome("returned", to_wire(result))
    except Exception as raised:
        types = tuple(kind.__name__ for kind in type(raised).__mro__)
        return Outcome("raised", error=Error(types, str(raised)))
