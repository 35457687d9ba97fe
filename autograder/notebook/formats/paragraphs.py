"""Where a Python script can be cut: at blank lines between statements at the left margin.

Covered: a statement is never cut, whatever blank lines, comments, quotes or brackets it contains,
nor a compound statement before its ``else``, ``elif``, ``except`` or ``finally``, nor a decorator
from its definition. A bracket or a quote that never closes affects its own paragraph only: then the
margin counts more than brackets, and finally more than quotes. Not covered: a wrong bracket that is
closed by another wrong bracket further down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from autograder.notebook.formats.cells import MAX_CELLS

_TOKEN = re.compile(
    r'''"""|\'\'\'|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|#.*|[(\[{]++|[)\]}]++|\\$'''
)
_CLOSE = {
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+"""'),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+'''"),
}
_GOES_ON = re.compile(r"(?:else|elif|except|finally)\b|\s")
_SHELL = re.compile(r"\s*[!%]")


def split_paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """The paragraphs of a script, without the blank lines around them; lines are unchanged.

    More than ``MAX_CELLS`` count as one paragraph.
    """
    for closed in ("all", "quotes", "none"):
        scan = _Scan(closed)
        starts = list(islice(scan.starts(lines), MAX_CELLS + 1))
        if len(starts) > MAX_CELLS:
            return [_trimmed(list(lines[starts[0] :]))]
        if scan.ended:
            break
    blocks = [list(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
    return [_trimmed(block) for block in _joined(blocks)]


class _Scan:
    """One pass over the lines. ``closed`` names what must close before a paragraph can end:
    all brackets and quotes, quotes only, or none."""

    def __init__(self, closed: str) -> None:
        self._closed = closed
        self._quote, self._depth, self._continued = "", 0, False

    @property
    def ended(self) -> bool:
        """Whether everything that had to close was closed at the end."""
        return {
            "all": not (self._quote or self._depth),
            "quotes": not self._quote,
            "none": True,
        }[self._closed]

    @property
    def _open(self) -> bool:
        """Whether a quote, a bracket or a line continues."""
        return bool(self._quote or self._depth or self._continued)

    def starts(self, lines: Sequence[str]) -> Iterator[int]:
        """The numbers, from 0, of the lines at which something begins at the margin."""
        blank, kept, begun = True, 0, False
        for at, line in enumerate(lines):
            if not line.strip():
                blank, self._continued = True, False
                continue
            at_margin = blank and not line[0].isspace() and at >= kept
            if at_margin and self._closed != "all":
                self._depth = 0
            if at_margin and self._closed == "none":
                self._quote, kept = "", _end_of_text(lines, at)
            if not begun or (at_margin and not self._open):
                yield at
            blank, begun = False, True
            if self._open or not _SHELL.match(line):
                self._read(line)

    def _read(self, line: str) -> None:
        at, self._continued = 0, False
        if self._quote:
            found = _CLOSE[self._quote].match(line)
            if not found:
                return
            at, self._quote = found.end(), ""
        while token := _TOKEN.search(line, at):
            at = token.end()
            match token[0]:
                case '"""' | "'''" as quote:
                    found = _CLOSE[quote].match(line, at)
                    if not found:
                        self._quote = quote
                        return
                    at = found.end()
                case "\\":
                    self._continued = True
                case signs if signs[0] in "([{":
                    self._depth += len(signs)
                case signs if signs[0] in ")]}":
                    self._depth = max(0, self._depth - len(signs))


def _end_of_text(lines: Sequence[str], start: int) -> int:
    """The line after a triple-quoted text that begins at the margin and ends at a line's end before
    another begins; ``start`` if there is none."""
    quote = lines[start][:3]
    if quote not in _CLOSE:
        return start
    if lines[start].rstrip().endswith(quote) and len(lines[start].rstrip()) >= 6:
        return start + 1
    for at in range(start + 1, len(lines)):
        if lines[at].rstrip().endswith(quote):
            return at + 1
        if lines[at].startswith(quote):
            break
    return start


def _joined(blocks: list[list[str]]) -> list[list[str]]:
    """Blocks, each joined with the one before if it continues that."""
    goes_on = [False] * len(blocks)
    after = False
    for at in range(len(blocks) - 1, 0, -1):
        code = _code_lines(blocks[at])
        first = next(code, None)
        after = after if first is None else _GOES_ON.match(first) is not None
        goes_on[at] = after
    made: list[list[str]] = []
    decorated = False
    for block, joins in zip(blocks, goes_on, strict=True):
        if made and (joins or decorated):
            made[-1].extend(block)
        else:
            made.append(block)
        last = next(_code_lines(block[::-1]), "")
        decorated = last.startswith("@") or (decorated and not last)
    return made


def _code_lines(block: Sequence[str]) -> Iterator[str]:
    """The lines that are neither blank nor only a comment."""
    return (line for line in block if line.strip() and not line.lstrip().startswith("#"))


def _trimmed(block: list[str]) -> list[str]:
    end = max(at for at, line in enumerate(block, start=1) if line.strip())
    return block[:end]
