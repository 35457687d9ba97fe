"""Archives made by hand."""

from __future__ import annotations

import zipfile
from pathlib import Path


def pack(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """A zip of these members, under names that may be hostile."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            info: str | zipfile.ZipInfo = name
            if isinstance(name, str):
                info = zipfile.ZipInfo("x")
                info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            made.writestr(info, data)
    return path
