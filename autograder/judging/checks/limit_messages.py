"""Names the limit that caused an exception, in a sentence that helps the student."""

from __future__ import annotations

import re

from autograder.evidence.stops import says_no_device_memory, says_no_memory
from autograder.wire.messages import Error, Limits

_ERRNO = re.compile(r"\[Errno (\d+)\]")
_ASKED = re.compile(r"you tried to allocate (\d{1,18}) bytes|Unable to allocate ([\d.]+ \w+)")
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_CLOSED = "During grading, a notebook cannot start programs or processes, or use the network."
_ELSEWHERE = (
    "During grading, a notebook can write only to its own folder and to /tmp, and read only "
    "from those and from the installed packages."
)


def which_bound(error: Error, limits: Limits) -> str:
    """The limit that this exception points to, as a sentence; "" if there is none."""
    if says_no_device_memory(error):
        return f"A notebook may use at most {limits.device_mb} MB of accelerator memory."
    if says_no_memory(error):
        asked = _asked(error.text)
        what = f"It requested {asked} at once; the" if asked else "The"
        return f"{what} whole notebook may use at most {limits.memory_mb} MB."
    if "can't start new thread" in error.text:
        return f"A notebook may run at most {limits.processes} threads at the same time."
    found = _ERRNO.search(error.text) if "OSError" in error.types else None
    return _of_errno(int(found.group(1)), limits) if found is not None else ""


def in_line(error: Error | None) -> str:
    """Where a cell or call was interrupted, ``" in line 3 (`while True:`)"``; "" if unknown."""
    if error is None or error.line <= 0 or not error.source.strip():
        return ""
    source = " ".join(error.source.split())
    return f" in line {error.line} (`{source[:80]}`)"


def _of_errno(number: int, limits: Limits) -> str:
    sentences = {
        1: _CLOSED,
        11: _CLOSED,
        13: _ELSEWHERE,
        24: f"A notebook may have at most {limits.open_files} files open at the same time.",
        27: f"A notebook may write at most {limits.disk_mb} MB.",
        28: f"A notebook may write at most {limits.disk_mb} MB in {limits.files} files.",
        30: _ELSEWHERE,
    }
    return sentences.get(number, "")


def _asked(text: str) -> str:
    """The amount that torch or NumPy failed to allocate, in decimal units."""
    found = _ASKED.search(text)
    if found is None:
        return ""
    if found.group(2):
        return found.group(2)
    size, unit = float(found.group(1)), 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.3g} {_UNITS[unit]}"
