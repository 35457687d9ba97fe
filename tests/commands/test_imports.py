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
    "student": {"IPython", "jinja2", "numpy", "pydantic"},
    "commands.new": {"nbformat", "pydantic"},
    "commands.lms": BOOK | {"jinja2"},
}


# What a Tab in a shell asks for; a bound of `prepare` is in a module that needs the rest.
COMPLETED = "[cli._interface(name) for name in {*cli.PLACES} - {'gradebook', 'import', 'prepare'}]"


def imported(code: str) -> set[str]:
    """The large packages that are there after this code."""
    text = f"import sys; {code}; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return LARGE & set(said.stdout.split())


@pytest.mark.parametrize("module", MAY)
def test_no_more_than_that_is_imported(module: str) -> None:
    assert imported(f"import autograder.{module}") <= MAY[module]


def test_nothing_large_is_imported_to_complete_options() -> None:
    assert imported(f"from autograder import cli; {COMPLETED}") <= {"pydantic"}
