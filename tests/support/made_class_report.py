"""Class reports made by hand, one with hostile text everywhere."""

from __future__ import annotations

from typing import Any

from autograder.gradebook.grade import (
    CheckGrade,
    Grade,
    GradeTiming,
    Isolation,
    SubmittedFile,
)
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Cause, Mistake, Status
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.similarity.model import CodeCell, CodeLines, HandInCode, Pair, Passage
from tests.support import made_grades


def check(id_: str, earned: int, *, message: str = "", cause: Cause | None = None) -> CheckGrade:
    status = Status.PASSED if earned else Status.FAILED
    about: dict[str, Any] = {"title": f"Check {id_}", "kind": "function", "message": message}
    diagnosis = "You swapped them." if cause else ""
    return made_grades.check(id_, status, earned, diagnosis=diagnosis, cause=cause, **about)


def grade(student: str, earned: tuple[int, ...] = (1000, 0), **keys: Any) -> Grade:
    about = {key: keys[key] for key in ("message", "cause") if key in keys}
    exercises = [
        made_grades.exercise(f"e{at}", check(f"c{at}", points, **about), title=f"Exercise {at}")
        for at, points in enumerate(earned)
    ]
    fields: dict[str, Any] = {"assignment": "a", "max_score": 1000 * len(earned), "versions": {}}
    fields |= {"isolation": Isolation(), "timing": GradeTiming(0.5, 2.0, 0.1)}
    fields |= {"submission": SubmittedFile(f"{student}.ipynb", "0"), **keys.get("fields", {})}
    return made_grades.grade(student, *exercises, **fields)


def without(student: str, status: Any, reason: str) -> Grade:
    fields = {
        "status": status,
        "reason": reason,
        "score": None,
        "exercises": (),
        "timing": GradeTiming(),
    }
    return grade(student, fields=fields)


def pair(score: float, left: str = "s1", right: str = "s2") -> Pair:
    passage = Passage("e0", CodeLines(1, 2, 3), CodeLines(1, 1, 2), 0, 5.0)
    return Pair(left, right, score, 55.5, {"e0": 0.9}, (passage,))


EVIL = '"><script>document.title="OWNED"</script><img src=x onerror=alert(1)>\u202e\x1b[2J\ud800'


def hostile_page() -> str:
    cause = Cause("named", (Mistake(EVIL, EVIL),))
    grades = [grade(f"{EVIL}{at}", (0, 1000), message=EVIL, cause=cause) for at in range(12)]
    grades += [without(EVIL, "rejected", EVIL), without(f"{EVIL}u", "ungraded", EVIL)]
    cells = (CodeCell(1, f"x = 1  # {EVIL}\nimport ctypes  # {EVIL}\n{'y' * 5_000}", ("e0",)),)
    code = [HandInCode(f"{EVIL}{at}", cells) for at in range(2)]
    standings = [Standing("a", EVIL, "absent", None, 0, note=EVIL)]
    return class_report(
        EVIL,
        ClassResults(grades, standings, Roster((Person(EVIL, EVIL),))),
        code=code,
        pairs=[pair(0.9, f"{EVIL}0", f"{EVIL}1"), pair(0.1, EVIL, EVIL)],
        notes=[EVIL],
    )
