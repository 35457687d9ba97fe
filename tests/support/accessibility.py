"""A small accessibility check of our own pages, without a browser; and axe-core, in one.

Covered: language, title, one main and one first heading, order of headings, repeated ids, names
that point nowhere, images and drawings without words, headers of tables, boxes that scroll and
cannot be reached by key, and the contrast of colours by the formula of WCAG 2.
Not covered: what only a browser knows (what is hidden, what really scrolls, computed colours);
axe-core looks at that.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

from tests.support.browser import Page

_PACKAGE = importlib.util.find_spec("axe_core_python")
_FOLDERS = _PACKAGE.submodule_search_locations if _PACKAGE is not None else None
# Mozilla Public License 2.0: a package of development, no part of this repository
_PLACES = (os.environ.get("AXE_CORE", ""), *(f"{one}/axe.min.js" for one in _FOLDERS or ()))
AXE = next((Path(place) for place in _PLACES if place and Path(place).is_file()), None)
NO_AXE = "axe-core is not here: pip install axe-core-python, or set AXE_CORE"
_RUN_AXE = """
axe.run(document, {resultTypes: ["violations"], iframes: false}).then(found =>
  found.violations.map(
    one => `${one.impact}: ${one.id}, ${one.nodes.length}: ${one.nodes[0].html.slice(0, 200)}`))
"""
ENOUGH = 4.5  # contrast of text, WCAG 2 AA
SCROLLS = frozenset({"wide", "drawn"})  # classes of boxes that scroll
_VOID = frozenset({"meta", "img", "br", "hr", "col", "link", "input", "rect", "line", "circle"})


class _Page(HTMLParser):
    """Every element with its attributes and the elements around it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], tuple[str, ...]]] = []
        self.title = ""
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {k: v or "" for k, v in attrs}, tuple(self._open)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title" and "svg" not in self._open:
            self.title += data


def elements(page: str) -> list[tuple[str, dict[str, str], tuple[str, ...]]]:
    """Every element with its attributes and the elements around it."""
    return _Page(page).found


def findings(page: str) -> list[str]:
    """What is wrong, a sentence each; nothing for a page that is in order."""
    seen = _Page(page)
    return [*_of_whole(seen), *_of_headings(seen), *_of_names(seen), *_of_parts(seen)]


def axe_findings(page: Page) -> list[str]:
    """What axe-core finds on the page that the browser shows, without its frames."""
    assert AXE is not None, NO_AXE
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
    found: list[str] = page.evaluate(_RUN_AXE)
    return found


def contrast(one: str, other: str) -> float:
    """Contrast of two colours ``#rrggbb``, from 1 to 21 (WCAG 2, relative luminance)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def palette(style: str, part: str = "") -> dict[str, str]:
    """The colours that a style sheet's ``:root`` names; ``part``: a text in front of that."""
    start = style.index(part) if part else 0
    block = re.search(r":root\s*\{(.*?)\}", style[start:], re.DOTALL)
    assert block is not None
    found = re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{3,6})\b", block[1])
    return {name: _long(value) for name, value in found}


def _of_whole(seen: _Page) -> list[str]:
    tags = Counter(tag for tag, _, _ in seen.found)
    html = next((given for tag, given, _ in seen.found if tag == "html"), {})
    wrong = [] if html.get("lang") else ["the page names no language"]
    wrong += [] if seen.title.strip() else ["the page has no title"]
    return wrong + [f"there are {tags[tag]} {tag}" for tag in ("main", "h1") if tags[tag] != 1]


def _of_headings(seen: _Page) -> list[str]:
    wrong, last = [], 0
    for tag, given, _ in seen.found:
        if re.fullmatch("h[1-6]", tag):
            level = int(given.get("aria-level", tag[1]))
            if level > last + 1:
                wrong.append(f"a heading of level {level} follows one of level {last}")
            last = level
    return wrong


def _of_names(seen: _Page) -> list[str]:
    ids = Counter(given["id"] for _, given, _ in seen.found if "id" in given)
    wrong = [f"the id {id_} stands {count} times" for id_, count in ids.items() if count > 1]
    for _, given, _ in seen.found:
        pointed = given.get("aria-labelledby", "").split()
        pointed += [given["href"][1:]] if given.get("href", "").startswith("#") else []
        wrong += [f"nothing has the id {id_}" for id_ in pointed if not ids[id_]]
    return wrong


def _of_parts(seen: _Page) -> list[str]:
    wrong = []
    tables: list[int] = []
    for tag, given, around in seen.found:
        named = given.get("aria-label") or given.get("aria-labelledby")
        if tag == "img" and not given.get("alt"):
            wrong.append("an image has no description")
        if tag == "svg" and given.get("aria-hidden") != "true":
            wrong += (
                [] if named and given.get("role") == "img" else ["a drawing has no description"]
            )
        if tag == "table":
            tables.append(0)
        if tag == "th" and tables:
            tables[-1] += 1
        if tag in ("section", "nav") and not named:
            wrong.append(f"a {tag} has no name")
        if tag == "a" and not given.get("href"):
            wrong.append("a link leads nowhere")
        if SCROLLS & set(given.get("class", "").split()) and "tabindex" not in given:
            wrong.append(f"a box of class {given['class']} cannot be reached by key")
        if tag == "main" and "main" in around:
            wrong.append("a main stands in another")
    return wrong + ["a table has no headers" for count in tables if not count]


def _luminance(colour: str) -> float:
    parts = [int(_long(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:4])
