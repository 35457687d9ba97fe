"""The one list of how a child of the box behaves, whatever the box is made of.

Covered: what student code can try, use, see and leave, and what honest notebooks need.
Not covered: what its answers mean, and what happens to files of the grader.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from autograder.sandbox.isolation.seccomp import DENIED
from tests.support.cases import CASES
from tests.support.conformance import questions, readings
from tests.support.conformance.kind import WORKED, Behaviour, Seen
from tests.support.tables import read_table

ARM = platform.machine() == "aarch64"
CALL = (
    "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\nr = c.syscall($number$arguments)\n"
    "if r == 0 and $forks: os._exit(0)\n"
    "assert r != -1 or ctypes.get_errno() not in (1, 38), ctypes.get_errno()"
)


def behaviour(row: Mapping[str, Any]) -> Behaviour:
    """As the head of the table says it."""
    keys = {key: row[key] for key in Behaviour.__dataclass_fields__ if key in row}
    keys["by"] = tuple(row.get("by", ("always",)))
    if row.get("sure") == "x86":
        keys["sure"] = not ARM
    if "question" in row:
        keys["question"] = getattr(questions, row["question"])
    if "call" in row:
        keys.setdefault("shared", "forks" not in row)
    return Behaviour(**keys | {"cells": _cells(row), "holds": _reading(row)})


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = {name: pair[ARM] for name, pair in DENIED.items() if pair[ARM]}
    values = {"denied": json.dumps(numbers)}
    if "numbers" in row:
        values["number"] = row["numbers"][ARM]
    code = row.get("code", [])
    if "call" in row:
        values["arguments"] = f", {row['call']}" if row["call"] else ""
        values["forks"] = str("forks" in row)
        code = CALL
    if isinstance(code, str):
        code = [code]
    if not row.keys() & {"prints", "says", "begins", "stops", "holds"}:
        code = [f"{code[0]}\nprint({WORKED!r})"]
    return tuple(Template(source).safe_substitute(values) for source in code)


def _reading(row: Mapping[str, Any]) -> Callable[[Seen], bool]:
    if "prints" in row:
        return lambda seen: seen.text == row["prints"]
    if "says" in row:
        return lambda seen: row["says"] in seen.text
    if "begins" in row:
        return lambda seen: seen.text.startswith(row["begins"])
    if "stops" in row:
        return lambda seen: readings.stopped(seen, row["stops"])
    return getattr(readings, row.get("holds", "refused"))  # type: ignore[no-any-return]


ROWS = read_table(CASES / "conformance.yaml")
BEHAVIOURS: tuple[Behaviour, ...] = tuple(map(behaviour, ROWS))
