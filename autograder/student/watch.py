"""Stops a call that does not end: after so many seconds, or when the student interrupts it.

Covered: Python code that computes, waits or swallows exceptions (the exception is raised again
every second). An interrupt between two calls is kept and ends the round, so that everything is
restored first. Not covered: a single library operation that never returns; any limit of time
outside the main thread, and on Windows, where only interrupts work.
"""

from __future__ import annotations

import signal
import threading
import types
from collections.abc import Callable
from typing import Any, TypeVar

from autograder.evidence.records import Stop

AGAIN_S = 1.0  # for code that swallowed the first one
YOURS = Stop("wall", "you stopped it")
T = TypeVar("T")


class OverTime(KeyboardInterrupt):
    """Raised in code that has used up its time; not caught by ``except Exception``."""


class CallWatch:
    """Watches calls, one at a time, while it is entered. ``interrupted``: the student wants no
    more."""

    def __init__(self) -> None:
        self.interrupted = False
        self._stop: Stop | None = None
        self._busy = False
        self._seconds = 0.0
        self._before: list[tuple[int, Any]] = []
        self._timer = (0.0, 0.0)
        self._timed = hasattr(signal, "setitimer")

    def __enter__(self) -> CallWatch:
        if threading.current_thread() is threading.main_thread():
            handlers: dict[int, Callable[[int, types.FrameType | None], None]] = {
                signal.SIGINT: self._on_interrupt
            }
            if self._timed:
                handlers[signal.SIGALRM] = self._on_time
                self._timer = signal.getitimer(signal.ITIMER_REAL)
            self._before = [(one, signal.signal(one, h)) for one, h in handlers.items()]
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before:
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        if self._timed and self._before and any(self._timer):
            signal.setitimer(signal.ITIMER_REAL, *self._timer)
        self._before = []

    def call(self, function: Callable[[], T], seconds: float) -> tuple[T | None, Stop | None]:
        """The function's result, if it returned, and why it was stopped, if it was."""
        self._stop, self._seconds, self._busy = None, seconds, True
        self._set_timer(seconds)
        result = None
        try:
            result = function()
        except KeyboardInterrupt:
            self._stop = self._stop or self._interrupt()
        finally:
            self._busy = False
            self._set_timer(0)
        return result, self._stop

    def _set_timer(self, seconds: float) -> None:
        if self._timed and self._before:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S if seconds else 0)

    def _interrupt(self) -> Stop:
        self.interrupted, self._stop = True, YOURS
        return YOURS

    def _on_interrupt(self, number: int, frame: types.FrameType | None) -> None:
        self._interrupt()  # an interrupt does not break the putting back
        if self._busy:
            raise KeyboardInterrupt

    def _on_time(self, number: int, frame: types.FrameType | None) -> None:
        if self._busy:
            text = f"it ran for more than {self._seconds:g} seconds without finishing"
            self._stop = self._stop or Stop("wall", text)
            raise OverTime
