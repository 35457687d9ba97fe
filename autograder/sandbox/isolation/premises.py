"""What a sandbox needs on disk: one grader's folder, the packages inside, the environment."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
INSIDE = ("__init__.py", "wire", "runner")  # all of our code that the sandbox may see
PREFIX = "autograder-box-"
HIDING = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")  # empty: torch sees no device


def copy_inside(target: Path) -> None:
    """Copy the packages that belong inside the sandbox, and nothing else of ours, to ``target``."""
    for name in INSIDE:
        source = PACKAGE / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)
    for path in (target.parent, target, *target.rglob("*")):  # for whoever may read our files
        path.chmod(0o755 if path.is_dir() else 0o644)  # the box is for other users to read


def models_within_reach(models: Path, folder: Path) -> Path:
    """The models where another user can read them: in place, or copied into ``folder``.

    Without namespaces a child of root is another user, who cannot enter root's home.
    """
    ways = (models, *models.parents)
    if os.geteuid() != 0 or all(way.stat().st_mode & 0o001 for way in ways):
        return models
    target = folder / "models"
    shutil.copytree(models, target, symlinks=True, copy_function=_link_or_copy)
    return target


def lay_out(files: Mapping[str, bytes], folder: Path) -> Path:
    """Write files, by relative path, below ``folder``: readable for everybody, writable for
    nobody. Folders can be written to."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o444)
    for path in (p for name in files for p in (folder / name).parents if p.is_relative_to(folder)):
        path.chmod(0o777)
    return folder


def _link_or_copy(source: str, target: str) -> None:
    """A hard link to the file, which costs nothing; a copy if it is on another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def erase(folder: Path) -> None:
    """Remove a folder of student code that has ended, whatever modes it gave to its own folders and
    however deeply they are nested: the contents of a folder are moved up before it is removed, so
    that no path gets too long and nothing recurses."""
    before: set[str] = set()
    while (inside := _folders(folder)) and inside != before:  # no progress: leave it to rmtree
        for path in inside:
            with contextlib.suppress(OSError):
                os.chmod(path, 0o700)  # noqa: PTH101
                for below in _folders(Path(path)):
                    os.chmod(below, 0o700)  # noqa: PTH101
                    os.rename(below, folder / secrets.token_hex(16))  # noqa: PTH104
                shutil.rmtree(path)
        before = inside
    shutil.rmtree(folder, ignore_errors=True)


def _folders(folder: Path) -> set[str]:
    try:
        with os.scandir(folder) as entries:
            # Left-over modes are erased without following links.
            return {entry.path for entry in entries if entry.is_dir(follow_symlinks=False)}
    except OSError:
        return set()


def sweep() -> None:
    """Remove the folders of graders that were killed: those named after a pid that is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        with contextlib.suppress(OSError):
            ours = not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if pid.isdecimal() and ours and not Path(f"/proc/{pid}").exists():
                erase(folder)


def clean_environment() -> dict[str, str]:
    """The sandbox's complete environment."""
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
        "TORCHDYNAMO_DISABLE": "1",  # it starts a compiler, which the sandbox refuses
        # the warm process sees no device: an optimizer's first step asks whether a graph is being
        # captured, which would make a context, and no child could use a device any more
        **dict.fromkeys(HIDING, ""),
        # No context from the question whether there is a device.
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
    }
