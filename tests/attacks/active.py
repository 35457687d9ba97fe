"""Finds what could act on a feedback page: scripts, handlers, frames, forms, remote loads.

Covered: elements and attributes that a browser runs or loads, refreshing meta elements,
control and bidirectional characters, a page that was ended or restyled from inside.
Not covered: what a browser makes of damaged markup beyond Python's own parser.
"""

from __future__ import annotations

import html.parser
import re

ACTIVE = frozenset(
    """
    annotation-xml audio base button embed form frame iframe input link maction object script svg
    video
    """.split()
)
_LOADED = ("src", "href", "action", "srcdoc", "formaction", "background", "poster", "data")
_HARMLESS = re.compile(r"#|data:image/(?:png|jpeg|gif);")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class _Parser(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ACTIVE:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            loads = name in _LOADED and not _HARMLESS.match(value or "")
            if name.startswith("on") or loads or (tag == "meta" and value == "refresh"):
                self.found.append(f"<{tag} {name}={(value or '')[:60]}>")


def active_parts(page: str) -> tuple[str, ...]:
    """What is active on a page, in the order of the page; empty for a good one."""
    parser = _Parser()
    parser.feed(page)
    found = list(dict.fromkeys(parser.found))
    hidden = _HIDDEN.search(page)
    if hidden is not None:
        found.append(f"the character {hidden.group()!r}")
    if page.count("</main>") != 1 or page.count("<style>") != 1:
        found.append("a second end of the page, or a second style sheet")
    return tuple(found)
