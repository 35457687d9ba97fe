"""Tables of cases that stand in a YAML file beside their test, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def table_beside(test_file: str, name: str = "") -> dict[str, Any]:
    """What TEST_FILE's .yaml holds, or the table of this name in it."""
    every: dict[str, Any] = yaml.safe_load(Path(test_file).with_suffix(".yaml").read_text("utf-8"))
    return every[name] if name else every


def evaluated(cell: str, names: Mapping[str, Any]) -> Any:
    """The value of a cell that is a Python expression of these names."""
    return eval(cell, dict(names))
