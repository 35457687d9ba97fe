"""Draws the packages from the ground up, with the imports that no other import implies.

``python -m tests.support.house --write docs/house.svg`` draws the table of test_architecture.py; a
test asks that the file is up to date. Arrows point to what is used; an import that also follows
from others (A uses B, B uses C, and A uses C) is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path

from tests.test_architecture import ALLOWED

LEFT_OUT = ("__init__", "__main__")  # they import nothing and nobody imports them
WIDTH, ROW, BOX_W, BOX_H, MARGIN = 980, 62, 104, 30, 20
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1b1f24; }
  rect { fill: #eef3fa; stroke: #54708f; rx: 5px; }
  .inside rect { fill: #fdeedd; stroke: #a8692b; }
  path { fill: none; stroke: #8496a9; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    rect { fill: #1d2a3a; stroke: #7d9cbf; }
    .inside rect { fill: #3a2a17; stroke: #d19a5b; }
  }
"""
IN_THE_BOX = ("wire", "runner")
ASIDE = {"student": 220, "runner": 220}  # so that their long arrow crosses nothing

Table = Mapping[str, frozenset[str]]


def table() -> Table:
    """What each package may import, from the ground up."""
    rows = {name: allowed for name, allowed in ALLOWED.items() if name not in LEFT_OUT}
    return {name: frozenset(allowed.split()) for name, allowed in rows.items()}


def direct(uses: Table) -> Table:
    """Without the imports that follow from others."""
    reach: dict[str, frozenset[str]] = {}
    for name, used in uses.items():
        reach[name] = used.union(*(reach[one] for one in used))
    return {
        name: frozenset(one for one in used if not any(one in reach[other] for other in used))
        for name, used in uses.items()
    }


def floors(uses: Table) -> list[list[str]]:
    """The packages by the longest chain of imports below each."""
    height: dict[str, int] = {}
    for name, used in uses.items():
        height[name] = 1 + max((height[one] for one in used), default=-1)
    return [[n for n in uses if height[n] == floor] for floor in range(max(height.values()) + 1)]


def drawing() -> str:
    """The picture as SVG, for light and for dark pages."""
    uses = table()
    rows = floors(uses)
    place = {}
    for floor, names in enumerate(rows):
        for number, name in enumerate(names):
            x = WIDTH * (number + 1) / (len(names) + 1) + (floor % 3 - 1) * 75 + ASIDE.get(name, 0)
            place[name] = (round(x), (len(rows) - floor - 1) * ROW + MARGIN + BOX_H // 2)
    lines = []
    for name, used in direct(uses).items():
        for one in sorted(used):
            (x, y), (to_x, to_y) = place[name], place[one]
            y, to_y = y + BOX_H // 2, to_y - BOX_H // 2
            bend = (to_y - y) // 2
            lines.append(f'<path d="M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}"/>')
    for name, (x, y) in place.items():
        kind = ' class="inside"' if name in IN_THE_BOX else ""
        lines.append(
            f'<g{kind}><rect x="{x - BOX_W // 2}" y="{y - BOX_H // 2}" width="{BOX_W}" '
            f'height="{BOX_H}"/><text x="{x}" y="{y + 5}" text-anchor="middle">{escape(name)}'
            "</text></g>"
        )
    height = len(rows) * ROW + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Packages and their imports"><style>{STYLE}</style>\n'
        + "\n".join(lines)
        + "\n</svg>\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", type=Path, help="the file; without it the picture is printed")
    target = parser.parse_args().write
    if target is None:
        print(drawing(), end="")
    else:
        target.write_text(drawing(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
