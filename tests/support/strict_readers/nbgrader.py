"""nbgrader's side of cell metadata and scoring, sections 3.1 and 3.5 of the format page."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from tests.support.strict_readers.text import Rejected

_KEYS = set("schema_version grade solution locked task grade_id points checksum cell_type".split())


def check(notebook: Mapping[str, Any], *, released: bool = True) -> dict[str, Mapping[str, Any]]:
    """The cells with an id, by it; raises ``Rejected``. ``released``: checksums must be right."""
    found: dict[str, Mapping[str, Any]] = {}
    for cell in notebook["cells"]:
        noted = cell["metadata"].get("nbgrader")
        if noted is None:
            continue
        _types(noted)
        _kinds(noted, cell["cell_type"])
        name = noted["grade_id"]
        if name in found:
            raise Rejected(f"{name} stands twice")
        found[name] = cell
        if released and (noted["grade"] or noted["solution"] or noted["locked"]):
            _release(cell, noted)
    return found


def score(cell: Mapping[str, Any]) -> float | None:
    """What the autograder gives for a graded cell as it was run; None: by hand."""
    noted = cell["metadata"]["nbgrader"]
    most = float(noted["points"])
    if noted["solution"]:
        return 0.0 if noted["checksum"] == checksum(cell, noted) else None
    if cell["cell_type"] != "code":
        return None
    for output in cell["outputs"]:
        if output["output_type"] == "error" or output.get("name") == "stderr":
            return 0.0
        if output["output_type"] == "execute_result":
            earned = float(output["data"]["text/plain"])
            if not 0 <= earned <= most:
                raise Rejected(f"{earned} of {most}")
            return earned
    return most


def checksum(cell: Mapping[str, Any], noted: Mapping[str, Any]) -> str:
    locked = not noted["solution"] and (noted["grade"] or noted["locked"])
    parts = [cell["source"], cell["cell_type"], str(noted["grade"]), str(noted["solution"])]
    parts += [str(locked), noted["grade_id"]]
    parts += [str(float(noted["points"]))] if noted["grade"] else []
    return hashlib.md5("".join(parts).encode()).hexdigest()


def _types(noted: Mapping[str, Any]) -> None:
    if not set(noted) <= _KEYS or noted["schema_version"] != 3:
        raise Rejected(f"keys {sorted(noted)}, version {noted.get('schema_version')}")
    if any(not isinstance(noted.get(flag, False), bool) for flag in ("grade", "solution", "task")):
        raise Rejected("a flag is no truth value")
    if not isinstance(noted["locked"], bool) or not re.fullmatch(
        r"[a-zA-Z0-9_\-]+", noted["grade_id"]
    ):
        raise Rejected(f"locked or grade_id of {noted}")
    points = noted.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, int | float) or points < 0:
        raise Rejected(f"points {points!r}")


def _kinds(noted: Mapping[str, Any], kind: str) -> None:
    task = noted.get("task", False)
    if (noted["grade"] or task) and "points" not in noted:
        raise Rejected("graded without points")
    if task and kind != "markdown":
        raise Rejected("a task that is not Markdown")
    if not task and kind == "markdown" and noted["grade"] != noted["solution"]:
        raise Rejected("a Markdown cell that is half an answer")


def _release(cell: Mapping[str, Any], noted: Mapping[str, Any]) -> None:
    if noted["checksum"] != checksum(cell, noted) or noted["cell_type"] != cell["cell_type"]:
        raise Rejected(f"checksum or kind of {noted['grade_id']}")
    own = cell["metadata"]
    fixed = not noted["solution"]
    if own.get("deletable") is not False or (own.get("editable", True) is not False) != (not fixed):
        raise Rejected(f"{noted['grade_id']} can be deleted or edited")
