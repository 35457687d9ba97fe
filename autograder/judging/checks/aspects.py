"""What makes an image of a table readable: one question and one clear sentence for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autograder.assignment.kinds import FigureCheck
from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.explain import short
from autograder.judging.verdict import Mismatch
from autograder.wire.values import Array, Figure, Items, Panel, Value

CENTRE_SLACK = 0.02 + 1e-9  # 2 % of the map, and the rounding of 0.52 - 0.5
_DIVERGING = """
PiYG PRGn BrBG PuOr RdGy RdBu RdYlBu RdYlGn Spectral coolwarm bwr seismic berlin managua vanimo
"""
_OTHERS = """
magma inferno plasma viridis cividis turbo twilight twilight_shifted hsv Blues BuGn BuPu GnBu
Greens Greys Grays OrRd Oranges PuBu PuBuGn PuRd Purples RdPu Reds YlGn YlGnBu YlOrBr YlOrRd
CMRmap Wistia afmhot autumn binary bone brg cool copper cubehelix flag gist_earth gist_gray
gist_grey gist_heat gist_ncar gist_rainbow gist_stern gist_yarg gist_yerg gnuplot gnuplot2 gray
grey hot jet nipy_spectral ocean pink prism rainbow spring summer terrain winter Accent okabe_ito
Dark2 Paired Pastel1 Pastel2 Set1 Set2 Set3 tab10 tab20 tab20b tab20c
"""
DIVERGING = frozenset(_DIVERGING.split())
OTHERS = frozenset(_OTHERS.split())
SAMPLES = 9
_RISE = 8.0  # how far, in L*, the middle stands out from each end
_SLACK = 3.0  # how far L* may go against the trend between two samples
_HUES = 25.0  # how far apart the ends are in the a*, b* plane
_TO_XYZ = np.array(
    [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ]
)  # sRGB to XYZ under D65, IEC 61966-2-1


class Image(NamedTuple):
    """One image of one panel, with what its figure says about it."""

    array: Array
    colormap: str
    colors: Array
    zero_at: float
    has_colorbar: bool
    xlabel: str
    ylabel: str


def images_of(value: Value) -> list[Image]:
    """All images of all figures, colour bars left out."""
    figures = value.items if isinstance(value, Items) else (value,)
    found = []
    for figure in figures:
        if isinstance(figure, Figure):
            shared = any(panel.is_colorbar for panel in figure.panels)
            for panel in figure.panels:
                found += [] if panel.is_colorbar else _images(panel, shared)
    return found


def _images(panel: Panel, has_colorbar: bool) -> list[Image]:
    rows = zip(
        panel.images,
        panel.colormaps,
        panel.colors,
        panel.zero_at,
        panel.has_colorbar,
        strict=False,  # from the box, so incomplete data are skipped
    )
    return [
        Image(array, name, colors, zero, bar or has_colorbar, panel.xlabel, panel.ylabel)
        for array, name, colors, zero, bar in rows
    ]


def _diverging(check: FigureCheck, image: Image, sides: frozenset[bool]) -> Mismatch | None:
    if is_diverging(image.colormap, image.colors):
        return None
    name = short(image.colormap, 40)
    text = (
        f"The colour map {name!r} is not diverging: use one with a neutral middle and a "
        "different colour at each end, so that the sign is visible."
    )
    return _mismatch("a diverging colour map", name, text)


def _centred(check: FigureCheck, image: Image, sides: frozenset[bool]) -> Mismatch | None:
    if abs(image.zero_at - 0.5) <= CENTRE_SLACK:
        return None
    percent = f"{100 * image.zero_at:.3g} %"
    text = (
        f"Zero is at {percent} of the colour map, not in the middle: choose limits that are "
        "symmetric around zero."
    )
    return _mismatch("zero at 50 %", percent, text)


def _colorbar(check: FigureCheck, image: Image, sides: frozenset[bool]) -> Mismatch | None:
    if image.has_colorbar:
        return None
    text = "The image has no colour bar, so its colours cannot be read as numbers."
    return _mismatch("a colour bar", "none", text)


def _labels(check: FigureCheck, image: Image, sides: frozenset[bool]) -> Mismatch | None:
    """Both labels are there and do not contradict the table's orientation, given by ``sides``."""
    bare = [axis for axis, label in _axes(image) if not label.strip()]
    if bare:
        axes = "x and y axes have" if len(bare) == 2 else f"{bare[0]} axis has"
        return _mismatch("labels on both axes", "no label", f"The {axes} no label.")
    found = [_contradiction(check, image, turned) for turned in sorted(sides)]
    return None if None in found else next(iter(found), None)


def _contradiction(check: FigureCheck, image: Image, turned: bool) -> Mismatch | None:
    """A label that names the other axis of the table and not its own."""
    ways = [("rows", check.rows, check.columns), ("columns", check.columns, check.rows)]
    axes = _axes(image) if turned else _axes(image)[::-1]
    for (axis, label), (part, right, wrong) in zip(axes, ways, strict=True):
        if _names(label, wrong) and not _names(label, right):
            along = f"the {part} of the expected `{check.shows}`"
            along += f" ({right[0]})" if right else ""
            text = (
                f"The labels do not match the data: the {axis} axis runs along {along}, "
                f"but is labelled {short(label, 60)!r}."
            )
            return _mismatch(right[0] if right else part, short(label, 60), text)
    return None


def _axes(image: Image) -> list[tuple[str, str]]:
    return [("x", image.xlabel), ("y", image.ylabel)]


def _names(label: str, words: tuple[str, ...]) -> bool:
    return any(word.casefold() in label.casefold() for word in words)


def _mismatch(expected: str, actual: str, text: str) -> Mismatch:
    return Mismatch("figure", "other", expected, actual, text=text)


ASPECTS: Mapping[str, Callable[[FigureCheck, Image, frozenset[bool]], Mismatch | None]]
ASPECTS = MappingProxyType(
    {"diverging": _diverging, "centred": _centred, "labels": _labels, "colorbar": _colorbar}
)


def is_diverging(name: str, colors: Array) -> bool:
    """By name where the name is matplotlib's, otherwise by ``colors`` [9, 4] from 0 to 1."""
    stem = name.removesuffix("_r")
    if stem in DIVERGING or stem in OTHERS:
        return stem in DIVERGING
    found = numeric(colors)
    if found is None or found.shape != (SAMPLES, 4):
        return False
    return diverges(found.numbers[:, :3].astype(np.float64))


def diverges(rgb: NDArray[Any]) -> bool:
    """Whether sRGB colours [9, 3] from 0 to 1 go to another lightness and back in another hue.

    Lightness (CIE L*) has its one turning point in the middle, well away from both ends, and the
    two ends differ in hue (CIE a*, b*), as conversions of sRGB.
    """
    lab = _lab(np.clip(rgb, 0, 1))
    light, middle = lab[:, 0], SAMPLES // 2
    sign = 1.0 if light[middle] >= (light[0] + light[-1]) / 2 else -1.0
    steps = np.diff(sign * light)
    stands_out = sign * light[middle] - (sign * light[[0, -1]]).max() >= _RISE
    one_turn = bool((steps[:middle] >= -_SLACK).all() and (steps[middle:] <= _SLACK).all())
    hues = float(np.linalg.norm(lab[0, 1:] - lab[-1, 1:])) >= _HUES
    return bool(stands_out) and one_turn and hues


def _lab(rgb: NDArray[Any]) -> NDArray[Any]:
    """CIE L*a*b* [n, 3] of sRGB [n, 3], white point D65."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _TO_XYZ.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1
    )
