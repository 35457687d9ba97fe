"""What readers of Python scripts share: pieces of text, marks, comments, magics.

Nothing here is evaluated, and every text is read only once: scripts are hostile like all input.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from autograder.notebook.formats.cells import MAX_CELLS, UncheckedCell, make_cell, too_many
from autograder.notebook.formats.text import Repairs
from autograder.notebook.submission import Kind, NotebookCell

MAX_MARK = 500  # characters of a mark that are read

_PAIR = re.compile(
    r"""(?<!\S)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|[^\s"'\[]\S*)"""
)
_KIND = re.compile(r"\[(markdown|md|raw)\]")
_LANGUAGE = re.compile(r"[A-Za-z]\w{0,30}")
_MAGIC = re.compile(
    r"(\s*)# ?(%(?:time|matplotlib|load_ext|autoreload|config|pylab|precision|prun)\b.*)"
)
_CELL_MAGIC = re.compile(r"# ?(%%[a-z]\w*.*)")
# what a program comments out, and the comments that it then must comment out again
_WRITTEN = re.compile(
    r"(\s*)# ((?:%[A-Za-z_]\w+(?=\s|$)|![A-Za-z.~$/{]|[A-Za-z_]\w* ?= ?[%!][A-Za-z]"
    r"|#\s?(?:[%!?]|\+|(?:cat|cd|cp|mv|rm|rmdir|mkdir|copy|ddir|echo|ls|ldir|ren)(?=\s|$))).*)"
)


def cells_from(
    pieces: Sequence[UncheckedCell], file: str, repairs: Repairs
) -> tuple[NotebookCell, ...]:
    """The pieces as numbered cells; raises SubmissionError when they are too many."""
    if len(pieces) > MAX_CELLS:
        raise too_many(len(pieces), file)
    return tuple(make_cell(number, piece, repairs) for number, piece in enumerate(pieces, start=1))


def marked(mark: str, body: Sequence[str], *, written: bool) -> UncheckedCell:
    """The cell under a mark. ``written``: a program wrote the file, so all commented magics are
    recognised; otherwise only the most common ones."""
    mark = mark[:MAX_MARK]
    metadata = mark_metadata(mark)
    lines = list(body[: last_text(body)])
    kind: Kind = "code"
    if found := _KIND.search(mark):
        kind = "raw" if found[1] == "raw" else "markdown"
    active = metadata.get("active")
    if kind == "code" and isinstance(active, str) and "py" not in active.split(","):
        kind = "code" if "ipynb" in active.split(",") else "raw"
        return UncheckedCell(kind, "\n".join(uncomment(lines)), metadata)
    if kind != "code":
        return UncheckedCell(kind, "\n".join(uncomment(lines)), metadata)
    language = metadata.get("language")
    if isinstance(language, str) and _LANGUAGE.fullmatch(language) and language != "python":
        return UncheckedCell(kind, "\n".join([f"%%{language}", *uncomment(lines)]), metadata)
    return UncheckedCell(kind, "\n".join(with_magics(lines, written=written)), metadata)


def last_text(body: Sequence[str]) -> int:
    """The number of lines up to the last one that is not blank."""
    return max((at for at, line in enumerate(body, start=1) if line.strip()), default=0)


def mark_metadata(mark: str) -> dict[str, object]:
    """The ``key=value`` pairs of a mark (values as JSON), or its one JSON object."""
    brace = mark.find("{")
    if brace >= 0 and "=" not in mark[:brace]:
        whole = _json(mark[brace:])
        return whole if isinstance(whole, dict) else {}
    return {key: _json(value) for key, value in _PAIR.findall(mark)}


def _json(text: str) -> object:
    """A JSON value; text that is not JSON, or is in single quotes, is returned as text."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return {"True": True, "False": False}.get(text, text.strip("'"))
    return value


def bare_text(source: str) -> str | None:
    """The text inside triple quotes if there is nothing else; None otherwise."""
    bare = source.strip().removeprefix("r")
    for quote in ('"""', "'''"):
        if bare.startswith(quote) and bare.endswith(quote) and len(bare) >= 6:
            return bare[3:-3].strip("\n")
    return None


def uncomment(body: Sequence[str]) -> list[str]:
    """Text of a cell that is not code, without comment signs or triple quotes."""
    bare = bare_text("\n".join(body))
    if bare is not None:
        return bare.split("\n")
    return [line[2:] if line.startswith("# ") else line.removeprefix("#") for line in body]


def with_magics(lines: Sequence[str], *, written: bool) -> list[str]:
    """Code with its magics: ``# %time x = f()`` is how scripts keep ``%time x = f()``."""
    pattern = _WRITTEN if written else _MAGIC
    made = [_uncommented(line, pattern) for line in lines]
    if lines and (magic := _CELL_MAGIC.fullmatch(lines[0])):
        made[0] = magic[1]
    return made


def _uncommented(line: str, pattern: re.Pattern[str]) -> str:
    found = pattern.fullmatch(line) if "# " in line or "#%" in line else None
    return found[1] + found[2] if found else line
