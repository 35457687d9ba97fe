"""One student's results.json for Gradescope, from what the student may see.

Gradescope hides the total where one test is hidden, so every test here is visible and says no
more than the student's feedback does: hidden checks are one counted test per exercise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from autograder.errors import UsageError
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import number, written
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.lines import TestLine, amounts, exercise_lines, outcome
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
    in_order,
)
from autograder.reports.feedback.feedback import Feedback
from autograder.reports.feedback.standing_panel import overridden_words

STATES: Mapping[str, str] = MappingProxyType(
    {
        "open": "Some answers are still to be graded by a person.",
        "absent": "Nothing was handed in.",
        "excused": "You are excused from this assignment.",
        "rejected": "The file could not be read.",
        "ungraded": "This could not be graded, for a reason that is not yours.",
    }
)
_SCORED = ("final", "open")  # states in which single tests show points


def gradescope(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The results of ``options.student``, with ``options.feedback`` where that has an entry.

    Raises ``UsageError`` for a student who has no standing.
    """
    found = one_student("gradescope", standings, options)
    data = results_json(found[0], options.feedback.get(options.student))
    return Exported(data, all_with_score(found), all_without_score(found))


def one_student(form: str, standings: Sequence[Standing], options: Options) -> tuple[Standing, ...]:
    """The standing of ``options.student``; raises ``UsageError`` where there is none."""
    found = tuple(s for s in in_order(standings) if s.student == options.student)
    if not found:
        raise UsageError(f"{form}: {options.student!r} has no standing; one student is needed")
    return found


def results_json(standing: Standing, feedback: Feedback | None = None) -> bytes:
    """The file. There is a top-level ``score`` only where the standing's is final."""
    shown = feedback if feedback is not None and feedback.status == "graded" else None
    lines = standing_lines(standing, shown)
    score = final_score(standing)
    results: dict[str, Any] = {
        **({"score": number(score)} if score is not None else {}),
        "output": said_above(standing, feedback),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        # guard: Gradescope gets no points in a state without a score
        "tests": _tests(lines, scored=standing.state in _SCORED),
    }
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def standing_lines(standing: Standing, feedback: Feedback | None) -> list[TestLine]:
    """A line per test, with one for a person's points; one alone where there are no details."""
    if feedback is None:
        told = STATES.get(standing.state, "There are no details.")
        whole = TestLine(one_line(standing.assignment), told)
        if standing.state not in _SCORED:
            return [whole]
        return [TestLine(whole.name, told, None, final_score(standing), standing.max_score)]
    set_ = {one.id: one for one in standing.exercises if one.overridden}
    lines = []
    for exercise in feedback.exercises:
        own = exercise_lines(exercise)
        # guard: a single test on Gradescope shows what an override set
        if (one := set_.get(exercise.id)) is not None:
            own = [*(replace(line, score=None, max_score=None) for line in own), _set(one)]
        lines += own
    rest = standing.max_score - sum(line.max_score or 0 for line in lines)
    if rest > 0:
        lines.append(_by_hand(standing, rest))
    return lines


def _set(one: ExerciseStanding) -> TestLine:
    """The points that an override gave an exercise; of a stretch exercise they are only told."""
    told, name = "In place of what was earned in this exercise.", f"{one.title}: set by a person"
    if one.stretch:
        told = f"Bonus: {written(one.score)} of {written(one.max_score)} points. {told}"
        return TestLine(name, told)
    return TestLine(name, told, None, one.score, one.max_score)


def _by_hand(standing: Standing, worth: int) -> TestLine:
    """What was given for written answers; no score while one waits or was not read at all."""
    unread = any(one.score is None for one in standing.exercises)
    open_ = bool(standing.manual_open) or unread
    told = STATES["open"] if standing.manual_open else "Graded by a person."
    if unread and not standing.manual_open:
        told = "Some answers were not graded one by one."
    bonus = sum(one.manual for one in standing.exercises if one.stretch)
    given = None if open_ else standing.manual - bonus
    return TestLine("Answers graded by a person", told, None, given, worth)


def _tests(lines: Sequence[TestLine], *, scored: bool) -> list[dict[str, Any]]:
    """The tests; their ``max_score`` add up to what all are worth."""
    tests = []
    for place, (line, (score, maximum)) in enumerate(zip(lines, amounts(lines), strict=True), 1):
        test: dict[str, Any] = {"name": one_line(line.name), "number": str(place)}
        if scored and score is not None:
            test["score"] = number(score)
        if scored and maximum is not None:
            test["max_score"] = number(maximum)
        passed = outcome(line)
        if passed is not None:
            test["status"] = "passed" if passed else "failed"
        tests.append({**test, "output": visible(line.output), "visibility": "visible"})
    return tests


def said_above(standing: Standing, feedback: Feedback | None) -> str:
    """What stands above the tests. The instructor's note is not in it."""
    score = final_score(standing)
    told = []
    if score is not None:
        told.append(f"{written(score)} of {written(standing.max_score)} points.")
    else:
        told.append(STATES.get(standing.state, "There is no score."))
    if score is not None and standing.penalty:
        told.append(f"Late penalty: {written(standing.penalty)} points.")
    if score is not None:
        told += overridden_words(standing)
    if score is not None and standing.extra:
        told.append(f"Extra points: {written(standing.extra)} points.")
    if feedback is not None and feedback.status != "graded" and standing.state not in _SCORED:
        told += [feedback.reason, feedback.remedy]
    told += standing.comments  # guard: the instructor's note stays out of results.json
    return "\n".join(visible(part) for part in told if part)
