"""Grades, arrivals, the roster and decisions combined: one standing per student.

The order of the computation: automatic points plus manual points for written answers; an override
of an exercise replaces its points. The late penalty is subtracted from the sum, then extra points
are added; the result is at least 0 and is rounded half up to two decimals. An override of the
whole score replaces all of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.gradebook.decisions import Decision, in_force
from autograder.gradebook.grade import ExerciseGrade, Grade
from autograder.gradebook.late import IN_TIME, Lateness, lateness, penalty
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.rounding import DECIMALS, rounded
from autograder.gradebook.standing import ExerciseStanding, Standing, State
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.judging.verdict import Status

_UNIT: int = 10 ** (3 - DECIMALS)
NOTED = 3  # notes about a file in full


def standings(
    assignment: Assignment,
    grades: Iterable[Grade],
    decisions: Iterable[Decision] = (),
    *,
    arrivals: Sequence[ArrivalRecord] = (),
    roster: Roster = NO_ROSTER,
) -> tuple[Standing, ...]:
    """The standings of every student in the roster or with a submission, sorted by id."""
    graded = {grade.student: grade for grade in grades}
    held = in_force(decisions)
    count = counter(assignment, held, arrivals)
    students = sorted(_listed(roster, held) | graded.keys())
    return tuple(count(student, graded.get(student)) for student in students)


def counter(
    assignment: Assignment,
    decisions: Iterable[Decision],
    arrivals: Sequence[ArrivalRecord] = (),
) -> Callable[[str, Grade | None], Standing]:
    """A function that computes one student's standing from the grade, for classes that are
    processed grade by grade."""
    decided: dict[str, list[Decision]] = {}
    for one in in_force(decisions):
        decided.setdefault(one.student, []).append(one)
    came: dict[str, list[ArrivalRecord]] = {}
    for arrival in arrivals:
        came.setdefault(arrival.student, []).append(arrival)

    def count(student: str, grade: Grade | None) -> Standing:
        return _standing(
            assignment, student, grade, decided.get(student, ()), came.get(student, ())
        )

    return count


def counter_of(
    store: GradeStore, assignment: Assignment
) -> Callable[[str, Grade | None], Standing]:
    """A function as from ``counter``, using the contents of a gradebook. Raises ``StoreError``."""
    return counter(assignment, store.decisions(assignment.id), store.arrivals(assignment.id))


def listed_in(store: GradeStore, assignment: Assignment) -> list[str]:
    """Everybody in the roster and everybody about whom something was decided, sorted. Raises
    ``StoreError``."""
    return sorted(_listed(store.roster(), in_force(store.decisions(assignment.id))))


def _listed(roster: Roster, held: Iterable[Decision]) -> set[str]:
    return {person.id for person in roster} | {one.student for one in held}


def _standing(
    assignment: Assignment,
    student: str,
    grade: Grade | None,
    decided: Sequence[Decision],
    came: Sequence[ArrivalRecord],
) -> Standing:
    override = _newest(decided, "override", exercise="")
    excused = any(one.kind == "excuse" for one in decided)
    settled = excused or override is not None  # then nothing waits to be graded by hand
    exercises = tuple(
        _exercise(e, _of(grade, e), decided, settled=settled) for e in assignment.exercise
    )
    whole = sum(e.max_score for e in exercises if not e.stretch)
    counted = _counted(grade, came)
    submitted = counted.submitted_at if counted is not None else None
    late = _lateness(assignment, submitted, decided)
    state = _state(grade, exercises, decided, override)
    so_far = sum(e.earned for e in exercises)
    extra = 0 if override else sum(one.amount or 0 for one in decided if one.kind == "extra")
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
        manual=sum(e.manual for e in exercises),
        manual_open=sum(e.waiting for e in exercises),
        extra=extra,
        penalty=taken if state in ("final", "open") and override is None else 0,
        late_s=late.late_s,
        submitted_at=submitted,
        overridden=override is not None,
        exercises=exercises,
        comments=_comments(decided),
        note=_note(grade, late, counted, [one for one in decided if one.kind == "override"]),
    )


def _counted(grade: Grade | None, came: Sequence[ArrivalRecord]) -> ArrivalRecord | None:
    """The attempt that was graded."""
    file = grade.submission.file if grade is not None else ""
    return next((arrival for arrival in came if arrival.file == file), None)


def _state(
    grade: Grade | None,
    exercises: Sequence[ExerciseStanding],
    decided: Sequence[Decision],
    override: Decision | None,
) -> State:
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
    exercise: Exercise, found: ExerciseGrade | None, decided: Sequence[Decision], *, settled: bool
) -> ExerciseStanding:
    """One exercise with its manual points; no score while they are pending."""
    override = _newest(decided, "override", exercise=exercise.id)
    given = {
        o.task: o.amount or 0 for o in decided if o.kind == "points" and o.exercise == exercise.id
    }
    asked = {check.id for check in found.checks if check.status is Status.MANUAL} if found else {}
    open_ = [check for check in exercise.check if check.id in asked and check.id not in given]
    automatic = found.score if found is not None else None
    manual = sum(given.values())
    if override is not None:
        # Written points that an override replaces are not told as given.
        score, manual = override.amount, 0
    else:
        # No score while a person's points are open.
        score = None if automatic is None or open_ else automatic + manual
    waits = not settled and override is None  # with an override of the whole no answer waits
    return ExerciseStanding(
        id=exercise.id,
        title=exercise.title,
        score=score,
        max_score=0 if found is not None and found.left_out else exercise.max_score,
        stretch=exercise.stretch,
        status=found.status.value if found is not None else "",
        automatic=automatic,
        manual=manual,
        waiting=sum(thousandths(check.points) for check in open_) if waits else 0,
        overridden=override is not None,
        comments=_comments(o for o in decided if o.exercise == exercise.id),
    )


def _comments(decided: Iterable[Decision]) -> tuple[str, ...]:
    return tuple(one.text for one in decided if one.kind == "comment" and one.text)


def _of(grade: Grade | None, exercise: Exercise) -> ExerciseGrade | None:
    found = grade.exercises if grade is not None else ()
    return next((one for one in found if one.id == exercise.id), None)


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
    grade: Grade | None,
    late: Lateness,
    arrival: ArrivalRecord | None,
    overrides: Sequence[Decision],
) -> str:
    """What an instructor must know besides the numbers."""
    said = [grade.reason] if grade is not None and grade.reason else []
    repairs = grade.submission.repairs if grade is not None else ()
    said += [repair.rstrip(".") for repair in repairs[:NOTED]]
    if len(repairs) > NOTED:
        said.append(f"{len(repairs) - NOTED} more notes about the file")
    if late.closed:
        said.append("submitted after the cutoff")
    if arrival is not None and arrival.submitted_at is None and arrival.late:
        said.append("late according to the download, which gives no time; no points deducted")
    for override in overrides:
        what = f"{override.exercise} " if override.exercise else ""
        said.append(f"{what}overridden by {override.who}: {override.why}")
    return "; ".join(said)


def _rounded(amount: int) -> int:
    return rounded(amount) * _UNIT
