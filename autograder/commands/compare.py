"""The command `compare`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.console import JsonFlag, ResultsArg, out, say
from autograder.errors import UsageError
from autograder.gradebook.differences import differences
from autograder.gradebook.grade import Grade
from autograder.gradebook.result import read_result

OtherArg = Annotated[Path, typer.Argument(help="Another results folder, of the same submissions.")]


def compare(before: ResultsArg, after: OtherArg, as_json: JsonFlag = False) -> None:
    """Compare two results folders: statuses, points and messages. Exit status 1 if any differ."""
    one, other = _grades(before), _grades(after)
    found = list(differences(one, other))
    if as_json:
        out.out(json.dumps([asdict(part) for part in found], indent=2))
    else:
        for part in found:
            where = f"{part.student}  {part.place}".rstrip()
            say(out, f"{where}  {part.what}:\n  - {part.before}\n  + {part.after}")
        students = len({part.student for part in found})
        say(out, f"{students} of {len(one.keys() | other.keys())} results differ")
    if found:
        raise typer.Exit(1)


def _grades(folder: Path) -> dict[str, Grade]:
    """Every result file of a folder, by student; raises ``UsageError``, ``StoreError``."""
    paths = sorted((folder / "results").glob("*.json"))
    if not paths:
        raise UsageError(f"{folder} has no results/*.json: give a folder that `grade` wrote")
    grades = [read_result(path.read_bytes(), name=str(path)) for path in paths]
    return {grade.student: grade for grade in grades}
