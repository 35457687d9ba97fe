"""PrairieLearn's reading of an external grader's results.json, section 6.3 of the format page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.support.strict_readers.text import Rejected, strict_json, typed

_NUMBER = (int, Decimal)
_TOP = {"score": _NUMBER, "gradable": bool, "format_errors": (str, list), "images": list}
_TOP |= {"message": str, "output": str, "tests": list}
_TEST = dict.fromkeys("name description message output".split(), str)
_TEST |= {"points": _NUMBER, "max_points": _NUMBER, "images": list}


@dataclass(frozen=True)
class Results:
    score: Decimal | None  # None: not gradable, no attempt is used
    errors: tuple[str, ...]
    message: str
    tests: tuple[dict[str, Any], ...]


def read(data: bytes) -> Results:
    """The results as PrairieLearn takes them."""
    if len(data) > 1_000_000:
        raise Rejected("larger than 1 MB")
    found = strict_json(data)
    typed(found, _TOP)
    errors = found.get("format_errors", [])
    errors = [errors] if isinstance(errors, str) else errors
    if not all(isinstance(error, str) for error in errors):
        raise Rejected("a format error that is no text")
    gradable = found.get("gradable", True)
    if gradable and not ("score" in found and 0 <= found["score"] <= 1):
        raise Rejected(f"score {found.get('score')!r}")
    if gradable == bool(errors):
        raise Rejected("format errors do not fit `gradable`")
    tests = found.get("tests", [])
    for test in tests:
        typed(test, _TEST)
        if "points" in test and "max_points" not in test:
            raise Rejected("points without a maximum")
    score = Decimal(found["score"]) if gradable else None
    return Results(score, tuple(errors), found.get("message", ""), tuple(tests))
