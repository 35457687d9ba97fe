"""How a class did, as summary.json: counts, mean and median, pass rates, known mistakes.

For the instructor: it names hidden checks. A pure function of the grades, without times.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import mean, median
from typing import Any

import msgspec

from autograder.gradebook.devices import tried_devices
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, as_points, exercise_ids
from autograder.verdict import Status, Sure

FORMAT = "autograder-summary/1"
COMMONEST = 20

Key = tuple[str, str]  # exercise and mistake


class Made(msgspec.Struct, frozen=True):
    """How many students made a known mistake, and how many more may have made it: theirs fits
    other known mistakes as well."""

    exercise: str
    name: str
    title: str
    students: int
    perhaps: int


def summary_json(grades: Iterable[Grade]) -> bytes:
    """Deterministic JSON of the class.

    A rate is over the grades in which the machine judged that exercise or check; one
    that the box could not offer or that a person grades is in no rate. A rate or score
    over nothing is null.
    """
    ordered = sorted(grades, key=lambda grade: grade.student)
    exercises = [exercise for grade in ordered for exercise in grade.exercises]
    shown = {
        "format": FORMAT,
        "assignment": ordered[0].assignment if ordered else "",
        "students": len(ordered),
        "status": {
            word: sum(grade.status == word for grade in ordered)
            for word in ("graded", "rejected", "ungraded")
        },
        "score": _spread([grade.score for grade in ordered if grade.score is not None]),
        "max_score": as_points(max((grade.max_score for grade in ordered), default=0)),
        "exercises": [
            _exercise([exercise for exercise in exercises if exercise.id == id_])
            for id_ in exercise_ids(ordered)
        ],
        "diagnoses": _diagnoses(exercises),
        "mistakes": [msgspec.to_builtins(one) for one in made_mistakes(ordered)],
        "devices": [msgspec.to_builtins(one) for one in tried_devices(ordered)],
        "unexplained": _unexplained(ordered),
    }
    text = json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def made_mistakes(grades: Iterable[Grade]) -> list[Made]:
    """The known mistakes that were made, the commonest first. One counts once per student."""
    sure, perhaps, titles = Counter[Key](), Counter[Key](), dict[Key, str]()
    for grade in grades:
        named = dict(_mistakes(grade, "named"))
        possible = dict(_mistakes(grade, "ambiguous"))
        sure.update(named.keys())
        perhaps.update(possible.keys() - named.keys())
        titles.update({**possible, **named})
    order = sorted(titles, key=lambda key: (-sure[key], -perhaps[key], key))
    return [Made(*key, titles[key], sure[key], perhaps[key]) for key in order]


def _mistakes(grade: Grade, sure: Sure) -> Iterator[tuple[Key, str]]:
    for exercise in grade.exercises:
        for cause in (check.cause for check in exercise.checks):
            if cause is not None and cause.sure == sure:
                yield from (((exercise.id, one.name), one.title) for one in cause.mistakes)


def _unexplained(grades: Iterable[Grade]) -> list[dict[str, Any]]:
    """How many students have a wrong result in an exercise and no known mistake or change fits
    any of it: what a new file under mistakes/ could explain."""
    counts: Counter[str] = Counter()
    for exercise in (exercise for grade in grades for exercise in grade.exercises):
        causes = {check.cause.sure for check in exercise.checks if check.cause is not None}
        counts.update([exercise.id] if causes == {"nothing"} else [])
    return [{"exercise": id_, "students": n} for id_, n in sorted(counts.items())]


def _spread(scores: Sequence[int]) -> dict[str, int | float | None]:
    if not scores:
        return dict.fromkeys(("mean", "median", "lowest", "highest"))
    return {
        "mean": as_points(round(mean(scores))),
        "median": as_points(round(median(scores))),
        "lowest": as_points(min(scores)),
        "highest": as_points(max(scores)),
    }


def _exercise(found: Sequence[ExerciseGrade]) -> dict[str, Any]:
    """One exercise over the class; ``found`` holds it once per grade that has it."""
    offered = [exercise for exercise in found if not exercise.left_out]
    counted = [exercise for exercise in offered if _is_judged(exercise)]
    passed = sum(exercise.status is Status.PASSED for exercise in counted)
    checks: dict[str, list[CheckGrade]] = {}
    for check in (check for exercise in offered for check in exercise.checks):
        checks.setdefault(check.id, []).append(check)
    return {
        "id": found[0].id,
        "title": found[0].title,
        "stretch": found[0].stretch,
        "judged": len(counted),
        "passed": passed,
        "pass_rate": _rate(passed, len(counted)),
        "mean_score": _spread([e.score for e in counted if e.score is not None])["mean"],
        "max_score": as_points(max(exercise.max_score for exercise in found)),
        "checks": [_check(every) for every in checks.values()],
    }


def _is_judged(exercise: ExerciseGrade) -> bool:
    automatic = any(not check.by_hand for check in exercise.checks)
    return automatic and exercise.status is not Status.UNGRADED


def _check(found: Sequence[CheckGrade]) -> dict[str, Any]:
    statuses = Counter(check.status.value for check in found)
    judged = sum(not check.by_hand and check.status is not Status.UNGRADED for check in found)
    return {
        "id": found[0].id,
        "title": found[0].title,
        "public": found[0].public,
        "judged": judged,
        "passed": statuses["passed"],
        "pass_rate": _rate(statuses["passed"], judged),
        "statuses": dict(sorted(statuses.items())),
    }


def _diagnoses(exercises: Iterable[ExerciseGrade]) -> list[dict[str, Any]]:
    """The commonest known mistakes; one that fails several checks counts once per student."""
    counts = Counter(
        (exercise.id, text)
        for exercise in exercises
        for text in {check.diagnosis for check in exercise.checks if check.diagnosis}
    )
    commonest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:COMMONEST]
    return [{"exercise": id_, "diagnosis": text, "students": n} for (id_, text), n in commonest]


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
