"""Grades, arrivals, the roster and people's decisions counted together: one standing per student.

The order, stated once: automatic points, with a person's points for written answers; an override
of an exercise takes the place of its points. From the sum the late penalty is taken, then extra
points are added; the result is not below 0 and is rounded half up to two decimals. An
override of the whole takes the place of all that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from autograder.gradebook.decisions import Decision, in_force
from autograder.gradebook.grade import ExerciseGrade, Grade
from autograder.gradebook.late import IN_TIME, Lateness, lateness, penalty
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.rounding import DECIMALS, rounded
from autograder.gradebook.standing import ExerciseStanding, Standing, State
from autograder.gradebook.store import ArrivalRecord
from autograder.spec.model import Assignment, Exercise, thousandths
from autograder.verdict import Status

_UNIT: int = 10 ** (3 - DECIMALS)


def standings(
    assignment: Assignment,
    grades: Iterable[Grade],
    decisions: Iterable[Decision] = (),
    *,
    arrivals: Sequence[ArrivalRecord] = (),
    roster: Roster = NO_ROSTER,
) -> tuple[Standing, ...]:
    """Every student of the roster and everybody who handed in, sorted by id."""
    graded = {grade.student: grade for grade in grades}
    decided: dict[str, list[Decision]] = {}
    for one in in_force(decisions):
        decided.setdefault(one.student, []).append(one)
    came: dict[str, list[ArrivalRecord]] = {}
    for arrival in arrivals:
        came.setdefault(arrival.student, []).append(arrival)
    students = {person.id for person in roster} | graded.keys() | decided.keys()
    return tuple(
        _standing(
            assignment, student, graded.get(student), decided.get(student, ()),
            came.get(student, ()),
        )
        for student in sorted(students)
    )  # fmt: skip


def _standing(
    assignment: Assignment, student: str, grade: Grade | None, decided: Sequence[Decision],
    came: Sequence[ArrivalRecord],
) -> Standing:  # fmt: skip
    exercises = tuple(_exercise(e, grade, decided) for e in assignment.exercise)
    whole = sum(e.max_score for e in exercises if not e.stretch)
    counted = _counted(grade, came)
    submitted = counted.submitted_at if counted is not None else None
    late = _lateness(assignment, submitted, decided)
    override = _newest(decided, "override", exercise="")
    state = _state(grade, exercises, decided, override)
    so_far = sum(_partly(assignment, grade, exercises, decided))
    extra = sum(one.amount or 0 for one in decided if one.kind == "extra")
    taken = penalty(assignment.late, late, earned=so_far, whole=whole)
    sum_ = _rounded(max(0, so_far - taken + extra))
    if override is not None and override.amount is not None:
        sum_ = _rounded(override.amount)
    judged = grade is not None and grade.status == "graded"
    return Standing(
        assignment=assignment.id,
        student=student,
        state=state,
        score=sum_ if state == "final" else None,
        max_score=whole,
        so_far=sum_ if judged or override is not None else None,
        automatic=grade.score if grade is not None else None,
        manual=sum(one.amount or 0 for one in decided if one.kind == "points"),
        manual_open=_open(assignment, grade, decided),
        extra=extra,
        penalty=taken if state in ("final", "open") and override is None else 0,
        late_s=late.late_s,
        submitted_at=submitted,
        overridden=override is not None or any(one.kind == "override" for one in decided),
        exercises=exercises,
        comments=tuple(one.text for one in decided if one.kind == "comment" and one.text),
        note=_note(grade, late, counted, override),
    )


def _counted(grade: Grade | None, came: Sequence[ArrivalRecord]) -> ArrivalRecord | None:
    """The attempt that was graded."""
    file = grade.submission.file if grade is not None else ""
    return next((arrival for arrival in came if arrival.file == file), None)


def _state(
    grade: Grade | None, exercises: Sequence[ExerciseStanding], decided: Sequence[Decision],
    override: Decision | None,
) -> State:  # fmt: skip
    if any(one.kind == "excuse" for one in decided):
        return "excused"
    if override is not None:
        return "final"
    if grade is None:
        return "absent"
    words: Mapping[str, State] = {"rejected": "rejected", "ungraded": "ungraded"}
    if grade.status in words:
        return words[grade.status]
    return "open" if any(e.score is None for e in exercises) else "final"


def _exercise(
    exercise: Exercise, grade: Grade | None, decided: Sequence[Decision]
) -> ExerciseStanding:
    """One exercise with a person's points; no score while they are open."""
    found = _of(grade, exercise)
    override = _newest(decided, "override", exercise=exercise.id)
    waiting = found is not None and any(
        check.status is Status.MANUAL and _points(decided, exercise.id, check.id) is None
        for check in found.checks
    )
    score: int | None = _earned(exercise, found, decided)
    if override is not None:
        score = override.amount
    elif found is None or waiting or found.score is None:
        score = None
    return ExerciseStanding(
        id=exercise.id,
        title=exercise.title,
        score=score,
        max_score=0 if found is not None and found.left_out else exercise.max_score,
        stretch=exercise.stretch,
        status=found.status.value if found is not None else "",
    )


def _partly(
    assignment: Assignment,
    grade: Grade | None,
    exercises: Sequence[ExerciseStanding],
    decided: Sequence[Decision],
) -> tuple[int, ...]:
    """The points of each exercise, what is still open counted as far as it goes."""
    return tuple(
        shown.score if shown.score is not None else _earned(exercise, _of(grade, exercise), decided)
        for exercise, shown in zip(assignment.exercise, exercises, strict=True)
    )


def _earned(exercise: Exercise, found: ExerciseGrade | None, decided: Sequence[Decision]) -> int:
    by_hand = sum(
        one.amount or 0 for one in decided if one.kind == "points" and one.exercise == exercise.id
    )
    return by_hand + ((found.score or 0) if found is not None else 0)


def _open(assignment: Assignment, grade: Grade | None, decided: Sequence[Decision]) -> int:
    """What a person can still give for answers that nobody has looked at."""
    return sum(
        thousandths(check.points)
        for exercise in assignment.exercise
        for check in exercise.check
        if _waits(_of(grade, exercise), check.id)
        and _points(decided, exercise.id, check.id) is None
        and _newest(decided, "override", exercise=exercise.id) is None
    )


def _waits(found: ExerciseGrade | None, check: str) -> bool:
    return found is not None and any(
        one.id == check and one.status is Status.MANUAL for one in found.checks
    )


def _of(grade: Grade | None, exercise: Exercise) -> ExerciseGrade | None:
    found = grade.exercises if grade is not None else ()
    return next((one for one in found if one.id == exercise.id), None)


def _points(decided: Sequence[Decision], exercise: str, check: str) -> Decision | None:
    return next(
        (o for o in decided if o.kind == "points" and (o.exercise, o.task) == (exercise, check)),
        None,
    )


def _newest(
    decided: Sequence[Decision], kind: Literal["override", "extend"], *, exercise: str
) -> Decision | None:
    return next((o for o in decided if o.kind == kind and o.exercise == exercise), None)


def _lateness(
    assignment: Assignment, submitted: datetime | None, decided: Sequence[Decision]
) -> Lateness:
    extended = _newest(decided, "extend", exercise="")
    if assignment.late is None and extended is None:
        return IN_TIME
    return lateness(assignment.late, submitted, extended.until if extended else None)


def _note(
    grade: Grade | None, late: Lateness, arrival: ArrivalRecord | None, override: Decision | None
) -> str:
    """What an instructor must know beside the numbers."""
    said = [grade.reason] if grade is not None and grade.reason else []
    if late.closed:
        said.append("handed in after the cutoff")
    if arrival is not None and arrival.submitted_at is None and arrival.late:
        said.append("the download calls it late and tells no time; nothing was taken off")
    if override is not None:
        said.append(f"overridden by {override.who}: {override.why}")
    return "; ".join(said)


def _rounded(amount: int) -> int:
    return rounded(amount) * _UNIT
