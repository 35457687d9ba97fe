"""Completion in shells: commands, options and values, without importing what they do."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from autograder import cli

SHELLS = ("bash", "zsh", "fish")


def completed(shell: str, line: str) -> str:
    """What the shell is offered for the last word; the variables are those of its script."""
    passed = {
        "COMP_WORDS": f"autograder {line}",
        "COMP_CWORD": str(line.count(" ") + 1),
        "_TYPER_COMPLETE_ARGS": f"autograder {line}",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_AUTOGRADER_COMPLETE": f"complete_{shell}",
    }
    environment = os.environ | passed
    script = "import sys; sys.argv[0] = 'autograder'; from autograder.__main__ import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    return ran.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_options_and_values_are_completed(shell: str) -> None:
    assert "gradebook" in completed(shell, "gra") and "regrade" not in completed(shell, "gra")
    assert "--roster" in completed(shell, "grade --ro")
    assert "nbgrader" in completed(shell, "grade --platform nb")


def signature(command: Any) -> list[object]:
    """Names of the parameters, and whether they are required."""
    return [(*param.opts, *param.secondary_opts, param.required) for param in command.params]


def test_what_is_completed_is_what_each_command_takes() -> None:
    single = [name for name, place in cli.PLACES.items() if place.name != "app"]
    assert [signature(cli._interface(name)) for name in single] == [
        signature(cli._imported(name)) for name in single
    ]
