"""The journal of predictions: a prediction is saved before the answer is shown.

Covered: the first prediction for each question is kept, whatever comes later; a broken line of the
file is skipped. Not covered: a student who edits the file. It is theirs and earns no points.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FILE = Path(".autograder", "predictions.jsonl")
MAX_BYTES = 10 * 1024**2
Option = str | int | float


@dataclass(frozen=True, slots=True)
class Journal:
    """The predictions of one assignment, in a file beside the notebook."""

    folder: Path
    assignment: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / FILE

    def first(self, check: str) -> Option | None:
        """The first prediction, or None. ``check``: "exercise/check"."""
        for line in self._lines():
            if (line.get("assignment"), line.get("check")) == (self.assignment, check):
                answer = line.get("answer")
                if isinstance(answer, str | int | float):
                    return answer
        return None

    def write(self, check: str, answer: Option) -> None:
        """Append a line and flush it to the disk. Raises ``OSError``."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"time": now, "assignment": self.assignment, "check": check, "answer": answer}
        self.path.parent.mkdir(exist_ok=True)
        text = json.dumps(line, ensure_ascii=False) + "\n"
        with self.path.open("a+b") as file:
            if file.tell() and not self.path.read_bytes().endswith(b"\n"):
                text = "\n" + text  # the line before was cut off
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            if self.path.stat().st_size > MAX_BYTES:
                return
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found
