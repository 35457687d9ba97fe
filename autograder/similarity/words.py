"""Code as a sequence of words, to compare code that is not Python.

Words are names, numbers, signs and texts, without comments and white space. Names that the
author chose are alike, and so are numbers and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.similarity.model import CodeLines, Fragment
from autograder.similarity.normal import digest

LENGTH = 8  # words in one fragment
MAX_WORDS = 8_000  # per submission

_WORD = re.compile(
    r"(?P<space>[ \t\f\r\\]+|#[^\n]*)|(?P<line>\n)"
    r"|(?P<text>[rbfuRBFU]{0,2}(?:'''[^\\]*?'''|\"\"\"[^\\]*?\"\"\"|'[^'\n\\]*'|\"[^\"\n\\]*\"))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>.)",
)


def word_fragments(source: str, cell: int, known: frozenset[str]) -> Iterator[Fragment]:
    """Every run of ``LENGTH`` words. ``known``: names that are not the author's own."""
    found = list(_words(source, known))
    for at in range(len(found) - LENGTH + 1):
        run = found[at : at + LENGTH]
        text = " ".join(word for word, _ in run)
        yield Fragment(digest(text), CodeLines(cell, run[0][1], run[-1][1]), 1 / LENGTH, True)


def names_in(source: str) -> frozenset[str]:
    """Every name in a text."""
    return frozenset(re.findall(r"[^\W\d]\w*", source))


def _words(source: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The words with their lines, at most ``MAX_WORDS``."""
    line, count, before = 1, 0, ""
    for match in _WORD.finditer(source):
        kind, text = match.lastgroup, match.group()
        if kind not in ("space", "line"):
            word = text
            if kind == "name" and before != "." and text not in known:
                word = "·"
            elif kind in ("text", "number"):
                word = kind
            yield word, line
            before = text
            count += 1
            if count >= MAX_WORDS:
                return
        line += text.count("\n")
