"""Reads a .py file whose cells begin with ``# %%`` lines (the percent format).

Our own reader, for hand-ins are hostile: it takes one pass, splits at every mark whatever
stands between (an open quote costs its own cell only), and evaluates nothing.

Covered: ``# %% title [markdown] key="value"``, ``# In[3]:`` and ``# <codecell>`` marks, the
YAML header (only the kernel's name and language are looked at), commented line magics, text
cells as comments or in triple quotes, scripts without any mark.
Not covered: other notebook-as-text formats (light, Markdown, R Markdown).
"""

from __future__ import annotations

import json
import re
from itertools import pairwise

from autograder.errors import SubmissionError
from autograder.notebook.cells import MAX_CELLS, check_language, make_cell, too_many
from autograder.notebook.submission import Kind, NotebookCell
from autograder.notebook.text import Repairs

MAX_BYTES = 5_000_000
MAX_MARK = 500  # characters of a mark that are read
MAX_HEADER = 200  # lines

_MARK = re.compile(r"#\s*(?:%%+(?=\s|$)|<codecell>\s*$|In\s?\[[0-9 ]*\]:?\s*$)")
_PAIR = re.compile(
    r"""(?<!\S)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|[^\s"'\[]\S*)"""
)
_KIND = re.compile(r"\[(markdown|md|raw)\]")
_MAGIC = re.compile(
    r"(\s*)# ?(%(?:time|matplotlib|load_ext|autoreload|config|pylab|precision|prun)\b.*)"
)
_CELL_MAGIC = re.compile(r"# ?(%%[a-z]\w*.*)")
_CONFLICT = re.compile(r"<{7}(?: |$)"), re.compile(r">{7}(?: |$)")


def read_percent(text: str, file: str, repairs: Repairs) -> tuple[NotebookCell, ...]:
    """The cells of a percent-format file. Raises SubmissionError and nothing else."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if not text.strip():
        raise SubmissionError(f"{file}: the file is empty. Save your work and hand in again.")
    lines = text.split("\n")
    _refuse_conflicts(lines, file)
    lines = lines[_header_end(lines, file) :]
    marks = [at for at, line in enumerate(lines) if line[:1] == "#" and _MARK.match(line)]
    if len(marks) > MAX_CELLS:
        raise too_many(len(marks), file)
    parts: list[tuple[str, list[str]]] = [
        (lines[start], lines[start + 1 : end]) for start, end in pairwise([*marks, len(lines)])
    ]
    before = lines[: marks[0]] if marks else lines
    if any(line.strip() for line in before):
        parts.insert(0, ("# %%", before))
    if not marks:
        repairs.note("The file has no '# %%' marks; all of it was read as one cell")
    return tuple(
        _cell(number, mark, body, repairs, file)
        for number, (mark, body) in enumerate(parts, start=1)
    )


def _refuse_conflicts(lines: list[str], file: str) -> None:
    ours, theirs = _CONFLICT
    first = next((at for at, line in enumerate(lines, start=1) if ours.match(line)), 0)
    if first and any(theirs.match(line) for line in lines[first:]):
        raise SubmissionError(
            f"{file}: line {first} is a mark of an unsolved merge conflict (<<<<<<<). Keep one "
            "of the two versions, delete the marks and hand in again."
        )


def _header_end(lines: list[str], file: str) -> int:
    """Where the YAML header ends (0 without one); its kernel must be a Python kernel."""
    start = 0
    while start < len(lines) and (lines[start].startswith("#!") or not lines[start].strip()):
        start += 1
    if start == len(lines) or lines[start].rstrip() != "# ---":
        return 0
    for end in range(start + 1, min(len(lines), start + MAX_HEADER)):
        if lines[end].rstrip() == "# ---":
            _check_header(lines[start:end], file)
            return end + 1
    return 0


def _check_header(header: list[str], file: str) -> None:
    kernel, language, inside = "", "", False
    for line in header:
        key, _, value = line.removeprefix("#").strip().partition(":")
        if not value.strip():
            inside = key == "kernelspec"
        elif inside and key == "name":
            kernel = value.strip().strip("'\"")
        elif inside and key == "language":
            language = value.strip().strip("'\"")
    check_language((language,), kernel, file)


def _cell(number: int, mark: str, body: list[str], repairs: Repairs, file: str) -> NotebookCell:
    mark = mark[:MAX_MARK]
    metadata = _metadata(mark)
    kind: Kind = "code"
    if found := _KIND.search(mark):
        kind = "raw" if found[1] == "raw" else "markdown"
    body = body[: _last_text(body)]
    lines = [_uncomment_magic(line) for line in body] if kind == "code" else _uncomment(body)
    if kind == "code" and lines and (magic := _CELL_MAGIC.fullmatch(lines[0])):
        lines[0] = magic[1]
    return make_cell(number, kind, "\n".join(lines), metadata, repairs, file=file)


def _last_text(body: list[str]) -> int:
    """How many lines there are up to the last one that is not blank."""
    return max((at for at, line in enumerate(body, start=1) if line.strip()), default=0)


def _metadata(mark: str) -> dict[str, object]:
    """The ``key=value`` pairs of a mark (values as JSON), or its one JSON object."""
    brace = mark.find("{")
    if brace >= 0 and "=" not in mark[:brace]:
        whole = _json(mark[brace:])
        return whole if isinstance(whole, dict) else {}
    return {key: _json(value) for key, value in _PAIR.findall(mark)}


def _json(text: str) -> object:
    """A JSON value; text that is none, and text in single quotes, stays text."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return {"True": True, "False": False}.get(text, text.strip("'"))
    return value


def _uncomment(body: list[str]) -> list[str]:
    """Text of a cell that is not code: comment signs off, or the triple quotes around it."""
    whole = "\n".join(body).strip()
    for quote in ('"""', "'''"):
        bare = whole.removeprefix("r")
        if bare.startswith(quote) and bare.endswith(quote) and len(bare) >= 6:
            return bare[3:-3].strip("\n").split("\n")
    return [line[2:] if line.startswith("# ") else line.removeprefix("#") for line in body]


def _uncomment_magic(line: str) -> str:
    """``# %time x = f()`` is how the format keeps ``%time x = f()``."""
    found = _MAGIC.fullmatch(line) if "%" in line else None
    return found[1] + found[2] if found else line
