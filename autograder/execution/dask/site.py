"""What it takes to make the sandboxes of a class, here or on a worker on another machine."""

from __future__ import annotations

from pathlib import Path

import msgspec

from autograder.sandbox.box import BoxContents, Level


class Site(msgspec.Struct, frozen=True):
    """How boxes are made: ``hidden`` are paths that nothing in a box can see, ``packages`` what
    it imports beforehand, ``models`` a folder of pretrained models or "", which every worker has
    under the same path. ``require``: the least isolation, below which no worker runs anything."""

    require: Level
    hidden: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    models: str = ""
    versions: tuple[
        tuple[str, str], ...
    ] = ()  # of everything that can change a run; a worker's must be the same

    @property
    def contents(self) -> BoxContents:
        """What student code finds in these boxes."""
        hidden = [Path(path) for path in self.hidden]
        return BoxContents(hidden, self.packages, Path(self.models) if self.models else None)
