"""results.json as Gradescope documents it: a strict model and its writer.

Covered: unknown keys, values outside the documented lists, a file with neither a score nor a test
that has one, a score without its maximum, numbers that are not finite. Not covered: size limits,
which are not documented.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from autograder.errors import StoreError

Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
Form = Literal["text", "html", "simple_format", "md", "ansi"]
Number = int | float


class ResultTest(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One test, in points. Without a score and a maximum it is only text."""

    __test__ = False  # pytest must not collect it

    name: str | UnsetType = UNSET
    number: str | UnsetType = UNSET
    score: Number | UnsetType = UNSET
    max_score: Number | UnsetType = UNSET
    status: Literal["passed", "failed"] | UnsetType = UNSET
    output: str | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    name_format: Form | UnsetType = UNSET
    output_format: Form | UnsetType = UNSET
    tags: tuple[str, ...] | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET


class LeaderboardColumn(
    msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A column of the leaderboard."""

    name: str
    value: Number | str
    order: Literal["asc", "desc"] | UnsetType = UNSET


class Results(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The whole file. ``score`` replaces the tests' sum; times are seconds."""

    score: Number | UnsetType = UNSET
    execution_time: Number | UnsetType = UNSET
    output: str | UnsetType = UNSET
    output_format: Form | UnsetType = UNSET
    test_output_format: Form | UnsetType = UNSET
    test_name_format: Form | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    stdout_visibility: Visibility | UnsetType = UNSET
    tests: tuple[ResultTest, ...] | UnsetType = UNSET
    leaderboard: tuple[LeaderboardColumn, ...] | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET


def results_bytes(results: Results) -> bytes:
    """The file's bytes; raises ``StoreError`` for results that Gradescope would not take."""
    if problems := [*_problems(results)]:
        raise StoreError(f"results.json: not valid Gradescope results ({'; '.join(problems)})")
    # a lone surrogate can only come from an odd file name
    text = msgspec.json.format(msgspec.json.encode(_encodable(results)), indent=2)
    return text + b"\n"


def _problems(results: Results) -> Iterator[str]:
    tests = results.tests if isinstance(results.tests, tuple) else ()
    scored = [test for test in tests if test.score is not UNSET]
    if results.score is UNSET and not scored:
        yield "neither a score nor a test with one"
    numbers = [results.score, results.execution_time]
    for place, test in enumerate(tests, 1):
        if test.score is not UNSET and test.max_score is UNSET:
            yield f"test {place} has a score and no max_score"
        numbers += [test.score, test.max_score]
    # Results.json has no number that is none.
    if any(isinstance(one, float) and not math.isfinite(one) for one in numbers):
        yield "a number is not finite"


def _encodable(results: Results) -> Any:
    return _plain(msgspec.to_builtins(results))


def _plain(node: Any) -> Any:
    if isinstance(node, str):
        return node.encode("utf-8", "backslashreplace").decode()
    if isinstance(node, dict):
        return {_plain(key): _plain(value) for key, value in node.items()}
    return [_plain(one) for one in node] if isinstance(node, list | tuple) else node
