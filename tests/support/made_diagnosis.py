"""A diagnosis of results made by hand, with a few known mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from typing import Any

from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.relation import RelationView
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake, known
from autograder.judging.judge import judge
from autograder.judging.verdict import Verdict
from autograder.notebook.template.variant import Variant
from autograder.wire.tensors import to_wire
from tests.support.made_trials import MEASURED, record, ret

CASES = {"numbers": ((to_wire(1),), (to_wire(2),))}
KEYS: dict[str, dict[str, Any]] = {
    "value": {"name": "x"},
    "function": {"call": "f", "inputs": "numbers"},
    "relation": {"relation": "is_even", "reads": ["x"]},
    "raises": {"call": "f", "inputs": "numbers", "error": ["ValueError"]},
    "speed": {"call": "f", "inputs": "numbers", "at_most": 2.0},
    "module": {"name": "x", "type": "Linear", "table": [2, 3]},
}
ADVICE = "You added where you should multiply."


def is_even(seen: RelationView) -> Iterator[str]:
    if seen.number("x") % 2:
        yield "`x` is odd."


RELATIONS = {"is_even": is_even}


def run(values: MappingType[str, Any], *, exercise: str = "ex") -> Run:
    """Reads by name, calls as "f/0", "f/1"; Outcomes and Stops as they are."""

    def id_of(name: str) -> str:
        target, _, number = name.partition("/")
        return f"{exercise}/call/{target}/numbers/{number}" if number else f"{exercise}/read/{name}"

    claims = ((name, ret(None) if claim is None else claim) for name, claim in values.items())
    return Run((), tuple(record(id_of(name), claim) for name, claim in claims), MEASURED)


def assignment(kind: str = "value", **more: Any) -> Assignment:
    check = {"id": "c", "kind": kind, "title": "it is right", "points": 1, **KEYS[kind], **more}
    exercises = [
        {"id": id_, "title": "An exercise", "defines": ["x"], "check": [check]}
        for id_ in ("ex", "other")
    ]
    return Assignment.model_validate(
        {"format": 1, "id": "a", "title": "An assignment", "exercise": exercises}
    )


def said(advice: str) -> Variant:
    """A mistake whose name and title follow from its advice."""
    return Variant(f"name of {advice}", "ex", f"title of {advice}", advice, "")


def bank(
    spec: Assignment, expected: Run, *wrong: tuple[str, Run], exercise: int = 0
) -> list[KnownMistake]:
    return [
        known(spec.exercise[exercise], said(advice), mistake, Reference(expected, CASES, RELATIONS))
        for advice, mistake in wrong
    ]


def told(spec: Assignment, student: Run, expected: Run, mistakes: list[KnownMistake]) -> Verdict:
    """The verdict on exercise "ex" after diagnosis."""
    verdicts = judge(spec, student, Reference(expected, CASES, RELATIONS))
    return diagnose(spec, verdicts, student, Reference(expected, CASES), mistakes)[0]


def diagnosed(kind: str, right: Any, mistake: Any, student: Any, **more: Any) -> Verdict:
    """One mistake, one student; each given as ``x``, or as a dict of reads and calls."""
    spec = assignment(kind, **more)
    runs = [run(v if isinstance(v, dict) else {"x": v}) for v in (right, mistake, student)]
    return told(spec, runs[2], runs[0], bank(spec, runs[0], (ADVICE, runs[1])))
