"""Graders' decisions: overrides, points for written answers, extensions, comments."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from autograder.classroom.gradebook_of_class import ClassGradebook, open_book
from autograder.commands.console import ResultsArg, UrlOption, Who, err, say
from autograder.commands.recording import decider, now, record, report_not_counted
from autograder.errors import UsageError, did_you_mean
from autograder.gradebook.decisions import Decision
from autograder.gradebook.entered import moment_entered, points_entered
from autograder.gradebook.rounding import written
from autograder.interop.marksheet.answers import mark_rows

Student = Annotated[str, typer.Argument(help="The student's id.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the log.")]
ExerciseOption = Annotated[str, typer.Option("--exercise", help="For this exercise only.")]


def override(
    folder: ResultsArg,
    student: Student,
    score: Annotated[str, typer.Argument(help="The new score, in points.")],
    why: Why,
    exercise: ExerciseOption = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Replace a computed score."""
    with open_book(folder, url) as book:
        _known_exercise(book, exercise)
        made = Decision(
            book.assignment.id,
            book.student(student),
            "override",
            decider(who),
            why,
            now(),
            exercise=exercise,
            amount=points_entered(score, least=0),
        )
        record(book, [made])
        _report_more_than_the_maximum(book, made)


def points(
    folder: ResultsArg,
    student: Student,
    task: Annotated[str, typer.Argument(help="The written answer, as EXERCISE/CHECK.")],
    given: Annotated[str, typer.Argument(metavar="POINTS", help="Points according to the rubric.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the log.")] = "",
    comment: Annotated[str, typer.Option("--comment", help="A comment for the student.")] = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Give points for a written answer."""
    with open_book(folder, url) as book:
        student = book.student(student)
        decisions = book.store.decisions(book.assignment.id)
        rows = mark_rows(book.assignment, book.grades(), decisions, book.roster())
        row = next((r for r in rows if r.key == (student, *task.partition("/")[::2])), None)
        if row is None:
            waiting = ", ".join(f"{r.exercise}/{r.task}" for r in rows if r.student == student)
            raise UsageError(
                f"{student} has no written answer {task!r}; available: {waiting or 'none'}"
            )
        amount = points_entered(given, least=0, most=row.max_points)
        made = Decision(
            book.assignment.id,
            student,
            "points",
            decider(who),
            why,
            now(),
            exercise=row.exercise,
            task=row.task,
            amount=amount,
        )
        said = Decision(
            book.assignment.id,
            student,
            "comment",
            decider(who),
            why,
            now(),
            exercise=row.exercise,
            task=row.task,
            text=comment,
        )
        record(book, [made, said] if comment else [made])
        report_not_counted(book, [row])


def extra(
    folder: ResultsArg,
    student: Student,
    given: Annotated[
        str, typer.Argument(metavar="POINTS", help="Extra points; negative to deduct.")
    ],
    why: Why,
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Add extra points to the total, after the late penalty. Repeated entries add up."""
    with open_book(folder, url) as book:
        made = Decision(
            book.assignment.id,
            book.student(student),
            "extra",
            decider(who),
            why,
            now(),
            amount=points_entered(given),
        )
        record(book, [made], again=True)


def excuse(
    folder: ResultsArg, student: Student, why: Why, who: Who = "", url: UrlOption = ""
) -> None:
    """Excuse a student from the assignment."""
    with open_book(folder, url) as book:
        student = book.student(student)
        record(book, [Decision(book.assignment.id, student, "excuse", decider(who), why, now())])


def extend(
    folder: ResultsArg,
    student: Student,
    until: Annotated[str, typer.Argument(help="The new due time, e.g. 2026-11-03T23:59.")],
    why: Why,
    timezone: Annotated[str, typer.Option(help="Time zone; default: the assignment's.")] = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Extend a student's deadline."""
    with open_book(folder, url) as book:
        late = book.assignment.late
        made = Decision(
            book.assignment.id,
            book.student(student),
            "extend",
            decider(who),
            why,
            now(),
            until=moment_entered(until, timezone or (late.timezone if late else "")),
        )
        record(book, [made])


def comment(
    folder: ResultsArg,
    student: Student,
    text: Annotated[str, typer.Argument(help="What the student reads.")],
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Write a comment for a student."""
    with open_book(folder, url) as book:
        made = Decision(
            book.assignment.id, book.student(student), "comment", decider(who), "", now(), text=text
        )
        record(book, [made])


def undo(
    folder: ResultsArg,
    number: Annotated[int, typer.Argument(help="The decision's number, as `log` shows it.")],
    why: Why,
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Undo a decision. It stays in the log; undoing the undo restores it."""
    with open_book(folder, url) as book:
        found = [d for d in book.store.decisions(book.assignment.id) if d.id == number]
        if not found:
            raise UsageError(
                f"there is no decision {number}; they are listed by: autograder gradebook log "
                f"{shlex.quote(str(folder))}"
            )
        made = Decision(
            book.assignment.id, found[0].student, "undo", decider(who), why, now(), undoes=number
        )
        record(book, [made])


def _report_more_than_the_maximum(book: ClassGradebook, made: Decision) -> None:
    """Print a note if an override is more than there is to earn."""
    standing = next(one for one in book.standings() if one.student == made.student)
    exercises = {exercise.id: exercise.max_score for exercise in standing.exercises}
    most = exercises.get(made.exercise, standing.max_score)
    if made.amount is not None and made.amount > most:
        of = made.exercise or "the assignment"
        say(err, f"note: {written(made.amount)} is more than the maximum of {of}, {written(most)}")


def _known_exercise(book: ClassGradebook, exercise: str) -> None:
    known = [one.id for one in book.assignment.exercise]
    if exercise and exercise not in known:
        meant = did_you_mean(exercise, known)
        raise UsageError(f"there is no exercise {exercise!r}{meant}; available: {', '.join(known)}")
