"""What other tools note in a cell's metadata, read without trusting it.

The student can write anything there: it only chooses among the assignment's own tests and cells,
and cannot add any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_MARKS = 20

_GRADE_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_IGNORED = "otter_ignore"


def marks_of(metadata: object) -> tuple[str, ...]:
    """The marks of one cell, at most ``MAX_MARKS``; see ``NotebookCell``."""
    if not isinstance(metadata, Mapping) or not {"nbgrader", "otter", "tags"} & metadata.keys():
        return ()
    found = (*_nbgrader(metadata.get("nbgrader")), *_otter(metadata))
    return found[:MAX_MARKS]


def _nbgrader(noted: object) -> Iterator[str]:
    own = noted.get("grade_id") if isinstance(noted, Mapping) else None
    if isinstance(own, str) and _GRADE_ID.fullmatch(own):
        yield f"nbgrader:{own}"


def _otter(metadata: Mapping[Any, Any]) -> Iterator[str]:
    noted, tags = metadata.get("otter"), metadata.get("tags")
    noted = noted if isinstance(noted, Mapping) else {}
    if noted.get("ignore") is True or (isinstance(tags, list) and _IGNORED in tags):
        yield "otter:ignore"
    tests = noted.get("tests")
    for name in tests[:MAX_MARKS] if isinstance(tests, list) else ():
        if isinstance(name, str) and len(name) <= 200:
            yield f"otter:tests:{name}"
