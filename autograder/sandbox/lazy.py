"""A sandbox that starts when the first job needs it, and again after it was lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autograder.errors import SandboxError, StoppedError, UsageError
from autograder.evidence.records import Run
from autograder.sandbox.box import LEVELS, Box, Level
from autograder.sandbox.child import Starved
from autograder.sandbox.driver import Killed, run
from autograder.wire.messages import Job


class LazyBox:
    """Runs jobs, from any thread. ``require``: a lower isolation level is refused before any
    student code runs."""

    def __init__(self, make: Callable[[], Box], *, require: Level) -> None:
        self._make = make
        self._require = require
        self._lock = threading.Lock()
        self._box: Box | None = None
        self._closed = False

    def __enter__(self) -> LazyBox:
        return self

    def __exit__(self, *args: object) -> None:
        self._closed = True
        with self._lock:
            if self._box is not None:
                self._box.close()
                self._box = None

    def box(self) -> Box:
        """The box, started if necessary; raises ``UsageError`` below the required level,
        ``StoppedError`` after it was closed."""
        with self._lock:
            if self._closed:
                raise StoppedError("the sandbox is closed and runs nothing more")
            if self._box is None:
                box = self._make()
                found = box.isolation
                if LEVELS.index(found.level) < LEVELS.index(self._require):
                    box.close()
                    raise UsageError(
                        f"isolation on this machine is {found.level!r}, but {self._require!r} is "
                        f"required; missing: {'; '.join(found.missing) or 'nothing was probed'}. "
                        f"See `autograder doctor`. {_all_the_same(found.level)}"
                    )
                self._box = box
            return self._box

    def accepts(self, level: str) -> bool:
        """Whether evidence gathered at this level is good enough."""
        return level in LEVELS and LEVELS.index(level) >= LEVELS.index(self._require)

    def run(self, job: Job, *, watch: Callable[[Run], None] | None = None) -> Run:
        """Run a job. If the box is lost in the process, it is replaced once; a run that somebody
        killed or for which the machine was too busy is repeated once. Raises ``SandboxError``,
        ``StoppedError``.

        ``watch`` is given the evidence so far, see ``driver.run``.
        """
        box = self.box()
        try:
            return _twice_if_killed(job, box, watch)
        except Starved:  # what a busy machine had no time for is tried again in the same box
            return _twice_if_killed(job, box, watch)
        except SandboxError:
            self._forget(box)
            return _twice_if_killed(job, self.box(), watch)

    def _forget(self, lost: Box) -> None:
        with self._lock:
            if self._box is lost:
                lost.close()
                self._box = None


def _twice_if_killed(job: Job, box: Box, watch: Callable[[Run], None] | None) -> Run:
    """An unexplained kill is attributed to the notebook only if it happens again."""
    try:
        # A kill that nobody explains is doubted.
        return run(job, box, watch=watch, doubt_kills=True)
    except Killed:
        return run(job, box, watch=watch)


def _all_the_same(level: Level) -> str:
    """How to run at this level nevertheless, if that is possible."""
    if level == "none":
        return "Nothing can run at this level"
    trust = ", but only for submissions that you trust" if level == "weak" else ""
    return f"Use --require {level} to run anyway{trust}"
