"""Data of the tests: files below ``tests/cases``, of which one may hold several."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from autograder.assignment.model import Assignment

CASES = Path(__file__).resolve().parents[1] / "cases"


def read_files(name: str | Path) -> dict[str, str]:
    """The files in one text file: each after a line ``#### <path>``."""
    text = (CASES / name).read_text(encoding="utf-8")
    _, *parts = re.split(r"^#### (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def read_spec(name: str) -> Assignment:
    """An assignment without files, from one of TOML."""
    text = (CASES / name).read_text(encoding="utf-8")
    return Assignment.model_validate(tomllib.loads(text, parse_float=Decimal))


def write_files(folder: Path, files: Mapping[Any, str | bytes]) -> Path:
    """Write files by their names below a folder, and the folders above them."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
