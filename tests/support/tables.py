"""Tables of cases that stand in YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def read_table(path: Path) -> Any:
    """What a YAML file holds, read by libyaml: every worker reads all of them."""
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


def table_beside(test_file: str, name: str = "") -> dict[str, Any]:
    """What TEST_FILE's .yaml holds, or the table of this name in it."""
    every: dict[str, Any] = read_table(Path(test_file).with_suffix(".yaml"))
    return every[name] if name else every


def rows_beside(test_file: str) -> Mapping[str, list[tuple[Any, ...]]]:
    """The tables of TEST_FILE's .yaml by name: a row's values, in the order of its keys."""
    every = table_beside(test_file)
    return {name: [tuple(row.values()) for row in rows] for name, rows in every.items()}


def evaluated(cell: str, names: Mapping[str, Any]) -> Any:
    """The value of a cell that is a Python expression of these names."""
    return eval(cell, dict(names))
