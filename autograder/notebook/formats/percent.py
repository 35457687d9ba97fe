"""Reads a .py file whose cells begin with ``# %%`` lines (the percent format).

Our own reader, since submissions are hostile: it takes one pass, splits at every mark whatever is
in between (an open quote affects only its own cell), and evaluates nothing.

Covered: ``# %% title [markdown] key="value"``, ``# In[3]:`` and ``# <codecell>`` marks, commented
magics, text cells as comments or in triple quotes. Not covered: scripts without such marks
(``light``, ``plain``); outputs, which scripts lack.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from autograder.notebook.formats.cells import MAX_CELLS, UncheckedCell, too_many
from autograder.notebook.formats.script import marked

_MARK = re.compile(r"#\s*(?:%%+(?=\s|$)|<codecell>\s*$|In\s?\[[0-9 ]*\]:?\s*$)")


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
