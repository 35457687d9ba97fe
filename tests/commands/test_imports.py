"""What commands that only look things up, and notebooks that check themselves, may import: large
packages take seconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

LARGE = {
    "IPython",
    "PIL",
    "alembic",
    "bleach",
    "nh3",
    "dask",
    "jinja2",
    "matplotlib",
    "mistune",
    "nbconvert",
    "nbformat",
    "numpy",
    "openpyxl",
    "pandas",
    "pydantic",
    "scipy",
    "sqlalchemy",
    "torch",
    "transformers",
}
BOOK = {"pydantic", "sqlalchemy"}
MAY: dict[str, set[str]] = {
    "cli": set(),
    "commands.show": BOOK,
    "commands.gradebook": BOOK,
    "student": {"IPython", "jinja2", "numpy", "pydantic", "torch"},
    "commands.new": {"nbformat", "pydantic"},
    "commands.lms": BOOK | {"jinja2"},
}


@pytest.mark.parametrize("module", MAY)
def test_no_more_than_that_is_imported(module: str) -> None:
    text = f"import sys, autograder.{module}; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert LARGE & set(said.stdout.split()) <= MAY[module]
