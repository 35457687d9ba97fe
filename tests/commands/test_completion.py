"""Completion in shells, help and the refusal of wrong options: what is said, and that nothing large
is imported, which takes seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from autograder import cli

LARGE = set(
    "IPython PIL alembic bleach nh3 dask jinja2 matplotlib mistune nbconvert nbformat numpy "
    "openpyxl pandas pydantic scipy sqlalchemy torch transformers".split()
)
# What commands that only look things up may import, and notebooks that check themselves:
MAY = {
    "cli": "",
    "commands.show": "pydantic sqlalchemy",
    "student": "IPython jinja2 numpy pydantic",
    "commands.new": "nbformat pydantic",
    "commands.lms": "jinja2 pydantic sqlalchemy",
}
# What a Tab in a shell asks for; a bound of `prepare` is in a module that needs the rest.
COMPLETED = "[cli._interface(name) for name in {*cli.PLACES} - {'gradebook', 'import', 'prepare'}]"
ASKED = """
import sys, contextlib
from autograder import cli
with contextlib.suppress(SystemExit):
    cli.main(sys.argv[1:])
"""
SINGLE = [name for name, place in cli.PLACES.items() if place.name != cli.GROUP]


def python(code: str, *words: str, **variables: str) -> tuple[str, set[str]]:
    """What a new process prints, and which large packages it imported."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('imported', *sys.modules)", *words],
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )
    shown, _, modules = ran.stdout.rpartition("imported")
    assert modules, ran.stderr
    return shown + ran.stderr, LARGE & {*modules.split()}


@pytest.mark.slow
@pytest.mark.parametrize("module", MAY)
def test_what_looks_things_up_imports_no_more_than_that(module: str) -> None:
    assert python(f"import autograder.{module}")[1] <= {*MAY[module].split()}


def test_nothing_large_is_imported_to_complete_options() -> None:
    assert python(f"from autograder import cli; {COMPLETED}")[1] <= {"pydantic"}


@pytest.mark.parametrize(
    ("shell", "line", "offered"),
    [
        ("bash", "gra", "grade"),
        ("zsh", "grade --ro", "--roster"),
        ("fish", "grade --platform nb", "nbgrader"),
    ],
)
def test_commands_options_and_values_are_completed(shell: str, line: str, offered: str) -> None:
    """The variables are those of the shell's script."""
    passed = {
        "COMP_WORDS": f"autograder {line}",
        "COMP_CWORD": str(line.count(" ") + 1),
        "_TYPER_COMPLETE_ARGS": f"autograder {line}",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_AUTOGRADER_COMPLETE": f"complete_{shell}",
    }
    start = "import sys, contextlib; sys.argv[0] = 'autograder'\n"
    start += "from autograder.__main__ import main\nwith contextlib.suppress(SystemExit): main()"
    shown, _ = python(start, **passed)
    assert offered in shown and "regrade" not in shown


def described(command: Any) -> list[object]:
    """The help of a command, and its parameters: names, whether required, help, default."""
    return [
        command.help,
        *(
            (*one.opts, *one.secondary_opts, one.required, one.help, str(one.default))
            for one in command.params
        ),
    ]


@pytest.mark.parametrize("name", SINGLE)
def test_what_is_completed_and_in_the_help_is_what_each_command_takes(name: str) -> None:
    assert described(cli._interface(name)) == described(cli._imported(name))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("grade --help", "[default: local]"),
        ("gradebook override --help", "--exercise"),
        ("grade embedding-layer", "Missing argument 'paths'"),
        ("validate nowhere", "there is no assignment 'nowhere'"),
        ("grade embedding-layer nowhere --out c", "nowhere: no such file"),
        ("release tiny --chek", "--check"),
    ],
)
def test_help_and_wrong_options_import_nothing_large_and_are_not_cut_off(
    words: str, said: str
) -> None:
    shown, imported = python(ASKED, *words.split(), COLUMNS="60")
    assert said in " ".join(shown.split()) and "…" not in shown
    needed = {"sqlalchemy"} if words.startswith("gradebook") else set()
    assert not imported & {"torch", "sqlalchemy"} - needed
