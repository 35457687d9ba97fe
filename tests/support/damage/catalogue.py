"""All kinds of damage."""

from __future__ import annotations

from tests.support.damage import (
    copies,
    cut,
    files,
    formats,
    gone,
    many,
    marks,
    moved,
    outputs,
    restyled,
    stray,
    wrapped,
)
from tests.support.damage.hand_in import Kind, harmless

KINDS: tuple[Kind, ...] = (
    Kind("none", "nothing: as submitted", harmless(lambda notebook, random, base: None)),
    *gone.KINDS,
    *copies.KINDS,
    *cut.KINDS,
    *moved.KINDS,
    *marks.KINDS,
    *stray.KINDS,
    *outputs.KINDS,
    *formats.KINDS,
    *files.KINDS,
    *wrapped.KINDS,
    *restyled.KINDS,
    *many.KINDS,
)
