"""The figures of a run, taken as data when they are shown: by plt.show(), display() or cell end."""

from __future__ import annotations

import contextlib
from typing import Any

from autograder.runner import figures
from autograder.runner.output import Collector
from autograder.wire.messages import GIVEN
from autograder.wire.values import Figure

MAX_FIGURES = 16  # of one exercise, and pictures of one cell
MAX_FIGURE_BYTES = 2_000_000


class Gallery:
    """What each exercise showed. Between cells nothing is taken, only closed."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._taken: list[tuple[str, Figure]] = []
        self._exercise: str | None = None
        self._drawn = 0
        self.draw = False

    def open(self, exercise: str) -> None:
        """A cell of this exercise ("" for none) begins."""
        self._exercise, self._drawn = exercise, 0

    def close(self) -> None:
        """The cell has ended: what it left open is shown too."""
        self.take_open()
        self._exercise = None

    def take_open(self) -> None:
        """Take all open figures and close them, so that what is drawn next is a new one."""
        if self._exercise is not None:
            for figure in figures.open_figures():
                png = self._take(figure)
                if png:
                    self._collector.add("display", "image/png", png, whole=True)
        figures.close_figures()

    def take_displayed(self, figure: Any) -> bytes | None:
        """A figure that is the value of a cell or handed to display(), as its picture.

        One that is still open is left for the end of the cell.
        """
        if self._exercise is None or any(figure is other for other in figures.open_figures()):
            return None
        return self._take(figure) or None

    def of(self, exercise: str) -> tuple[Figure, ...]:
        """The exercise's own; else those of no exercise; else all that the student drew."""
        own = [figure for owner, figure in self._taken if owner == exercise]
        free = [figure for owner, figure in self._taken if not owner]
        return tuple(own or free or [f for owner, f in self._taken if owner != GIVEN])

    def _take(self, figure: Any) -> bytes:
        """Take a figure as data at once, whatever later happens to it; its picture, if wanted."""
        with contextlib.suppress(Exception):  # a half-built figure is no answer
            self._keep(self._exercise or "", figures.figure_to_wire(figure))
        png = figures.draw(figure) if self.draw and self._drawn < MAX_FIGURES else b""
        self._drawn += 1
        if len(png) > MAX_FIGURE_BYTES:
            return b""
        self._collector.left = max(self._collector.left, len(png))
        return png

    def _keep(self, owner: str, figure: Figure) -> None:
        """Add a figure; of too many, the oldest one without an image goes first."""
        own = [place for place, (other, _) in enumerate(self._taken) if other == owner]
        if len(own) >= MAX_FIGURES:
            plain = (n for n in own if not any(p.images for p in self._taken[n][1].panels))
            place = next(plain, None)
            if place is None:
                return
            del self._taken[place]
        self._taken.append((owner, figure))
