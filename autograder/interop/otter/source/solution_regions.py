"""otter's solution marks: the parts of a code cell that students see, and those that nobody sees.

In a solution cell, ``# BEGIN SOLUTION`` to ``# END SOLUTION`` becomes one ``...``, or nothing with
``NO PROMPT``. A line with ``# SOLUTION`` becomes ``name = ...`` if it is an assignment, else
``...``. Lines that end in ``# SOLUTION NO PROMPT``, ``# SEED`` or a prompt mark are removed. Lines
that end in ``# IGNORE`` and regions of that name are removed from every cell.

Covered: regions that do not pair up raise SourceFault with the line.
Not covered: marks inside strings; they count as marks, as in otter.
"""

from __future__ import annotations

import re

from autograder.interop.otter.source.model import SourceFault

STUB = "..."
_BEGIN = re.compile(r"(\s*)# BEGIN SOLUTION( NO PROMPT)?")
_END = "# END SOLUTION"
_GONE = ("# SOLUTION NO PROMPT", "# BEGIN PROMPT", "# END PROMPT", "# SEED")
_MARK = re.compile(r"# ?SOLUTION")
_TARGET = re.compile(r"[\w.]+")
_BEGIN_IGNORE = re.compile(r"\s*#\s*BEGIN\s*IGNORE", re.IGNORECASE)
_END_IGNORE = "# END IGNORE"
_IGNORE = "# IGNORE"


def for_students(source: str) -> str:
    """The source of a solution code cell for students; raises SourceFault."""
    made: list[str] = []
    begun = 0
    for number, line in enumerate(source.split("\n"), start=1):
        bare = line.rstrip()
        if bare.endswith(_GONE):
            continue
        if bare.endswith(_END):
            if not begun:
                raise SourceFault(number, "END SOLUTION without a BEGIN SOLUTION before it")
            begun = 0
        elif begun and _BEGIN.match(line):
            raise SourceFault(number, f"BEGIN SOLUTION inside the region opened on line {begun}")
        elif begun:
            continue
        elif found := _BEGIN.match(line):
            begun = number
            if not found[2]:
                made.append(found[1] + STUB)
        else:
            made.append(_stub(line) if _MARK.search(line) else line)
    if begun:
        raise SourceFault(begun, "BEGIN SOLUTION without an END SOLUTION after it")
    return "\n".join(made)


def without_ignored(source: str) -> str:
    """A cell without the lines that otter leaves out of every notebook; raises SourceFault."""
    made: list[str] = []
    begun = 0
    for number, line in enumerate(source.split("\n"), start=1):
        bare = line.rstrip()
        if bare.endswith(_END_IGNORE):
            if not begun:
                raise SourceFault(number, "END IGNORE without a BEGIN IGNORE before it")
            begun = 0
        elif begun or bare.endswith(_IGNORE):
            continue
        elif _BEGIN_IGNORE.match(line):
            begun = number
        else:
            made.append(line)
    if begun:
        raise SourceFault(begun, "BEGIN IGNORE without an END IGNORE after it")
    return "\n".join(made)


def is_seeded(source: str) -> bool:
    """Whether a line of a code cell ends in ``# SEED``."""
    return any(line.strip().endswith("# SEED") for line in source.split("\n"))


def with_seed(source: str, variable: str, seed: int | None) -> str:
    """A cell in which each line that assigns ``variable`` assigns the students' seed."""
    pattern = re.compile(rf"(\s*){re.escape(variable)}\s*(=|<-)\s*")
    lines = source.split("\n")
    for place, line in enumerate(lines):
        if found := pattern.match(line):
            lines[place] = f"{found[1]}{variable} {found[2]} {seed}"
    return "\n".join(lines)


def _stub(line: str) -> str:
    """The stub of a line with ``# SOLUTION`` in it: ``a, b[0] = ...`` or ``...``."""
    indent = line[: len(line) - len(line.lstrip())]
    place = len(indent)
    more = True
    while more and (found := _TARGET.match(line, place)):
        place = found.end()
        while line[place : place + 1] == "[":
            place = _closed(line, place)
        more = False
        if comma := re.match(r",\s*", line[place:]):
            place += comma.end()
            more = True
    rest = line[place:].lstrip()
    if place > len(indent) and rest.startswith("="):
        return line[: len(line) - len(rest) + 1] + f" {STUB}"
    return indent + STUB


def _closed(line: str, place: int) -> int:
    """The index after the bracket that closes the one at ``place``; the line's end if none."""
    depth = 0
    quote = ""
    for at in range(place, len(line)):
        sign = line[at]
        if quote:
            quote = "" if sign == quote and line[at - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth:
                return at + 1
    return len(line)
