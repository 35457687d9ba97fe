"""The command line: parses, prints, exits. Nothing else in the package prints but ``commands``.

Exit status 0: every submission has a grade or a stated rejection; 1: something is ungraded because
of a fault of the grader; 2: the command or an assignment is wrong; 130 and 143: somebody stopped
it, by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from autograder.authoring.packages.needed_files import DISTRIBUTION
from autograder.commands.console import err, out, reword, say, say_now
from autograder.commands.interface import interface_of
from autograder.errors import AutograderError, EngineError, SandboxError, SpecError, StoreError
from autograder.execution.interrupts import Interrupted, Interrupts

GROUP = "app"  # the name of a command that has commands


class Place(NamedTuple):
    """Where a command is: its module below ``commands``, and its function or group in it."""

    module: str
    name: str


GROUPS: Mapping[str, Mapping[str, Place]] = MappingProxyType(
    {
        "Grade a class": {
            "grade": Place("grade", "grade"),
            "regrade": Place("regrade", "regrade"),
            "show": Place("show", "show"),
            "report": Place("report", "report"),
            "compare": Place("compare", "compare"),
            "prepare": Place("prepare", "prepare"),
        },
        "Gradebook and platforms": {
            "gradebook": Place("gradebook", GROUP),
            "export": Place("lms", "export"),
            "return": Place("lms", "return_"),
            "send-scores": Place("lms", "send_scores"),
        },
        "Run a course in the browser": {
            "serve": Place("serve", "serve"),
            "serve-links": Place("serve", "serve_links"),
            "work": Place("serve", "work"),
            "adopt": Place("serve", "adopt"),
            "backup": Place("serve", "backup"),
            "restore": Place("serve", "restore"),
        },
        "Write an assignment": {
            "new": Place("new", "new"),
            "validate": Place("authoring", "validate"),
            "release": Place("authoring", "release"),
            "schema": Place("authoring", "schema"),
            "package": Place("packing", "package"),
            "import": Place("bringing", GROUP),
        },
        "Check your own work": {"check": Place("authoring", "check")},
        "Operate the grader": {
            "doctor": Place("machine", "doctor"),
        },
    }
)
PLACES = {name: place for group in GROUPS.values() for name, place in group.items()}
PANELS = {name: panel for panel, group in GROUPS.items() for name in group}


class Commands(TyperGroup):
    """Imports a command when it is run: all of them together take seconds. The help text of
    each is read from its source."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]
        """The options; flags take no value, and none is shown."""
        params = super().get_params(ctx)
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """All names, in the order of the help."""
        return list(PLACES)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        """The help entry of a command; None for an unknown name."""
        if cmd_name not in PLACES:
            return None
        panel = PANELS[cmd_name]
        return TyperCommand(cmd_name, help=_described(cmd_name), rich_help_panel=panel)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """The command itself, for the words that follow its name. Its options alone are enough to
        complete these words in a shell, to print its help, and to refuse wrong ones."""
        if ctx.resilient_parsing:
            name, found, rest = super().resolve_command(ctx, args)
            return name, _interface(str(name)) if found is not None else None, rest
        similar = get_close_matches(args[0], PLACES, n=1) if args[0] not in PLACES else []
        if similar:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {similar[0]!r}?")
        name, found, rest = super().resolve_command(ctx, args)
        if found is None:
            return name, None, rest
        if PLACES[str(name)].name != GROUP:
            _interface(str(name)).make_context(name, list(rest), parent=ctx)
        return name, _imported(str(name)), rest

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command; a value that it does not accept is refused in our own words."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as bad:
            reword(bad)
            raise


def _described(name: str) -> str:
    """The docstring of a command's function, or of the module of a group."""
    module, place = PLACES[name]
    tree = ast.parse(_source(module))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    found = next((node for node in functions if node.name == place), tree)
    return ast.get_docstring(found) or ""


def _source(module: str) -> str:
    spec = importlib.util.find_spec(f"autograder.commands.{module}")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


def _imported(name: str) -> Any:
    module, place = PLACES[name]
    with err.status("Starting") if err.is_terminal else nullcontext():
        found = getattr(importlib.import_module(f"autograder.commands.{module}"), place)
    return _fitting(found) if isinstance(found, typer.Typer) else _alone(name, found)


def _interface(name: str) -> Any:
    """The command with its arguments and options alone; a group is imported."""
    module, place = PLACES[name]
    if place == GROUP:
        return _imported(name)
    return _alone(name, interface_of(_source(module), place))


def _alone(name: str, function: Callable[..., None]) -> Any:
    app = typer.Typer(add_completion=False)
    app.command(name)(function)
    return _fitting(app)


def _fitting(app: typer.Typer) -> Any:
    """The command of an app; boxes would cut off names of options, and show flags with a value."""
    app.rich_markup_mode = None
    return typer.main.get_command(app)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Grade machine-learning notebooks in a sandbox, fairly, with explanations for students.",
)


def _say_version(wanted: bool) -> None:
    if wanted:
        say(out, f"autograder {version(DISTRIBUTION)}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Options of no command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; our own errors are printed without a traceback."""
    try:
        with Interrupts(partial(say_now, err)):
            app(args=list(arguments) if arguments is not None else None)
    except Interrupted as stopped:
        say(err, str(stopped) or "stopped")
        sys.exit(stopped.status)
    except (EngineError, SandboxError, StoreError) as bad:
        say(err, f"error: {bad}")
        sys.exit(1)
    except SpecError as bad:
        for problem in bad.problems:
            say(err, problem)
        count = len(bad.problems)
        err.print(f"{count} problem{'' if count == 1 else 's'}", style="bold")
        sys.exit(2)
    except AutograderError as bad:
        say(err, f"error: {bad}")
        sys.exit(2)
