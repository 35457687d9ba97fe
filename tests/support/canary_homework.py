"""A homework whose hidden checks carry a canary that no student may read, and grades for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from autograder.assignment.model import Assignment
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import points, unscored
from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Mismatch, Status, Verdict

SECRET = "canary7531"
WORTH = 4_000  # thousandths, with the written answer and without the bonus
FILE = SubmittedFile("x.ipynb", "0" * 64)


def _check(id_: str, points: str, kind: str = "value", **keys: Any) -> dict[str, Any]:
    about = {"id": id_, "title": f"title of {id_}", "kind": kind, "name": "x"}
    return {**about, "points": Decimal(points), **keys}


def _exercise(id_: str, title: str, *checks: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"id": id_, "title": title, "defines": ["x"], "check": [*checks], **keys}


FIRST = _exercise(
    "first",
    "The <first>",
    _check("shape", "0.333", public=True, hint="Look at the shape."),
    _check(f"{SECRET}-a", "0.333", hint="Think again."),
    _check(f"{SECRET}-b", "0.334"),
)
SAID = _exercise(
    "said", "In words", _check("why", "3", "written", name="why", rubric="Says clearly why.")
)
MORE = _exercise("more", "More", _check("bonus", "2", public=True), stretch=True)
SPEC = Assignment.model_validate(
    {"format": 1, "id": "hw-1", "title": "Homework", "exercise": [FIRST, SAID, MORE]}
)


def verdicts(**changed: Status) -> list[Verdict]:
    """All passed, and the written answer waiting, but for the checks that are named."""
    made = []
    for exercise in SPEC.exercise:
        for check in exercise.check:
            worth = int(check.points * 1000)
            usual = Status.MANUAL if check.kind == "written" else Status.PASSED
            status = changed.get(check.id.removeprefix(f"{SECRET}-"), usual)
            earned = worth if status is Status.PASSED else 0
            wrong = (Mismatch(SECRET, "value", SECRET, SECRET),) if status is Status.FAILED else ()
            message = "said \x1b[2J" if check.public else f"{SECRET} =1+1 \x1b[2J"
            about = (exercise.id, check.id, check.kind, check.public)
            made.append(Verdict(*about, status, earned, worth, message, wrong))
    return made


def grade(**changed: Status) -> Grade:
    return points(SPEC, FILE, verdicts(**changed), None, student="s")


def no_score(status: str, reason: str) -> Grade:
    return unscored(SPEC, FILE, student="s", status=status, reason=reason)


def standing(state: Any = "final", score: int | None = 1_000, **keys: Any) -> Standing:
    return Standing("hw-1", "s", state, score, WORTH, note=f"{SECRET} note", **keys)
