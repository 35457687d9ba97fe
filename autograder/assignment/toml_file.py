"""Reads a TOML file. What cannot be read is named with its line and column, in plain words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from autograder.errors import SpecError

TWICE = "this is defined a second time; remove one of the two"
_PLAIN = (  # what the parser says, from its beginning, and what the author should read
    (r"Invalid value", "a value is expected: text in quotes, a number, true, false or a [list]"),
    (r"Expected '='", "a key needs = and a value"),
    (r"Invalid statement", "a line holds key = value, or a table such as [limits]"),
    (r"Invalid initial character for a key", "a key is expected: letters, digits, - and _"),
    (
        r"Expected newline",
        "the value ended before this; put text in quotes, begin a comment with #",
    ),
    (r"Unterminated string|Expected ['\"]+$|Illegal character '\\n'", "the quotes are not closed"),
    (r"Illegal character", "this character cannot be in text; write it as an escape, such as \\t"),
    (r"Unclosed array", "a comma or ] is expected"),
    (r"Unclosed inline table", "a comma or } is expected"),
    (r"Expected '\]' at", "a table's name ends with ]"),
    (r"Expected '\]\]' at", "the name of a table that may be repeated ends with ]]"),
    (r"Cannot (declare|overwrite|mutate|redefine)|Duplicate", TWICE),
    (r"Unescaped|Invalid hex|Escaped", "write a backslash in text as \\\\, or use single quotes"),
    (r"Found invalid character", "this character cannot be here"),
    (r"Invalid date", "there is no such date or time"),
)


class _Position(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


def read_toml(path: Path) -> dict[str, Any]:
    """The contents of a TOML file; raises ``SpecError`` naming the line, or ``OSError``."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text)
    except UnicodeDecodeError as bad:
        line = bad.object.count(b"\n", 0, bad.start) + 1
        raise SpecError(
            [f"{path}: cannot be read: line {line} is not UTF-8 text; save the file as UTF-8"]
        ) from None
    except ValueError as bad:  # not TOML, or a number of thousands of digits
        raise SpecError([f"{path}{_fault(str(bad), text)}"]) from None


def _fault(error: str, text: str) -> str:
    """The place of a parser's error in the text, what is wrong there, and the line."""
    said, _, end = error.partition(" (at ")
    if not end:
        return f": this is not TOML ({error}); correct it and run again"
    place = _position(end, text)
    lines = text.split("\n")
    quoted = lines[place.line - 1]
    key = re.match(r"\s*([\w.\"'-]+)\s*=", quoted)
    if said == "Cannot overwrite a value" and key:
        return f": duplicate key {key[1]!r} (line {place.line}). Remove one of them and run again"
    what = next((plain for pattern, plain in _PLAIN if re.match(pattern, said)), said)
    return f", line {place.line}, column {place.column}: {what}: `{quoted.strip()[:120]}`"


def _position(end: str, text: str) -> _Position:
    """Where a parser met the error. Of quotes that are open until the end, where they begin."""
    if numbers := re.match(r"line (\d+), column (\d+)", end):
        return _Position(int(numbers[1]), int(numbers[2]))
    opened = max(text.rfind('"""'), text.rfind("'''"))
    last = len(text.rstrip())
    before = text[: opened if opened >= 0 else last]
    return _Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
