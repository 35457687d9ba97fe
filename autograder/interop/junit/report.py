"""A class as JUnit XML: a suite per student, a test case per exercise, points as properties.

A test case without a score has no `points` property, which is not the same as 0. There are no
times, so that equal results give equal files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from xml.etree import ElementTree as ET

from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.interop.exports.model import (
    WHY,
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
    in_order,
)

_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What an exercise's status is in JUnit; "" for a passed one.
OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "passed": "",
        "failed": "failure",
        "raised": "failure",
        "broken": "failure",
        "missing": "failure",
        "blank": "failure",
        "stopped": "failure",
        "skipped": "skipped",
        "manual": "skipped",
        "ungraded": "error",
    }
)
STATES: Mapping[str, str] = MappingProxyType(
    {
        "open": "skipped",
        "absent": "skipped",
        "excused": "skipped",
        "rejected": "error",
        "ungraded": "error",
    }
)
_TAGS = ("error", "failure", "skipped")


def junit(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The XML, in UTF-8. ``classname`` is the student's id, ``name`` the exercise's.

    Each suite has the properties `state`, `max_score` and, where there is a final score,
    `score`: it counts lateness and overrides, which belong to no exercise. A test case with the
    property `bonus` is in no maximum.
    """
    ordered = in_order(standings)
    known = {e.id: e for s in reversed(ordered) for e in s.exercises}
    root = ET.Element("testsuites", name="autograder")
    for standing in ordered:
        root.append(_suite(standing, known))
    ET.indent(root)
    data = ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
    return Exported(data, all_with_score(ordered), all_without_score(ordered))


def legal(text: str) -> str:
    """The text, with characters that XML does not allow written as ``#xNN``."""

    def spelt(found: re.Match[str]) -> str:
        code = ord(found.group())
        return f"#x{code:02X}" if code <= 0xFF else f"#x{code:04X}"

    return _ILLEGAL.sub(spelt, text)


def _suite(standing: Standing, known: Mapping[str, ExerciseStanding]) -> ET.Element:
    own = {e.id: e for e in standing.exercises}
    cases = [_case(standing, own.get(id_), shown) for id_, shown in sorted(known.items())]
    counts = {tag: sum(case.find(tag) is not None for case in cases) for tag in _TAGS}
    suite = ET.Element(
        "testsuite",
        name=legal(standing.student),
        errors=str(counts["error"]),
        failures=str(counts["failure"]),
        skipped=str(counts["skipped"]),
        tests=str(len(cases)),
        time="0.000",
    )
    told = {
        "assignment": standing.assignment,
        "state": standing.state,
        "score": written(final_score(standing)),
        "max_score": written(standing.max_score),
        "late_penalty": written(standing.penalty) if standing.penalty else "",
    }
    _properties(suite, told)
    suite.extend(cases)
    return suite


def _case(
    standing: Standing, exercise: ExerciseStanding | None, shown: ExerciseStanding
) -> ET.Element:
    case = ET.Element(
        "testcase", classname=legal(standing.student), name=legal(shown.id), time="0.000"
    )
    score = exercise.score if exercise else None
    maximum = (exercise or shown).max_score
    bonus = "true" if shown.stretch else ""
    _properties(case, {"points": written(score), "max_points": written(maximum), "bonus": bonus})
    outcome, message = _outcome(standing, exercise)
    if outcome:
        why = WHY.get(standing.state, "") if score is None else ""
        found = ET.SubElement(case, outcome, message=legal(why or message))
        if outcome == "skipped":
            found.set("type", f"autograder.{message}")
    return case


def _outcome(standing: Standing, exercise: ExerciseStanding | None) -> tuple[str, str]:
    """The element to write, "" for none, and a word for it."""
    if exercise is None or (exercise.score is None and not exercise.status):
        known = standing.state in STATES
        return (STATES[standing.state], standing.state) if known else ("skipped", "unjudged")
    if exercise.score is None:
        return OUTCOMES.get(exercise.status, "failure") or "skipped", exercise.status
    left_out = exercise.status == "skipped" and not exercise.max_score
    if exercise.score >= exercise.max_score and not left_out:
        return "", "passed"
    if exercise.overridden or exercise.status in ("", "manual", "ungraded"):  # by hand
        return "failure", "failed"
    return OUTCOMES.get(exercise.status, "failure"), exercise.status


def _properties(parent: ET.Element, values: Mapping[str, str]) -> None:
    held = ET.SubElement(parent, "properties")
    for name, value in values.items():
        if value:
            ET.SubElement(held, "property", name=name, value=legal(value))
