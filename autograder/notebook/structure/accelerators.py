"""Whether a notebook asks which accelerator the machine has, so that its cells may depend on it.

Determined from the words of its code, without comments. A false positive only costs a second run of
the cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_COMMENT = re.compile(r"#[^\n]*")
_WORDS = re.compile(r"\b(?:cuda|mps|accelerator|is_available|\w*default_device)\b")


def asks_for_one(sources: Iterable[str]) -> bool:
    """Whether any of these cells mentions accelerators."""
    return any(_WORDS.search(_COMMENT.sub("", source)) for source in sources)
