"""Wheels of what is installed here, for pip in a build that has no network.

They hold names, versions and requirements, but no code: the packages of this machine are mounted
into the container instead, which is quicker than a gigabyte that is packed and unpacked again.
"""

from __future__ import annotations

import base64
import hashlib
import sysconfig
import zipfile
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.authoring.packages.needed_files import DISTRIBUTION

MOUNTED = "/host/site-packages"  # where the machine's packages stand in the container
# the build itself runs these
INSTALLERS = ("pip", "uv")
WHOLE = (
    *INSTALLERS,
    *("hatchling", "packaging", "pathspec", "pluggy", "setuptools", "tomlkit", "trove-classifiers"),
)
CARRIER = "torch"  # its wheel tells Python where the mounted packages are
# pip would take these for what is installed in the container, and leave out what it shall install
_LINE = f"import sys; 'pip' in str(sys.orig_argv) or sys.path.append({MOUNTED!r})\n"


def lacking(extras: Iterable[str]) -> str:
    """Which package is not installed here that the image would need; "" when all are."""
    try:
        _needed(DISTRIBUTION, tuple(extras))
    except metadata.PackageNotFoundError as missing:
        return f"not installed here: {missing.name}"
    return ""


def write_wheels(folder: Path, extras: Iterable[str]) -> Mapping[str, str]:
    """Write a wheel for everything that the grader needs with ``extras``.

    Returns the versions by name. Raises ``PackageNotFoundError``.
    """
    found = _needed(DISTRIBUTION, tuple(extras))
    del found[DISTRIBUTION]
    for name in found:
        _write_wheel(folder, metadata.distribution(name))
    return {name: metadata.version(name) for name in found}


def _needed(name: str, extras: tuple[str, ...]) -> dict[str, set[str]]:
    """Names of what installs and of all that a package needs, with the extras of each."""
    found: dict[str, set[str]] = {}
    waiting = [(name, extras), *((installer, ()) for installer in INSTALLERS)]
    while waiting:
        next_, asked = waiting.pop()
        if next_ in found and found[next_] >= set(asked):
            continue
        found[next_] = found.get(next_, set()) | set(asked)
        for line in metadata.requires(next_) or ():
            one = Requirement(line)
            if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in ("", *asked)):
                waiting.append((canonicalize_name(one.name), tuple(one.extras)))
    return found


def _write_wheel(folder: Path, distribution: metadata.Distribution) -> None:
    stem = f"{distribution.name.replace('-', '_').replace('.', '_')}-{distribution.version}"
    below = f"{stem}.dist-info"
    members = {
        f"{below}/METADATA": (distribution.read_text("METADATA") or "").encode(),
        f"{below}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if distribution.name in WHOLE:
        commands = distribution.read_text("entry_points.txt") or ""
        members[f"{below}/entry_points.txt"] = commands.encode()
        if not commands:  # programs, not made by pip
            members |= {
                f"{stem}.data/scripts/{file.name}": Path(str(file.locate())).read_bytes()
                for file in distribution.files or ()
                if file.parts[-2:-1] == ("bin",)
            }
        members |= {
            str(file): Path(str(file.locate())).read_bytes()
            for file in distribution.files or ()
            if not file.parts[0].endswith(".dist-info")
            and ".." not in file.parts
            and "__pycache__" not in file.parts
        }
    if distribution.name == CARRIER:
        members["mounted.pth"] = _LINE.encode()
    rows = (f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in members.items())
    record = "".join(rows)
    members[f"{below}/RECORD"] = f"{record}{below}/RECORD,,\n".encode()
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if ".data/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, data)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def site_packages() -> Path:
    """Where the packages of this machine lie that the wheels stand for."""
    return Path(sysconfig.get_path("purelib"))
