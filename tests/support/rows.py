"""Tables of cases that stand in a data file beside their test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def rows_beside(test_file: str) -> Mapping[str, list[tuple[Any, ...]]]:
    """The tables of TEST_FILE's .yaml by name: a row's values, in the order of its keys."""
    every = yaml.safe_load(Path(test_file).with_suffix(".yaml").read_text("utf-8"))
    return {name: [tuple(row.values()) for row in rows] for name, rows in every.items()}
