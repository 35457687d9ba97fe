"""The command about the machine: doctor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from autograder.assignment.load import examine_packages
from autograder.assignment.read import find
from autograder.commands.console import JsonFlag, err, out
from autograder.reports.terminal.health import attacks_view, health_view, packages_view
from autograder.reports.terminal.progress import progress
from autograder.sandbox.attacks import attack_machine
from autograder.sandbox.doctor import examine_machine


def doctor(
    assignment: Annotated[
        str, typer.Argument(help="Also report which of its packages are missing here.")
    ] = "",
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Also try ten attacks; status 1 if one succeeds.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Report how well this machine can isolate student code, and what is missing."""
    packages = examine_packages(find(assignment, Path.cwd())) if assignment else {}
    with progress(err, "Starting sandboxes to test this machine"):
        health = examine_machine()
    isolated = health["level"] in ("strong", "medium")
    more: dict[str, Any] = {"packages": packages} if packages else {}
    if attacks:
        with progress(err, "Attacking the sandbox of this machine"):
            more["attacks"] = dict(attack_machine()) if isolated else {}
    if as_json:
        out.out(json.dumps({**health, **more}, indent=2))
    else:
        out.print(health_view(health))
        if packages:
            out.print(packages_view(packages))
        if attacks:
            out.print(attacks_view(more["attacks"]))
    if not isolated or packages.get("missing") or any(more.get("attacks", {}).values()):
        raise typer.Exit(1)
