"""Files next to a master notebook that it names.

Covered: only files in the master's own folder are read, regardless of links; their size is bounded.
A file of settings may be elsewhere in a course whose folder is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.assignment.data_files import MAX_BYTES
from autograder.interop.otter.source.model import SourceFault
from autograder.interop.otter.source.settings import MAX_YAML

MAX_NAMED = 5_000
_SHARED = ", or, for a config_file that a course shares, name the course's folder with --course"


def beside(
    folder: Path, names: Sequence[str], problems: list[str], told: list[str]
) -> dict[str, bytes]:
    """The named files and the files of named folders, by path; missing ones are noted in
    ``told``."""
    made: dict[str, bytes] = {}
    size = 0
    for name in names:
        try:
            for file in _files(folder, name):
                data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else b""
                size += max(len(data), file.stat().st_size)
                made[file.relative_to(folder.resolve()).as_posix()] = data
        except SourceFault as bad:
            problems.append(bad.what)
        except OSError:
            told.append(
                f"The file {name!r} is not next to the master and is not imported: a notebook that "
                "reads it will fail. Put it in the assignment's files/ folder."
            )
    if size > MAX_BYTES:
        problems.append(
            f"the files of the master have {size:,} bytes in total; at most {MAX_BYTES:,} are "
            "allowed. Leave out files that the notebooks do not read"
        )
        return {}
    return made


def text_beside(folder: Path, name: str, course: Path | None = None) -> str:
    """The text of one file, named from ``folder`` and in it or in ``course``; raises
    SourceFault."""
    try:
        with _within(folder, name, course).open("rb") as stream:
            return stream.read(MAX_YAML + 1).decode()
    except ValueError:
        raise SourceFault(0, "this is not UTF-8 text") from None
    except OSError as bad:
        raise SourceFault(0, f"it cannot be read ({bad.strerror})") from None


def _within(folder: Path, name: str, course: Path | None = None) -> Path:
    root = (course or folder).resolve()
    path = (folder.resolve() / name.replace("\0", "")).resolve()
    if not path.is_relative_to(root) or path == root or "\0" in name:
        outside = "the course's folder" if course else "the master's folder"
        raise SourceFault(0, f"{name!r} is outside {outside}; move it into that folder{_SHARED}")
    return path


def _files(folder: Path, name: str) -> Iterator[Path]:
    root = folder.resolve()
    path = _within(folder, name)
    if not path.is_dir():
        path.stat()
        yield path
        return
    for number, file in enumerate(sorted(path.rglob("*"))):
        if number > MAX_NAMED:
            raise SourceFault(0, f"the folder {name!r} contains more than {MAX_NAMED:,} files")
        if file.is_file() and file.resolve().is_relative_to(root):
            yield file
