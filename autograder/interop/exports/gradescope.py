"""One student's results.json for Gradescope, from what the student may see.

Gradescope hides the total where one test is hidden, so every test here is visible and says no
more than the student's feedback does: hidden checks are one counted test per exercise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from autograder.errors import UsageError
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import number, spread, written
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
    in_order,
)
from autograder.report.feedback import ExerciseFeedback, Feedback, PublicCheck
from autograder.report.words import AT_FAULT, student_words
from autograder.verdict import Status

_STATES: Mapping[str, str] = MappingProxyType(
    {
        "open": "Some answers are still to be graded by a person.",
        "absent": "Nothing was handed in.",
        "excused": "You are excused from this assignment.",
        "rejected": "The file could not be read.",
        "ungraded": "This could not be graded, for a reason that is not yours.",
    }
)
_SCORED = ("final", "open")  # states in which single tests show points


@dataclass(frozen=True, slots=True)
class _Line:
    """One test. Points are thousandths; ``max_score`` None: for information only."""

    name: str
    output: str
    status: Status | None = None
    score: int | None = None
    max_score: int | None = None


def gradescope(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The results of ``options.student``, with ``options.feedback`` where that has an entry.

    Raises ``UsageError`` for a student who has no standing.
    """
    ordered = in_order(standings)
    found = [s for s in ordered if s.student == options.student]
    if not found:
        raise UsageError(f"gradescope: {options.student!r} has no standing; one student is needed")
    data = results_json(found[0], options.feedback.get(options.student))
    return Exported(data, all_with_score(found), all_without_score(found))


def results_json(standing: Standing, feedback: Feedback | None = None) -> bytes:
    """The file. There is a top-level ``score`` only where the standing's is final."""
    shown = feedback if feedback is not None and feedback.status == "graded" else None
    lines = _lines(standing, shown)
    score = final_score(standing)
    results: dict[str, Any] = {
        **({"score": number(score)} if score is not None else {}),
        "output": _output(standing, feedback),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": _tests(lines, scored=standing.state in _SCORED),
    }
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _lines(standing: Standing, feedback: Feedback | None) -> list[_Line]:
    if feedback is None:
        told = _STATES.get(standing.state, "There are no details.")
        whole = _Line(one_line(standing.assignment), told)
        if standing.state not in _SCORED:
            return [whole]
        return [_Line(whole.name, told, None, final_score(standing), standing.max_score)]
    lines = [line for exercise in feedback.exercises for line in _exercise(exercise)]
    rest = standing.max_score - sum(line.max_score or 0 for line in lines)
    if rest > 0:
        given = standing.manual if not standing.manual_open else None
        told = "Graded by a person." if given is not None else _STATES["open"]
        lines.append(_Line("Answers graded by a person", told, None, given, rest))
    return lines


def _exercise(exercise: ExerciseFeedback) -> list[_Line]:
    lines = [_public(exercise, check) for check in exercise.public]
    hidden = exercise.hidden
    if hidden is not None:
        told = [f"{hidden.passed} of {hidden.total} passed.", *hidden.problems, *hidden.hints]
        passed = hidden.passed == hidden.total
        status = None if hidden.score is None else Status.PASSED if passed else Status.FAILED
        name = f"{exercise.title}: further checks"
        lines.append(_Line(name, "\n".join(told), status, hidden.score, hidden.max_score))
    if exercise.causes and lines:
        said = "\n".join((lines[-1].output, *exercise.causes))
        lines[-1] = _replaced(lines[-1], output=said)
    if exercise.stretch or exercise.left_out:
        return [_informed(line, exercise) for line in lines]
    return lines


def _public(exercise: ExerciseFeedback, check: PublicCheck) -> _Line:
    words = student_words(
        check.status, check.score, left_out=exercise.left_out, predicted=check.predicted
    )
    told = (words, check.message, *check.differences, check.hint, check.devices)
    status = None if check.status in (Status.UNGRADED, Status.MANUAL) else check.status
    return _Line(
        f"{exercise.title}: {check.title}",
        "\n".join(part for part in told if part),
        status,
        check.score,
        check.max_score,
    )


def _informed(line: _Line, exercise: ExerciseFeedback) -> _Line:
    """A line whose points are in no maximum: they are told, and counted in the total alone."""
    if exercise.left_out:
        return _replaced(line, score=None, max_score=None)
    points = f"Bonus: {written(line.score) or 'no score yet'} of {written(line.max_score)} points."
    return _replaced(line, output=f"{points}\n{line.output}", score=None, max_score=None)


def _replaced(line: _Line, **changes: Any) -> _Line:
    return _Line(
        changes.get("name", line.name),
        changes.get("output", line.output),
        line.status,
        changes.get("score", line.score),
        changes.get("max_score", line.max_score),
    )


def _tests(lines: Sequence[_Line], *, scored: bool) -> list[dict[str, Any]]:
    """The tests; their ``max_score`` add up to what all are worth, rounded once."""
    worth = iter(spread([line.max_score for line in lines if line.max_score is not None]))
    tests = []
    for place, line in enumerate(lines, 1):
        test: dict[str, Any] = {"name": one_line(line.name), "number": str(place)}
        if line.max_score is not None:
            maximum = next(worth)
            if scored and line.score is not None:
                full = line.score == line.max_score
                test["score"] = number(maximum if full else min(line.score, maximum))
            if scored:
                test["max_score"] = number(maximum)
        if line.status is not None:
            good = line.status is Status.PASSED
            wrong = line.status in AT_FAULT or line.status is Status.SKIPPED
            test |= {"status": "passed"} if good else {"status": "failed"} if wrong else {}
        tests.append({**test, "output": visible(line.output), "visibility": "visible"})
    return tests


def _output(standing: Standing, feedback: Feedback | None) -> str:
    """What stands above the tests. The instructor's note is not in it."""
    score = final_score(standing)
    told = []
    if score is not None:
        told.append(f"{written(score)} of {written(standing.max_score)} points.")
    else:
        told.append(_STATES.get(standing.state, "There is no score."))
    if score is not None and standing.penalty:
        told.append(f"Late penalty: {written(standing.penalty)} points.")
    if score is not None and standing.overridden:
        told.append("Points were set by a person.")  # in whose score extra points may not count
    elif score is not None and standing.extra:
        told.append(f"Extra points: {written(standing.extra)} points.")
    if feedback is not None and feedback.status != "graded" and standing.state not in _SCORED:
        told += [feedback.reason, feedback.remedy]
    told += standing.comments
    return "\n".join(visible(part) for part in told if part)
