"""Gradescope's reading of results.json, section 1.3 of the format page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec

from autograder.interop.gradescope import results as ours
from autograder.wire.types import resolved
from tests.support.strict_readers.text import Rejected, strict_json, typed

_NUMBER = (int, Decimal)
_TEXTS = "output output_format test_output_format test_name_format visibility stdout_visibility"
_TOP = dict.fromkeys(_TEXTS.split(), str) | dict.fromkeys(("score", "execution_time"), _NUMBER)
_TOP |= {"tests": list, "leaderboard": list, "extra_data": dict}
_TEST = dict.fromkeys("status name name_format number output output_format visibility".split(), str)
_TEST |= {"score": _NUMBER, "max_score": _NUMBER, "tags": list, "extra_data": dict}
_FORMATS = ("text", "html", "simple_format", "md", "ansi")
_VISIBLE = ("visible", "hidden", "after_due_date", "after_published")


@dataclass(frozen=True)
class Results:
    total: Decimal | None  # what the student sees at the top; None where there is none
    worth: Decimal  # the tests' max_score together
    output: str
    tests: tuple[dict[str, Any], ...]


def read_model(data: bytes) -> ours.Results:
    """The results in our own model, which takes nothing that Gradescope does not document."""
    found = msgspec.json.decode(data, type=resolved(ours.Results))
    ours.results_bytes(found)
    return found


def read(data: bytes) -> Results:
    """The results as the student sees them."""
    found = strict_json(data)
    typed(found, _TOP)
    tests = found.get("tests", [])
    for test in tests:
        typed(test, _TEST)
        if "score" in test and "max_score" not in test:
            raise Rejected("a score of no maximum")
        if test.get("status", "passed") not in ("passed", "failed"):
            raise Rejected(f"status {test['status']!r}")
    shown = [test.get("visibility", found.get("visibility", "visible")) for test in tests]
    if any(word not in _VISIBLE for word in shown):
        raise Rejected("an unknown visibility")
    if any(found[key] not in _FORMATS for key in found if key.endswith("_format")):
        raise Rejected("an unknown format")
    scores = [Decimal(test["score"]) for test in tests if "score" in test]
    if "score" not in found and not tests:
        raise Rejected("neither a score nor tests")
    total = Decimal(found["score"]) if "score" in found else sum(scores) if scores else None
    if any(word != "visible" for word in shown):
        total = None  # a test that is not visible hides the total
    worth = sum((Decimal(test.get("max_score", 0)) for test in tests), Decimal(0))
    return Results(
        None if total is None else Decimal(total), worth, found.get("output", ""), tuple(tests)
    )
