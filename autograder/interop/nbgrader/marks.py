"""nbgrader's metadata of a cell: reads versions 0 to 3 of its schema, writes version 3.

Covered: every key that is missing or has the wrong type, kinds of cells that nbgrader refuses,
points that are not numbers, a schema newer than 3. Not covered: keys outside the schema; they are
left out, as in nbgrader.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

SCHEMA = 3
MAX_POINTS = 10_000
Purpose = Literal["answer", "tests", "manual", "task", "locked", "none"]

_GRADE_ID = re.compile(r"[a-zA-Z0-9_-]{1,200}")
_FLAGS = ("grade", "solution", "locked")


@dataclass(frozen=True, slots=True)
class Mark:
    """One cell's mark. ``points`` is None if the cell is not graded."""

    grade: bool = False
    solution: bool = False
    locked: bool = False
    task: bool = False
    grade_id: str = ""
    points: float | int | None = None

    @property
    def is_locked(self) -> bool:
        """Whether nbgrader restores the cell's text: never in a solution, always in tests."""
        return not self.solution and (self.grade or self.locked)

    @property
    def exact_points(self) -> Decimal:
        """The points exactly as written; 0 if there are none."""
        return Decimal(repr(self.points)) if self.points is not None else Decimal(0)

    def purpose(self, kind: str) -> Purpose:
        """The purpose of the cell, given its kind."""
        if self.task:
            return "task"
        if self.grade and (self.solution or kind != "code"):
            return "manual"
        if self.grade:
            return "tests"
        if self.solution:
            return "answer"
        return "locked" if self.locked else "none"


UNMARKED = Mark()


class MarkProblem(Exception):
    """A cell's metadata is wrong; ``problems`` holds one message for each problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def read_mark(kind: str, metadata: object) -> Mark:
    """The mark in a cell's metadata, ``UNMARKED`` if there is none. Raises ``MarkProblem``."""
    if not isinstance(metadata, Mapping) or "nbgrader" not in metadata:
        return UNMARKED
    raw = metadata["nbgrader"]
    if not isinstance(raw, Mapping):
        raise MarkProblem([f"metadata.nbgrader is a {type(raw).__name__}, not an object"])
    version = raw.get("schema_version", 0)
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise MarkProblem([f"schema_version is {version!r}, not a number from 0 to {SCHEMA}"])
    if version > SCHEMA:
        raise MarkProblem(
            [f"schema_version is {version}; versions 0 to {SCHEMA} are supported (nbgrader 0.9)"]
        )
    known = _filled(raw) if version == 0 else dict(raw)
    if problems := [*_wrong_types(known)]:
        raise MarkProblem(problems)
    mark = Mark(
        known["grade"],
        known["solution"],
        known["locked"],
        known.get("task", False),
        known.get("grade_id", ""),
        known.get("points"),
    )
    if not (mark.grade or mark.solution or mark.locked or mark.task):
        return UNMARKED
    if problems := [*_wrong_kinds(kind, mark)]:
        raise MarkProblem(problems)
    return mark


def checksum(kind: str, source: str, mark: Mark) -> str:
    """nbgrader's checksum, which detects changed cells, as 32 hexadecimal digits: MD5 of the text,
    the kind, three flags, the id and, for a graded cell, the points."""
    parts = [source, kind, str(mark.grade), str(mark.solution), str(mark.is_locked), mark.grade_id]
    if mark.grade:
        parts.append(str(float(mark.points or 0)))
    return hashlib.md5("".join(parts).encode("utf-8"), usedforsecurity=False).hexdigest()


def as_metadata(kind: str, source: str, mark: Mark) -> dict[str, Any]:
    """The mark in schema 3. Graded, solution and locked cells also have a checksum and a kind."""
    made: dict[str, Any] = {
        "grade": mark.grade,
        "grade_id": mark.grade_id,
        "locked": mark.locked,
        "schema_version": SCHEMA,
        "solution": mark.solution,
        "task": mark.task,
    }
    if mark.points is not None and (mark.grade or mark.task):
        made["points"] = mark.points
    if mark.grade or mark.solution or mark.is_locked:
        made |= {"checksum": checksum(kind, source, mark), "cell_type": kind}
    return made


def flags(mark: Mark) -> dict[str, bool]:
    """The released cell's metadata outside nbgrader's: whether it can be edited and deleted."""
    if mark.solution:
        return {"deletable": False}
    return {"deletable": False, "editable": False} if mark.is_locked or mark.task else {}


def _filled(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Version 0, in which flags may be missing and points may be text or negative."""
    made = {**dict.fromkeys(_FLAGS, False), **raw}
    made.pop("points", None)
    if made["grade"] is True:
        try:
            points = float(raw.get("points") or 0)
        except (TypeError, ValueError, OverflowError):
            return {**made, "points": raw.get("points")}
        made["points"] = max(points, 0.0)
    return made


def _wrong_types(known: Mapping[str, Any]) -> Iterator[str]:
    for name in (*_FLAGS, "task"):
        if name not in known and name != "task":
            yield f"it has no {name!r}; write true or false"
        elif not isinstance(known.get(name, False), bool):
            yield f"{name} is {known[name]!r}; write true or false"
    name = known.get("grade_id", "")
    used = any(known.get(flag) is True for flag in (*_FLAGS, "task"))
    if not isinstance(name, str):
        yield f"grade_id is {name!r}, not text"
    elif used and not _GRADE_ID.fullmatch(name):
        said = f"grade_id {name[:60]!r} has" if name else "grade_id is empty; write"
        yield f"{said} characters besides letters, digits, '_' and '-'" if name else f"{said} one"
    points = known.get("points")
    graded = known.get("grade") is True or known.get("task") is True
    if graded and points is None:
        yield "it is graded but has no points"
    elif points is not None and not _is_amount(points):
        yield f"points are {str(points)[:40]!r}; write a number from 0 to {MAX_POINTS}"


def _is_amount(points: object) -> bool:
    return (
        isinstance(points, int | float)
        and not isinstance(points, bool)
        and 0 <= points <= MAX_POINTS
        and math.isfinite(points)
    )


def _wrong_kinds(kind: str, mark: Mark) -> Iterator[str]:
    if mark.task and (mark.grade or mark.solution):
        yield "a task cell cannot be a grade or a solution cell as well"
    elif mark.task and kind != "markdown":
        yield f"a task cell must be a Markdown cell, not {kind}"
    elif not mark.task and kind == "markdown" and mark.grade != mark.solution:
        what = "graded but not a solution" if mark.grade else "a solution but not graded"
        yield f"a Markdown cell that is {what}: make it a manually graded answer"
