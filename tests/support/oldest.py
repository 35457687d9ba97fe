"""Prints constraints that hold every requirement of the project to the oldest version it admits."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def oldest() -> list[str]:
    """One line for each requirement; every requirement states a lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    torch = project["optional-dependencies"]["torch"]
    needs = [Requirement(need) for need in (*project["dependencies"], *torch)]
    lower = {n.name: [s.version for s in n.specifier if s.operator == ">="] for n in needs}
    return [f"{name}=={version}" for name, (version,) in lower.items()]


if __name__ == "__main__":
    print("\n".join(oldest()))
