"""Commands about the machine: doctor, redteam."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.load import examine_packages, load
from autograder.assignment.read import find
from autograder.classroom.known_mistakes import WorkProgress
from autograder.commands.console import JsonFlag, err, out
from autograder.reports.terminal.attacks import attacks_view
from autograder.reports.terminal.health import health_view, packages_view
from autograder.reports.terminal.progress import progress
from autograder.sandbox.doctor import examine_machine
from autograder.tools.redteam.attack import choose, find_attacks, read_attacks
from autograder.tools.redteam.findings import findings
from autograder.tools.redteam.run import run_levels


class AttackedLevels(StrEnum):
    """Levels of isolation that are attacked."""

    strong = "strong"
    medium = "medium"
    all = "all"


def doctor(
    assignment: Annotated[
        str, typer.Argument(help="Also report which of its packages are missing here.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Report how well this machine can isolate student code, and what is missing."""
    packages = examine_packages(find(assignment, Path.cwd())) if assignment else {}
    with progress(err, "Starting sandboxes to test this machine"):
        health = examine_machine()
    if as_json:
        out.out(json.dumps({**health, **({"packages": packages} if packages else {})}, indent=2))
    else:
        out.print(health_view(health))
        if packages:
            out.print(packages_view(packages))
    if health["level"] not in ("strong", "medium") or packages.get("missing"):
        raise typer.Exit(1)


def redteam(
    assignment: Annotated[
        str, typer.Argument(help="The assignment whose notebooks carry the attacks.")
    ] = ("embeddings-and-position"),
    attacks: Annotated[
        Path | None, typer.Option(help="Folder of attacks; default: tests/attacks.")
    ] = None,
    level: Annotated[
        AttackedLevels,
        typer.Option(help="Isolation levels to attack; default: all that this machine reaches."),
    ] = AttackedLevels.all,
    only: Annotated[str, typer.Option(help="Only this class of attacks, or this attack.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Attack the grader here, with planted secrets. Exit status 1 if an attack succeeds."""
    chosen = choose(read_attacks(find_attacks(attacks, Path.cwd())), only)
    loaded = load(find(assignment, Path.cwd()))
    with progress(err, "Running attacks; this may take minutes") as bar:
        rounds = run_levels(loaded, chosen, level.value, WorkProgress(bar.report, bar.done))
    found = findings(rounds)
    out.out(json.dumps(found, indent=2)) if as_json else out.print(attacks_view(found))
    if not found["held"]:
        raise typer.Exit(1)
