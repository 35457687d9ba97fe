"""Reads a .py file as a notebook: in the percent format (``# %%`` begins a cell), in jupytext's
light format (``# +`` begins a cell, ``# -`` ends it), or without marks.

Our own reader, since submissions are hostile: a cell ends at its mark or at the next one, whatever
is in between, text without marks is cut into paragraphs without cutting any statement, and nothing
is evaluated. (jupytext's reader extends an open quote to the end of the file, separates ``if`` from
its ``else`` at a blank line, and mistakes the comment ``# copy this`` for a command.)

Covered: marks with a title, ``[markdown]`` and ``key="value"``; ``# In[3]:`` and ``# <codecell>``;
other end marks (``endofcell``), ``# region`` and other marks named in the header; commented magics,
text cells as comments or in triple quotes, raw cells and cells of other languages; what Colab
downloads as .py. Not covered: outputs, which scripts lack; regions within regions (the inner one
begins a new cell); which exercise a cell without marks belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from autograder.notebook.formats.cells import MAX_CELLS, UncheckedCell, too_many
from autograder.notebook.formats.header import Header
from autograder.notebook.formats.paragraphs import split_paragraphs
from autograder.notebook.formats.script import (
    MAX_MARK,
    bare_text,
    mark_metadata,
    marked,
    uncomment,
    with_magics,
)
from autograder.notebook.formats.text import Repairs

_OPTIONS = re.compile(r"\s*(?:$|.*\[(?:markdown|md|raw)\]|(?:\S+\s+)*?[A-Za-z_][\w.-]*=|\{)")
# an editor's foldings are not cells: such a mark must say something about its cell
_WORD = re.compile(r"#\s*(region|\{\{\{)\s(?:.*\[(?:markdown|md|raw)\]|(?:.*\s)?[\w.-]+=\S)")
_MARKERS = re.compile(r"[^\s,]{1,20},[^\s,]{1,20}")
_ENDS = {"region": "endregion", "{{{": "}}}"}
_COLAB = "# Commented out IPython magic to ensure Python compatibility."
_COLAB_CELL = re.compile(r"# %%[A-Za-z]")
_MARK = re.compile(r"#\s*(?:%%+(?=\s|$)|<codecell>\s*$|In\s?\[[0-9 ]*\]:?\s*$)")


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


def split_plain(lines: Sequence[str], repairs: Repairs) -> list[UncheckedCell]:
    """The cells of a script without marks, each paragraph at the margin one;
    a single cell if there would be too many."""
    pieces = paragraph_pieces(lines, written=False)
    how = "all of it was read as one cell"
    if len(pieces) > 1:
        how = "each paragraph was read as a cell"
    repairs.note(f"The file has no '# %%' cell markers; {how}")
    return pieces


def paragraph_pieces(lines: Sequence[str], *, written: bool) -> list[UncheckedCell]:
    """The cells of a part of a script without marks."""
    return [_piece(block, written) for block in split_paragraphs(lines)]


def _piece(block: list[str], written: bool) -> UncheckedCell:
    if block[0] == _COLAB:
        if len(block) > 1 and _COLAB_CELL.match(block[1]):  # every line of the cell is a comment
            return UncheckedCell("code", "\n".join(uncomment(block[1:])))
        return UncheckedCell("code", "\n".join(with_magics(block, written=True)))
    source = "\n".join(with_magics(block, written=written))
    text = None if written else bare_text(source)
    if text is not None and '"""' not in text and "'''" not in text:
        return UncheckedCell("markdown", text)
    if all(line.startswith("#") for line in source.split("\n")):
        return UncheckedCell("markdown", "\n".join(uncomment(block)))
    return UncheckedCell("code", source)


def is_mark(line: str) -> bool:
    """Whether a cell begins at this line."""
    return line[:1] == "#" and _MARK.match(line) is not None


def split_percent(lines: Sequence[str], file: str, *, written: bool) -> list[UncheckedCell]:
    """The cells of a percent-format file. Raises SubmissionError when they are too many."""
    marks = [at for at, line in enumerate(lines) if is_mark(line)]
    if len(marks) > MAX_CELLS:
        raise too_many(len(marks), file)
    parts = [
        (lines[start], lines[start + 1 : end]) for start, end in pairwise([*marks, len(lines)])
    ]
    before = lines[: marks[0]] if marks else lines
    if any(line.strip() for line in before):
        parts.insert(0, ("# %%", before))
    return [marked(mark, body, written=written) for mark, body in parts]
