"""Students (instructors): everybody's points, one student's history, and decisions.

What is recorded are the decisions that `autograder gradebook` records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote

from starlette.responses import Response

from autograder.assignment.model import Assignment
from autograder.classroom.feedback_pages import page_today
from autograder.errors import UsageError
from autograder.gradebook.decisions import Decision, in_force, in_words, new_ones, undone_of
from autograder.gradebook.entered import moment_entered, points_entered
from autograder.gradebook.grade import automatic_in_words
from autograder.gradebook.standing import Standing
from autograder.web.gradebook import ServedGradebook
from autograder.web.queue import HandIn
from autograder.web.student_table import StudentRow, StudentTable
from autograder.web.visit import NotHereError, RefusedError, Visit, framed, go_to

LONGEST = 10_000  # characters of a comment
CHANGED = "Somebody has decided about this student since this page was opened. Look again."


@dataclass(frozen=True, slots=True)
class PastEvent:
    """Something that happened to a student's work. ``undo``: the number of a decision that can be
    undone, 0 if there is none; ``ended``: it holds no more."""

    at: datetime
    who: str
    what: str
    why: str = ""
    undo: int = 0
    ended: bool = False


def table(visit: Visit) -> Response:
    """Everybody in the roster or with a submission, filtered and sorted by the address."""
    book = gradebook(visit)
    found = StudentTable(
        book.assignment.id,
        book.standings(),
        {person.id: person.full_name for person in book.roster()},
        visit.services.queue.pending(book.assignment.id),
        visit.request.query_params,
    )
    return visit.page("students.html.j2", assignment=book.assignment, table=found)


def student(visit: Visit) -> Response:
    """One student: the result, what was decided, and the page that the student will see."""
    book = gradebook(visit)
    return _student_page(visit, book, _student(visit, book))


def decide(visit: Visit) -> Response:
    """Record a decision, unless it is in force already."""
    book = gradebook(visit)
    name, recorded = _student(visit, book), book.store.decisions(book.assignment.id)
    try:
        made = _decision(visit, book.assignment, name)
    except UsageError as bad:
        return _student_page(visit, book, name, problem=str(bad), status=422)
    if visit.sent("do") == "preview":  # the page shows the comment below its form
        return _student_page(visit, book, name)
    # extra points are added each time; a form that is sent twice was not seen twice
    if made.kind != "extra" and not new_ones([made], recorded):
        return go_to(_path(book.assignment, name))
    # What somebody else has decided meanwhile is not replaced unseen.
    if visit.sent("seen") != newest_decision(recorded, name):
        return _student_page(visit, book, name, problem=CHANGED, status=409)
    # Only a decision about this student is undone here.
    if made.undoes is not None and made.undoes not in _undoable(recorded, name):
        return _student_page(visit, book, name, problem="This cannot be undone.", status=422)
    book.store.decide([made])
    return go_to(_path(book.assignment, name))


def preview(visit: Visit) -> Response:
    """The page that the student will see after the release, for a frame."""
    book = gradebook(visit)
    name = _student(visit, book)
    grade = next((one for one in book.grades() if one.student == name), None)
    if grade is None:
        raise NotHereError
    page = page_today(book.workspace, book.assignment, grade, book.count()(name, grade))
    if not page:
        raise NotHereError
    return framed(page)


def gradebook(visit: Visit) -> ServedGradebook:
    """The gradebook of the assignment in the address."""
    assignment = visit.services.course.assignments().get(visit.part("assignment"))
    if assignment is None:
        raise NotHereError
    return visit.services.gradebook(assignment)


def _student(visit: Visit, book: ServedGradebook) -> str:
    try:
        return book.student(visit.part("student"))
    except UsageError:
        raise NotHereError from None


def _student_page(
    visit: Visit, book: ServedGradebook, name: str, *, problem: str = "", status: int = 200
) -> Response:
    assignment = book.assignment
    recorded = book.store.decisions(assignment.id)
    grade = next((one for one in book.grades() if one.student == name), None)
    standing: Standing = book.count()(name, grade)
    attempts = visit.services.queue.attempts(assignment.id, name)
    pending = any(one.state in ("queued", "claimed") for one in attempts)
    full_name = book.roster().person(name).full_name
    return visit.page(
        "student.html.j2",
        assignment=assignment,
        student=name,
        name=full_name,
        row=StudentRow(standing, full_name, pending, _path(assignment, name)),
        standing=standing,
        held=[one for one in in_force(recorded) if one.student == name],
        past=_past(book, name, attempts, recorded),
        seen=newest_decision(recorded, name),
        zone=_zone(assignment),
        preview=_path(assignment, name, "page")
        if grade is not None and book.workspace.feedback(name).is_file()
        else "",
        in_words=in_words,
        form={key: visit.sent(key) for key in FIELDS},
        problem=problem,
        status=status,
    )


FIELDS = ("kind", "points", "exercise", "until", "text", "why", "undoes")


def _decision(visit: Visit, assignment: Assignment, student: str) -> Decision:
    """What the form asks for; raises ``UsageError``."""
    kind, why = visit.sent("kind"), visit.sent("why").strip()
    text = visit.sent("text").replace("\r\n", "\n").strip()
    if kind != "comment" and not why:
        raise UsageError("Write why: the reason is kept with the decision.")
    if max(len(text), len(why)) > LONGEST:
        raise UsageError("This text is too long.")
    now, who = datetime.now(UTC), visit.who.person
    make = partial(Decision, assignment.id, student, who=who, why=why, at=now)
    match kind:
        case "override":
            exercise = visit.sent("exercise")
            if exercise not in ("", *(one.id for one in assignment.exercise)):
                raise UsageError("There is no such exercise.")
            amount = points_entered(visit.sent("points"), least=0)
            return make(kind="override", exercise=exercise, amount=amount)
        case "extra":
            return make(kind="extra", amount=points_entered(visit.sent("points")))
        case "excuse":
            return make(kind="excuse")
        case "extend":
            until = moment_entered(visit.sent("until"), _zone(assignment))
            return make(kind="extend", until=until)
        case "comment":
            if not text:
                raise UsageError("Write the comment first.")
            return make(kind="comment", text=text)
        case "undo":
            number = visit.sent("undoes")
            known = number.isdecimal() and len(number) < 10
            return make(kind="undo", undoes=int(number) if known else 0)
    raise RefusedError(422, "Choose what to decide.")


def _past(
    book: ServedGradebook, student: str, attempts: Sequence[HandIn], recorded: Sequence[Decision]
) -> list[PastEvent]:
    """Attempts, grades and decisions, newest first."""
    held, gone = {one.id for one in in_force(recorded)}, undone_of(recorded)
    undoable = _undoable(recorded, student)
    events = [
        PastEvent(one.at, student, f"handed in attempt {one.number}: {one.file}")
        for one in attempts
    ]
    events += [
        PastEvent(one.run.started_at, "autograder", automatic_in_words(one.grade))
        for one in book.store.history(student, assignment=book.assignment.id)
    ]
    events += [
        PastEvent(
            one.at,
            one.who,
            f"{one.id}: {in_words(one)}",
            one.why,
            undo=one.id if one.id in undoable and one.kind == "undo" else 0,
            ended=one.id in gone or (one.kind != "undo" and one.id not in held),
        )
        for one in recorded
        if one.student == student
    ]
    return sorted(events, key=lambda event: event.at, reverse=True)


def _undoable(recorded: Sequence[Decision], student: str) -> set[int]:
    """The decisions about a student that are in force, and what undid others."""
    gone = undone_of(recorded)
    found = [*in_force(recorded), *(d for d in recorded if d.kind == "undo" and d.id not in gone)]
    return {one.id for one in found if one.student == student}


def newest_decision(recorded: Sequence[Decision], student: str) -> str:
    """The number of the newest decision about a student, for a page to notice a later one."""
    return str(max((one.id for one in recorded if one.student == student), default=0))


def _zone(assignment: Assignment) -> str:
    """The time zone of a new due time."""
    return (assignment.late.timezone if assignment.late is not None else "") or "UTC"


def _path(assignment: Assignment, student: str, part: str = "of") -> str:
    return f"/students/{assignment.id}/{part}/{quote(student, safe='')}"
