"""What `autograder validate --equivalents` generated, and the table that shows it."""

from __future__ import annotations

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.visible import one_line

SHOWN = 20  # equivalents that lost; JSON holds them all


class FamilyCount(msgspec.Struct, frozen=True):
    """Equivalents of a family: how many were made, how many of them turned out to mean something
    else and are none, and how many lose points although they are right."""

    made: int
    different: int
    lost: int

    @property
    def right(self) -> int:
        """How many are equivalents."""
        return self.made - self.different


class LostPoints(msgspec.Struct, frozen=True):
    """A right answer that a check does not pass. ``parts``: what it was made from; of a whole
    notebook the fewest equivalents and layouts that lose it."""

    name: str
    parts: str
    check: str
    message: str
    diff: str


class EquivalentTable(msgspec.Struct, frozen=True):
    """Counts by family, and every check that a right answer loses."""

    assignment: str
    families: dict[str, FamilyCount]
    lost: tuple[LostPoints, ...]

    @property
    def valid(self) -> bool:
        """Whether every right answer keeps its points."""
        return not self.lost


def equivalents_view(table: EquivalentTable) -> RenderableType:
    """The families, then each right answer that loses, as a diff with the check's message."""
    grid = Table("family", title=table.assignment, title_justify="left")
    for head in ("equivalents", "lose points", "mean something else"):
        grid.add_column(head, justify="right")
    for family, count in table.families.items():
        grid.add_row(family, str(count.right), str(count.lost), str(count.different))
    parts: list[RenderableType] = [grid]
    for lost in table.lost[:SHOWN]:
        what = one_line(f"{lost.name} ({lost.parts}), {lost.check}: {lost.message}")
        parts += [Text(), Text(what, style="red"), *map(Text, lost.diff.splitlines())]
    right = sum(count.right for count in table.families.values())
    losing = sum(count.lost for count in table.families.values())
    verdict = f"{losing} of {right} generated equivalents lose points"
    return Group(*parts, Text(verdict, style="green" if table.valid else "red"))
