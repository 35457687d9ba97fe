"""What makes an image of a table readable: one question and one clear sentence for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from autograder.assignment.kinds import FigureCheck
from autograder.judging.checks.colours import is_diverging
from autograder.judging.checks.explain import short
from autograder.judging.verdict import Mismatch
from autograder.wire.values import Array, Figure, Items, Panel, Value

CENTRE_SLACK = 0.02 + 1e-9  # 2 % of the map, and the rounding of 0.52 - 0.5


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
