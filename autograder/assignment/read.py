"""Reads assignment.toml alone, without the code next to it.

Separate from ``load``, because a table of grades needs no tensors.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.assignment.document import checked
from autograder.assignment.measured import FILE as MEASURED
from autograder.assignment.measured import Wanted, fill
from autograder.assignment.model import Assignment
from autograder.assignment.toml_file import read_toml
from autograder.errors import SpecError, UsageError, did_you_mean

FILE = "assignment.toml"


@dataclass(frozen=True, slots=True)
class SpecFile:
    """The contents of the file: plain and, if nothing in it is wrong, as an assignment."""

    path: Path
    data: Any
    spec: Assignment | None
    wanted: Wanted
    problems: list[str]


def find(name: str, start: Path) -> Path:
    """The folder of an assignment given by id or by path; raises ``UsageError``."""
    path = Path(name)
    if (path / FILE).is_file():
        return path.resolve()
    roots = [start, *start.parents, Path(__file__).resolve().parents[2]]
    for root in roots:
        if (root / "assignments" / name / FILE).is_file():
            return (root / "assignments" / name).resolve()
    if folders := folders_below(start, f"assignments/{name}/{FILE}"):
        raise UsageError(f"there is no assignment {name!r} here; {change_to(folders)}")
    known = sorted(p.parent.name for r in roots for p in (r / "assignments").glob(f"*/{FILE}"))
    listed = ", ".join(dict.fromkeys(known)) or "none found here"
    courses = folders_below(start, f"assignments/*/{FILE}")
    also = f"; courses are in {', '.join(map(str, courses))}" if courses else ""
    meant = did_you_mean(name, known)
    raise UsageError(
        f"there is no assignment {name!r}{meant}: give a folder that contains {FILE}, or one of "
        f"the ids under assignments/ ({listed}{also})"
    )


def folders_below(start: Path, inside: str) -> list[Path]:
    """The folders in ``start``, and in these, that have something: a path, which may be a pattern;
    relative to ``start``."""
    depth = len(Path(inside).parts)
    found = (path for above in ("*", "*/*") for path in start.glob(f"{above}/{inside}"))
    return sorted({path.relative_to(start).parents[depth - 1] for path in found})


def change_to(folders: Sequence[Path]) -> str:
    """What to type for what is in one of these folders."""
    commands = (f"`cd {shlex.quote(str(folder))}`" for folder in folders)
    return f"run {' or '.join(commands)} first"


def read_assignment(folder: Path) -> Assignment:
    """Read the assignment without looking at its code or running it; raises ``SpecError``."""
    said = read(folder)
    problems = [*said.problems, *linked(said, None, None), *unmeasured(said)]
    if problems or said.spec is None:
        raise SpecError(problems)
    return said.spec


def read(folder: Path) -> SpecFile:
    """Read the file and list its problems; raises ``SpecError`` if it is not valid TOML."""
    path = folder / FILE
    try:
        data = read_toml(path)
    except OSError as bad:
        raise SpecError(
            [f"{path}: cannot be read ({bad.strerror}); give a folder that contains {FILE}"]
        ) from None
    wanted, problems = fill(data, folder)
    spec, faults = checked(Assignment, data)
    problems += [f"{path}: {fault}" for fault in faults]
    return SpecFile(path, data, spec, wanted, problems)


def linked(
    said: SpecFile, generators: Mapping[str, Any] | None, relations: Mapping[str, Any] | None
) -> list[str]:
    """Problems between several keys, and named functions that do not exist (``None``: it is not
    known which do)."""
    return [f"{said.path}: {p}" for p in _cross_check(said.data, generators, relations)]


def unmeasured(said: SpecFile) -> list[str]:
    """Tolerances that should have been measured and were not."""
    folder = said.path.parent
    return [f"{said.path}: {problem}" for problem in _unmeasured(said.wanted, folder)]


def _unmeasured(wanted: Wanted, folder: Path) -> Iterator[str]:
    for name in sorted(wanted.missing):
        exercise, _, check = name.partition("/")
        yield (
            f'exercise {exercise!r}, check {check!r}: tolerance = "measured", but {MEASURED} has '
            f"no entry for it; run `autograder validate {folder.name} --measure`"
        )


def _cross_check(
    data: Any, generators: Mapping[str, Any] | None, relations: Mapping[str, Any] | None
) -> Iterator[str]:
    """Problems that involve more than one key; reads the plain file, so that they are reported with
    all others."""
    exercises = _tables(data, "exercise")
    for name, count in Counter(e["id"] for e in exercises if isinstance(e.get("id"), str)).items():
        if count > 1:
            yield f"exercise id {name!r} is used {count} times; every id must be unique, rename one"
    for exercise in exercises:
        named = exercise.get("personal")
        if isinstance(named, str) and generators is not None and named not in generators:
            place = f"exercise {exercise.get('id')!r}"
            yield f"{place}: personal = {named!r}, but inputs.py has no such function; add it"
        seen: set[str] = set()
        for check in _tables(exercise, "check"):
            place = f"exercise {exercise.get('id')!r}, check {check.get('id')!r}"
            told = (*_order(check, seen), *_links(check, generators, relations))
            yield from (f"{place}: {problem}" for problem in told)
            seen.add(str(check.get("id")))


def _order(check: Any, seen: set[str]) -> Iterator[str]:
    if str(check.get("id")) in seen:
        yield "duplicate id; check ids must be unique within an exercise, rename one"
    needs = check.get("needs")
    for need in needs if isinstance(needs, list) else ():
        if str(need) not in seen:
            yield f"needs = {need!r} does not name an earlier check of this exercise; name one"


def _links(
    check: Any, generators: Mapping[str, Any] | None, relations: Mapping[str, Any] | None
) -> Iterator[str]:
    for call in (check, *_tables(check, "calls")):
        others = call.get("alternatives")
        for inputs in (call.get("inputs"), *(others if isinstance(others, list) else ())):
            if isinstance(inputs, str) and generators is not None and inputs not in generators:
                yield f"inputs = {inputs!r}, but inputs.py has no such function; add it"
    for key in ("relation", "statistic"):
        named = check.get(key)
        if isinstance(named, str) and relations is not None and named not in relations:
            yield f"{key} = {named!r}, but checks.py has no such function; add it"


def _tables(node: Any, key: str) -> list[dict[str, Any]]:
    found = node.get(key)
    return [t for t in found if isinstance(t, dict)] if isinstance(found, list) else []
