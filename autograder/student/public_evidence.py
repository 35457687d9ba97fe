"""public.agw: what students check themselves with: the public checks and the solution's answers.

Covered: it contains only what public checks say, name, call and compare, and of checks.py only what
their relations need; of all other checks only their number and points. Not covered: a public check
whose inputs, hint or title give a hidden one's answer away; that is the author's responsibility.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from autograder.assignment.excerpt import excerpt
from autograder.assignment.kinds import Check
from autograder.assignment.load import Cases, Loaded
from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.assignment.packages import TORCH
from autograder.errors import StoreError
from autograder.evidence.records import Run
from autograder.judging.checks.registry import every_probe
from autograder.notebook.structure.outline import TemplateCell
from autograder.wire.messages import Error, Outcome
from autograder.wire.types import resolved
from autograder.wire.values import Value

FORMAT: Literal["autograder-public/2"] = "autograder-public/2"
FILE = "public.agw"
SEED = 0  # of the public inputs, the same for every student and every release
WHY = "The assignment states it."  # replaces a reason that may mention wrong answers
BY_HAND = "written"
NO_CHECK = {
    "id": "later",
    "kind": BY_HAND,
    "title": "Looked at later",
    "points": 0,
    "name": "later",
    "rubric": "Nothing is known here.",
}


class LaterChecks(msgspec.Struct, frozen=True):
    """What is only checked after submission in an exercise: hidden checks, and answers graded by
    hand. Points are thousandths."""

    checks: int = 0
    points: int = 0
    answers: int = 0
    answer_points: int = 0


class PublicExercise(msgspec.Struct, frozen=True, omit_defaults=True):
    """An exercise: its public checks as plain data, and counts and points of all others.
    ``model``: the pretrained model that it uses."""

    id: str
    title: str
    defines: tuple[str, ...]
    stretch: bool
    checks: tuple[dict[str, Any], ...]
    later: LaterChecks
    model: str = ""


class SmallCase(msgspec.Struct, frozen=True, array_like=True):
    """One small call of a public check, asked where the check fails. ``rows``: the arguments by the
    generator in whose place they are."""

    exercise: str
    check: str
    rows: dict[str, tuple[Value, ...]]


class PublicEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that the student's side knows about an assignment.

    ``relations`` is Python source; ``cases`` are the public inputs by generator, ``outcomes`` the
    solution's answers by probe id; ``outline`` the template's cells; ``version`` the template's
    stamp; ``order`` the rule for cells out of order; ``small`` the small calls; ``torch``
    whether notebooks use it, and relations get tensors.
    """

    format: Literal["autograder-public/2"]
    assignment: str
    title: str
    version: str
    limits: dict[str, Any]
    exercises: tuple[PublicExercise, ...]
    relations: str
    outline: tuple[TemplateCell, ...]
    cases: dict[str, tuple[tuple[Value, ...], ...]]
    outcomes: dict[str, Outcome]
    order: Literal["notebook", "either", "report"]
    torch: bool
    small: tuple[SmallCase, ...] = ()

    def spec(self, wanted: Sequence[str]) -> Assignment | None:
        """The assignment with the public checks of these exercises; None when they have none."""
        kept = [_plain_exercise(e, e.checks) for e in self.exercises if e.id in wanted and e.checks]
        return self._made(kept) if kept else None

    def outlined(self) -> Assignment:
        """The assignment with every exercise, to find their cells: an exercise without public
        checks gets an empty written one."""
        return self._made([_plain_exercise(e, e.checks or (NO_CHECK,)) for e in self.exercises])

    def _made(self, exercises: list[dict[str, Any]]) -> Assignment:
        plain = {
            "format": 1,
            "id": self.assignment,
            "title": self.title,
            "limits": self.limits,
            "model": next((e.model for e in self.exercises if e.model), ""),
            "notebook": {"order": self.order},
            "exercise": exercises,
        }
        return Assignment.model_validate(plain)


def _plain_exercise(exercise: PublicExercise, checks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": exercise.id,
        "title": exercise.title,
        "defines": exercise.defines,
        "stretch": exercise.stretch,
        "check": checks,
        "stateful": True,  # the checks themselves define which calls are asked again
    }


def public_evidence(
    loaded: Loaded,
    cases: Cases,
    expected: Run,
    *,
    outline: Sequence[TemplateCell] = (),
    version: str = "",
) -> PublicEvidence:
    """The public part of an assignment and of its reference's evidence.

    ``outline`` and ``version`` are the template's. Raises ``SpecError`` if no part of checks.py can
    be given away separately.
    """
    outcomes: dict[str, Outcome] = {}
    wanted: set[str] = set()
    relations: list[str] = []
    for exercise, check in _public(loaded.spec):
        wanted |= _inputs(check)
        relations += _relations(check)
        for probe in every_probe(check, exercise.id, cases):
            record = expected.probe(probe.id)
            if record is not None and record.claim is not None:
                outcomes[probe.id] = unquoted(record.claim)
    return PublicEvidence(
        format=FORMAT,
        assignment=loaded.spec.id,
        title=loaded.spec.title,
        version=version,
        limits=loaded.spec.limits.model_dump(mode="json", exclude_defaults=True),
        exercises=tuple(
            _exercise(exercise, loaded.spec.model) for exercise in loaded.spec.exercise
        ),
        relations=_source(loaded, relations),
        outline=tuple(outline),
        cases={name: cases[name] for name in sorted(wanted) if name in cases},
        outcomes=dict(sorted(outcomes.items())),
        order=loaded.spec.notebook.order,
        torch=TORCH in loaded.packages,
    )


def unquoted(claim: Outcome) -> Outcome:
    """An outcome without the line of the solution that raised its exception."""
    if claim.error is None:  # no line of the solution is in the public evidence
        return claim
    return msgspec.structs.replace(claim, error=Error(claim.error.types, claim.error.text))


def public_bytes(evidence: PublicEvidence) -> bytes:
    """The file's bytes: equal evidence gives equal bytes."""
    return msgspec.msgpack.encode(evidence)


def read_public(data: bytes, *, name: str = FILE) -> PublicEvidence:
    """The evidence in a file; raises ``StoreError`` naming it."""
    try:
        return msgspec.msgpack.decode(data, type=resolved(PublicEvidence))
    except (msgspec.MsgspecError, ValueError, RecursionError) as bad:
        raise StoreError(
            f"{name}: not a file of public checks ({bad}); run `autograder release`"
        ) from None


def _exercise(exercise: Exercise, model: str = "") -> PublicExercise:
    """An exercise without the content of its hidden checks."""
    public = [check for check in exercise.check if is_public(check, exercise)]
    shown = {check.id for check in public}
    written = [check for check in exercise.check if check.kind == BY_HAND]
    hidden = [c for c in exercise.check if c.id not in shown and c.kind != BY_HAND]
    return PublicExercise(
        id=exercise.id,
        title=exercise.title,
        defines=exercise.defines,
        stretch=exercise.stretch,
        checks=tuple(_plain(check, shown) for check in public),
        later=LaterChecks(
            checks=len(hidden),
            points=sum(thousandths(check.points) for check in hidden),
            answers=len(written),
            answer_points=sum(thousandths(check.points) for check in written),
        ),
        model=model if exercise.requires else "",
    )


def _public(spec: Assignment) -> Iterator[tuple[Exercise, Check]]:
    for exercise in spec.exercise:
        yield from ((exercise, check) for check in exercise.check if is_public(check, exercise))


def is_public(check: Check, exercise: Exercise) -> bool:
    """Whether a check may be shown: a written answer's rubric never is. With values of a student's
    own there is no answer to compare with."""
    if exercise.personal:
        return False
    return check.public and check.kind != BY_HAND


def _plain(check: Check, shown: set[str]) -> dict[str, Any]:
    """A check as data, without the ids of hidden ones and without reasons for tolerances."""
    plain = check.model_dump(mode="json", exclude_defaults=True)
    if "needs" in plain:
        plain["needs"] = [other for other in plain["needs"] if other in shown]
    tolerances = [plain.get("tolerance"), *plain.get("tolerances", {}).values()]
    for tolerance in tolerances:
        if tolerance is not None:
            tolerance["why"] = WHY
    return {"kind": check.kind, "public": True, **plain}


def _source(loaded: Loaded, relations: Sequence[str]) -> str:
    path = loaded.folder / "checks.py"
    return excerpt(path.read_text(encoding="utf-8"), relations, file=str(path)) if relations else ""


def _relations(check: Check) -> list[str]:
    """The functions of checks.py that a check names."""
    named = (getattr(check, "relation", None), getattr(check, "statistic", None))
    return [name for name in named if name]


def _inputs(check: Check) -> set[str]:
    """The generators whose cases a check uses."""
    named: set[str] = set(getattr(check, "alternatives", ()))
    single: str | None = getattr(check, "inputs", None)
    several: Mapping[str, object] | tuple[object, ...] = getattr(check, "calls", ())
    named |= {str(getattr(call, "inputs", "")) for call in several}
    return named | ({single} if single else set())
