"""PrairieLearn's reading of an external grader's results.json, section 6.3 of the format page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.support.strict_readers.text import Rejected

_NUMBER = (int, Decimal)
_TOP = {
    "score": _NUMBER,
    "gradable": bool,
    "format_errors": (str, list),
    "message": str,
    "output": str,
    "images": list,
    "tests": list,
}
_TEST = {
    "name": str,
    "description": str,
    "points": _NUMBER,
    "max_points": _NUMBER,
    "message": str,
    "output": str,
    "images": list,
}


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
    try:
        found = json.loads(data, parse_float=Decimal, parse_constant=_no_constant)
    except ValueError as bad:
        raise Rejected(str(bad)) from None
    _typed(found, _TOP)
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
        _typed(test, _TEST)
        if "points" in test and "max_points" not in test:
            raise Rejected("points without a maximum")
    score = Decimal(found["score"]) if gradable else None
    return Results(score, tuple(errors), found.get("message", ""), tuple(tests))


def _typed(found: Any, kinds: dict[str, Any]) -> None:
    if not isinstance(found, dict):
        raise Rejected("not an object")
    for key, value in found.items():
        if key not in kinds:
            raise Rejected(f"unknown key {key!r}")
        wrong_bool = isinstance(value, bool) and kinds[key] is not bool
        if wrong_bool or not isinstance(value, kinds[key]):
            raise Rejected(f"{key} is {value!r}")


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")
