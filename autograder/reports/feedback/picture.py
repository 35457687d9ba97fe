"""A picture of a wrong array: expected values, actual values and their difference, as a PNG with
a description.

Arrays of two or more dimensions become heatmaps (leading axes one below the other), arrays of one
dimension lines. Expected and actual values share one colour scale; the difference has its own,
centred on zero. Values that are not finite are grey.
"""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Colormap
from matplotlib.figure import Figure
from PIL import Image

from autograder.gradebook.visible import one_line
from autograder.judging.checks.arrays import numeric
from autograder.judging.verdict import Picture
from autograder.wire.values import Array

WINDOW = 256
REMEMBERED = 32  # a known mistake gives a whole class the same picture
NAME_LIMIT = 60
COLOURS = 256  # of the PNG
_HUGE = 1e100
_INK, _ACCENT, _GRID, _NOT_FINITE = "#1f2933", "#b3261e", "#d9e0e6", (123, 135, 148)
DPI, PANEL, GAP, TOP, BOTTOM = 110, 300, 36, 30, 84  # in pixels, except the first

Pixels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Drawing:
    """PNG bytes and a text alternative."""

    png: bytes
    alt: str


@dataclass(frozen=True)
class _Window:
    """The part that is drawn: around the largest difference when the array is large.

    Arrays are [rows, columns], or [length] for lines; ``start`` is the first index drawn.
    """

    expected: Numbers
    actual: Numbers
    difference: Numbers
    start: tuple[int, ...]
    worst: tuple[int, ...]
    note: str


@functools.lru_cache(REMEMBERED)
def draw(picture: Picture) -> Drawing | None:
    """The picture as a drawing; None when it has nothing to draw (no axes, complex, empty)."""
    expected, actual = _numbers(picture.expected), _numbers(picture.actual)
    if expected is None or actual is None or expected.shape != actual.shape:
        return None
    name = one_line(picture.where)[:NAME_LIMIT]
    window = _window(expected, actual)
    pixels = _heatmaps(window) if expected.ndim == 2 else _lines(window)
    page = io.BytesIO()
    image = Image.fromarray(pixels).quantize(COLOURS, Image.Quantize.FASTOCTREE)
    image.save(page, "png")
    return Drawing(page.getvalue(), _description(name, picture.expected.shape, window))


def _numbers(array: Array) -> Numbers | None:
    """The array as float64 with one or two axes."""
    if not array.shape or not array.data or array.dtype.startswith("complex"):
        return None
    found = numeric(array)
    assert found is not None  # its size was checked when it was decoded
    plain = found.numbers.astype(np.float64)
    flat = plain if plain.ndim <= 2 else plain.reshape(-1, plain.shape[-1])
    return np.clip(flat, -_HUGE, _HUGE) if np.isfinite(flat).all() else _bounded(flat)


def _bounded(flat: Numbers) -> Numbers:
    """Infinities become NaN, which is drawn in grey."""
    return np.where(np.isfinite(flat), np.clip(flat, -_HUGE, _HUGE), np.nan)


def _window(expected: Numbers, actual: Numbers) -> _Window:
    difference = actual - expected
    size = np.where(np.isnan(difference), np.inf, np.abs(difference))
    worst = tuple(int(i) for i in np.unravel_index(int(size.argmax()), size.shape))
    start = tuple(
        max(0, min(at - WINDOW // 2, length - WINDOW))
        for at, length in zip(worst, size.shape, strict=True)
    )
    part = tuple(slice(first, first + WINDOW) for first in start)
    cut = any(length > WINDOW for length in size.shape)
    note = f"Shown: up to {WINDOW} values per axis, around the largest difference." if cut else ""
    return _Window(expected[part], actual[part], difference[part], start, worst, note)


def _heatmaps(window: _Window) -> Pixels:
    """Three images with their scales below, set as pixels: matplotlib's axes cost ten times
    more. Only the labels are drawn by it."""
    rows, columns = window.expected.shape
    high = min(max(PANEL * rows // columns, PANEL // 4), PANEL * 3 // 2)
    size = (3 * PANEL + 4 * GAP, TOP + high + BOTTOM)
    figure = Figure(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI)
    for row, y in ((0, TOP + 8), (rows - 1, TOP + high - 8)):
        _label(figure, (GAP - 8, y), str(window.start[0] + row), align="right")
    panels = _panels(window)
    for index, panel in enumerate(panels):
        left = GAP + index * (PANEL + GAP)
        _label(figure, (left + PANEL / 2, 14), panel.title, size=15)
        for side, edge in (("left", 0), ("right", 1)):
            at = left + edge * PANEL
            column = window.start[1] + edge * (columns - 1)
            _label(figure, (at, TOP + high + 14), f"column {column}", align=side)
            _label(figure, (at, TOP + high + 70), f"{panel.range[edge]:.3g}", align=side)
    pixels = _drawn(figure)
    for index, panel in enumerate(panels):
        span = slice(GAP + index * (PANEL + GAP), GAP + index * (PANEL + GAP) + PANEL)
        pixels[TOP : TOP + high, span] = panel.paint(high, PANEL)
        pixels[TOP + high + 42 : TOP + high + 54, span] = panel.ramp(PANEL)
    return pixels


@dataclass(frozen=True)
class _Panel:
    """One heatmap: its title, its values [rows, columns], its colours and their range."""

    title: str
    values: Numbers
    colours: Colormap
    range: tuple[float, float]

    def paint(self, high: int, wide: int) -> Pixels:
        """The values as [high, wide, 3] pixels, each value a block."""
        rows, columns = self.values.shape
        down = np.linspace(0, rows, high, endpoint=False).astype(int)
        across = np.linspace(0, columns, wide, endpoint=False).astype(int)
        finite = np.isfinite(self.values)
        low, top = self.range
        share = (np.where(finite, self.values, low) - low) / (top - low)
        small: Pixels = self.colours(share, bytes=True)[..., :3]
        small[~finite] = _NOT_FINITE
        blocks: Pixels = small[down][:, across]
        return blocks

    def ramp(self, wide: int) -> Pixels:
        """The scale from lowest to highest as [wide, 3] pixels."""
        colours: Pixels = self.colours(np.linspace(0, 1, wide), bytes=True)
        return colours[:, :3]


def _panels(window: _Window) -> tuple[_Panel, ...]:
    shared = _range(window.expected, window.actual)
    reach = _range(np.abs(window.difference))[1]
    heat, diverging = colormaps["viridis"], colormaps["RdBu_r"]
    return (
        _Panel("expected", window.expected, heat, shared),
        _Panel("yours", window.actual, heat, shared),
        _Panel("yours − expected", window.difference, diverging, (-reach, reach)),
    )


def _label(
    figure: Figure, at: tuple[float, float], text: str, *, align: str = "center", size: int = 12
) -> None:
    """Text at a point, (x, y) in pixels from the upper left corner; ``size`` in pixels."""
    x, y = at / (figure.get_size_inches() * DPI)
    figure.text(x, 1 - y, text, ha=align, va="center", fontsize=size * 72 / DPI, color=_INK)


def _lines(window: _Window) -> Pixels:
    figure = Figure(figsize=(9.2, 3), dpi=DPI)
    axes = figure.add_axes((0.07, 0.1, 0.91, 0.78))
    at = np.arange(window.start[0], window.start[0] + window.expected.size)
    few = "o" if at.size <= 40 else ""
    axes.fill_between(at, window.expected, window.actual, color=_ACCENT, alpha=0.15, linewidth=0)
    axes.plot(at, window.expected, color=_INK, linewidth=2.2, label="expected", marker=few)
    axes.plot(
        at, window.actual, color=_ACCENT, linewidth=1.6, linestyle="--", label="yours", marker=few
    )
    axes.legend(fontsize=9, frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 0.98))
    axes.tick_params(labelsize=8, colors=_INK)
    axes.grid(color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    return _drawn(figure)


def _drawn(figure: Figure) -> Pixels:
    """The figure on white, [height, width, 3]."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3].copy()


def _range(*arrays: Numbers) -> tuple[float, float]:
    """Smallest and largest finite value, never equal."""
    finite = np.concatenate([array[np.isfinite(array)] for array in arrays])
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _description(name: str, shape: tuple[int, ...], window: _Window) -> str:
    kind = "Three heatmaps" if window.expected.ndim == 2 else "Lines"
    offset = tuple(a - b for a, b in zip(window.worst, window.start, strict=True))
    value = float(window.difference[offset])
    size = f"{abs(value):.3g}" if np.isfinite(value) else "not a finite number"
    parts = [
        f"{kind} of {name}, shape {list(shape)}: expected, yours, and yours minus expected.",
        f"The largest difference is {size}, at {list(window.worst)}.",
        window.note,
    ]
    return " ".join(part for part in parts if part)
