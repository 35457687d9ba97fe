"""One student's results.json for a PrairieLearn external grader, from what the student may see.

PrairieLearn accepts a score between 0 and 1, or `gradable` false, which uses up no attempt. Every
state without a final score is not gradable; a missing score is never a 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import number, ratio
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line, visible
from autograder.interop.exports.lines import TestLine, amounts
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
)
from autograder.interop.exports.standing_lines import one_student, said_above, standing_lines
from autograder.reports.feedback.feedback import Feedback

MAX_BYTES = 1_000_000  # of the whole file
LONGEST = 20_000  # characters of one output, before the whole is too large


def prairielearn(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The results of ``options.student``, with ``options.feedback`` if that has an entry.

    Raises ``UsageError`` for a student who has no standing.
    """
    found = one_student("prairielearn", standings, options)
    standing = found[0]
    data = external_results(standing, options.feedback.get(options.student))
    over = (final_score(standing) or 0) > standing.max_score
    notes = ("PrairieLearn scores are at most 1: points above the maximum are not included.",)
    return Exported(
        data, all_with_score(found), all_without_score(found), notes=notes if over else ()
    )


def external_results(standing: Standing, feedback: Feedback | None = None) -> bytes:
    """The file, at most a megabyte: longer outputs are truncated."""
    longest = LONGEST
    data = _bytes(standing, feedback, longest)
    while len(data) > MAX_BYTES and longest:  # PrairieLearn's file is at most a megabyte
        longest //= 2
        data = _bytes(standing, feedback, longest)
    return data


def _bytes(standing: Standing, feedback: Feedback | None, longest: int) -> bytes:
    shown = feedback if feedback is not None and feedback.status == "graded" else None
    share = ratio(final_score(standing), standing.max_score)
    said = _cut(said_above(standing, feedback), longest)
    results: dict[str, Any] = {"gradable": bool(share), "message": said}
    if share:
        lines = standing_lines(standing, shown)
        results |= {"score": _number(share), "tests": _tests(lines, longest)}
    else:
        results["format_errors"] = [said]
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _tests(lines: Sequence[TestLine], longest: int) -> list[dict[str, Any]]:
    tests = []
    for line, (score, maximum) in zip(lines, amounts(lines), strict=True):
        points = {} if score is None else {"points": number(score)}
        most = {} if maximum is None else {"max_points": number(maximum)}
        output = _cut(visible(line.output), longest)
        tests.append({"name": one_line(line.name), **points, **most, "output": output})
    return tests


def _number(share: str) -> float:
    return min(max(float(share), 0.0), 1.0)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} ..."
