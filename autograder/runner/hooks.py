"""Hooks that call a notebook's functions while other code runs, removed for the time of a test.

Covered: tracing, profiling and monitoring, callbacks of the garbage collector, timers, torch's
function and dispatch modes. Not covered: threads that keep running, ``__del__`` and callbacks of
weak references, operators that were registered with torch's dispatcher.
"""

from __future__ import annotations

import functools
import gc
import signal
import sys
from typing import Any

from autograder.runner.toolkit import Steps, toolkit

# bound here once: this runs before the notebook's changes to the libraries are undone
_settrace, _gettrace, _setprofile, _getprofile = (
    getattr(sys, name) for name in ("settrace", "gettrace", "setprofile", "getprofile")
)
_setitimer: Any = getattr(signal, "setitimer", None)  # Windows has none
_TIMERS = [int(value) for name, value in vars(signal).items() if name.startswith("ITIMER_")]
_monitoring: Any = getattr(sys, "monitoring", None)  # since Python 3.12
_EVENTS = [event for event in vars(_monitoring.events).values() if event] if _monitoring else []
_TOOLS = tuple(range(6))
_register: Any = _monitoring.register_callback if _monitoring else None


def take_away() -> Steps:
    """Remove every hook; returns the steps that put them back. Timers are stopped for good."""
    trace, profile = _gettrace(), _getprofile()
    _settrace(None)
    _setprofile(None)
    for timer in _TIMERS:
        _setitimer(timer, 0)
    callbacks = [*gc.callbacks]
    gc.callbacks.clear()  # callbacks of the collector are off during a test
    back: Steps = [lambda: gc.callbacks.extend(callbacks)]
    for tool in _TOOLS:
        for event in _EVENTS:
            callback = _register(tool, event, None)
            if callback is not None:
                back.append(functools.partial(_register, tool, event, callback))
    toolkit().leave_modes(back)
    back += [lambda: _setprofile(profile), lambda: _settrace(trace)]
    return back


def put_back(steps: Steps) -> None:
    """Undo ``take_away``."""
    for step in steps:
        step()
