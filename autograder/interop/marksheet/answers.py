"""The answers that graders give points for, and what they decide about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import msgspec

from autograder.assignment.kinds import BY_HAND, rubric_items
from autograder.assignment.model import POINT, Assignment, thousandths
from autograder.gradebook.decisions import Decision, in_force
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import Roster
from autograder.interop.marksheet.model import AnswerKey, AnswerRow, ItemPoints, PointsChange, Task
from autograder.judging.verdict import Status

MAX_OFFERED = 100  # comments used before

Answers = Mapping[AnswerKey, str]
NO_ANSWERS: Answers = MappingProxyType({})


def mark_rows(
    assignment: Assignment,
    grades: Iterable[Grade],
    decisions: Iterable[Decision],
    roster: Roster,
    answers: Answers = NO_ANSWERS,
) -> tuple[AnswerRow, ...]:
    """Every answer that waits for a grader or has a grader's points, by exercise and student."""
    held = in_force(decisions)
    points = {(d.student, d.exercise, d.task): d.amount for d in held if d.kind == "points"}
    chosen = {(d.student, d.exercise, d.task): d.items for d in held if d.kind == "points"}
    comments = {(d.student, d.exercise, d.task): d.text for d in held if d.kind == "comment"}
    hidden = _hiding(held)
    names = {person.id: person.full_name for person in roster}
    statuses = {
        (grade.student, exercise.id, check.id): check.status
        for grade in grades
        for exercise in grade.exercises
        for check in exercise.checks
    }
    found = []
    for exercise in assignment.exercise:
        for check in exercise.check:
            if check.kind not in BY_HAND:
                continue
            items = tuple(
                ItemPoints(item.id, int(item.points * POINT), item.text)
                for item in rubric_items(check)
            )
            for key in sorted(k for k in statuses if k[1:] == (exercise.id, check.id)):
                if statuses[key] is Status.MANUAL or key in points:
                    why, by = hidden.get((key[0], "")) or hidden.get(key[:2], ("", 0))
                    found.append(
                        AnswerRow(
                            key[0],
                            names.get(key[0], ""),
                            exercise.id,
                            check.id,
                            thousandths(check.points),
                            points.get(key),
                            comments.get(key, ""),
                            getattr(check, "rubric", "").strip(),
                            why,
                            by,
                            answers.get(key, ""),
                            items,
                            chosen.get(key, ()),
                        )
                    )
    return tuple(found)


def _hiding(held: Sequence[Decision]) -> dict[tuple[str, str], tuple[str, int]]:
    """(student, exercise) -> the decision that replaces points, in words, and its number; the
    exercise is "" for the whole assignment."""
    found = {}
    for one in held:
        if one.kind == "excuse":
            found[one.student, ""] = f"points do not count: excused by decision {one.id}", one.id
        if one.kind == "override":  # the sheet says which points an override hides
            what = one.exercise or "the total"
            said = f"points do not count: override {one.id} set {what}"
            found[one.student, one.exercise] = said, one.id
    return found


def comments_before(decisions: Iterable[Decision]) -> dict[Task, list[str]]:
    """For each task the comments that were given on it, the most frequent first."""
    counts: dict[Task, Counter[str]] = {}
    for one in decisions:
        if one.kind == "comment" and one.task and one.text.strip():
            counts.setdefault((one.exercise, one.task), Counter())[one.text.strip()] += 1
    return {task: [text for text, _ in c.most_common(MAX_OFFERED)] for task, c in counts.items()}


def decisions_of(
    found: Iterable[PointsChange], *, assignment: str, who: str, why: str, at: datetime
) -> Iterator[Decision]:
    """The changes as decisions that can be recorded."""
    for change in found:
        row = change.before
        made = Decision(
            assignment, row.student, "points", who, why, at, exercise=row.exercise, task=row.task
        )
        if (change.points, change.chosen) != (row.points, row.chosen):
            yield msgspec.structs.replace(made, amount=change.points, items=change.chosen)
        if change.comment != row.comment:
            yield msgspec.structs.replace(made, kind="comment", text=change.comment)
