"""A base image without a registry: the Python that runs the tests, a shell and what both load.

It is laid out as the official image is, with Python in /usr/local, and has no packages. Files
come from this machine, so that nothing is downloaded.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDERS = ("tmp", "etc", "proc", "dev", "sys", "run", "root")
MODES = {"tmp": 0o1777, "root": 0o700}  # of the others: 0o755
PROGRAMS = ("sh", "rm", "ldconfig")
SYSTEM_PYTHON = Path("/usr/share/python-wheels")  # where Debian keeps what `venv` installs
_LEFT_OUT = ("test", "idlelib", "tkinter", "site-packages", "dist-packages", "lib2to3")
_LIBRARY = re.compile(r"(?:=> )?(/\S+) \(0x")


def lacking() -> str:
    """Why there is no base image to be made here; "" when there is one."""
    if missing := [name for name in (*PROGRAMS, "ldd") if program(name) is None]:
        return f"these programs are missing: {', '.join(missing)}"
    bundled = _library_of_python() / "ensurepip" / "_bundled"
    if not any(bundled.glob("pip-*.whl")) and not SYSTEM_PYTHON.is_dir():
        return "this Python has no ensurepip, which makes virtual environments"
    return ""


def program(name: str) -> Path | None:
    """Where a program lies, also where only root looks."""
    found = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    return Path(found) if found else None


def write_base(target: Path, packages: Path) -> None:
    """Write the base image's files as a tar. The compiled code under ``packages`` can be loaded
    in it: the libraries that it needs of the system are in there, too."""
    python = Path(sys.executable).resolve()
    compiled = [*(_library_of_python() / "lib-dynload").glob("*.so")]
    compiled += packages.glob("torch/lib/*.so")
    compiled += packages.glob("numpy/_core/*.so")
    named = [found for name in PROGRAMS if (found := program(name)) is not None]
    with tarfile.open(target, "w") as tar:
        for folder in ("bin", "sbin", "lib", "lib64"):  # as this machine has it
            if (link := Path("/", folder)).is_symlink():
                tar.add(link, folder)
        _add(tar, python, f"usr/local/bin/{python.name}")
        for name in ("python3", "python"):
            _link(tar, f"usr/local/bin/{name}", python.name)
        tar.add(_library_of_python(), _standard(), filter=_wanted)
        for path in named:
            _add(tar, path, str(path.resolve()))
            if path.name != path.resolve().name:
                _link(tar, str(path), path.resolve().name)
        for library in _libraries([python, *named, *compiled], below=packages):
            _add(tar, library, _place(library))
        if SYSTEM_PYTHON.is_dir():
            tar.add(SYSTEM_PYTHON, str(SYSTEM_PYTHON))
        _folders(tar)


def _place(library: Path) -> str:
    """Where the loader looks for it in the image."""
    first = library.parts[1]
    if first.startswith("lib"):
        return f"usr{library}" if Path("/", first).is_symlink() else str(library)
    return str(library) if library.is_relative_to("/usr/lib") else f"usr/local/lib/{library.name}"


def _standard() -> str:
    return f"usr/local/lib/python{sys.version_info.major}.{sys.version_info.minor}"


def _library_of_python() -> Path:
    """The standard library of the interpreter below a virtual environment."""
    return Path(sysconfig.get_path("stdlib"))


def _wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    below = Path(entry.name).relative_to(_standard()).parts
    if below and (below[0] in _LEFT_OUT or below[0].startswith("config-")):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _libraries(files: Iterable[Path], *, below: Path) -> Iterator[Path]:
    """What the loader takes for these files, without what lies under ``below``."""
    done = subprocess.run(
        ["ldd", *map(str, files)], capture_output=True, text=True, check=False, timeout=120
    )
    seen: set[str] = set()
    for place in _LIBRARY.findall(done.stdout):
        if place not in seen and not Path(place).is_relative_to(below):
            seen.add(place)
            yield Path(place)


def _add(tar: tarfile.TarFile, source: Path, target: str) -> None:
    """One file's contents, whatever links lead to it."""
    entry = tar.gettarinfo(str(source.resolve()), target.lstrip("/"))
    entry.uid = entry.gid = 0
    entry.type, entry.linkname = tarfile.REGTYPE, ""
    entry.size = source.stat().st_size
    with source.open("rb") as file:
        tar.addfile(entry, file)


def _link(tar: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name.lstrip("/"))
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    tar.addfile(entry)


def _folders(tar: tarfile.TarFile) -> None:
    for name in FOLDERS:
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode = tarfile.DIRTYPE, MODES.get(name, 0o755)
        tar.addfile(entry)
