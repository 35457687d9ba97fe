"""Keeps files up to date with a recorder while a class is graded, for whoever reads ``*.prom``.

Covered: a reader sees whole files alone; a file that cannot be written costs nobody a grade.
Not covered: a killed process leaves what was written last, at most ``EVERY_S`` seconds old.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.classroom.metrics.recorder import Recorder
from autograder.errors import UsageError
from autograder.files import write_atomic

EVERY_S = 15.0


class Exposed:
    """While this is entered, the files are written every ``every_s`` seconds, and at its end.

    It can be entered again. ``tell`` is given one sentence for a file that cannot be written.
    """

    def __init__(
        self,
        recorder: Recorder,
        paths: Sequence[Path],
        tell: Callable[[str], None],
        *,
        every_s: float = EVERY_S,
    ) -> None:
        self.recorder = recorder
        self._paths, self._tell, self._every_s = tuple(paths), tell, every_s
        self._told: set[Path] = set()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Exposed:
        self._end.clear()
        self._thread = threading.Thread(target=self._go_on, name="metrics", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        self._write()

    def _go_on(self) -> None:
        while not self._end.wait(self._every_s):
            self._write()

    def _write(self) -> None:
        for path in self._paths:
            try:
                write_atomic(path, self.recorder.text(), readable=True)
            except Exception as bad:  # noqa: BLE001  no fault here may end a batch
                if path not in self._told:  # metrics that cannot be written are told once
                    self._told.add(path)
                    why = str(bad).partition(";")[0] or type(bad).__name__
                    self._tell(f"no metrics: {why}; grading continues without them")


def wanted_file(path: Path) -> Path:
    """A path that metrics can be written to; raises ``UsageError`` for a folder or a device."""
    if path.is_dir():
        raise UsageError(f"--metrics {path}: this is a folder; give a file, e.g. {path}/class.prom")
    if path.exists() and not path.is_file():  # metrics take the place of nothing but a file
        raise UsageError(
            f"--metrics {path}: this is not a regular file; give another path, which need not exist"
        )
    return path
