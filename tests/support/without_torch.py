"""A Python in which torch cannot be found, as where it is not installed: for commands and boxes.

It is a virtual environment that shares the packages of this one and skips some by name, which takes
a second where an installation takes minutes. Not covered: metadata of the packages, which is there.
"""

from __future__ import annotations

import site
import sys
import venv
from pathlib import Path

LEFT_OUT = ("torch", "transformers", "dask", "distributed", "pandas", "sklearn")
ROOT = Path(__file__).resolve().parents[2]
_FINDER = f"""
import sys
from importlib.machinery import PathFinder


class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in {LEFT_OUT!r}:
            return None
        return super().find_spec(name, path, target)


sys.meta_path[:] = [Without if finder is PathFinder else finder for finder in sys.meta_path]
"""


def python_without_torch(folder: Path) -> Path:
    """Make the environment in a folder; returns its interpreter."""
    venv.create(folder, with_pip=False, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = folder / "lib" / version / "site-packages"
    (own / "_finder_without_torch.py").write_text(_FINDER)
    paths = [*site.getsitepackages(), str(ROOT), "import _finder_without_torch"]
    (own / "shared.pth").write_text("\n".join(paths) + "\n")
    (folder / "share").symlink_to(Path(sys.prefix) / "share")  # Jupyter's templates
    return folder / "bin" / "python"
