"""measured.toml: the tolerances that `autograder validate --measure` found, and why.

One table for each check that says ``tolerance = "measured"``: [exercise.check] with rtol, atol
and the sentence that justifies them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.assignment.kinds import Tolerance
from autograder.files import write_atomic

FILE = "measured.toml"
WORD = "measured"
NEVER = (
    'tolerance = "measured" is not available in precision checks, which have one tolerance per '
    "dtype: write [exercise.check.tolerances.bfloat16], or leave it out to use the defaults"
)
HEAD = (
    "# Written by `autograder validate {id} --measure`: what right answers need, and how near the\n"
    "# nearest wrong one comes. Not written by hand; run the command again after a change.\n"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which checks ("exercise/check") take a measured tolerance, and which have none yet."""

    measured: frozenset[str]
    missing: frozenset[str]


NONE = Wanted(frozenset(), frozenset())


def fill(data: Any, folder: Path) -> tuple[Wanted, list[str]]:
    """Put stored tolerances into a parsed assignment.toml; returns problems as sentences.

    A check without a stored one has the usual one of its dtypes.
    """
    path = folder / FILE
    problems: list[str] = []
    stored: Mapping[str, Any] = {}
    if path.is_file():
        try:
            stored = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as bad:
            problems.append(f"{path}: cannot be read ({bad}); run `autograder validate --measure`")
    measured, missing = set(), set()
    for exercise, check in _asking(data):
        name = f"{exercise}/{check['id']}"
        if check.get("kind") == "precision":
            place = f"exercise {exercise!r}, check {check['id']!r}"
            problems.append(f"{folder / 'assignment.toml'}: {place}: {NEVER}")
            del check["tolerance"]
            continue
        measured.add(name)
        entry = stored.get(exercise, {})
        found = entry.get(check["id"]) if isinstance(entry, dict) else None
        if isinstance(found, dict):
            check["tolerance"] = {key: found.get(key) for key in ("rtol", "atol", "why")}
        else:
            missing.add(name)
            del check["tolerance"]
    return Wanted(frozenset(measured), frozenset(missing)), problems


def write_measured(folder: Path, assignment: str, entries: Mapping[str, Tolerance]) -> Path:
    """Write the tolerances by "exercise/check", in the given order; raises ``StoreError``."""
    parts = [HEAD.format(id=assignment)]
    for name, tolerance in entries.items():
        exercise, _, check = name.partition("/")
        why = tolerance.why.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(
            f"\n[{exercise}.{check}]\nrtol = {tolerance.rtol!r}\natol = {tolerance.atol!r}\n"
            f'why = "{why}"\n'
        )
    path = folder / FILE
    write_atomic(path, "".join(parts).encode())
    return path


def _asking(data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    exercises = data.get("exercise")
    for exercise in exercises if isinstance(exercises, list) else ():
        checks = exercise.get("check") if isinstance(exercise, dict) else None
        for check in checks if isinstance(checks, list) else ():
            if isinstance(check, dict) and check.get("tolerance") == WORD and "id" in check:
                yield str(exercise.get("id")), check
