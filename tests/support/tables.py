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


def evaluated(rows: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """A table whose cells are Python expressions of these names, or tables of these."""
    return {
        key: evaluated(cell, names) if isinstance(cell, Mapping) else eval(str(cell), dict(names))
        for key, cell in rows.items()
    }
