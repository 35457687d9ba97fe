"""A grade as the bytes of results/<student>.json, and back. For instructors: it is not redacted."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from autograder.errors import StoreError
from autograder.gradebook.grade import FORMAT, Grade, as_points, from_points
from autograder.wire.types import resolved

_AMOUNTS = ("score", "max_score", "bonus", "bonus_max", "manual_max")
_FINITE = ("max_abs", "max_rel")


def result_json(grade: Grade) -> bytes:
    """Deterministic JSON: fixed key order, two spaces, one newline at the end.

    Points are decimal numbers. An infinite largest error is written as null.
    """
    plain = _without_pictures(msgspec.to_builtins(grade, builtin_types=(bytes,)))
    shown = {"format": FORMAT, **_amounts(plain, as_points)}
    shown["exercises"] = [
        {**_amounts(exercise, as_points), "checks": [_shown(c) for c in exercise["checks"]]}
        for exercise in plain["exercises"]
    ]
    return _dump(shown)


def read_result(data: bytes, *, name: str = "result") -> Grade:
    """The grade in ``data``; ``name`` is used in errors.

    Raises ``StoreError`` if the data is not a result in this format.
    """
    try:
        shown = json.loads(data)
        if shown.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        plain = _amounts(shown, from_points)
        plain["exercises"] = [
            {**_amounts(exercise, from_points), "checks": [_read(c) for c in exercise["checks"]]}
            for exercise in plain["exercises"]
        ]
        return msgspec.convert(plain, resolved(Grade))
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.ValidationError) as bad:
        raise StoreError(
            f"{name}: not a result file ({bad}). Delete it and run the grading again, which is "
            "quick with stored evidence."
        ) from None


def _dump(shown: dict[str, Any]) -> bytes:
    text = json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False)
    # a lone surrogate can only come from an odd file name; JSON has an escape for it
    return (text + "\n").encode("utf-8", "backslashreplace")


def _without_pictures(plain: dict[str, Any]) -> dict[str, Any]:
    for exercise in plain["exercises"]:
        for check in exercise["checks"]:
            del check["picture"]
    return plain


def _amounts(node: dict[str, Any], change: Any) -> dict[str, Any]:
    return {
        key: change(value) if key in _AMOUNTS and value is not None else value
        for key, value in node.items()
    }


def _shown(check: dict[str, Any]) -> dict[str, Any]:
    return _numbers(_amounts(check, as_points), lambda n: n if math.isfinite(n) else None)


def _read(check: dict[str, Any]) -> dict[str, Any]:
    return _numbers(_amounts(check, from_points), lambda n: math.inf if n is None else n)


def _numbers(check: dict[str, Any], change: Any) -> dict[str, Any]:
    """The check with ``change`` applied to the largest errors, which JSON wants finite."""

    def finite(numbers: dict[str, Any] | None) -> dict[str, Any] | None:
        if numbers is None:
            return None
        return {k: change(v) if k in _FINITE else v for k, v in numbers.items()}

    mismatches = [{**m, "numbers": finite(m["numbers"])} for m in check["mismatches"]]
    return {**check, "numbers": finite(check["numbers"]), "mismatches": mismatches}
