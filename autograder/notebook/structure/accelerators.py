"""Whether a notebook asks which accelerator the machine has: then its cells may act on that.

By the words of its code, comments left out. A word too many costs a second run of the cells,
and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_COMMENT = re.compile(r"#[^\n]*")
_WORDS = re.compile(r"\b(?:cuda|mps|accelerator|is_available|\w*default_device)\b")


def asks_for_one(sources: Iterable[str]) -> bool:
    """Whether any of these cells speaks of accelerators."""
    return any(_WORDS.search(_COMMENT.sub("", source)) for source in sources)
