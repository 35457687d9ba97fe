"""The files of a small assignment: assignment.toml from checks one a line, others from data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def check(id_: str, kind: str, *, points: int = 1, **keys: Any) -> Row:
    """The entry of a check; its title is its id."""
    return {"id": id_, "kind": kind, "title": id_, "points": points, **keys}


def assignment_text(
    id_: str, exercises: Mapping[str, Sequence[Row]], **tables: Mapping[str, Any]
) -> str:
    """Exercises by the names that they define, with a blank between names; the first is the id."""
    lines = ["format = 1", *_entries({"id": id_, "title": id_})]
    for table, keys in tables.items():
        lines += [f"[{table}]", *_entries(keys)]
    for names, checks in exercises.items():
        first, *_ = defines = names.split()
        lines += ["[[exercise]]", *_entries({"id": first, "title": first, "defines": defines})]
        for entry in checks:
            lines += ["[[exercise.check]]", *_entries(entry)]
    return "\n".join(lines) + "\n"


def _entries(keys: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in keys.items()]


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_entries(value))} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value)


def read_files(module: str) -> dict[str, str]:
    """What stands beside a module in its text file: each file after a line ``#### <path>``."""
    text = Path(module).with_suffix(".txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^#### (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))
