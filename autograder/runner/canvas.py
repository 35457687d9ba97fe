"""A matplotlib backend for the box: draws into memory, and show() does nothing visible."""

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureManager(FigureManagerBase):
    """A manager without a window; shown figures stay open until the cell has ended."""

    @classmethod
    def pyplot_show(cls, *args: Any, **kwargs: Any) -> None:
        """Nothing to open: figures are collected after the cell."""

    def show(self) -> None:
        """Nothing to open."""


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """Agg with our manager."""

    manager_class = FigureManager
