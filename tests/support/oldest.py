"""Prints constraints that hold every requirement of the project to the oldest version it admits."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def oldest() -> list[str]:
    """One line for each requirement of the base and of these extras; each states a lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    several = [project["dependencies"], *(extras[name] for name in ("torch", "tables", "web"))]
    needs = [Requirement(need) for one in several for need in one]
    lower = {n.name: [s.version for s in n.specifier if s.operator == ">="] for n in needs}
    return [f"{name}=={version}" for name, (version,) in lower.items()]


if __name__ == "__main__":
    print("\n".join(oldest()))
