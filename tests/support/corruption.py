"""Damages a right submission and grades the file: what costs points that should not?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Grade
from autograder.grading.context import (
    FoundSubmission,
    GradingContext,
    PreparedClass,
)
from autograder.judging.verdict import Status
from autograder.notebook.formats.find import find
from autograder.pipeline import grade_class
from tests.support.damage.submission import Base, Damaged, Kind

EARNING = (Status.PASSED, Status.MANUAL)
FINE = (*EARNING, Status.SKIPPED)
CELL_CPU_S, CELL_WALL_S = 1.0, 6.0  # endless cells end soon


@dataclass(frozen=True)
class Trial:
    """One damaged submission and its grade. ``lost``: exercise -> what became of its checks."""

    kind: Kind
    seed: int
    damaged: Damaged
    kept: float = 0
    lost: Mapping[str, str] = field(default_factory=dict)
    earned: frozenset[str] = frozenset()
    refused: str = ""

    @property
    def wrong(self) -> tuple[str, ...]:
        """What should not have become of it, in clauses; none when all is as it should be."""
        if self.refused:
            return (self.refused,)
        fair = self.damaged.removed.keys() | self.damaged.spoiled.keys()
        said = [f"{e} lost {what}" for e, what in self.lost.items() if e not in fair]
        said += [f"{e} was removed and earned" for e in self.damaged.removed if e in self.earned]
        return tuple(said)


def short_limits(context: GradingContext) -> GradingContext:
    """The same setting, where endless cells end soon."""
    loaded = context.loaded
    update = {"cell_cpu_s": CELL_CPU_S, "cell_wall_s": CELL_WALL_S}
    spec = loaded.spec.model_copy(update={"limits": loaded.spec.limits.model_copy(update=update)})
    return replace(context, loaded=replace(loaded, spec=spec))


def attempt(prepared: PreparedClass, base: Base, kind: Kind, seed: int, folder: Path) -> Trial:
    """Damage the submission and grade the file as every file is graded."""
    damaged = kind.make(base, Random(f"{kind.name} {seed}"))
    path = folder / damaged.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(damaged.data)
    (found,) = find([path])
    (graded,) = grade_class(
        PreparedClass(prepared.context, prepared.expected),
        [FoundSubmission(found)],
        Inline(),
        lambda h, g: None,
    )
    return outcome(kind, seed, damaged, graded.grade)


def outcome(kind: Kind, seed: int, damaged: Damaged, grade: Grade) -> Trial:
    if grade.status != "graded" or grade.score is None:
        return Trial(kind, seed, damaged, refused=f"{grade.status}: {grade.reason}")
    lost = {}
    for exercise in grade.exercises:
        wrong = [check for check in exercise.checks if check.status not in FINE]
        if wrong:
            ids = ", ".join(f"{check.id} {check.status.value}" for check in wrong)
            lost[exercise.id] = f"{ids} ({wrong[0].message.rstrip('.')})"
    earned = frozenset(e.id for e in grade.exercises if any(c.status in EARNING for c in e.checks))
    kept = grade.score / (grade.max_score + grade.bonus_max)
    return Trial(kind, seed, damaged, kept, lost, earned)
