"""Completion in shells, help and the refusal of wrong options: nothing large is imported."""

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
    single = [name for name, place in cli.PLACES.items() if place.name != cli.GROUP]
    assert [signature(cli._interface(name)) for name in single] == [
        signature(cli._imported(name)) for name in single
    ]


def asked(*words: str, columns: int = 80) -> tuple[str, set[str]]:
    """What the command prints, and which modules it imported."""
    script = (
        "import sys, contextlib; from autograder import cli\n"
        "with contextlib.suppress(SystemExit): cli.main(sys.argv[1:])\n"
        "print('imported', *sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *words],
        env=os.environ | {"COLUMNS": str(columns)},
        capture_output=True,
        text=True,
    )
    shown, _, modules = ran.stdout.rpartition("imported")
    return shown + ran.stderr, set(modules.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("grade", "--help"), "[default: local]"),
        (("grade", "embedding-layer"), "Missing argument 'paths'"),
        (("validate", "nowhere"), "there is no assignment 'nowhere'"),
        (("grade", "embedding-layer", "nowhere", "--out", "c"), "nowhere: no such file"),
        (("release", "tiny", "--chek"), "--check"),
        (("grade", "a", "b", "--out", "c", "--seed", "-1"), "0 to 2^63 - 1"),
    ],
)
def test_help_and_wrong_options_import_nothing_large(words: tuple[str, ...], said: str) -> None:
    shown, modules = asked(*words)
    assert said in shown and not {"torch", "sqlalchemy"} & modules


def test_help_is_that_of_the_command_itself() -> None:
    single = [name for name, place in cli.PLACES.items() if place.name != cli.GROUP]
    for short, whole in ((cli._interface(name), cli._imported(name)) for name in single):
        assert short.help == whole.help
        assert [(one.help, str(one.default)) for one in short.params] == [
            (one.help, str(one.default)) for one in whole.params
        ]


@pytest.mark.parametrize("columns", [60, 80, 100, 160])
def test_help_cuts_nothing_off(columns: int) -> None:
    for words in (("grade",), ("gradebook", "override")):
        assert "…" not in asked(*words, "--help", columns=columns)[0]
