"""What it takes to make the sandboxes of a class, here or on a worker on another machine."""

from __future__ import annotations

from pathlib import Path

import msgspec

from autograder.sandbox.box import BoxContents, Level


class Site(msgspec.Struct, frozen=True):
    """How boxes are made: ``hidden`` are paths that nothing in a box can see, ``packages`` what
    it imports beforehand, ``models`` a folder of pretrained models or "", which every worker has
    under the same path, ``files`` what is beside the notebook. ``require``: the least isolation,
    below which no worker runs anything."""

    require: Level
    hidden: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    models: str = ""
    files: dict[str, bytes] = {}
    versions: tuple[
        tuple[str, str], ...
    ] = ()  # of everything that can change a run; a worker's must be the same

    @property
    def contents(self) -> BoxContents:
        """What student code finds in these boxes."""
        hidden = [Path(path) for path in self.hidden]
        models = Path(self.models) if self.models else None
        return BoxContents(hidden, self.packages, models, self.files)
