"""matplotlib figures as data, and as PNG when a picture is wanted."""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib._pylab_helpers import Gcf
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.figure import Figure as _Figure
from PIL import Image

from autograder.wire.convert import to_wire
from autograder.wire.values import Array, Figure, Panel

MAX_OPEN = 64
MAX_PANELS = 32
MAX_SHOWN = 20
MAX_NUMBERS = 2_000_000
DPI = 72
COLOURS = 128  # of a PNG: a quarter of the bytes, and no difference to the eye
_IMAGES = ("AxesImage", "PolyCollection", "PolyQuadMesh", "PcolorImage")


def open_figures() -> list[Any]:
    """Figures that pyplot holds, in order of creation; the current one is not changed."""
    managers = sorted(Gcf.get_all_fig_managers(), key=lambda manager: int(manager.num))
    return [manager.canvas.figure for manager in managers[:MAX_OPEN]]


def close_figures() -> None:
    """What a notebook does after each cell: the next one starts with no open figure."""
    if plt.get_fignums():
        plt.close("all")


def draw(figure: Any) -> bytes:
    """The figure as a PNG with a palette; empty when it cannot be drawn."""
    buffer, small = io.BytesIO(), io.BytesIO()
    try:
        # without bbox_inches="tight", which draws everything twice
        _Figure.savefig(figure, buffer, format="png", dpi=DPI, pil_kwargs={"compress_level": 0})
        whole = Image.open(buffer)
        whole.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(small, "png")
    except Exception:  # noqa: BLE001  a figure can hold anything; a picture is no evidence
        return b""
    return small.getvalue()


def figure_to_wire(figure: Any) -> Figure:
    """Labels, images, points and lines of every Axes."""
    panels = tuple(_panel(axes) for axes in figure.axes[:MAX_PANELS])
    title = getattr(figure, "_suptitle", None)
    return Figure(title.get_text()[:500] if title is not None else "", panels)


def _panel(axes: Any) -> Panel:
    images = [i for i in (*axes.images, *axes.collections) if _is_image(i)][:MAX_SHOWN]
    arrays = [(image, _image_array(image)) for image in images]
    kept = [(image, array) for image, array in arrays if array is not None]
    scatters = [c for c in axes.collections if isinstance(c, PathCollection)][:MAX_SHOWN]
    for scatter in scatters:
        scatter.update_scalarmappable()  # colours from a map are otherwise set only in drawing
    return Panel(
        title=axes.get_title()[:500],
        xlabel=axes.get_xlabel()[:500],
        ylabel=axes.get_ylabel()[:500],
        images=tuple(array for _, array in kept),
        colormaps=tuple(str(image.get_cmap().name)[:100] for image, _ in kept),
        colors=tuple(_colors(image) for image, _ in kept),
        zero_at=tuple(_zero_at(image) for image, _ in kept),
        has_colorbar=tuple(image.colorbar is not None for image, _ in kept),
        points=tuple(_array(s.get_offsets()) for s in scatters),
        lines=tuple(_array(line.get_xydata()) for line in axes.lines[:MAX_SHOWN]),
        texts=tuple(t.get_text()[:200] for t in axes.texts[:100]),
        is_colorbar=hasattr(axes, "_colorbar"),
        point_colors=tuple(_array(s.get_facecolor()) for s in scatters),
    )


def _is_image(artist: Any) -> bool:
    name = type(artist).__name__
    return isinstance(artist, QuadMesh) or name in _IMAGES


def _image_array(image: Any) -> Array | None:
    data = image.get_array()
    if data is None or not 0 < np.size(data) <= MAX_NUMBERS:
        return None
    if type(image).__name__ == "PolyCollection" and np.ndim(data) == 1:
        return None  # pcolor of old releases: its shape is lost
    return _array(data)


def _array(data: Any) -> Array:
    plain = np.ma.filled(np.ma.asarray(data, dtype=np.float64), np.nan)
    array = to_wire(plain if plain.size <= MAX_NUMBERS else plain[:0])
    assert isinstance(array, Array)
    return array


def _colors(image: Any) -> Array:
    return _array(image.get_cmap()(np.linspace(0, 1, 9)))


def _zero_at(image: Any) -> float:
    image.autoscale_None()
    return float(np.ma.filled(image.norm(0.0), np.nan))


def install() -> None:
    """Use the backend that draws into memory, with a show() that keeps figures for us."""
    mpl.use("module://autograder.runner.canvas")
    plt.ioff()
