"""Reads a .py file in jupytext's light format: ``# +`` begins a cell, ``# -`` ends it.

Our own reader, as for the percent format: a cell ends at its mark or at the next one, whatever is
in between, and text without marks is cut into paragraphs without cutting any statement. (jupytext's
reader extends an open quote to the end of the file, separates ``if`` from its ``else`` at a blank
line, and mistakes the comment ``# copy this`` for a command.)

Covered: ``# + title [markdown] key="value"``, other end marks (``endofcell``), ``# region`` and
other marks named in the header, commented magics, raw cells and cells of other languages. Not
covered: regions within regions; the inner one begins a new cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.notebook.formats.cells import MAX_CELLS, UncheckedCell
from autograder.notebook.formats.header import Header
from autograder.notebook.formats.plain import paragraph_pieces
from autograder.notebook.formats.script import MAX_MARK, mark_metadata, marked

_OPTIONS = re.compile(r"\s*(?:$|.*\[(?:markdown|md|raw)\]|(?:\S+\s+)*?[A-Za-z_][\w.-]*=|\{)")
# an editor's foldings are not cells: such a mark must say something about its cell
_WORD = re.compile(r"#\s*(region|\{\{\{)\s(?:.*\[(?:markdown|md|raw)\]|(?:.*\s)?[\w.-]+=\S)")
_MARKERS = re.compile(r"[^\s,]{1,20},[^\s,]{1,20}")
_ENDS = {"region": "endregion", "{{{": "}}}"}


@dataclass(frozen=True, slots=True)
class Marks:
    """The words that begin and end a cell in a file."""

    start: str = "+"
    end: str = "-"

    def begins(self, line: str) -> str | None:
        """The text after the mark of a line that begins a cell; None for any other line."""
        rest = _after(line, self.start)
        if rest is None or not (rest[:1].isspace() or not rest):
            return None
        return rest if self.start != "+" or _OPTIONS.match(rest) else None

    def ends(self, line: str, word: str) -> bool:
        """Whether a line is the end mark ``word``."""
        rest = _after(line, word)
        return rest is not None and not rest.strip()


def _after(line: str, word: str) -> str | None:
    if line[:1] != "#":
        return None
    bare = line[1:MAX_MARK].lstrip()
    return bare.removeprefix(word) if bare.startswith(word) else None


def marks_of(lines: Sequence[str], header: Header) -> Marks | None:
    """The marks by which a file is in the light format; None if it is not."""
    if _MARKERS.fullmatch(header.markers) and '"""' not in header.markers:
        start, _, end = header.markers.partition(",")
        return Marks(start, end)
    marks = Marks()
    if header.format_name == "light" or any(marks.begins(line) is not None for line in lines):
        return marks
    words = {found[1] for line in lines if line[:1] == "#" and (found := _WORD.match(line))}
    return next((Marks(word, end) for word, end in _ENDS.items() if word in words), None)


def split_light(lines: Sequence[str], marks: Marks) -> list[UncheckedCell]:
    """The cells of a file in the light format; at most one more than ``MAX_CELLS``."""
    pieces: list[UncheckedCell] = []
    at = 0
    while at < len(lines) and len(pieces) <= MAX_CELLS:
        mark = marks.begins(lines[at])
        if mark is None:
            end = at
            while end < len(lines) and marks.begins(lines[end]) is None:
                end += 1
            pieces += paragraph_pieces(lines[at:end], written=True)
            at = end
            continue
        word = mark_metadata(mark).get("endofcell", marks.end)
        end = at + 1
        while end < len(lines) and not _over(lines[end], marks, word):
            end += 1
        pieces.append(marked(mark, lines[at + 1 : end], written=True))
        over = end < len(lines) and marks.begins(lines[end]) is None
        at = end + 1 if over else end
    return pieces


def _over(line: str, marks: Marks, word: object) -> bool:
    own = word if isinstance(word, str) and word else marks.end
    return marks.begins(line) is not None or marks.ends(line, own)
