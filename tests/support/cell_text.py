"""Cells of notebooks in a text file, each after a line ``# %% <title>``."""

from __future__ import annotations

import re


def read_cells(text: str) -> list[tuple[str, str]]:
    """The title and the source of every cell."""
    _, *parts = re.split(r"^# %% (.*)\n", text, flags=re.MULTILINE)
    sources = [source.strip("\n") for source in parts[1::2]]
    return [*zip(parts[::2], sources, strict=True)]
