"""Reads the pages of docs/: fences with their marks, command lines, headings and links. Writes the
tables that a program makes into their place in a page.

A mark is a comment on the line before a fence:

    <!-- not run: REASON -->        its commands are checked, but not run
    <!-- exit status: 1 -->         what they end with, if not 0
    <!-- file: PATH -->             the test writes the fence into this file; append: adds to it
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
SHELL = ("sh", "console")

_FENCE = re.compile(
    r"^(?:<!-- (?P<mark>[a-z ]+): (?P<value>.+?) -->\n)?```(?P<language>\S*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_INLINE = re.compile(r"`(autograder [^`]+)`")
_LINK = re.compile(r"!?\[(?:[^][]|\[[^][]*\])*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Step:
    """A command line, and the lines of output that the page shows below it."""

    words: tuple[str, ...]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fence:
    """``mark`` and ``value``: from the comment before it."""

    page: Path
    line: int
    language: str
    text: str
    mark: str
    value: str

    @property
    def place(self) -> str:
        """Where it is, for a message."""
        return f"{self.page.name}:{self.line}"

    @property
    def runs(self) -> bool:
        """Whether its commands are to be run."""
        return self.language in SHELL and self.mark != "not run"

    @property
    def steps(self) -> list[Step]:
        """The command lines of a fence in a shell's language."""
        if self.language == "console":
            return [_step(block) for block in re.split(r"^\$ ", self.text, flags=re.M)[1:]]
        lines = self.text.replace("\\\n", " ").splitlines()
        return [Step(words) for line in lines if (words := _words(line))]


def fences(page: Path) -> list[Fence]:
    """All fences of a page, in its order."""
    text = page.read_text("utf-8")
    return [
        Fence(
            page,
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["text"],
            found["mark"] or "",
            found["value"] or "",
        )
        for found in _FENCE.finditer(text)
    ]


def put_between(text: str, name: str, middle: str) -> str:
    """A page with what stands between ``<!-- name -->`` and ``<!-- /name -->`` replaced.

    Raises ``ValueError`` without these marks.
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found, rest = text.partition(start)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"the page has no {start} ... {end}")
    return f"{before}{start}\n{middle}\n{end}{after}"


def mentioned(page: Path) -> Iterator[tuple[str, ...]]:
    """Command lines inside sentences and tables; what stands for more is left out."""
    for text in _INLINE.findall(_FENCE.sub("", page.read_text("utf-8"))):
        yield tuple(word for word in text.replace("\\|", "|").split() if word != "...")


def broken_links(page: Path) -> list[str]:
    """Links to a file, or a heading in a page, that is not there."""
    text = _FENCE.sub("", page.read_text("utf-8"))
    return [link for link in _LINK.findall(text) if ":" not in link and not _leads(page, link)]


def _leads(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name) if name else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = _FENCE.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def _step(block: str) -> Step:
    command, *shown = block.rstrip("\n").split("\n")
    return Step(_words(command), tuple(shown))


def _words(line: str) -> tuple[str, ...]:
    return tuple(shlex.split(line, comments=True))
