"""Keeps the student's own pyplot figures out of the way, and a call's figures off the screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from matplotlib import pyplot as plt
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import _Backend

from autograder.runner.canvas import FigureCanvas, FigureManager


class _InMemory(_Backend):
    """The backend that pyplot uses meanwhile: no window, no widget."""

    FigureCanvas, FigureManager = FigureCanvas, FigureManager


@contextlib.contextmanager
def unseen_figures() -> Iterator[None]:
    """New figures are drawn in memory and dropped at the end; earlier ones are restored."""
    figures, backend = dict(Gcf.figs), getattr(plt, "_backend_mod", None)
    Gcf.figs.clear()
    plt._backend_mod = _InMemory
    try:
        yield
    finally:
        Gcf.figs.clear()
        Gcf.figs.update(figures)
        plt._backend_mod = backend
