"""One student's results.json for Gradescope, from what the student may see.

Gradescope hides the total if one test is hidden, so every test here is visible and says no more
than the student's feedback does: hidden checks are one counted test per exercise.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import number
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.lines import TestLine, amounts, outcome
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
)
from autograder.interop.exports.standing_lines import (
    SCORED,
    one_student,
    said_above,
    standing_lines,
)
from autograder.reports.feedback.feedback import Feedback


def gradescope(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The results of ``options.student``, with ``options.feedback`` where that has an entry.

    Raises ``UsageError`` for a student who has no standing.
    """
    found = one_student("gradescope", standings, options)
    data = results_json(found[0], options.feedback.get(options.student))
    return Exported(data, all_with_score(found), all_without_score(found))


def results_json(standing: Standing, feedback: Feedback | None = None) -> bytes:
    """The file. There is a top-level ``score`` only if the standing's is final."""
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
        "tests": _tests(lines, scored=standing.state in SCORED),
    }
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _tests(lines: Sequence[TestLine], *, scored: bool) -> list[dict[str, Any]]:
    """The tests; their ``max_score`` add up to the assignment's maximum."""
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
