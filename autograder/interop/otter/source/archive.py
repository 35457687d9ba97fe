"""An autograder.zip, or the folder unpacked from it: otter_config.json, tests, files.

Covered: nothing is unpacked to disk. Names and links that point outside the archive, members with
an extreme compression ratio, and too many or too large files are refused with a message.
Not covered: the scripts and the environment of the archive; they are never read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.assignment.data_files import MAX_BYTES
from autograder.errors import SpecError, SubmissionError
from autograder.interop.otter.source.model import SourceFault
from autograder.notebook.formats.archive import check_total, list_members, read_member
from autograder.notebook.formats.text import Repairs, decode, without_surrogates

CONFIG = "otter_config.json"
TESTS = "tests"
FILES = "files"
MAX_CONFIG = 1_000_000  # bytes of the settings
MAX_TESTS = 1_000
MAX_ENTRIES = 10_000

_NOISE = ("__MACOSX", ".DS_Store", "__pycache__", ".ipynb_checkpoints")


@dataclass(frozen=True, slots=True)
class Package:
    """An assignment in an autograder.zip: ``tests`` by file stem, ``supports`` by path."""

    config: Mapping[str, Any]
    tests: Mapping[str, str]
    supports: Mapping[str, bytes]


def read_archive(path: Path) -> Package:
    """The assignment in a zip; raises SpecError."""
    try:
        members = [m for m in list_members(path) if not _is_noise(PurePosixPath(m.name))]
        problems = [f"{path.name}/{m.name}: {m.error}" for m in members if m.error]
        if problems:
            raise SpecError(problems)
        check_total(path, members)
    except SubmissionError as bad:
        raise SpecError([bad.to_author()]) from None
    by_name = {PurePosixPath(member.name): member for member in members}
    return _package({n: _loader(path, member) for n, member in by_name.items()}, path.name)


def read_folder(path: Path) -> Package:
    """The assignment in an unpacked autograder.zip; raises SpecError."""
    found: dict[PurePosixPath, Callable[[], bytes]] = {}
    wanted = [path / CONFIG, *sorted((path / TESTS).rglob("*")), *sorted((path / FILES).rglob("*"))]
    if len(wanted) > MAX_ENTRIES:
        raise SpecError([f"{path}: more than {MAX_ENTRIES:,} files; remove some"])
    root = path.resolve()
    for file in wanted:
        name = PurePosixPath(file.relative_to(path).as_posix())
        if not file.is_file() or _is_noise(name):
            continue
        if not file.resolve().is_relative_to(root):
            raise SpecError([f"{file}: this link points outside the folder; copy the file into it"])
        found[name] = file.read_bytes
    return _package(found, str(path))


def _package(found: Mapping[PurePosixPath, Callable[[], bytes]], place: str) -> Package:
    root = _root(found)
    held = {name.relative_to(root): load for name, load in found.items() if _is_in(name, root)}
    problems: list[str] = []
    config: Mapping[str, Any] = {}
    if (load := held.get(PurePosixPath(CONFIG))) is not None:
        try:
            config = _json(_loaded(load, place, problems))
        except SourceFault as bad:
            problems.append(bad.at(f"{place}/{CONFIG}"))
    tests = {
        name.stem: _test(load, f"{place}/{name}", problems)
        for name, load in sorted(held.items())
        if name.parent == PurePosixPath(TESTS) and name.suffix == ".py"
    }
    if not tests:
        problems.append(_no_tests(held, place))
    if len(tests) > MAX_TESTS:
        problems.append(f"{place}: more than {MAX_TESTS:,} test files")
    supports = _supports(held, place, problems)
    if problems:
        raise SpecError([problem for problem in problems if problem])
    return Package(config, tests, supports)


def _supports(
    held: Mapping[PurePosixPath, Callable[[], bytes]], place: str, problems: list[str]
) -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    size = 0
    for name, load in sorted(held.items()):
        if name.parts[0] != FILES or len(name.parts) < 2:
            continue
        data = _loaded(load, place, problems)
        size += len(data)
        if size > MAX_BYTES:
            problems.append(
                f"{place}/{FILES}: more than {MAX_BYTES:,} bytes. "
                "Leave out files that the notebooks do not read"
            )
            return {}
        made[PurePosixPath(*name.parts[1:]).as_posix()] = data
    return made


def _root(found: Mapping[PurePosixPath, Any]) -> PurePosixPath:
    """The folder that contains everything, if the archive was packed with one."""
    tops = {name.parts[0] for name in found}
    plain = any(name.parts[0] in (CONFIG, TESTS) for name in found)
    return PurePosixPath() if plain or len(tops) != 1 else PurePosixPath(*tops)


def _is_in(name: PurePosixPath, root: PurePosixPath) -> bool:
    return name.is_relative_to(root) and name != root


def _no_tests(held: Mapping[PurePosixPath, Any], place: str) -> str:
    if any(name.parts[0] == TESTS and name.suffix in (".R", ".r") for name in held):
        return f"{place}: its tests are in R; only Python assignments can be imported"
    return (
        f"{place}: it contains no {TESTS}/*.py, so it is not an otter autograder.zip; give the zip "
        "that `otter assign` wrote to its autograder folder, or the master notebook"
    )


def _test(load: Callable[[], bytes], place: str, problems: list[str]) -> str:
    data = _loaded(load, place, problems)
    return without_surrogates(decode(data, Repairs())).replace("\r\n", "\n").replace("\r", "\n")


def _json(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_CONFIG:
        raise SourceFault(0, f"more than {MAX_CONFIG:,} bytes, too large for settings")
    try:
        made = json.loads(decode(data, Repairs()))
    except (ValueError, RecursionError) as bad:
        raise SourceFault(0, f"this is not JSON ({str(bad)[:100]})") from None
    if not isinstance(made, dict):
        raise SourceFault(0, "this must be an object: {...}")
    return made


def _loader(path: Path, member: Any) -> Callable[[], bytes]:
    return lambda: read_member(path, member)


def _loaded(load: Callable[[], bytes], place: str, problems: list[str]) -> bytes:
    try:
        return load()
    except SubmissionError as bad:
        problems.append(str(bad))
    except OSError as bad:
        problems.append(f"{place}: cannot be read ({bad.strerror})")
    return b""


def _is_noise(name: PurePosixPath) -> bool:
    return any(part in _NOISE or part.startswith("._") for part in name.parts)
