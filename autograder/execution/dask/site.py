"""What a worker on another machine needs to make a sandbox, as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Level = Literal["none", "weak", "medium", "strong"]


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
    def models_folder(self) -> Path | None:
        return Path(self.models) if self.models else None
