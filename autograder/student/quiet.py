"""Calls that leave no trace on the screen: no output, displays, figures or warnings.

Covered: sys.stdout and sys.stderr, display(), warnings, figures of pyplot: the student's own are
out of sight while a call runs, and the call's are removed afterwards, with any backend. Not
covered: output that bypasses Python's streams; a window opened by a call that is itself the first
in the session to import pyplot.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from IPython.core.displaypub import DisplayPublisher
from IPython.core.getipython import get_ipython


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing that happens inside is shown."""
    nowhere: Any = _Nowhere()
    with (
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
        _nothing_displayed(),
        _figures_apart(),
        warnings.catch_warnings(),
    ):
        yield


class _Nowhere(io.TextIOBase):
    """Accepts text and keeps none."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return len(text)


class _Silent(DisplayPublisher):  # type: ignore[misc]
    """Shows nothing."""

    def publish(self, *args: Any, **kwargs: Any) -> None: ...

    def clear_output(self, wait: bool = False) -> None: ...


@contextlib.contextmanager
def _nothing_displayed() -> Iterator[None]:
    shell = get_ipython()
    if shell is None:
        yield
        return
    before, shell.display_pub = shell.display_pub, _Silent()
    try:
        yield
    finally:
        shell.display_pub = before


@contextlib.contextmanager
def _figures_apart() -> Iterator[None]:
    if "matplotlib.pyplot" in sys.modules:
        from autograder.student.unseen_figures import unseen_figures  # noqa: PLC0415  it takes a second

        with unseen_figures():
            yield
        return
    try:
        yield
    finally:
        if "matplotlib.pyplot" in sys.modules:  # the call itself has imported it
            # Figures of a call that loads pyplot are closed.
            sys.modules["matplotlib.pyplot"].close("all")
