"""A homework whose hidden checks carry a canary that no student may read, and grades for it."""

from __future__ import annotations

from typing import Any

from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import points, unscored
from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Mismatch, Status, Verdict
from tests.support.cases import read_spec

SECRET = "canary7531"
WORTH = 4_000  # thousandths, with the written answer and without the bonus
FILE = SubmittedFile("x.ipynb", "0" * 64)


SPEC = read_spec("courses/canary.toml")


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
