"""What a student may see of a grade. The only place that hides hidden checks.

Covered: a hidden check leaves only its result (counted with the others of its exercise), its
hint and the text of a known mistake, which instructors write for students. Its id, title,
message (an exception's text may carry a hidden input), differences, numbers and picture are
left out, and so is everything that a grade says about faults of the grader.
Not covered: what a student's own code printed, and what a public check's message quotes;
public calls must therefore be made before hidden inputs enter the box.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import dedent
from typing import Literal

import msgspec

from autograder.assignment.model import Assignment
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade
from autograder.gradebook.visible import visible
from autograder.judging.checks.explain import SENTENCE, sentence
from autograder.judging.verdict import Mismatch, Picture, Repair, SmallestCall, Status, TablePicture
from autograder.reports.feedback.words import (
    AT_FAULT,
    HIDDEN_WORDS,
    NOT_TRIED,
    REJECTED_REMEDY,
    UNGRADED_REASON,
    where_tried,
)

TEXT_LIMIT = 2_000
DIFFERENCES_SHOWN = 8
SMALL_CALL = "A small call that goes wrong:"
FEWEST_DRAWN = 12  # numbers: below that, the expected number and the student's say it all


class PublicCheck(msgspec.Struct, frozen=True):
    """One public check in full. Points are thousandths."""

    title: str
    status: Status
    score: int | None
    max_score: int
    message: str = ""
    differences: tuple[str, ...] = ()
    hint: str = ""
    picture: Picture | TablePicture | None = None
    devices: str = ""
    predicted: bool = False
    diagnosed: bool = False  # a cause of the exercise says what happened

    @property
    def plain(self) -> bool:
        """Whether it passed, and there is nothing more to say."""
        return self.status is Status.PASSED and not self.message


class HiddenChecks(msgspec.Struct, frozen=True):
    """All hidden checks of an exercise as one result. ``problems`` uses fixed words only."""

    passed: int
    total: int
    score: int | None
    max_score: int
    problems: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


class ExerciseFeedback(msgspec.Struct, frozen=True):
    """One exercise as its student sees it.

    ``causes`` are known mistakes with the same results, and all else that explains them;
    ``patterns`` say by which arguments calls go wrong. ``by_hand`` counts the answers waiting to be
    graded by hand, worth ``manual_max``; ``unanswered`` those not found, ``empty`` those without a
    text.
    """

    id: str
    title: str
    status: Status
    score: int | None
    max_score: int
    stretch: bool
    left_out: bool
    public: tuple[PublicCheck, ...]
    hidden: HiddenChecks | None
    causes: tuple[str, ...]
    by_hand: int
    unanswered: int
    manual_max: int
    predicted: bool = False  # it asks for predictions and nothing else
    empty: int = 0
    patterns: tuple[str, ...] = ()
    smallest: tuple[SmallestCall, ...] = ()
    repair: Repair | None = None  # without the edit, unless students may see it

    @property
    def told(self) -> tuple[str, ...]:
        """Everything that explains what is wrong, as lines of text."""
        calls = [line for call in self.smallest for line in (SMALL_CALL, *call.lines)]
        return (*self.causes, *self.patterns, *calls)

    @property
    def to_look_at(self) -> bool:
        """Whether something in it is not as it should be."""
        return self.status in AT_FAULT and not self.left_out

    @property
    def blank(self) -> bool:
        """Whether nothing in it was attempted."""
        passed = self.hidden is not None and self.hidden.passed > 0
        statuses = {check.status for check in self.public}
        return self.status is Status.BLANK and not passed and statuses <= _NOTHING


class Feedback(msgspec.Struct, frozen=True):
    """One submission's result as its student sees it. Points are thousandths."""

    title: str
    student: str
    file: str
    status: Literal["graded", "rejected", "ungraded"]
    reason: str
    remedy: str
    score: int | None
    max_score: int
    bonus: int | None
    bonus_max: int
    manual_max: int
    repairs: tuple[str, ...]
    exercises: tuple[ExerciseFeedback, ...]

    @property
    def blank(self) -> bool:
        """Whether nothing at all was attempted."""
        return bool(self.exercises) and all(exercise.blank for exercise in self.exercises)


_NOTHING = frozenset({Status.BLANK, Status.SKIPPED})
_WRONG_ON_CPU = ("cpu", "real", "wrong")


def feedback(grade: Grade, assignment: Assignment) -> Feedback:
    """Redact a grade for its student.

    A check is shown only when the grade and the assignment both call it public.
    """
    public = {(e.id, c.id) for e in assignment.exercise for c in e.check if c.public}
    ungraded, graded = grade.status == "ungraded", grade.status == "graded"
    notes = (*([grade.reason] if graded and grade.reason else []), *grade.submission.repairs)
    return Feedback(
        title=assignment.title,
        student=visible(grade.student),
        file=visible(grade.submission.file),
        status=grade.status,
        reason=UNGRADED_REASON if ungraded else "" if graded else _bounded(grade.reason),
        remedy=REJECTED_REMEDY if grade.status == "rejected" else "",
        score=grade.score,
        max_score=grade.max_score,
        bonus=grade.bonus,
        bonus_max=grade.bonus_max,
        manual_max=grade.manual_max,
        repairs=tuple(map(_bounded, notes)),
        exercises=tuple(
            _exercise(exercise, public, _repair(exercise.repair, assignment.repairs))
            for exercise in grade.exercises
        ),
    )


def _exercise(
    exercise: ExerciseGrade, public: set[tuple[str, str]], repair: Repair | None
) -> ExerciseFeedback:
    """``repair``: as far as its student may see it."""
    automatic = [check for check in exercise.checks if not check.by_hand]
    written = [check for check in exercise.checks if check.by_hand]
    open_ = {c.id for c in automatic if c.public and (exercise.id, c.id) in public}
    shown = [check for check in automatic if check.id in open_]
    hidden = [check for check in automatic if check.id not in open_]
    # Hints are left out beside an edit that makes the exercise right.
    if repair is not None:
        shown, hidden = ([msgspec.structs.replace(c, hint="") for c in s] for s in (shown, hidden))
    checks = tuple(_public(check) for check in shown)
    wrong = [check for check in automatic if check.status in AT_FAULT]
    return ExerciseFeedback(
        id=exercise.id,
        title=exercise.title,
        status=exercise.status,
        score=exercise.score,
        max_score=exercise.max_score,
        stretch=exercise.stretch,
        left_out=exercise.left_out,
        public=checks,
        hidden=_hidden(hidden, said=[check.hint for check in checks]) if hidden else None,
        causes=_unique(c.diagnosis for c in wrong if not _is_pattern(c)),
        patterns=_unique(
            {c.cause.property: c.diagnosis for c in wrong if c.cause and c.cause.property}.values()
        ),
        smallest=tuple(_small(check.smallest) for check in wrong if check.smallest),
        by_hand=sum(check.status is Status.MANUAL for check in written),
        unanswered=sum(check.status in AT_FAULT - _NOTHING for check in written),
        empty=sum(check.status is Status.BLANK for check in written),
        manual_max=exercise.manual_max,
        predicted=exercise.predicted,
        repair=repair,
    )


def _repair(repair: Repair | None, level: Literal["none", "line", "edit"]) -> Repair | None:
    """A repair as far as students may see it."""
    if repair is None or level == "none":
        return None
    after = repair.after if level == "edit" else ""
    before, after = (_bounded(dedent(text)) for text in (repair.before, after))
    return msgspec.structs.replace(repair, before=before, after=after)


def _public(check: CheckGrade) -> PublicCheck:
    """A public check in full, without the grader's own faults."""
    wrong = check.status in AT_FAULT
    message = "" if check.status is Status.UNGRADED else _bounded(check.message)
    found = [m for m in check.mismatches if not _is_told(m, message)] if wrong else []
    new = list(_unique(sentence(mismatch) for mismatch in found))
    more = len(new) - DIFFERENCES_SHOWN
    kept = new[:DIFFERENCES_SHOWN] + (
        [f"and {more} more {'difference' if more == 1 else 'differences'}"] if more > 0 else []
    )
    return PublicCheck(
        title=check.title,
        status=check.status,
        score=check.score,
        max_score=check.max_score,
        message=message,
        differences=tuple(kept),
        hint=_bounded(check.hint) if helps(check) else "",
        picture=check.picture if wrong and _is_drawn(check.picture) else None,
        devices=where_tried(check.devices),
        predicted=check.kind == "prediction",
        diagnosed=wrong and bool(check.diagnosis),
    )


def _small(call: SmallestCall) -> SmallestCall:
    ran = tuple(msgspec.structs.replace(one, source=visible(one.source)) for one in call.ran)
    return SmallestCall(visible(call.call), visible(call.expected), visible(call.actual), ran)


def _is_pattern(check: CheckGrade) -> bool:
    return check.cause is not None and bool(check.cause.property)


def _is_drawn(picture: Picture | TablePicture | None) -> bool:
    if isinstance(picture, TablePicture):
        return True
    return picture is not None and math.prod(picture.expected.shape) >= FEWEST_DRAWN


def helps(check: CheckGrade) -> bool:
    """Whether to show the hint: the check was tried, and no diagnosis says what happened. A hint of
    a check on devices is about devices, which a result that is wrong on the CPU does not show."""
    # A hint is left out beside a known mistake.
    explained = bool(check.diagnosis) and not _is_pattern(check)
    # A hint about devices is left out where the CPU is wrong.
    elsewhere = any((r.device, r.how, r.result) == _WRONG_ON_CPU for r in check.devices)
    return check.status in AT_FAULT - NOT_TRIED and not explained and not elsewhere


def _is_told(mismatch: Mismatch, message: str) -> bool:
    """Whether the message already contains the difference: its sentences, or both its values."""
    if mismatch.text:
        # sentence by sentence, since a message says each only once
        return all(part.strip() in message for part in SENTENCE.findall(visible(mismatch.text)))
    if visible(sentence(mismatch, subject=" ")).strip(" .") in message:
        return True
    values = (mismatch.actual, mismatch.expected)
    return all(value and visible(value) in message for value in values)


def told_before(
    exercises: Sequence[ExerciseFeedback],
) -> dict[str, dict[str, ExerciseFeedback]]:
    """For each exercise, by id, the texts that an earlier exercise has, with that exercise: of
    faults, and where checks were tried."""
    first: dict[str, ExerciseFeedback] = {}
    found = {}
    for exercise in exercises:
        wrong = [check for check in exercise.public if check.status in AT_FAULT - _NOTHING]
        said = (*exercise.causes, *exercise.patterns, *(check.message for check in wrong))
        texts = _unique((*said, *(check.devices for check in exercise.public)))
        found[exercise.id] = {text: first[text] for text in texts if text in first}
        first = dict.fromkeys(texts, exercise) | first
    return found


def _hidden(checks: Sequence[CheckGrade], *, said: Sequence[str]) -> HiddenChecks:
    """Several hidden checks as one result. Contains nothing of a check's message."""
    counts = Counter(check.status for check in checks)
    scores = [check.score for check in checks]
    hints = _unique(check.hint for check in checks if helps(check))
    return HiddenChecks(
        passed=counts[Status.PASSED],
        total=len(checks),
        score=None if None in scores else sum(score or 0 for score in scores),
        max_score=sum(check.max_score for check in checks),
        problems=tuple(
            f"{counts[status]} {words}" for status, words in HIDDEN_WORDS.items() if counts[status]
        ),
        hints=tuple(hint for hint in hints if hint not in said),
    )


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_bounded(text) for text in texts if text))


def _bounded(text: str) -> str:
    plain = visible(text)
    return plain if len(plain) <= TEXT_LIMIT else f"{plain[:TEXT_LIMIT]} ..."
