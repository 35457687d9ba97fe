"""What `autograder validate --seeds` found, and the table that shows it."""

from __future__ import annotations

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line

SHOWN = 10  # seeds of a mistake; JSON holds them all


class VariantShare(msgspec.Struct, frozen=True):
    """How often a variant loses points in its own exercise, or in checks of cost alone.

    ``checks`` counts, by check, the seeds under which that check was the one seen to fail;
    ``earns`` are the seeds under which it has full marks, ``unclear`` says why a seed is neither.
    """

    name: str
    exercise: str
    checks: dict[str, int]
    earns: tuple[int, ...]
    unclear: dict[int, str]

    @property
    def loses(self) -> int:
        """Under how many seeds."""
        return sum(self.checks.values())

    @property
    def seeds(self) -> int:
        """How many were tried."""
        return self.loses + len(self.earns) + len(self.unclear)


class SeedTable(msgspec.Struct, frozen=True):
    """Every known mistake under ``seeds`` seeds from ``first`` on, and every equivalent in checks
    of cost."""

    assignment: str
    first: int
    seeds: int
    mistakes: tuple[VariantShare, ...]
    costs: tuple[VariantShare, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether each mistake loses under every seed, and no equivalent is called slow."""
        # A mistake that could not be judged is not in order.
        lose = all(mistake.loses == mistake.seeds for mistake in self.mistakes)
        return lose and all(len(cost.earns) == cost.seeds for cost in self.costs)


def seeds_view(table: SeedTable) -> RenderableType:
    """A row for each mistake; then the seeds under which one does not lose."""
    grid = Table("mistake", "exercise", title=table.assignment, title_justify="left")
    grid.add_column("loses under", justify="right")
    grid.add_column("share", justify="right")
    lines: list[RenderableType] = []
    for mistake in table.mistakes:
        style = "" if mistake.loses == mistake.seeds else "red"
        counts = (f"{mistake.loses} of {mistake.seeds}", f"{mistake.loses / mistake.seeds:.0%}")
        grid.add_row(mistake.name, mistake.exercise, *counts, style=style)
        if mistake.earns:
            shown = ", ".join(map(str, mistake.earns[:SHOWN]))
            more = ", ..." if len(mistake.earns) > SHOWN else ""
            lines.append(
                Text(f"{mistake.name} has full marks under seed {shown}{more}", style="red")
            )
        for seed, why in [*mistake.unclear.items()][:1]:
            lines.append(Text(one_line(f"{mistake.name}, seed {seed}: {why}"), style="red"))
    always = sum(mistake.loses == mistake.seeds for mistake in table.mistakes)
    verdict = (
        f"{always} of {len(table.mistakes)} known mistakes lose under each of {table.seeds} seeds"
    )
    for cost in table.costs:
        if len(cost.earns) < cost.seeds:
            said = f"{cost.name} is right and called slow under {cost.loses} of {cost.seeds} seeds"
            lines.append(Text(said, style="red"))
    if table.costs:
        alarms = sum(cost.loses for cost in table.costs)
        asked = sum(cost.seeds for cost in table.costs)
        lines.append(Text(f"{alarms} of {asked} right answers are called slow"))
    return Group(grid, *lines, Text(verdict, style="green" if table.valid else "red"))
