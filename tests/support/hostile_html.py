"""Markup that would run, load, hide or forge something, if a page let it through."""

from __future__ import annotations

import base64
import re
from pathlib import Path

RUN = "document.title='OWNED';document.body&&document.body.setAttribute('data-owned','1')"
REFRESH = '<meta http-equiv="refresh" content="0;url=URL/refresh">'
_DRAWING = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{RUN}\"/>"
SVG = base64.b64encode(_DRAWING.encode()).decode()
_NAMED = {"RUN": RUN, "SVG": SVG, "JS": base64.b64encode(RUN.encode()).decode(), r"\n": "\n"}


def payloads(url: str) -> dict[str, list[str]]:
    """The lines of hostile_html.txt by section, what they load below ``url``."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"== (\w+).* ==", line):
            found[heading[1]] = lines = []
            continue
        for name, text in (_NAMED | {"URL": url}).items():
            line = line.replace(name, text)
        lines.append(line)
    return found
