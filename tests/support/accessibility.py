"""What axe-core finds on pages, in a browser; and the colours that a style sheet names."""

from __future__ import annotations

import importlib.util
import os
import re
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


def axe_findings(page: Page) -> list[str]:
    """What axe-core finds on the page that the browser shows, without its frames."""
    assert AXE is not None, NO_AXE
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
    found: list[str] = page.evaluate(_RUN_AXE)
    return found


def palette(style: str, part: str = "") -> dict[str, str]:
    """The colours that a style sheet's ``:root`` names; ``part``: a text in front of that."""
    start = style.index(part) if part else 0
    block = re.search(r":root\s*\{(.*?)\}", style[start:], re.DOTALL)
    assert block is not None
    found = re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{3,6})\b", block[1])
    return dict(found)
