"""What every kind of check takes and returns: a trial in, a finding out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from autograder.evidence.records import Run
from autograder.judging.verdict import (
    Blame,
    Cause,
    DeviceOutcome,
    Mismatch,
    Picture,
    Status,
    TablePicture,
)
from autograder.wire.values import Value

Args = tuple[Value, ...]
Cases = Mapping[str, tuple[Args, ...]]
Relations = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Reference:
    """What submissions are compared with: the solution's ``run``, and what it was asked.

    ``cases`` maps the name of a generator to its cases, ``relations`` the name of a relation to its
    function. ``unavailable``: exercises that could not be run here, for anybody.
    """

    run: Run
    cases: Cases = field(default_factory=dict)
    relations: Relations = field(default_factory=dict)
    unavailable: frozenset[str] = frozenset()


class Finding(msgspec.Struct, frozen=True):
    """What a check found, before points; ``message`` may contain inputs and expected values.

    ``cause`` and ``advice``: fixed text about the reason, if the check itself knows it. ``earned``:
    thousandths that a FAILED check earns. ``unbound``: a RAISED check met a name that is not
    defined.
    """

    status: Status
    mismatches: tuple[Mismatch, ...] = ()
    message: str = ""
    picture: Picture | TablePicture | None = None
    blame: tuple[Blame, ...] = ()
    devices: tuple[DeviceOutcome, ...] = ()
    cause: Cause | None = None
    advice: str = ""
    earned: int = 0
    unbound: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """One exercise's evidence from two runs, with the inputs of its calls."""

    exercise: str
    actual: Run
    expected: Run
    cases: Cases
    relations: Relations


PASSED = Finding(Status.PASSED)


def ungraded(message: str) -> Finding:
    """UNGRADED, for the grader's own fault or missing evidence: it has to be graded by hand."""
    return Finding(Status.UNGRADED, message=message)
