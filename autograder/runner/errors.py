"""An exception of the student's as data: class names, text, and the line in the cell."""

from __future__ import annotations

import linecache
from types import TracebackType

from autograder.wire.messages import Error
from autograder.wire.tensors import sendable

TEXT_LIMIT = 1000
MAX_FRAMES = 8


def describe(error: BaseException) -> Error:
    """Never raises, whatever the exception's class does."""
    types = tuple(sendable(c.__name__[:100]) for c in type(error).__mro__[:12] if c is not object)
    try:
        text = sendable(str(error)[:TEXT_LIMIT])
    except BaseException:  # noqa: BLE001  a student's __str__ may do anything
        text = ""
    if isinstance(error, SyntaxError):
        line, source = error.lineno or 0, (error.text or "").rstrip("\n")[:200]
        return Error(types, (error.msg or "")[:TEXT_LIMIT], line, source, "")
    frames = _cell_frames(error.__traceback__)
    line, source = (frames[-1][1], frames[-1][3]) if frames else (0, "")
    trace = "\n".join(f"{name}, line {at}, in {where}: {code}" for name, at, where, code in frames)
    return Error(types, text, line, source, trace)


def _cell_frames(traceback: TracebackType | None) -> list[tuple[str, int, str, str]]:
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith("<cell "):
            name, at = code.co_filename, traceback.tb_lineno
            source = linecache.getline(name, at).strip()[:200]
            frames.append((name.strip("<>"), at, code.co_name, source))
        traceback = traceback.tb_next
    return frames[:1] + frames[1:][-MAX_FRAMES:]
