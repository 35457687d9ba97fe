"""Where a page folds cells that are as in the template or right, and where it puts the panels.

Covered: the marks around a fold are comments and classes, which students' HTML cannot have.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.gradebook.visible import one_line

END_OF_FOLD = "<!--end of fold-->"
HEADINGS = 2  # of a fold's text, in its line
HEADING_LIMIT = 80  # characters
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_MARKS = re.compile(r"[`*_]{1,3}(?=\S)|(?<=\S)[`*_]{1,3}")

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class VerdictPanel:
    """A rendered panel; ``settled``: nothing in it asks to be looked at; ``right``: it is right."""

    html: str
    settled: bool
    right: bool


@dataclass
class Frames:
    """What is written before and after cells, by the id of the cell on the page."""

    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Group:
    """Neighbouring cells, all folded or all shown, and the panels that follow them."""

    cells: Sequence[Cell]
    folded: bool
    panels: Sequence[VerdictPanel]


def framed(
    cells: Sequence[Cell], panels: Mapping[int, Sequence[VerdictPanel]], given: Collection[int]
) -> Frames:
    """The frames of a page's cells. ``panels`` go after the cells with these numbers; the cells in
    ``given`` are folded."""
    frames = Frames()
    for group in _groups(cells, panels, given):
        first, last = group.cells[0]["id"], group.cells[-1]["id"]
        if group.folded:
            frames.before[first] = f'<details class="fold">{_line(group.cells)}<div class="folded">'
            frames.after[last] = f"</div></details>{END_OF_FOLD}"
        if group.panels:
            start = _answer(group.panels)
            if group.folded:
                frames.after[last] += start
            elif all(panel.right for panel in group.panels):
                fold = f'<details class="fold own">{_line(group.cells, "Your answer")}'
                frames.before[first] = f'{start}{fold}<div class="folded">'
                frames.after[last] = f"</div></details>{END_OF_FOLD}"
            else:
                frames.before[first], frames.after[last] = f'{start}<div class="own">', "</div>"
            frames.after[last] += _verdicts(group.panels)
    return frames


def _groups(
    cells: Sequence[Cell], panels: Mapping[int, Sequence[VerdictPanel]], given: Collection[int]
) -> Iterator[_Group]:
    held: list[Cell] = []
    for at, cell in enumerate(cells):
        held.append(cell)
        number = _number(cell)
        folded = number in given
        last = at + 1 == len(cells) or (_number(cells[at + 1]) in given) != folded
        if last or number in panels:
            yield _Group(tuple(held), folded, panels.get(number, ()))
            held = []


def _answer(panels: Sequence[VerdictPanel]) -> str:
    """The start of cells with their panels; beside each other on wide screens if all is well."""
    return f'<div class="answer{" settled" if all(panel.settled for panel in panels) else ""}">'


def _verdicts(panels: Sequence[VerdictPanel]) -> str:
    return f'<div class="verdicts">{"".join(panel.html for panel in panels)}</div></div>'


def _line(cells: Sequence[Cell], title: str = "") -> str:
    """The line of a fold: a title, or the last headings of its text; its code cells, and whether it
    has a figure."""
    texts = [str(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    headings = [found for text in texts for found in _HEADING.findall(text)][-HEADINGS:]
    plain = [_MARKS.sub("", one_line(one))[:HEADING_LIMIT] for one in headings]
    code = [_number(cell) for cell in cells if cell["cell_type"] == "code"]
    said = [_numbered(code)] if code else []
    if any("image/png" in shown.get("data", ()) for cell in cells for shown in _outputs(cell)):
        said.append("with a figure")
    title = title or " · ".join(plain) or ("Text" if texts and not code else "Given")
    more = f' <span class="more">{", ".join(said)}</span>' if said else ""
    # Headings in a fold's line are escaped.
    return f"<summary>{html.escape(title)}{more}</summary>"


def _numbered(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"cell {numbers[0]}"
    return f"cells {numbers[0]} {'and' if len(numbers) == 2 else 'to'} {numbers[-1]}"


def _outputs(cell: Cell) -> Sequence[Mapping[str, Any]]:
    outputs: Sequence[Mapping[str, Any]] = cell.get("outputs", ())
    return outputs


def _number(cell: Cell) -> int:
    number: int = cell["metadata"].get("ag_number", 0)
    return number
