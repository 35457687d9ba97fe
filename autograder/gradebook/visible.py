"""Text from students made safe to show: characters that hide or reorder text are escaped.

Covered: terminal control characters, bidirectional overrides and isolates, invisible
marks, fillers and tags, line separators, lone surrogates from odd file names.
Not covered: letters that look like other letters; piles of combining accents.
"""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)


def visible(text: str) -> str:
    """The text with every hidden character written as an escape such as ``\\x1b``.

    Newlines and tabs stay as they are.
    """
    return _HIDDEN.sub(_escape, text)


def one_line(text: str) -> str:
    """The text with hidden characters escaped and each run of white space as one space."""
    return visible(" ".join(text.split()))


def _escape(found: re.Match[str]) -> str:
    number = ord(found.group())
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
