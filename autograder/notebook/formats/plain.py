"""Reads a .py file without any marks as a notebook: each paragraph at the margin is a cell.

Covered: plain scripts of any editor; what Colab downloads as .py (text cells in triple quotes,
magics that it has commented out). A text in triple quotes and a paragraph of comments are text.
Not covered: which exercise a cell belongs to; such files hold no tags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.notebook.formats.cells import UncheckedCell
from autograder.notebook.formats.paragraphs import split_paragraphs
from autograder.notebook.formats.script import bare_text, uncomment, with_magics
from autograder.notebook.formats.text import Repairs

_COLAB = "# Commented out IPython magic to ensure Python compatibility."
_COLAB_CELL = re.compile(r"# %%[A-Za-z]")


def split_plain(lines: Sequence[str], repairs: Repairs) -> list[UncheckedCell]:
    """The cells of a plain script; a single cell if there would be too many."""
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
