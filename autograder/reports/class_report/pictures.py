"""The pictures of a class report as SVG; they use the page's colours, light or dark, and can be
printed.

Each has a text alternative, and a table next to it lists the numbers. They contain only our own
words and numbers, escaped.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from autograder.gradebook.grade import as_points
from autograder.reports.class_report.numbers import Bin

WIDE, HIGH = 560, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 24, 44


def histogram(found: Sequence[Bin], total: int) -> Markup:
    """How many students have how many points."""
    most = max([one.count for one in found] or [0])
    step = (WIDE - LEFT - RIGHT) / max(len(found), 1)
    up = (HIGH - TOP - BOTTOM) / max(most, 1)
    parts = [_grid(at, most) for at in _ticks(most)]
    for at, one in enumerate(found):
        x, height = LEFT + at * step, one.count * up
        y = HIGH - BOTTOM - height
        box = f'width="{step - 4:.1f}" height="{height:.1f}"'
        parts.append(f'<rect class="bar" x="{x + 2:.1f}" y="{y:.1f}" {box}/>')
        if one.count:
            parts.append(_text(x + step / 2, y - 4, str(one.count), "middle"))
        parts.append(_text(x, HIGH - BOTTOM + 16, _points(one.low), "middle"))
    last = found[-1].high if found else 0
    parts.append(_text(WIDE - RIGHT, HIGH - BOTTOM + 16, _points(last), "end"))
    parts.append(_text(LEFT + (WIDE - LEFT - RIGHT) / 2, HIGH - 6, "points", "middle"))
    alt = f"Histogram of the scores of {total} students; the numbers follow below."
    return _svg(parts, alt)


def share_bar(share: float | None) -> Markup:
    """A share between 0 and 1 as a bar to show next to its number."""
    if share is None:
        return Markup("")
    wide = round(100 * min(max(share, 0), 1), 1)
    return Markup(
        '<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="under" width="100" height="8"/>'
        '<rect class="bar" width="{}" height="8"/></svg>'
    ).format(wide)


def _svg(parts: Sequence[str], alt: str) -> Markup:
    inside = Markup("".join(parts))  # noqa: S704  made of our numbers and escaped texts
    return Markup(
        '<figure class="drawn" tabindex="0" role="group" aria-label="{}"><svg role="img" '
        'aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg></figure>'
    ).format(f"{alt[:60].split(';')[0]} (scrolls)", alt, WIDE, HIGH, WIDE, HIGH, inside)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _grid(count: int, most: int) -> str:
    y = HIGH - BOTTOM - count * (HIGH - TOP - BOTTOM) / max(most, 1)
    line = f'<line class="grid" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + _text(LEFT - 6, y + 4, str(count), "end")


def _ticks(most: int) -> list[int]:
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 500, 10**9) if most / s <= 6)
    return list(range(0, most + 1, step))


def _points(thousandths: float) -> str:
    return f"{round(as_points(round(thousandths)), 1):g}"
