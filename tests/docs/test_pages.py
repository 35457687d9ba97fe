"""The pages of docs/: commands that exist, snippets that are valid, links that lead somewhere."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import TypeAdapter

from autograder import cli
from autograder.assignment.course import CourseSpec
from autograder.assignment.kinds import (
    BROUGHT,
    CallSpec,
    CarriedResult,
    Check,
    PipelinePart,
    RubricItem,
    Tolerance,
)
from autograder.assignment.late import LateSpec
from autograder.assignment.model import LimitsSpec, NotebookSpec
from docs.tools.pages import PAGES, ROOT, SHELL, broken_links, fences, mentioned, put_between
from docs.tools.reference import KINDS
from docs.tools.reference import page as reference

LANGUAGES = {*SHELL, "python", "toml", "json", "yaml", "text", "{toctree}"}
TABLES: dict[str, TypeAdapter[Any]] = {
    "limits": TypeAdapter(LimitsSpec),
    "notebook": TypeAdapter(NotebookSpec),
    "late": TypeAdapter(LateSpec),
    "tolerance": TypeAdapter(Tolerance),
    "carried": TypeAdapter(CarriedResult),
    "calls": TypeAdapter(tuple[CallSpec, ...]),
    "parts": TypeAdapter(tuple[PipelinePart, ...]),
    "rubric_items": TypeAdapter(tuple[RubricItem, ...]),
}


def problem(words: tuple[str, ...], *, whole: bool) -> str:
    """What is wrong with a command line, its values aside; "" if nothing is.

    ``whole``: nothing may be missing; otherwise only commands and options are looked at.
    """
    rest = [word.strip("[]") for word in words if word != "..."]
    command: Any = typer.main.get_command(cli.app)
    try:
        if rest and rest[0] in cli.PLACES:
            command = cli._imported(rest.pop(0))
        context = command.context_class(command)
        while hasattr(command, "resolve_command") and rest and not rest[0].startswith("-"):
            _, command, rest = command.resolve_command(context, rest)
            context = command.context_class(command, parent=context)
        if not whole:
            known = {name for param in command.params for name in param.opts} | {"--help"}
            return ", ".join(word for word in rest if word[:2] == "--" and word not in known)
        left = command.make_parser(context).parse_args(rest)[1]
    except Exception as bad:
        return str(bad)
    return f"too much: {left}" if left else ""


def command_lines(page: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each command line of ours in the fences, also at the end of another program's."""
    for fence in fences(page):
        for step in fence.steps if fence.language in SHELL else ():
            for at, word in enumerate(step.words):
                if word == "autograder" and step.words[at + 1 : at + 2] != (".",):
                    yield fence.place, step.words[at + 1 :]
                    break


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_commands_that_exist_and_links_that_lead_somewhere(page: Path) -> None:
    looked = [(place, problem(words, whole=True)) for place, words in command_lines(page)]
    looked += [(" ".join(words), problem(words[1:], whole=False)) for words in mentioned(page)]
    looked += [
        (fence.place, "no language") for fence in fences(page) if fence.language not in LANGUAGES
    ]
    assert [place for place in looked if place[1]] + broken_links(page) == []


def test_snippets_are_python_and_toml_that_an_assignment_may_hold() -> None:
    kinds = set()
    for fence in (fence for page in PAGES for fence in fences(page)):
        if fence.language == "python" and fence.page.name != "CONTRIBUTING.md":
            ast.parse(fence.text)
        if fence.language == "toml":
            table = tomllib.loads(fence.text)
            if "drop_lowest" in table:
                CourseSpec.model_validate(table)
                continue
            for check in table.get("exercise", {}).get("check", ()):
                kinds.add(TypeAdapter[Any](Check).validate_python(check).kind)
            for key, held in table.items():
                if key in TABLES:
                    TABLES[key].validate_python(held)
    assert kinds == set(KINDS.values()) - BROUGHT  # an example of each


def test_the_reference_is_what_the_models_say() -> None:
    assert (ROOT / "docs" / "reference.md").read_text("utf-8") == reference()


@pytest.mark.parametrize(("name", "mark"), [("devices", "agreement"), ("notebooks", "corruption")])
def test_a_table_is_put_between_the_marks_of_its_page(name: str, mark: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    made = put_between(page, mark, "| new |")
    assert f"<!-- {mark} -->\n| new |\n<!-- /{mark} -->" in made
    assert put_between(made, mark, "| new |") == made
    before, after = page.split(f"<!-- {mark} -->")[0], page.split(f"<!-- /{mark} -->")[1]
    assert made.startswith(before) and made.endswith(after)
    with pytest.raises(ValueError, match="has no"):
        put_between("nothing", mark, "| new |")
