"""A picture laid out in pixels, y downwards, with text whose width is known; saved as PNG.

Covered: equal drawings give equal bytes, figures are our own objects (pyplot's state is not
touched), no text is read as mathematics, characters that the font lacks become question marks.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Literal

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath

from autograder.gradebook.visible import one_line

INK, SOFT, LINE, ALARM = "#1f2933", "#52606d", "#d9e0e6", "#a3211a"
SHARP = 2  # pixels of the file for each pixel of the layout
LONGEST = 48  # characters of a label
_DPI = 100
_ADVANCE = 0.6021  # a letter's width by its size, in this font
_FONT = FontProperties(family="DejaVu Sans Mono")


class DrawingSheet:
    """Something to draw on. ``png`` ends it."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = round(width), round(height)
        self._figure = Figure(figsize=(self.width / _DPI, self.height / _DPI), dpi=_DPI * SHARP)
        self._axes = self._figure.add_axes(
            (0, 0, 1, 1), xlim=(0, self.width), ylim=(self.height, 0)
        )
        self._axes.set_axis_off()
        self._known = frozenset(get_font(findfont(_FONT)).get_charmap())

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        color: str = INK,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
        upwards: bool = False,
    ) -> None:
        """Text around the height ``y``; written upwards it begins there, around ``x``."""
        self._axes.text(
            x,
            y,
            self._plain(text),
            color=color,
            fontsize=_points(size),
            fontproperties=_FONT,
            fontweight="bold" if bold else "normal",
            parse_math=False,
            ha="center" if upwards else align,
            va="bottom" if upwards else "center_baseline",
            rotation=90 if upwards else 0,
        )

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A filled rectangle from its upper left corner."""
        self._axes.add_patch(Rectangle((x, y), width, height, facecolor=color, linewidth=0))

    def boxes(
        self, corners: Iterable[tuple[float, float]], width: float, height: float, color: str
    ) -> None:
        """Many of one size and colour."""
        outlines = [
            [(x, y), (x + width, y), (x + width, y + height), (x, y + height)] for x, y in corners
        ]
        self._axes.add_collection(
            PolyCollection(outlines, facecolors=color, linewidths=0, antialiaseds=False),
            autolim=False,
        )

    def line(
        self, x0: float, y0: float, x1: float, y1: float, color: str = LINE, width: float = 1
    ) -> None:
        """A straight line."""
        self._axes.add_line(
            Line2D([x0, x1], [y0, y1], color=color, linewidth=_points(width), solid_capstyle="butt")
        )

    def marks(
        self, centres: Iterable[tuple[float, float]], symbol: str, *, size: float, color: str
    ) -> None:
        """One character many times, each around its centre."""
        letter = TextPath((0, 0), symbol, size=size, prop=_FONT)
        low, high = letter.get_extents().get_points()
        middle = (low + high) / 2
        placed = [
            Outline((letter.vertices - middle) * (1, -1) + centre, letter.codes)
            for centre in centres
        ]
        if placed:
            whole = Outline.make_compound_path(*placed)
            self._axes.add_patch(PathPatch(whole, facecolor=color, linewidth=0))

    def dots(
        self, centres: list[tuple[float, float]], marker: str, *, size: float, color: str
    ) -> None:
        """One of matplotlib's markers at many places."""
        across, down = [x for x, _ in centres], [y for _, y in centres]
        self._axes.add_line(
            Line2D(
                across,
                down,
                linestyle="none",
                marker=marker,
                markersize=_points(size),
                color=color,
                markeredgewidth=_points(1.6),
            )
        )

    def png(self) -> bytes:
        """The picture; the figure is emptied."""
        file = io.BytesIO()
        FigureCanvasAgg(self._figure).print_png(file, metadata={"Software": "autograder"})
        self._figure.clear()
        return file.getvalue()

    def _plain(self, text: str) -> str:
        return "".join(letter if ord(letter) in self._known else "?" for letter in text)


def label(text: str) -> str:
    """A name as a picture shows it: on one line, cut where it is too long."""
    line = one_line(text)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def wide(text: str, size: float = 12) -> float:
    """The width of text in pixels."""
    return len(text) * size * _ADVANCE


def _points(pixels: float) -> float:
    return pixels * 72 / _DPI
