"""Decides whether a colour map is diverging: by its name, or by nine of its colours.

The rule for colours: lightness (CIE L*) has its one turning point in the middle, well away from
both ends, and the two ends differ in hue (CIE a*, b*), as conversions of sRGB.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.judging.checks.arrays import numeric
from autograder.wire.values import Array

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
    """Whether sRGB colours [9, 3] from 0 to 1 go to another lightness and back in another hue."""
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
