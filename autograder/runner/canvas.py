"""A matplotlib backend for the sandbox: draws into memory; show() passes figures to a callback."""

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
        """Takes the open figures, as a notebook's backend does."""
        cls.on_show()

    def show(self) -> None:
        """Does nothing: there is no window."""


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """Agg with our manager."""

    manager_class = FigureManager
