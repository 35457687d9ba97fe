"""The check of a module: its class, the shape of its table, and whether it can learn."""

from __future__ import annotations

from autograder.assignment.kinds import ModuleCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import both
from autograder.judging.checks.decoded_value import find_table
from autograder.judging.checks.explain import describe, sentences, shape_text
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Probe
from autograder.wire.values import Module, Value


def probes(check: ModuleCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The name."""
    return (ask.read(exercise, check.name),)


def examine(check: ModuleCheck, trial: Trial) -> Finding:
    """Look for every problem at once; the reference must have none."""
    pair = both(trial, ask.read(trial.exercise, check.name))
    if isinstance(pair, Finding):
        return pair
    actual, expected = pair
    if _problems(check, expected.value):
        return ungraded(f"The reference's `{check.name}` does not pass this check.")
    found = _problems(check, actual.value)
    if not found:
        return PASSED
    return Finding(Status.FAILED, found, sentences(found, most=len(found)))


def _problems(check: ModuleCheck, value: Value) -> tuple[Mismatch, ...]:
    wanted = f"a module of type {check.type}"
    if not isinstance(value, Module):
        return (Mismatch(check.name, "type", wanted, describe(value)),)
    found = []
    if check.type not in (value.type, *value.bases):
        found.append(Mismatch(check.name, "type", wanted, describe(value)))
    table = find_table(value, *check.table)
    if table is None:
        shapes = ", ".join(shape_text(e.array.shape) for e in value.entries[:4]) or "none"
        wanted = shape_text(check.table)
        text = (
            f"`{check.name}` should have a table of shape {wanted}; shapes that it has: {shapes}."
        )
        found.append(Mismatch(check.name, "shape", shape_text(check.table), shapes, text=text))
    elif value.type == "Embedding" and table.turned:
        shape = shape_text(table.entry.array.shape)
        text = (
            f"`{check.name}` has shape {shape}: rows and columns are swapped. nn.Embedding takes "
            "the number of rows first, then the number of columns."
        )
        found.append(Mismatch(check.name, "shape", shape_text(check.table), shape, text=text))
    elif check.learnable and not (table.entry.role == "parameter" and table.entry.learnable):
        text = f"`{check.name}` cannot learn: its table must be a parameter with a gradient."
        found.append(Mismatch(check.name, "other", "learnable", "not learnable", text=text))
    return tuple(found)
