"""Handles an operator's signals: the command finishes what is in progress, or ends at once.

Covered: Ctrl-C and SIGTERM, which Slurm and Kubernetes send before SIGKILL. The first one while a
class is graded: submissions in progress are finished and no more are begun. A second one, or one
before there is anything to finish: the command ends as it would by an error. A third one, or one
during clean-up, changes nothing, so that the clean-up is not cut short. Not covered: SIGKILL, after
which the same command continues from what is stored.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any, TypeVar

from autograder.errors import StoppedError
from autograder.execution.engines.base import Engine

SIGNALS = (signal.SIGINT, signal.SIGTERM)

T = TypeVar("T")
R = TypeVar("R")


class Interrupted(BaseException):
    """A signal ends the command. ``status`` is what a shell expects; the text is for people."""

    def __init__(self, number: int, text: str = "") -> None:
        super().__init__(text)
        self.number = number

    @property
    def status(self) -> int:
        return 128 + self.number


@dataclass(slots=True)
class StopRequest:
    """A request to stop, seen from every thread.

    ``wanted``: nothing more is begun. ``at_once``: what is in progress no longer counts.
    """

    wanted: bool = False
    at_once: bool = False
    under_way: int = 0
    _lock: threading.RLock = field(
        default_factory=threading.RLock
    )  # reentrant: a signal handler may take it too

    def begin(self) -> bool:
        """Whether something more may be begun; if so, it is counted as in progress."""
        with self._lock:
            if self.wanted:  # nothing more is begun once somebody wants to stop
                return False
            self.under_way += 1
            return True

    def end(self) -> None:
        """Something that was begun is done."""
        with self._lock:
            self.under_way -= 1

    def want(self) -> int:
        """Let nothing more begin; returns how much is in progress."""
        with self._lock:
            self.wanted = True
            return self.under_way

    def refuse(self) -> None:
        """Raise ``StoppedError`` if what is in progress no longer counts."""
        if self.at_once:
            raise StoppedError("stopped while it ran; it does not count")


class Stoppable:
    """An engine that begins no more items once a stop is requested."""

    def __init__(self, engine: Engine, stop: StopRequest) -> None:
        self._engine, self._stop = engine, stop

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        """As any engine; items that were not begun are left out."""

        def unless_stopped(item: T) -> tuple[R] | None:
            if not self._stop.begin():
                return None
            try:
                return (function(item),)
            finally:
                self._stop.end()

        for index, result in self._engine.map(unless_stopped, items):
            if result is not None:
                yield index, result[0]


class Interrupts:
    """A context in which signals are handled as in the module's docstring; the earlier handlers are
    restored afterwards.

    ``tell`` shows a line from within a handler. Outside the main thread nothing changes.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self.stop = StopRequest()
        self.number = 0  # of the first signal
        self._tell = tell
        self._under_way: Callable[[int], str] | None = None
        self._closing = False
        self._before: list[tuple[int, Any]] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = [(one, signal.signal(one, self._handle)) for one in SIGNALS]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        bad: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before:
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        self._before = []

    def finish(self, said: Callable[[int], str] | None) -> None:
        """From now on the first signal only asks to stop: ``said`` returns the message, given how
        much is in progress. None: from now on it ends the command again."""
        self._under_way = said

    @contextmanager
    def then_closing(self) -> Iterator[None]:
        """The innermost block: after it a signal is only recorded, so that the blocks around it can
        release what they hold."""
        try:
            yield
        finally:
            self._closing = True  # a signal does not cut the clean-up short

    def end_if_asked(self, text: str = "") -> None:
        """Raise ``Interrupted`` if there was a signal."""
        if self.number:
            raise Interrupted(self.number, text)

    def _handle(self, number: int, _: FrameType | None) -> None:
        first, self.number = not self.number, self.number or number
        if self._closing:
            return
        if first and self._under_way is not None:
            self._tell(self._under_way(self.stop.want()))
        elif not self.stop.at_once:
            self.stop.want()
            # What is under way counts no more after the second signal.
            self.stop.at_once = True
            raise Interrupted(self.number)


@contextmanager
def saying(text: Callable[[], str], asked: Interrupts | None = None) -> Iterator[None]:
    """Give an interrupt in this block this text, unless an inner block has set one."""
    try:
        yield
    except StoppedError:
        if asked is None or not asked.number:
            raise
        raise Interrupted(asked.number, text()) from None
    except Interrupted as one:
        raise Interrupted(one.number, str(one) or text()) from None
