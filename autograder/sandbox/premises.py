"""What a box stands on: the folder of one grader, the packages inside, the environment."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
INSIDE = ("__init__.py", "wire", "runner")  # all of us that the box may see
PREFIX = "autograder-box-"


def copy_inside(target: Path) -> None:
    """Put the packages that belong inside the box, and nothing else of ours, at ``target``."""
    for name in INSIDE:
        source = PACKAGE / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)


def erase(folder: Path) -> None:
    """Remove a folder of student code that is gone, whatever modes it gave to its own folders."""
    for place, names, _ in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of graders that were killed: named by a pid that is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        with contextlib.suppress(OSError):
            ours = not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if pid.isdecimal() and ours and not Path(f"/proc/{pid}").exists():
                erase(folder)


def clean_environment() -> dict[str, str]:
    """All of the environment that the box gets."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/home/student",
        "USER": "student",
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",  # noqa: S108
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
    }
