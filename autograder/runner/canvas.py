"""A matplotlib backend for the box: draws into memory; show() hands figures to whoever asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureManager(FigureManagerBase):
    """A manager without a window. ``on_show`` is what plt.show() does with the open figures."""

    on_show: ClassVar[Callable[[], None]] = staticmethod(lambda: None)

    @classmethod
    def pyplot_show(cls, *args: Any, **kwargs: Any) -> None:
        """Nothing to open: the open figures are taken, as a notebook's backend does."""
        cls.on_show()

    def show(self) -> None:
        """Nothing to open."""


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """Agg with our manager."""

    manager_class = FigureManager
