"""The order of a notebook's cells that fixes what is broken in its own order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.notebook.structure.check_cells import GRADER
from autograder.notebook.structure.depends import dependency_order
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.scanned import ScannedCell


def mended(
    cells: Sequence[ScannedCell], keep_after: Mapping[str, int], outline: Outline
) -> tuple[tuple[int, ...], bool]:
    """The order of the cells in the template, each after those that it depends on; empty if that is
    the notebook's own order. And whether known cells are in another order than in the template: the
    cells that count for the exercises, and the given ones that define or change something, each at
    its first occurrence."""
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
    """Whether other cells may depend on a given cell; cells that only run the checks do not
    count."""
    return bool((one.names.defined | one.names.changed) - {GRADER})
