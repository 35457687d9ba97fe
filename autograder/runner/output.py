"""What a cell writes and shows, collected in order and bounded."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from autograder.wire.messages import Output

_TEXT_KINDS = ("stdout", "stderr")
_MIMES = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png")


class Collector:
    """Outputs of one cell. Text beyond ``limit`` bytes in total is counted, not kept."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, limit: int) -> None:
        """Forget what was collected, and take up to ``limit`` bytes from now on."""
        self.entries: list[tuple[str, str, list[bytes]]] = []
        self.left = limit
        self.dropped = 0

    def add(self, kind: str, mime: str, content: bytes, *, whole: bool) -> None:
        """Add an output; ``whole`` ones (pictures) are kept entirely or not at all."""
        if len(content) > self.left:
            kept = b"" if whole else content[: self.left]
            self.dropped += len(content) - len(kept)
            content = kept
            if not content:
                return
        self.left -= len(content)
        if self.entries and kind in _TEXT_KINDS and self.entries[-1][0] == kind:
            self.entries[-1][2].append(content)
        else:
            self.entries.append((kind, mime, [content]))

    def outputs(self) -> tuple[Output, ...]:
        """All that was kept."""
        return tuple(
            Output(kind, mime, b"".join(parts))  # type: ignore[arg-type]
            for kind, mime, parts in self.entries
        )


class Writer(io.TextIOBase):
    """A text stream that passes everything to a collector: replaces stdout and stderr."""

    def __init__(self, collector: Collector, kind: str) -> None:
        super().__init__()
        self._collector = collector
        self._kind = kind

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        collector = self._collector
        if collector.left <= 0:
            collector.dropped += len(text)
        elif text:
            content = text.encode("utf-8", "replace")
            collector.add(self._kind, "text/plain", content, whole=False)
        return len(text)


def add_formats(collector: Collector, kind: str, formats: dict[str, Any]) -> None:
    """Take the best format of a displayed object, and its plain text beside it."""
    for mime in reversed(_MIMES):
        content = formats.get(mime)
        if isinstance(content, str):
            data = content.encode("utf-8", "replace")
            collector.add(kind, mime, data, whole=mime != "text/plain")
            return
        if isinstance(content, bytes) and mime == "image/png":
            collector.add(kind, mime, content, whole=True)
            return


def display_hook(shell: Any, collector: Collector) -> Callable[[Any], None]:
    """A displayhook for the value of a cell's last expression."""

    def show(value: Any = None) -> None:
        if value is None or shell.quiet:
            return
        shell.user_ns["_"] = value
        formats, _ = shell.display_formatter.format(value)
        add_formats(collector, "result", formats)

    return show
