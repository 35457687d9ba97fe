"""Which notebook a session belongs to, as far as the program that runs it reports that."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.notebook.submission import TemplateStamp, make_stamp

MAX_BYTES = 50 * 1024**2
_FILE = "__vsc_ipynb_file__"  # a name that VS Code defines
_SESSION = "JPY_SESSION_NAME"  # a variable of Jupyter's server


def notebook_file(namespace: Mapping[str, Any]) -> Path | None:
    """The notebook's file; None if it is unknown or does not exist."""
    for said in (namespace.get(_FILE), os.environ.get(_SESSION)):
        if isinstance(said, str) and said.endswith(".ipynb"):
            path = Path(said)
            if path.is_file():
                return path
    return None


def stamp_in(path: Path) -> TemplateStamp | None:
    """The stamp of the template that a notebook was made from, where it still has it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        found = json.loads(path.read_bytes())["metadata"]["autograder"]
        return make_stamp(found.get("assignment"), found.get("version"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
