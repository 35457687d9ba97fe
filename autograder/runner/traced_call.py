"""One call of a student's function, and on request which lines of the student's cells run in it.

Covered: code that stops the trace, or sets its own: then no line is reported; the time a trace
takes. Not covered: threads, compiled functions, the parts of one line, and code that forges lines:
they are claims.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

import msgspec

from autograder.runner import calls
from autograder.runner.cell_names import HERE
from autograder.wire.messages import MOST_LINES, Call, Outcome

_settrace, _gettrace = sys.settrace, sys.gettrace
_numbered = re.compile(HERE + r"([0-9]{1,9})>").fullmatch
MOST_EVENTS = 20_000  # calls of functions and lines of cells in one call: a few milliseconds


def call(
    namespace: dict[str, Any], request: Call, restore: Callable[[], None] = lambda: None
) -> Outcome:
    """See ``calls.call``; with the lines that ran, if they are wanted."""
    if not request.trace:
        return calls.call(namespace, request, restore)
    with _LineTrace() as trace:
        outcome = calls.call(namespace, request, restore)
    return msgspec.structs.replace(outcome, lines=trace.lines)


class _LineTrace:
    """Records which lines of cells run. ``lines``: (cell, line) in order; none if some may be
    missing."""

    def __init__(self) -> None:
        self.lines: tuple[tuple[int, int], ...] = ()
        self._found: set[tuple[str, int]] = set()
        self._left = MOST_EVENTS
        self._own = self._function  # one object, which can be recognised

    def __enter__(self) -> _LineTrace:
        self._before = _gettrace()
        _settrace(self._own)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        whole = _gettrace() is self._own
        _settrace(self._before)
        found = [(int(cell[1]), at) for name, at in self._found if (cell := _numbered(name))]
        if whole and len(found) <= MOST_LINES:  # a trace that was stopped reports no line
            self.lines = tuple(sorted(found))

    def _function(self, frame: FrameType, event: str, argument: object) -> Any:
        """A function is called."""
        self._count()
        return self._line if frame.f_code.co_filename.startswith(HERE) else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        """Something happens in a function of a cell."""
        self._count()
        if event == "line":
            self._found.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:  # a trace ends after a number of events
            _settrace(None)
