"""Public evidence of a small made-up assignment, from a reference that is run right here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from autograder.notebook.structure.outline import TemplateCell
from autograder.student import live, verdicts
from autograder.student.public_evidence import (
    FORMAT,
    LaterChecks,
    PublicEvidence,
    PublicExercise,
    SmallCase,
    public_bytes,
)
from autograder.student.small_trials import small_trials
from autograder.wire.messages import Limits, Outcome, Probe
from autograder.wire.tensors import to_wire

ID = "small"
NOTHING_LATER, NO_FIGURE = LaterChecks(), Outcome("missing")
Checks = Mapping[str, Sequence[Mapping[str, Any]]]


def made(
    checks: Checks,
    reference: str,
    *,
    cases: Mapping[str, Sequence[tuple[Any, ...]]] | None = None,
    relations: str = "",
    later: LaterChecks = NOTHING_LATER,
    limits: Mapping[str, Any] | None = None,
    outline: Sequence[TemplateCell] = (),
    defines: Mapping[str, tuple[str, ...]] | None = None,
    version: str = "0123456789ab",
    figures: Outcome = NO_FIGURE,
) -> PublicEvidence:
    """Exercises with their public checks as assignment.toml has them, answered by ``reference``."""
    wire = {
        name: tuple(tuple(to_wire(value) for value in case) for case in made_of)
        for name, made_of in (cases or {}).items()
    }
    exercises = tuple(
        PublicExercise(
            exercise,
            f"Exercise {exercise}",
            (defines or {}).get(exercise, (exercise,)),
            False,
            tuple({"points": 1, "public": True, "title": f"title of {c['id']}", **c} for c in own),
            later,
        )
        for exercise, own in checks.items()
    )
    bare = PublicEvidence(
        FORMAT,
        ID,
        "A small one",
        version,
        dict(limits or {}),
        exercises,
        relations,
        tuple(outline),
        wire,
        {},
        order="either",
        torch=True,
    )
    probes = verdicts.plan(bare, list(checks))
    return msgspec.structs.replace(bare, outcomes=_answers(probes, reference, figures))


def _answers(probes: Sequence[Probe], reference: str, figures: Outcome) -> dict[str, Outcome]:
    """What the reference says to these probes."""
    namespace: dict[str, Any] = {"__name__": "reference"}
    exec(compile(reference, "<reference>", "exec"), namespace)
    asked = live.ask(probes, namespace, lambda _: figures, Limits())
    return {record.id: record.claim for record in asked.run.probes if record.claim is not None}


def written(folder: Path, evidence: PublicEvidence) -> Path:
    """The evidence as a file."""
    path = folder / f"{evidence.assignment}.agw"
    path.write_bytes(public_bytes(evidence))
    return path


def function(name: str, inputs: str, **more: Any) -> dict[str, Any]:
    """A check of a function."""
    return {"id": f"{name}-is-right", "kind": "function", "call": name, "inputs": inputs, **more}


def with_small(
    evidence: PublicEvidence,
    rows: Mapping[tuple[str, str], Sequence[Mapping[str, tuple[Any, ...]]]],
    reference: str,
) -> PublicEvidence:
    """The evidence with small calls by exercise and check, answered by ``reference``."""
    small = tuple(
        SmallCase(exercise, check, {n: tuple(map(to_wire, args)) for n, args in row.items()})
        for (exercise, check), several in rows.items()
        for row in several
    )
    with_calls = msgspec.structs.replace(evidence, small=small)
    spec = with_calls.spec([exercise for exercise, _ in rows])
    assert spec is not None
    trials = [trial for e in spec.exercise for trial in small_trials(with_calls, e)]
    probes = [probe for trial in trials for probe in trial.probes]
    outcomes = evidence.outcomes | _answers(probes, reference, NO_FIGURE)
    return msgspec.structs.replace(with_calls, outcomes=outcomes)
