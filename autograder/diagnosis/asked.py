"""What one check asked about an exercise: the names it is about and the probes that tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.checks.arrays import EXACT, Bounds, default_bounds
from autograder.checks.explain import not_filled_in
from autograder.checks.finding import Cases
from autograder.checks.registry import probes
from autograder.sandbox.run import Run
from autograder.spec.kinds import Check, Tolerance
from autograder.verdict import Status, Verdict
from autograder.wire.messages import Call, Probe, Read

BY_VALUE = frozenset({"value", "function", "gradient", "raises"})  # decided by results alone
_WRONG = frozenset({Status.FAILED, Status.RAISED})


@dataclass(frozen=True, slots=True)
class Asked:
    """A check with its verdict. ``subject``: the names that it is about; checks that share
    one are near each other. ``probes`` ask for those names and for nothing beside them."""

    check: Check
    verdict: Verdict
    subject: frozenset[str]
    probes: tuple[Probe, ...]

    @property
    def wrong(self) -> bool:
        """Whether there is something to explain."""
        return self.verdict.status in _WRONG

    @property
    def by_value(self) -> bool:
        """Whether the results alone decide; else they may hang on a student's own tables."""
        return self.check.kind in BY_VALUE

    def near(self, other: Asked) -> bool:
        """Whether both are about the same function or name."""
        return not self.subject.isdisjoint(other.subject)


def ask(check: Check, verdict: Verdict, cases: Cases, *, stood_in: bool = True) -> Asked:
    """Find the subject by the keys that checks share; of a new kind, by what it asks for.

    ``stood_in``: where earlier parts may be stood in, look at the calls in which they are. A
    pipeline is always looked at in the way that hangs least on a student's other parts.
    """
    every = probes(check, verdict.exercise, cases)
    names = frozenset(_names(check)) or frozenset(map(_name, every)) - {""}
    subject = names | {name.partition(".")[0] for name in names}  # methods share their class
    own = [probe for probe in every if _name(probe) in names or not _name(probe)]
    most = stood_in or check.kind == "pipeline"
    parts = (max if most else min)((_stood_in(probe) for probe in own), default=0)
    return Asked(check, verdict, subject, tuple(p for p in own if _stood_in(p) == parts))


def blank(asked: Asked, run: Run) -> bool:
    """Whether the template's own exception is still there."""
    records = (run.probe(probe.id) for probe in asked.probes)
    claims = [r.claim for r in records if r is not None and r.claim is not None]
    return any(claim.error is not None and not_filled_in(claim.error) for claim in claims)


def bounds_of(check: Check, actual: str, expected: str) -> Bounds:
    """What the check lets pass between these dtypes. Two narrow dtypes allow their own
    rounding also where the check, made for the right dtype, allows less."""
    stated: Tolerance | None = getattr(check, "tolerance", None)
    usual = default_bounds(actual, expected)
    if stated is None:
        return EXACT if "float" not in expected and "complex" not in expected else usual
    if actual == expected and actual in ("float16", "bfloat16"):
        return Bounds(max(stated.rtol, usual.rtol), max(stated.atol, usual.atol))
    return Bounds(stated.rtol, stated.atol)


def _names(check: Check) -> Iterator[str]:
    for key in ("name", "call", "shows"):
        name = getattr(check, key, None)
        if isinstance(name, str):
            yield name
    yield from getattr(check, "reads", ())
    yield from (call.call for call in getattr(check, "calls", ()) if not call.optional)


def _name(probe: Probe) -> str:
    match probe.request:
        case Read(name=name):
            return name
        case Call(target=target):
            return target
    return ""


def _stood_in(probe: Probe) -> int:
    return len(probe.request.stand_ins) if isinstance(probe.request, Call) else 0
