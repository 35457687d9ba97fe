"""Reads notebooks kept as Markdown: R Markdown and Quarto through jupytext, fence by fence, and
files that jupytext wrote as Markdown or MyST.

Code is found here, line by line, and is kept as written; jupytext (``convert``) reads the options
of each fence and the text between. So an open quote, or invalid options, affect only their own
cell, and without jupytext only tags are lost.

Covered: ``{python}`` fences with options, Quarto's ``#|`` lines, fences of other engines (kept, not
run), fences that never end. Not covered: fences that are indented or quoted; expressions within
text; a line of three backticks inside a Python string, which ends its cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from autograder.errors import SubmissionError
from autograder.notebook.formats.cells import MAX_CELLS, too_many
from autograder.notebook.formats.convert import converted
from autograder.notebook.formats.header import Header
from autograder.notebook.formats.script import last_text, mark_metadata, with_magics
from autograder.notebook.formats.text import Repairs
from autograder.notebook.structure.names import parse

MAX_FENCE = 5_000  # characters of a fence that are read

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*(.*)")
_ENGINE = re.compile(r"\{[ \t]*([A-Za-z]\w*)\b(.*)\}[ \t]*")
_OPTION = re.compile(r"#\|[ \t]*(exercise|locked)[ \t]*:[ \t]*(\S.*)")
_CODE = "#R_CODE#"  # jupytext's prefix for a value that it assumes to be R
_KERNEL = "kernelspec: {display_name: Python 3, language: python, name: python3}"
_TOP = {"markdown": f"---\njupyter:\n  {_KERNEL}\n---\n", "myst": f"---\n{_KERNEL}\n---\n"}


@dataclass(frozen=True, slots=True)
class FencePart:
    """A part of a file: a fence of an engine, or text where ``engine`` is empty."""

    engine: str
    options: str
    lines: Sequence[str]


def is_fence(line: str) -> bool:
    """Whether a line begins a cell of Python."""
    found = _FENCE.match(line[:MAX_FENCE])
    engine = _ENGINE.fullmatch(found[2]) if found else None
    return engine is not None and engine[1].lower() == "python"


def read_rmarkdown(
    lines: Sequence[str], file: str, repairs: Repairs, *, quarto: bool
) -> list[dict[str, Any]]:
    """Read the cells of an R Markdown or Quarto file, in the form of a notebook's JSON.

    Raises SubmissionError if there are too many cells, or if none of the code is Python.
    """
    parts = list(islice(_parts(lines), MAX_CELLS + 1))
    if len(parts) > MAX_CELLS:
        raise too_many(len(parts), file)
    engines = {part.engine for part in parts if part.engine}
    if engines and "python" not in engines:
        named = ", ".join(one[:30] for one in sorted(engines)[:5])
        raise SubmissionError(
            f"{file}: none of its code is Python; its cells are written for {named}. Submit the "
            "notebook whose cells begin with ```{python}."
        )
    answers = converted([_asked(part) for part in parts], extension=".Rmd", form="rmarkdown")
    if answers is None:
        repairs.note("jupytext failed or was stopped; the cells were read from their fences alone")
        answers = [None] * len(parts)
    made: list[dict[str, Any]] = []
    for part, answer in zip(parts, answers, strict=True):
        found = answer if isinstance(answer, list) else []
        if part.engine:
            made.append(_code_cell(part, found[0] if found else None, quarto=quarto))
        elif found and all(_is_text(cell) for cell in found):
            made += [cell for cell in found if cell["source"]]
        else:  # code that is only shown, or nothing
            made.append(_text_cell(part.lines))
    return made


def read_markdown(lines: Sequence[str], header: Header, file: str) -> list[dict[str, Any]]:
    """Read the cells of a file that jupytext wrote as Markdown or MyST; raises SubmissionError."""
    form = "myst" if header.format_name == "myst" else "markdown"
    text = _TOP[form] + "\n".join(lines)
    answers = converted([text], extension=".md", form=form)
    if not answers or not isinstance(answers[0], list):
        raise SubmissionError(
            f"{file}: this Markdown file cannot be read as a notebook. Save it as .ipynb "
            "(`jupytext --to ipynb`) and submit that file."
        )
    cells = [cell for cell in answers[0] if isinstance(cell, dict)]
    if not any(map(_goes_too_far, cells)):  # an open quote in Markdown ends with its fence
        return cells
    return _fence_by_fence(lines, form) or cells


def _goes_too_far(cell: dict[str, Any]) -> bool:
    """Whether an open quote in a code cell made jupytext read past the end of its fence."""
    source = cell.get("source")
    if cell.get("cell_type") != "code" or not isinstance(source, str):
        return False
    return any(_closes(line, "```") for line in source.split("\n")) and parse(source) is None


def _fence_by_fence(lines: Sequence[str], form: str) -> list[dict[str, Any]]:
    """The cells of a file, each fence read separately; none if that fails."""
    ends = [at + 1 for at, line in enumerate(lines) if _closes(line, "```")]
    bounds = list(pairwise(dict.fromkeys((0, *ends, len(lines)))))
    if len(bounds) > MAX_CELLS:
        return []
    texts = [_TOP[form] + "\n".join(lines[begin:end]) for begin, end in bounds]
    made: list[dict[str, Any]] = []
    for answer in converted(texts, extension=".md", form=form) or ():
        for cell in answer if isinstance(answer, list) else ():
            if _goes_too_far(cell):
                cell["source"] = cell["source"].rstrip().removesuffix("```").rstrip()
            made.append(cell)
    return made


def _parts(lines: Sequence[str]) -> Iterator[FencePart]:
    """The fences of engines and the text between them, without blank parts."""
    at = begun = 0
    while at < len(lines):
        found = _FENCE.match(lines[at][:MAX_FENCE])
        if not found:
            at += 1
            continue
        engine = _ENGINE.fullmatch(found[2])
        if not engine:  # a fence that is only shown
            at = _end_of_fence(lines, at, found[1], shown=True)
            continue
        if last_text(lines[begun:at]):
            yield FencePart("", "", lines[begun:at])
        end = _end_of_fence(lines, at, found[1], shown=False)
        closed = _closes(lines[end - 1], found[1]) and end - 1 > at
        yield FencePart(engine[1].lower(), engine[2], lines[at + 1 : end - closed])
        at = begun = end
    if last_text(lines[begun:]):
        yield FencePart("", "", lines[begun:])


def _end_of_fence(lines: Sequence[str], start: int, ticks: str, *, shown: bool) -> int:
    """The line after a fence: after the closing line, or where the next engine's fence begins."""
    for at in range(start + 1, len(lines)):
        if _closes(lines[at], ticks):
            return at + 1
        found = _FENCE.match(lines[at][:MAX_FENCE])
        if found and _ENGINE.fullmatch(found[2]) and not (shown and len(found[1]) < len(ticks)):
            return at
    return len(lines)


def _closes(line: str, ticks: str) -> bool:
    bare = line[:MAX_FENCE].rstrip()
    return len(bare) >= len(ticks) and not bare.strip(ticks[0])


def _asked(part: FencePart) -> str:
    """The question to jupytext about a part: a fence without its lines, or a text.

    Two blank lines keep it from looking for a header and for an encoding in a text.
    """
    if part.engine:
        return f"```{{{part.engine}{part.options}}}\n```"
    return "\n\n" + "\n".join(part.lines[: last_text(part.lines)]).lstrip("\n")


def _is_text(cell: Any) -> bool:
    """Whether an answer is a cell of text."""
    if not isinstance(cell, dict) or cell.get("cell_type") not in ("markdown", "raw"):
        return False
    return isinstance(cell.get("source"), str)


def _code_cell(part: FencePart, found: Any, *, quarto: bool) -> dict[str, Any]:
    """The cell of a fence: its lines unchanged, the rest as read by jupytext."""
    lines = list(part.lines[: last_text(part.lines)])
    seen = found if isinstance(found, dict) else {}
    metadata = seen.get("metadata")
    if not isinstance(metadata, dict):
        metadata = dict(mark_metadata(part.options.replace(",", " ")))
    exercise = metadata.get("exercise")
    if isinstance(exercise, str):
        metadata["exercise"] = exercise.removeprefix(_CODE)
    while quarto and lines and (option := _OPTION.fullmatch(lines[0])):
        metadata |= mark_metadata(f"{option[1]}={option[2].strip()}")
        del lines[0]
    return {
        "cell_type": "raw" if seen.get("cell_type") == "raw" else "code",
        "metadata": metadata,
        "source": "\n".join(with_magics(lines, written=not quarto)),
        "language": part.engine,
    }


def _text_cell(lines: Sequence[str]) -> dict[str, Any]:
    source = "\n".join(lines[: last_text(lines)]).lstrip("\n")
    return {"cell_type": "markdown", "metadata": {}, "source": source}
