"""Several kinds of damage at once, as on a bad day."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.support.damage import (
    copies,
    cut,
    formats,
    gone,
    marks,
    outputs,
    restyled,
    stray,
    wrapped,
)
from tests.support.damage.hand_in import Base, Change, Harmless, Kind, Notebook, bare, harmless

# in this order, for later ones must find what they change
STEPS = (
    "given-deleted",
    "imports-moved",
    "wrap-returned",
    "style-comments",
    "style-tabs",
    "copy-below",
    "copy-blank-above",
    "split-first",
    "split-all-all",
    "merge-2",
    "stray-raises",
    "stray-exit",
    "stray-pip",
    "stray-prints",
    "stray-plots",
    "stray-notes",
    "stray-path",
    "text-as-code",
    "end-trained",
    "end-builtins",
    "ids-equal",
    "metadata-more",
    "outputs-stale",
    "counts-odd",
)
LAST = ("metadata-stripped", "colab-copy", "vscode", "kaggle", "other-tools")


def together(kinds: Sequence[Kind]) -> Kind:
    """Harmless kinds one after the other on one notebook."""
    changes = [kind.make.change for kind in kinds if isinstance(kind.make, Harmless)]

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for one in changes:
            one(notebook, random, base)

    names = " ".join(kind.name for kind in kinds)
    return Kind(names, f"{len(kinds)} kinds at once", harmless(change))


def _changes() -> dict[str, Change]:
    modules = (copies, cut, formats, gone, marks, outputs, restyled, stray, wrapped)
    kinds = (kind for module in modules for kind in module.KINDS)
    return {k.name: k.make.change for k in kinds if isinstance(k.make, Harmless)}


def _several(notebook: Notebook, random: Random, base: Base) -> None:
    """Three to six steps, and at last what a tool leaves."""
    changes = _changes()
    chosen = sorted(random.sample(range(len(STEPS)), random.randint(3, 6)))
    for name in (*(STEPS[at] for at in chosen), random.choice(LAST)):
        changes[name](notebook, random, base)


def _all_marked(notebook: Notebook, random: Random, base: Base) -> None:
    changes = _changes()
    for name in STEPS:
        changes[name](notebook, random, base)


KINDS = (
    Kind("bad-day", "three to six kinds at once, then through a tool", harmless(_several)),
    Kind("bad-week", f"{len(STEPS)} kinds at once", harmless(_all_marked)),
    Kind("bad-week-bare", f"{len(STEPS)} kinds at once, no metadata at all", bare(_all_marked)),
)
