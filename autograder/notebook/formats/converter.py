"""A separate program: asks jupytext for the cells of some texts, under limits.

It is started with the limits as its arguments and gets a JSON object on its standard input:
``extension``, ``format`` and ``texts``, a list. It writes a JSON list with the cells of each text
in turn, null for a text that jupytext cannot read. ``convert`` starts it.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

import jupytext

KEPT = ("cell_type", "metadata", "source")  # its ids differ at each reading


def main() -> None:
    """Lower the limits, read, convert, write."""
    cpu_s, memory_mb, output_mb = (int(word) for word in sys.argv[2:5])
    for kind, most in (
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_AS, memory_mb << 20),
        (resource.RLIMIT_FSIZE, output_mb << 20),
        (resource.RLIMIT_CORE, 0),
    ):
        _lower(kind, most)
    asked = json.load(sys.stdin)
    form = {"extension": asked["extension"], "format_name": asked["format"]}
    json.dump([cells(text, form) for text in asked["texts"]], sys.stdout)


def cells(text: str, form: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The cells that jupytext sees in a text; None if it raises."""
    try:
        made = jupytext.reads(text, fmt={**form, "comment_magics": False})
    except Exception:  # noqa: BLE001  a text can raise anything in the libraries that read it
        return None
    return [{key: cell[key] for key in KEPT} for cell in made.cells]


def _lower(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
