"""public.agw: what the solution answers to the public checks, so that students check themselves.

Covered: only calls and names of public checks are in it, with their own inputs.
Not covered: a public check whose inputs give a hidden one's answer away; that is the author's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from autograder.checks.compare import compare
from autograder.checks.registry import probes
from autograder.errors import StoreError
from autograder.sandbox.run import Run
from autograder.spec.kinds import Check
from autograder.spec.load import Cases, Loaded
from autograder.wire.messages import Outcome
from autograder.wire.values import Value

FORMAT: Literal["autograder-public/1"] = "autograder-public/1"
FILE = "public.agw"
SEED = 0  # of the public inputs, the same for every student and every release


class PublicEvidence(msgspec.Struct, frozen=True):
    """The public inputs by generator, and the solution's outcome by probe id."""

    format: Literal["autograder-public/1"]
    assignment: str
    cases: dict[str, tuple[tuple[Value, ...], ...]]
    outcomes: dict[str, Outcome]


def public_evidence(loaded: Loaded, cases: Cases, expected: Run) -> PublicEvidence:
    """The public part of a reference's evidence."""
    outcomes: dict[str, Outcome] = {}
    wanted: set[str] = set()
    for exercise in loaded.spec.exercise:
        for check in exercise.check:
            if check.public:
                wanted |= _inputs(check)
                for probe in probes(check, exercise.id, cases):
                    record = expected.probe(probe.id)
                    if record is not None and record.claim is not None:
                        outcomes[probe.id] = record.claim
    public = {name: cases[name] for name in sorted(wanted) if name in cases}
    return PublicEvidence(FORMAT, loaded.spec.id, public, dict(sorted(outcomes.items())))


def public_bytes(evidence: PublicEvidence) -> bytes:
    """The file's bytes: equal evidence gives equal bytes."""
    return msgspec.msgpack.encode(evidence)


def read_public(data: bytes, *, name: str = FILE) -> PublicEvidence:
    """The evidence in a file; raises ``StoreError`` naming it."""
    try:
        return msgspec.msgpack.decode(data, type=PublicEvidence)
    except (msgspec.MsgspecError, ValueError, RecursionError) as bad:
        raise StoreError(f"{name}: no public evidence ({bad}); run `autograder release`") from None


def differences(one: PublicEvidence, other: PublicEvidence) -> list[str]:
    """What is not the same, up to float rounding: another machine adds in another order."""
    if one.assignment != other.assignment or one.cases != other.cases:
        return ["the public inputs"]
    if set(one.outcomes) != set(other.outcomes):
        return ["which public checks there are"]
    return [id_ for id_, own in one.outcomes.items() if not _alike(own, other.outcomes[id_])]


def _alike(one: Outcome, other: Outcome) -> bool:
    if one == other:
        return True
    if (one.status, len(one.gradients)) != (other.status, len(other.gradients)):
        return False
    pairs = zip((one.value, *one.gradients), (other.value, *other.gradients), strict=True)
    return all(a == b or not compare(a, b, where="it") for a, b in pairs)


def _inputs(check: Check) -> set[str]:
    """The generators whose cases a check uses."""
    named: set[str] = set(getattr(check, "alternatives", ()))
    single: str | None = getattr(check, "inputs", None)
    several: Mapping[str, object] | tuple[object, ...] = getattr(check, "calls", ())
    named |= {str(getattr(call, "inputs", "")) for call in several}
    return named | ({single} if single else set())
