"""The YAML header of a notebook kept as text, read line by line and never loaded.

Covered: the kernel's name and language, the format and its marks, our stamp. Not covered: values
over several lines, flow style, anchors; such a value counts as absent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.notebook.submission import TemplateStamp, make_stamp

MAX_HEADER = 200  # lines
MAX_LINE = 500  # characters

_ENTRY = re.compile(r"( *)([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?")
_CODING = re.compile(r"#.*?coding[:=]")


@dataclass(frozen=True, slots=True)
class Header:
    """The values of a header; empty where there is none.

    ``end`` is the number of lines up to its end, 0 without a header. ``markers`` are the start and
    the end of a cell's mark in the light format, separated by a comma.
    """

    end: int = 0
    kernel: str = ""
    language: str = ""
    format_name: str = ""
    markers: str = ""
    stamp: TemplateStamp | None = None


def read_header(lines: Sequence[str], *, comment: str) -> Header:
    """The header at the top of a file, each of whose lines begins with ``comment``."""
    rule = f"{comment} ---".lstrip()
    start = 0
    while start < min(len(lines), MAX_HEADER) and _comes_before(lines[start], comment):
        start += 1
    if start >= len(lines) or lines[start].rstrip() != rule:
        return Header()
    for end in range(start + 1, min(len(lines), start + MAX_HEADER)):
        if lines[end].rstrip() == rule:
            inside = lines[start + 1 : end]
            return _understood([line.removeprefix(comment) for line in inside], end + 1)
    return Header()


def _comes_before(line: str, comment: str) -> bool:
    """Whether a line may come before the header: blank, or for the interpreter."""
    if comment and line.startswith("#"):
        return line.startswith("#!") or _CODING.match(line[:MAX_LINE]) is not None
    return not line.strip()


def _understood(lines: Sequence[str], end: int) -> Header:
    values = _values(lines)

    def value(path: str) -> str:
        return values.get(f"jupyter.{path}", values.get(path, ""))

    return Header(
        end=end,
        kernel=value("kernelspec.name") or values.get("jupyter", ""),
        language=value("kernelspec.language"),
        format_name=value("jupytext.text_representation.format_name"),
        markers=value("jupytext.cell_markers"),
        stamp=make_stamp(value("autograder.assignment"), value("autograder.version")),
    )


def _values(lines: Sequence[str]) -> dict[str, str]:
    """Values by the dotted path of their keys; a key that contains others has none."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    values: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    for line in lines:
        found = _ENTRY.fullmatch(line[indent:MAX_LINE].rstrip())
        if not found:
            continue
        while above and above[-1][0] >= len(found[1]):
            above.pop()
        above.append((len(found[1]), found[2]))
        if found[3]:
            values[".".join(key for _, key in above)] = found[3].strip().strip("'\"")
    return values
