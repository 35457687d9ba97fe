"""Which notebook format a file is in: by its content if that is clear, else by its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from autograder.notebook.formats.header import Header, read_header
from autograder.notebook.formats.markdown import is_fence
from autograder.notebook.formats.script_cells import is_mark, marks_of
from autograder.notebook.formats.text import Repairs

Format = Literal["ipynb", "percent", "light", "plain", "rmarkdown", "quarto", "markdown"]

_ENDINGS: dict[str, Format] = {
    ".py": "plain",
    ".rmd": "rmarkdown",
    ".qmd": "quarto",
    ".md": "markdown",
    ".markdown": "markdown",
}
_CALLED: dict[Format, str] = {
    "percent": "a script with '# %%' markers",
    "light": "a script in the light format",
    "rmarkdown": "an R Markdown notebook",
}
_JSON = re.compile(r'\s*+[\[{"]')
_HAS_CELLS = re.compile(r'\\?"(?:cells|worksheets)\\?"\s*:')
_PAGE = re.compile(r"\s*+<")


def promised(name: str) -> Format:
    """The format that a file's name promises; "plain" for any script."""
    return _ENDINGS.get(PurePath(name).suffix.lower(), "ipynb")


def holds_json(name: str, text: str) -> bool:
    """Whether to read the text as JSON: it looks like JSON, or its name promises nothing else."""
    if promised(name) == "ipynb":
        return _JSON.match(text) is not None or _PAGE.match(text) is not None
    return _JSON.match(text) is not None and _HAS_CELLS.search(text) is not None


def text_format(name: str, lines: Sequence[str], header: Header, repairs: Repairs) -> Format:
    """The format of a file that is not JSON; notes a repair if its name promises another one."""
    wanted = promised(name)
    if wanted == "markdown":
        return wanted
    found = _of_script(lines, header)
    if wanted != "plain" and any(is_fence(line) for line in lines):
        found = "quarto" if wanted == "quarto" else "rmarkdown"
    if not found or found == wanted:
        return wanted
    if wanted != "plain":
        ending = PurePath(name).suffix
        repairs.note(
            f"The file name ends in {ending}, but the file contains {_CALLED[found]}; it was read "
            "as one"
        )
    return found


def is_markdown_notebook(text: str) -> bool:
    """Whether a Markdown text has jupytext's header and cells of code."""
    lines = text.splitlines()
    fences = ("```python", "```{code-cell}")
    return bool(read_header(lines, comment="").format_name) and any(
        line.startswith(fences) for line in lines
    )


def _of_script(lines: Sequence[str], header: Header) -> Format | None:
    """The format by the marks of a script; None without marks."""
    percent = any(is_mark(line) for line in lines)
    light = marks_of(lines, header) is not None
    if percent and not (light and header.format_name == "light"):
        return "percent"
    return "light" if light else None
