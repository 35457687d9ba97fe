"""The order of a notebook's cells that repairs what its own order breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.notebook.structure.check_cells import GRADER
from autograder.notebook.structure.depends import dependency_order
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.scanned import ScannedCell


def mended(
    cells: Sequence[ScannedCell], keep_after: Mapping[str, int], outline: Outline
) -> tuple[tuple[int, ...], bool]:
    """The order in which the template has the cells, each after those that it builds on; empty
    when that is the notebook's own. And whether known cells stand in another order than in the
    template: the cells that count for the exercises, and the given ones that define or change
    something, each where it stands first.
    """
    anchors, keyed, place = [], [], -1
    met: set[int] = set()
    for one in cells:
        own = one.place if one.given else outline.place_of(one.owner)
        again = one.given and own in met
        place = own if own >= 0 and not again else place
        keyed.append((place, one.number, one.cell))
        counts = _acts(one) if one.given else one.number == keep_after.get(one.owner)
        if own >= 0 and counts and not again:
            anchors.append(own)
        met.add(own)
    keyed.sort(key=lambda entry: entry[:2])
    order = dependency_order([cell for _, _, cell in keyed])
    own_order = tuple(cell.number for cell in cells)
    return (order if order != own_order else (), anchors != sorted(anchors))


def _acts(one: ScannedCell) -> bool:
    """Whether a given cell does something that others may build on; to ask the checks is none."""
    return bool((one.names.defined | one.names.changed) - {GRADER})
