"""The figures of a run, taken as data when they are shown (by plt.show(), display() or at the end
of a cell), and the text printed with them."""

from __future__ import annotations

import contextlib
from typing import Any

from autograder.runner import figures
from autograder.runner.figure_owners import MAX_FIGURES, PRINTED, shown_by, told_by
from autograder.runner.output import Collector
from autograder.wire.messages import GIVEN
from autograder.wire.values import Figure

MAX_FIGURE_BYTES = 2_000_000


class Gallery:
    """What each exercise showed. Between cells, figures are closed but not taken."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._taken: list[tuple[str, Figure]] = []
        self._printed: dict[str, str] = {}
        self._lately = ""  # printed behind the last given cell by further cells of exercises
        self._exercise: str | None = None
        self._drawn = 0
        self.draw = False

    def open(self, exercise: str) -> None:
        """A cell of this exercise ("" for none) begins."""
        self._exercise, self._drawn = exercise, 0

    def close(self) -> None:
        """The cell has ended: figures that it left open count as shown."""
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
        """Take a figure that is a cell's value or was passed to display(), as its picture.

        A figure that is still open is left for the end of the cell.
        """
        if self._exercise is None or any(figure is other for other in figures.open_figures()):
            return None
        return self._take(figure) or None

    def of(self, exercise: str) -> tuple[tuple[Figure, ...], str]:
        """The figures that count as an exercise's, and the text printed with them."""
        drew = shown_by(exercise, {owner for owner, _ in self._taken})
        printed = (self._printed.get(owner, "") for owner in told_by(exercise, drew))
        return tuple(f for owner, f in self._taken if owner in drew), "".join(printed)

    def say(self, exercise: str, text: str) -> None:
        """A cell of this exercise ("" for none) printed something, or nothing.

        A cell without a tag counts as one of the exercise before it. What it prints behind the
        last given cell may belong to the exercise that begins next, and is kept for that one, too.
        """
        begins = exercise not in self._printed
        before = self._lately if begins and exercise else ""
        self._printed[exercise] = (self._printed.get(exercise, before) + text)[:PRINTED]
        if exercise == GIVEN:
            self._lately = ""
        elif not begins:
            self._lately = (self._lately + text)[:PRINTED]

    def _take(self, figure: Any) -> bytes:
        """Take a figure as data at once, since it may change later; its picture, if wanted."""
        with contextlib.suppress(Exception):  # a half-built figure is no answer
            self._keep(self._exercise or "", figures.figure_to_wire(figure))
        png = figures.draw(figure) if self.draw and self._drawn < MAX_FIGURES else b""
        self._drawn += 1
        if len(png) > MAX_FIGURE_BYTES:
            return b""
        self._collector.left = max(self._collector.left, len(png))
        return png

    def _keep(self, owner: str, figure: Figure) -> None:
        """Add a figure; of too many, the oldest one without an image is dropped first."""
        own = [place for place, (other, _) in enumerate(self._taken) if other == owner]
        if len(own) >= MAX_FIGURES:
            plain = (n for n in own if not any(p.images for p in self._taken[n][1].panels))
            place = next(plain, None)
            if place is None:
                return
            del self._taken[place]
        self._taken.append((owner, figure))
