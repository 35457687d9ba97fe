"""Tolerances drawn on a log axis: what right answers need, what wrong ones would, the window."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

from autograder.reports.feedback.picture import Drawing
from autograder.reports.feedback.words import plural
from autograder.reports.validation.model import Window
from autograder.reports.validation.rules import place
from autograder.reports.validation.sheet import ALARM, INK, LINE, SOFT, DrawingSheet, label, wide

RIGHT, WRONG, ROOM = "#009e73", "#d55e00", "#cfe5f3"
_ROW, _TOP, _EDGE, _WIDE, _KEY = 24, 52, 60, 640, 34
_LOWEST, _HIGHEST = -300, 300  # powers of ten


@dataclass(frozen=True)
class _Scale:
    """Powers of ten from ``low`` to ``high`` across; zero and infinity stand beside them."""

    left: float
    low: int
    high: int

    def at(self, size: float) -> float:
        """The place of a size."""
        if size <= 0:
            return self.zero
        if math.isinf(size):
            return self.infinity
        power = min(max(math.log10(size), self.low), self.high)
        return self.left + _EDGE + _WIDE * (power - self.low) / (self.high - self.low)

    @property
    def zero(self) -> float:
        return self.left + 14

    @property
    def infinity(self) -> float:
        return self.left + _WIDE + 2 * _EDGE - 14


def tolerance_picture(windows: tuple[Window, ...]) -> Drawing:
    """One line for each check, in the given order."""
    names = [label(window.check) for window in windows]
    left = 30 + max((wide(name) for name in names), default=0)
    scale = _scale(left, windows)
    width = left + _WIDE + 2 * _EDGE + 100
    sheet = DrawingSheet(width, _KEY + _TOP + _ROW * len(windows) + 12)
    _key(sheet)
    _axis(sheet, scale)
    for at, (window, name) in enumerate(zip(windows, names, strict=True)):
        y = _KEY + _TOP + _ROW * (at + 0.5)
        where = place(window)
        good = where == "inside"
        if at and names[at - 1].partition("/")[0] != name.partition("/")[0]:
            sheet.line(8, y - _ROW / 2, width - 8, y - _ROW / 2, SOFT, 0.8)
        sheet.text(left - 8, y, name, align="right", color=INK if good else ALARM, bold=not good)
        if not good:
            sheet.marks([(10, y)], "▸", size=13, color=ALARM)
            sheet.text(width - 92, y, where, color=ALARM, bold=True)
        _window(sheet, scale, window, y)
    return Drawing(sheet.png(), _words(windows))


def _window(sheet: DrawingSheet, scale: _Scale, window: Window, y: float) -> None:
    start, end = scale.at(window.spread), scale.at(window.nearest)
    if window.spread < window.nearest:
        sheet.box(start, y - 8, end - start, 16, ROOM)
    sheet.line(scale.zero, y, scale.infinity, y, LINE, 0.8)
    sheet.dots([(scale.at(d.size), y) for d in window.wrong], "x", size=8, color=WRONG)
    sheet.dots([(scale.at(d.size), y) for d in window.right], "o", size=6, color=RIGHT)
    tick = scale.at(window.atol)
    sheet.line(tick, y - 10, tick, y + 10, "#000000", 2.5)


def _axis(sheet: DrawingSheet, scale: _Scale) -> None:
    """Powers of ten above, with zero on the left and infinity on the right."""
    top, bottom = _KEY + _TOP, sheet.height - 8
    step = max(1, math.ceil((scale.high - scale.low) / 12))
    for power in range(scale.low, scale.high + 1, step):
        x = scale.at(10.0**power)
        sheet.line(x, top - 4, x, bottom, LINE, 0.8)
        sheet.text(x, top - 14, f"1e{power}", align="center", size=11, color=SOFT)
    for x, name in ((scale.zero, "0"), (scale.infinity, "∞")):
        sheet.line(x, top - 4, x, bottom, SOFT, 0.8)
        sheet.text(x, top - 14, name, align="center", color=SOFT, bold=True)
    sheet.text(scale.zero, top - 32, "equal", align="center", size=11, color=SOFT)
    middle = scale.left + _EDGE + _WIDE / 2
    sheet.text(middle, top - 32, "absolute tolerance", align="center", size=11, color=SOFT)
    sheet.text(scale.infinity, top - 32, "none would do", align="center", size=11, color=SOFT)


def _key(sheet: DrawingSheet) -> None:
    x, y = 14.0, _KEY / 2 + 2
    sheet.dots([(x, y)], "o", size=7, color=RIGHT)
    x = _said(sheet, x, y, "needed by a right answer")
    sheet.dots([(x, y)], "x", size=8, color=WRONG)
    x = _said(sheet, x, y, "needed by a wrong one")
    sheet.box(x - 8, y - 8, 18, 16, ROOM)
    x = _said(sheet, x + 4, y, "window")
    sheet.line(x, y - 9, x, y + 9, "#000000", 2.5)
    _said(sheet, x, y, "tolerance")


def _said(sheet: DrawingSheet, x: float, y: float, text: str) -> float:
    """Text beside a mark of the key; returns where the next mark may stand."""
    sheet.text(x + 12, y, text)
    return x + 12 + wide(text) + 34


def _scale(left: float, windows: tuple[Window, ...]) -> _Scale:
    sizes = chain.from_iterable(
        (w.atol, *(d.size for d in w.right), *(d.size for d in w.wrong)) for w in windows
    )
    powers = [math.log10(size) for size in sizes if 0 < size < math.inf]
    low = max(_LOWEST, math.floor(min(powers, default=-9)))
    high = min(_HIGHEST, math.ceil(max(powers, default=0)))
    return _Scale(left, low, max(high, low + 1))


def _words(windows: tuple[Window, ...]) -> str:
    inside = sum(place(window) == "inside" for window in windows)
    return (
        f"Tolerances of {plural(len(windows), 'check')} on a logarithmic axis, {inside} of them "
        "inside the window between what right answers need and the nearest wrong one. The table "
        "below says the same in words."
    )
