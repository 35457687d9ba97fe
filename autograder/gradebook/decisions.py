"""Decisions about grades: who, when and why. They are kept forever, and undone by a new decision.

Points are thousandths. The kinds:

``override``  the score is ``amount``, of one exercise or, without one, of the whole
``points``    manual points for a written answer: ``exercise`` and ``task`` (the check's id)
``extra``     points added to or subtracted from the whole; several add up
``excuse``    the assignment is not counted in any total
``extend``    due at ``until`` for this student
``comment``   ``text`` for the student
``undo``      cancels the decision with the id ``undoes``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from autograder.gradebook.rounding import written

DecisionKind = Literal["override", "points", "extra", "excuse", "extend", "comment", "undo"]
ADDING = frozenset({"extra", "comment"})  # each counts, unless it is about a task


class Decision(msgspec.Struct, frozen=True):
    """One decision about one student in one assignment. ``id`` is 0 until it is recorded."""

    assignment: str
    student: str
    kind: DecisionKind
    who: str
    why: str
    at: datetime
    exercise: str = ""
    task: str = ""
    amount: int | None = None
    text: str = ""
    until: datetime | None = None
    undoes: int | None = None
    items: tuple[tuple[str, int], ...] = ()  # of the rubric, with their points at that time
    id: int = 0

    @property
    def subject(self) -> tuple[str, str, str, str, str]:
        """What the decision is about; of two decisions on the same subject the newer one is in
        force."""
        return (self.assignment, self.student, self.kind, self.exercise, self.task)


def in_force(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """The decisions in force, oldest first: neither undone nor replaced by a newer one."""
    ordered = sorted(decisions, key=lambda one: one.id)
    undone = undone_of(ordered)
    standing = [one for one in ordered if one.id not in undone and one.kind != "undo"]
    newest = {one.subject: one.id for one in standing}
    return tuple(
        one
        for one in standing
        if newest[one.subject] == one.id or (one.kind in ADDING and not one.task)
    )


def undone_of(decisions: Iterable[Decision]) -> set[int]:
    """The numbers of the decisions that are undone."""
    undone: set[int] = set()
    for one in sorted(decisions, key=lambda one: -one.id):  # an undo may itself be undone
        if one.kind == "undo" and one.id not in undone and one.undoes is not None:
            undone.add(one.undoes)
    return undone


def same_effect(one: Decision, other: Decision) -> bool:
    """Whether two decisions have the same subject and content, regardless of author and time."""
    mine, others = ((d.amount, d.text, d.until, d.items) for d in (one, other))
    return one.subject == other.subject and mine == others


def new_ones(wanted: Sequence[Decision], recorded: Iterable[Decision]) -> tuple[Decision, ...]:
    """Those of ``wanted`` that would change something."""
    held = in_force(recorded)
    return tuple(one for one in wanted if not any(same_effect(one, other) for other in held))


def in_words(one: Decision) -> str:
    """What was decided, for the log."""
    about = "/".join(part for part in (one.exercise, one.task) if part)
    amount = written(one.amount, decimals=3)
    until = f"until {one.until:%Y-%m-%d %H:%M} UTC" if one.until is not None else ""
    undone = f"number {one.undoes}" if one.undoes is not None else ""
    items = f"({', '.join(item for item, _ in one.items)})" if one.items else ""
    parts = (one.kind, about, amount, items, until, undone, one.text)
    return " ".join(part for part in parts if part)
