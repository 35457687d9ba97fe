"""The files of an imported notebook's folder: those that its code opens, and what is missing.

Covered: only the notebook's own folder and what is below it is read, wherever a path or a link
leads; what is missing, outside, or left behind is said. Not covered: files whose names are known
only when the code runs; they are among those left behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.assignment.data_files import FOLDER, MAX_FILES, MAX_PART, NOISE, excess, refused
from autograder.errors import SpecError
from autograder.notebook.formats.text import first_of
from autograder.notebook.structure.opened_files import FileMention, mentions

NAMED = 8  # files named in one sentence
_MOST = 5_000  # entries of the folder that are looked at
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Contents by path relative to the folder, and sentences for the instructor."""

    contents: Mapping[str, bytes]
    notes: tuple[str, ...] = ()


def opened_files(
    folder: Path,
    sources: Sequence[tuple[str, str]],
    *,
    taken: Iterable[str] = (),
    brought: Mapping[str, bytes] | None = None,
    remedy: str = "",
) -> FolderFiles:
    """The files in ``folder`` that this code opens, with modules that it imports and what these
    open; added to those that are ``brought`` anyway.

    ``sources``: places with their code; ``taken``: the names of notebooks; ``remedy``: how the
    whole folder is imported, if it can be. Raises ``SpecError`` for files that cannot be beside a
    notebook.
    """
    search = _Search(folder.resolve(), frozenset(taken), dict(brought or {}))
    search.follow(sources)
    problems = [f"{folder / name}: {why}" for name, why in search.refused.items()]
    paths = {name: folder / name for name in search.found}
    size = sum(path.stat().st_size for path in paths.values())
    size += sum(map(len, search.brought.values()))
    if paths and (too_much := excess(folder, size, paths)):
        problems.append(too_much)
    if problems:
        raise SpecError(problems)
    contents = {name: path.read_bytes() for name, path in paths.items()}
    return FolderFiles({**contents, **search.brought}, tuple(search.notes(folder, remedy)))


class _Search:
    """What has been found so far. ``root`` is resolved."""

    def __init__(self, root: Path, taken: frozenset[str], brought: dict[str, bytes]) -> None:
        self.root, self.taken, self.brought = root, taken, brought
        self.found: dict[str, None] = {}
        self.refused: dict[str, str] = {}
        self.missing: dict[str, str] = {}  # path -> the first place that names it
        self.outside: dict[str, str] = {}

    def follow(self, sources: Sequence[tuple[str, str]]) -> None:
        """Look for everything that this code mentions, then for what the modules mention that were
        found."""
        every = mentions(sources)
        written = {os.path.normpath(m.path) for m in every if m.use == "writes"}
        before = set(self.found)
        for mention in every:
            if mention.use == "imports":
                self._module(mention.path)
            elif mention.use != "writes":
                self._path(mention, written)
        new = [name for name in self.found if name not in before and name.endswith(".py")]
        if new:
            self.follow([(name, self._text(name)) for name in new])

    def _path(self, mention: FileMention, written: set[str]) -> None:
        path, reads = mention.path, mention.use in ("reads", "lists")
        name = os.path.normpath(path)
        long = any(len(part.encode("utf-8", "replace")) > MAX_PART for part in name.split("/"))
        if "://" in path or "\0" in path or name == "." or long:
            return
        if os.path.isabs(name) or name.split("/")[0] in ("..", "~"):  # noqa: PTH117
            if reads and name not in written:
                self.outside.setdefault(path, mention.place)
            return
        files = [*self._matching(name, folders=reads)]
        for file in files:
            self._add(file)
        if not reads or files or name in written or self._is_brought(name):
            return
        named = mention.use == "lists" or PurePosixPath(name).suffix
        if named and not _GLOB & set(name) and not (self.root / name).exists():
            self.missing.setdefault(path, mention.place)

    def _is_brought(self, name: str) -> bool:
        return any(other == name or other.startswith(f"{name}/") for other in self.brought)

    def _matching(self, name: str, *, folders: bool) -> Iterator[Path]:
        """The files of this name or pattern, and those in a folder of this name."""
        try:
            chosen = (
                [*self.root.glob(name)] if folders and _GLOB & set(name) else [self.root / name]
            )
        except (ValueError, NotImplementedError, OSError):
            return
        for path in chosen[:_MOST]:
            if folders and path.is_dir() and self._is_inside(path):
                yield from (file for file in sorted(_below(path)) if self._is_inside(file))
            elif path.is_file():
                yield path

    def _module(self, name: str) -> None:
        """A module beside the notebook."""
        for path in (self.root / f"{name}.py", self.root / name / "__init__.py"):
            if path.is_file():
                below = [path] if path.parent == self.root else sorted(_below(path.parent))
                for file in below:
                    self._add(file)

    def _add(self, path: Path) -> None:
        name = path.relative_to(self.root).as_posix()
        if name in self.brought or name in self.taken:
            return
        if not self._is_inside(path):
            self.outside.setdefault(name, "a link")
        elif why := refused(name, self.taken):
            self.refused.setdefault(name, why)
        elif len(self.found) <= MAX_FILES:
            self.found[name] = None

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self.root)

    def _text(self, name: str) -> str:
        return (self.root / name).read_bytes().decode("utf-8", "replace")

    def notes(self, folder: Path, remedy: str) -> Iterator[str]:
        """What an instructor has to know about the files."""
        if self.found:
            yield f"Files that the code opens: {first_of(list(self.found), NAMED)}."
        into = f"copy it into assignments/ID/{FOLDER}/ under this path"
        for path, place in self.missing.items():
            yield f"{place} opens {path!r}, which is not in {folder}: {into}, or answers fail."
        for path, place in self.outside.items():
            why = "which leads" if place == "a link" else "a path"
            yield (
                f"{place} opens {path!r}, {why} out of {folder}, where nothing is read: put the "
                "file below the notebook's folder and change the path."
            )
        if left := self._left():
            whole = f" To bring everything, give the folder: {remedy}." if remedy else ""
            yield (
                f"Left in {folder}, because no code names them: {first_of(left, NAMED)}. If the "
                f"notebook needs one, {into}.{whole}"
            )

    def _left(self) -> list[str]:
        """Files and folders beside the notebook of which nothing is imported."""
        used = {PurePosixPath(name).parts[0] for name in (*self.found, *self.brought)}
        try:
            entries = sorted(self.root.iterdir())
        except OSError:
            return []
        return [
            f"{path.name}/" if path.is_dir() else path.name
            for path in entries
            if path.name not in used
            and path.name not in {*NOISE, ".git"}
            and path.suffix != ".ipynb"
        ]


def _below(folder: Path) -> Iterator[Path]:
    """The files below a folder that neither an editor nor Jupyter has left, at most ``_MOST``."""
    count = 0
    for root, folders, names in os.walk(folder):
        folders[:] = [n for n in folders if not n.startswith(".") and n != "__pycache__"]
        for name in names:
            count += 1
            if count > _MOST:
                return
            if not name.startswith("."):
                yield Path(root, name)
