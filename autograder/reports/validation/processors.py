"""What `autograder validate --processors` compared, and the table that shows it."""

from __future__ import annotations

from collections import Counter

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

SHOWN = 20  # changed verdicts; JSON holds them all


class ProcessorChange(msgspec.Struct, frozen=True):
    """A check whose result differs from that of one machine recording and judging everything."""

    variant: str
    check: str
    recorded: str
    judged: str
    usual: str
    changed: str


class ProcessorTable(msgspec.Struct, frozen=True):
    """What was compared. ``variants`` counts them by sort, ``checks`` the verdicts of one pair of
    capabilities; ``unsteady`` names variants that differ from run to run on one processor, too, and
    do not count; ``lost`` names the variants that could not be run, and why."""

    assignment: str
    capabilities: tuple[str, ...]
    variants: dict[str, int]
    checks: int
    changes: tuple[ProcessorChange, ...]
    unsteady: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether everything was run and nothing depends on the processor."""
        return not self.changes and not self.lost


def table_json(table: msgspec.Struct) -> str:
    """All that a table holds, as JSON."""
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode()


def processor_view(table: ProcessorTable) -> RenderableType:
    """How many verdicts changed for each pair of capabilities, then what changed."""
    variants = ", ".join(f"{count} {sort}" for sort, count in table.variants.items())
    grid = Table("recorded with \\ judged with", title=table.assignment, title_justify="left")
    for name in table.capabilities:
        grid.add_column(name, justify="right")
    changed = Counter((change.recorded, change.judged) for change in table.changes)
    for recorded in table.capabilities:
        counts = (changed[recorded, judged] for judged in table.capabilities)
        grid.add_row(recorded, *(f"{count} of {table.checks}" for count in counts))
    total = len(table.changes)
    pairs = len(table.capabilities) ** 2
    verdict = f"{total} of {table.checks * pairs} verdicts depend on the processor ({variants})"
    lines = [
        f"{change.variant}, {change.check}: recorded with {change.recorded}, judged with "
        f"{change.judged}: {change.changed!r} instead of {change.usual!r}"
        for change in table.changes[:SHOWN]
    ]
    lines += [f"differs from run to run: {name}" for name in table.unsteady]
    lines += [f"not run: {text}" for text in table.lost]
    style = "green" if table.valid else "red"
    return Group(grid, *(Text(line) for line in lines), Text(verdict, style=style))
