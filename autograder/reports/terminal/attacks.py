"""The table of `autograder redteam`."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line


def attacks_view(found: dict[str, Any]) -> RenderableType:
    """Contained attacks out of all, by class and level, then those not contained and why."""
    levels = found["levels"]
    table = Table(title="Attacks contained", title_justify="left", expand=False)
    table.add_column("class", no_wrap=True)
    for level in levels:
        table.add_column(level["level"], justify="right")
    for kind in dict.fromkeys(kind for level in levels for kind in level["classes"]):
        table.add_row(kind, *(_share(level["classes"].get(kind)) for level in levels))
    table.add_section()
    table.add_row("all", *(_share(level) for level in levels))
    table.add_row("seconds", *(f"{level['seconds']:.0f}" for level in levels))
    return Group(table, *(line for level in levels for line in _lines(level)))


def _share(counts: dict[str, Any] | None) -> Text:
    if counts is None:
        return Text("")
    style = "green" if counts["contained"] == counts["total"] else "red"
    return Text(f"{counts['contained']}/{counts['total']}", style)


def _lines(level: dict[str, Any]) -> list[Text]:
    name = level["level"]
    lines = [Text(f"{name}: {one_line(p)}", "red") for p in level["class_problems"]]
    for entry in level["not_contained"]:
        why = one_line("; ".join(entry["problems"]))
        lines.append(Text(f"{name}: {entry['attack']} was not contained: {why}", "red"))
    for entry in level["known"]:
        lines.append(Text(f"{name}: {entry['attack']} is a known exception: {entry['known']}"))
    for entry in level["no_longer_failing"]:
        lines.append(
            Text(f"{name}: {entry['attack']} is contained now; remove its `known: {name}`")
        )
    return lines
