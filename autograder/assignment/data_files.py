"""The files of an assignment, from its folder ``files/``: what its notebook reads.

Covered: only regular files in that folder are read; links that lead out of it, pipes, names that no
file beside a notebook can have, and too much data are errors that name the file and the remedy.
Not covered: what is in the files.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from autograder.files import digest_of

FOLDER = "files"
MAX_BYTES = 50_000_000  # of all files of one assignment
MAX_FILES = 1_000
MAX_PART, MAX_NAME = 255, 1_000  # bytes of a file's or folder's name, and of the whole path
OWN = "autograder"  # the package that the notebooks import
NOISE = frozenset(("__pycache__", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini"))
_UNSHOWN = ("Cc", "Cs", "Zl", "Zp")  # control characters, parts of characters, ends of lines
_REMEDY = "Reduce it (a sample, .csv.gz, .npz), or remove what no notebook reads"


@dataclass(frozen=True, slots=True)
class DataFiles:
    """Contents by path relative to the notebook, with "/" between folders. ``digest`` is of both;
    empty if there are none."""

    contents: Mapping[str, bytes] = field(default_factory=dict)
    digest: str = ""


NO_FILES = DataFiles()


def data_files(contents: Mapping[str, bytes]) -> DataFiles:
    """These files with their digest, sorted by name."""
    return DataFiles(dict(sorted(contents.items())), digest_of(contents))


def read_data_files(folder: Path, taken: Collection[str], problems: list[str]) -> DataFiles:
    """The files in ``folder``, none if it does not exist; what is wrong is added to ``problems``.
    ``taken``: the names of notebooks, which no file may have."""
    if not folder.is_dir():
        return NO_FILES
    found: dict[str, Path] = {}
    size = 0
    for path in sorted(_walk(folder, problems)):
        name = path.relative_to(folder).as_posix()
        if why := refused(name, taken) or _refused_file(path, folder.resolve()):
            problems.append(f"{_shown(path)}: {why}")
            continue
        size += path.stat().st_size
        found[name] = path
    if too_much := excess(folder, size, found):
        problems.append(too_much)
        return NO_FILES
    contents: dict[str, bytes] = {}
    for name, path in found.items():
        try:
            contents[name] = path.read_bytes()
        except OSError as bad:
            problems.append(f"{_shown(path)}: cannot be read ({bad.strerror}); change its mode")
    return data_files(contents)


def excess(folder: Path, size: int, files: Mapping[str, Path]) -> str:
    """Why these files are too many or too large (``size``: bytes in total); empty if they are
    not."""
    if len(files) > MAX_FILES:
        return (
            f"{folder}: {len(files):,} files; at most {MAX_FILES:,} are allowed beside a notebook. "
            "Put them into one archive that the notebook opens (.zip, .npz)"
        )
    if size > MAX_BYTES:
        largest = max(files.values(), key=lambda path: path.stat().st_size)
        return (
            f"{_shown(largest)}: {largest.stat().st_size:,} bytes; all files in {folder} have "
            f"{size:,}, and at most {MAX_BYTES:,} are allowed beside a notebook. {_REMEDY}"
        )
    return ""


def refused(name: str, taken: Collection[str]) -> str:
    """Why no file beside a notebook may have this name, and the remedy; empty if it may.
    ``taken``: the names of the notebooks there."""
    parts = name.split("/")
    if not name or "\\" in name or any(part in ("", ".", "..") for part in parts):
        return "this name leads out of the notebook's folder. Rename the file"
    if any(unicodedata.category(character) in _UNSHOWN for character in name):
        return "this name has characters that cannot be shown. Rename the file"
    if max(len(part.encode()) for part in parts) > MAX_PART or len(name.encode()) > MAX_NAME:
        return f"this name is too long: {MAX_PART} bytes, with all folders {MAX_NAME:,}. Shorten it"
    if name.casefold() in {other.casefold() for other in taken}:
        return "this is the name of the notebook itself. Rename the file"
    if PurePosixPath(parts[0]).stem.casefold() == OWN or name.casefold().endswith(".agw"):
        return f"this name belongs to the grader ({OWN}, .agw). Rename the file"
    return ""


def collides(name: str, names: Collection[str]) -> bool:
    """Whether a file cannot be beside the files ``names``: one has its name, or is a folder where
    the other is a file."""
    return name in names or any(
        other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in names
    )


def _walk(folder: Path, problems: list[str]) -> Iterator[Path]:
    """Every file below a folder except what operating systems and editors leave behind; links to
    folders are problems, because they may lead anywhere."""
    for root, folders, names in os.walk(folder, onerror=lambda bad: problems.append(_closed(bad))):
        folders[:] = [name for name in folders if name not in NOISE]
        for name in list(folders):
            path = Path(root, name)
            if path.is_symlink():
                problems.append(f"{_shown(path)}: a link to a folder. Copy the folder itself")
                folders.remove(name)
        yield from (Path(root, name) for name in names if name not in NOISE)


def _refused_file(path: Path, root: Path) -> str:
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        return f"this link leads out of {FOLDER}/. Copy the file itself"
    if not path.is_file():
        return "this is not a regular file. Remove it"
    return ""


def _closed(bad: OSError) -> str:
    return f"{_shown(Path(bad.filename))}: cannot be opened ({bad.strerror}); change its mode"


def _shown(path: Path) -> str:
    return str(path).encode("utf-8", "replace").decode()


def names_of(assignment: str, notebook: str = "") -> frozenset[str]:
    """The names of an assignment's notebook: here, and in the tool that it was made for."""
    stems: Iterable[str] = filter(None, (assignment, notebook))
    return frozenset(f"{stem}.ipynb" for stem in stems)
