"""A grade: what a submission earned, as data. Points are integers, thousandths of a point.

JSON and CSV show them as decimal numbers. ``None`` as a score means that there is none,
which is never the same as zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.model import POINT
from autograder.gradebook.rounding import written
from autograder.judging.verdict import (
    Blame,
    Cause,
    DeviceOutcome,
    Mismatch,
    Numbers,
    Picture,
    Repair,
    SmallestCall,
    Status,
    TablePicture,
)

FORMAT = "autograder-result/1"
NOT_RUN = "not run"


class SubmittedFile(msgspec.Struct, frozen=True):
    """The submitted file. ``repairs`` says what was fixed while reading it."""

    file: str
    sha256: str
    repairs: tuple[str, ...] = ()


class Isolation(msgspec.Struct, frozen=True):
    """How the code was isolated: the name of the level and the layers in force."""

    level: str = NOT_RUN
    layers: tuple[str, ...] = ()


class GradeTiming(msgspec.Struct, frozen=True):
    """Wall-clock seconds of waiting for a worker, running and judging; and the peak memory of the
    run in MiB (0: not known).

    Parts of running: ``fork`` (until its processes were ready), ``cells``, ``calls``. In addition:
    ``transit``, the overhead of a cluster, and ``store``, looking up and saving evidence. If the
    evidence was stored before, the seconds of the run are those of the original run.
    """

    queued: float = 0.0
    run: float = 0.0
    judged: float = 0.0
    peak_mb: float = 0.0
    fork: float = 0.0
    cells: float = 0.0
    calls: float = 0.0
    transit: float = 0.0
    store: float = 0.0


NO_TIME = GradeTiming()


class CheckGrade(msgspec.Struct, frozen=True):
    """One check's part of a grade, for instructors: it may reveal hidden checks.

    ``diagnosis`` is written for the student, ``cause`` says how sure it is.
    ``picture`` is kept for public checks alone and is not written to JSON.
    """

    id: str
    title: str
    kind: str
    public: bool
    status: Status
    score: int | None
    max_score: int
    message: str = ""
    hint: str = ""
    diagnosis: str = ""
    cause: Cause | None = None
    numbers: Numbers | None = None
    mismatches: tuple[Mismatch, ...] = ()
    picture: Picture | TablePicture | None = None
    blame: tuple[Blame, ...] = ()
    devices: tuple[DeviceOutcome, ...] = ()
    smallest: SmallestCall | None = None

    @property
    def by_hand(self) -> bool:
        """Whether it is graded by hand, so that its points are not in any automatic sum."""
        return self.kind in BY_HAND or self.status is Status.MANUAL


class ExerciseGrade(msgspec.Struct, frozen=True):
    """One exercise's part of a grade.

    ``max_score`` is what automatic checks can earn; ``manual_max`` is what manual grading may add
    for the answers that were found.
    ``left_out``: the sandbox lacks something that the exercise requires. ``repair``: one edit of
    the student's cell that makes it right, for graders; the assignment says who else sees it.
    """

    id: str
    title: str
    status: Status
    score: int | None
    max_score: int
    stretch: bool = False
    manual_max: int = 0
    left_out: bool = False
    checks: tuple[CheckGrade, ...] = ()
    repair: Repair | None = None

    @property
    def predicted(self) -> bool:
        """Whether it asks for predictions and nothing else."""
        return bool(self.checks) and all(check.kind == "prediction" for check in self.checks)


class Grade(msgspec.Struct, frozen=True):
    """One submission's result.

    ``score`` includes ``bonus``, the points earned in stretch exercises; ``max_score``
    does not include ``bonus_max``. ``manual_max`` is pending and in neither. ``reason`` is why
    there is no score; of a graded one, what a grader should look at.
    """

    assignment: str
    student: str
    submission: SubmittedFile
    status: Literal["graded", "rejected", "ungraded"]
    reason: str
    score: int | None
    max_score: int
    bonus: int | None
    bonus_max: int
    manual_max: int
    exercises: tuple[ExerciseGrade, ...]
    isolation: Isolation
    timing: GradeTiming
    versions: dict[str, str]

    def with_run(
        self, timing: GradeTiming, versions: Mapping[str, str], *, doubt: str = ""
    ) -> Grade:
        """This grade with the time that it took, and the versions of what can change a run.
        ``doubt``: what a grader should look at; an ungraded one keeps its reason."""
        return msgspec.structs.replace(
            self,
            timing=timing,
            versions=dict(sorted(versions.items())),
            reason=self.reason or doubt,  # a notebook for another assignment is announced
        )


def as_points(amount: int) -> int | float:
    """Thousandths as a number of points: whole ones as an integer."""
    return amount / POINT if amount % POINT else amount // POINT


def from_points(number: int | float) -> int:
    """A number of points with at most three decimals, as thousandths."""
    return round(number * POINT)


def exercise_ids(grades: Iterable[Grade]) -> tuple[str, ...]:
    """All exercise ids in these grades, in order of first appearance."""
    return tuple(dict.fromkeys(e.id for grade in grades for e in grade.exercises))


def automatic_in_words(grade: Grade) -> str:
    """What the checks gave, for the log."""
    if grade.score is None:
        return grade.status
    return f"{written(grade.score)} of {written(grade.max_score)}, automatic"


class Current(msgspec.Struct, frozen=True):
    """``digest``: of the result without its timing. ``score``: in thousandths, None if missing."""

    digest: str
    status: str
    score: int | None
