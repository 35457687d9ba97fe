"""Tolerances of columns that no right result has."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.assignment.model import Assignment
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.frame_texts import bare_label
from autograder.judging.checks.registry import probes
from autograder.reports.validation.model import Problem
from autograder.wire.values import DataFrame, Items, Mapping


def column_problems(spec: Assignment, reference: Reference) -> Iterator[Problem]:
    """A problem for each check with such a tolerance, which changes nothing."""
    for exercise in spec.exercise:
        for check in exercise.check:
            frame = getattr(check, "frame", None)
            if frame is None or not frame.tolerances:
                continue
            asked = probes(check, exercise.id, reference.cases)
            records = filter(None, (reference.run.probe(probe.id) for probe in asked))
            claims = [record.claim.value for record in records if record.claim is not None]
            labels = {label for value in claims for label in _labels(value)}
            # A tolerance is of a column that there is.
            unknown = sorted({*frame.tolerances} - labels)
            if unknown:
                known = ", ".join(map(repr, sorted(labels))) or "none"
                text = (
                    f"`tolerances` has {', '.join(map(repr, unknown))}, which no right result has "
                    f"as a column; there are {known}"
                )
                yield Problem("tolerance", text, check=f"{exercise.id}/{check.id}")


def _labels(value: object) -> Iterator[str]:
    match value:
        case DataFrame():
            yield from (bare_label(value, place) for place in range(len(value.columns)))
        case Items(items=items):
            for item in items:
                yield from _labels(item)
        case Mapping(items=pairs):
            for _, item in pairs:
                yield from _labels(item)
