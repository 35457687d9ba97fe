"""Where a new course or assignment belongs, and how its files get there.

Covered: nothing that exists is written over, and no assignment lands in a folder that is not a
course's.
Not covered: two commands that make the same assignment at the same moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from autograder.assignment.kinds import ID_PATTERN
from autograder.errors import UsageError
from autograder.files import write_atomic

ASSIGNMENTS = "assignments"


class Starter(StrEnum):
    """The small assignments to begin with."""

    numpy = "numpy"
    torch = "torch"
    pandas = "pandas"
    sklearn = "sklearn"
    plain = "plain"


@dataclass(frozen=True, slots=True)
class NewPlace:
    """``assignment``: its id; empty if only the course is to be made."""

    course: Path
    assignment: str = ""

    @property
    def is_new_course(self) -> bool:
        """Whether the course folder is still to be made."""
        return not (self.course / ASSIGNMENTS).is_dir()

    @property
    def folder(self) -> Path:
        """The folder of the assignment."""
        return self.course / ASSIGNMENTS / self.assignment


def place_of(name: str, start: Path, *, with_assignment: bool = True) -> NewPlace:
    """Where ``new NAME`` puts things: COURSE, COURSE/ASSIGNMENT or, in a course folder, ASSIGNMENT.
    Unless an assignment is wanted for certain, a path into a folder that is there is a new COURSE.

    Raises ``UsageError`` if that exists, is not a course folder, or has a name that is no id.
    """
    path = Path(name)
    parent = start / path.parent
    # the folder itself: "." and a path that ends in ".."
    whole = path.name in ("", "..")
    if not whole and (parent / ASSIGNMENTS).is_dir():
        return _assignment(NewPlace(parent, path.name))
    alone = whole or len(path.parts) == 1
    if not alone and not path.is_absolute() and (start / ASSIGNMENTS).is_dir():
        raise UsageError(
            "this is a course folder already; for an assignment in it, write "
            f"{path.name} in place of {name}"
        )
    if alone or (not with_assignment and parent.is_dir() and _is_filled(parent)):
        _refuse_course(start / path, name)
        return NewPlace(start / path)
    if _is_filled(parent):  # a folder that is not a course's is left alone
        raise UsageError(
            f"{parent} is not a course folder: it has no {ASSIGNMENTS}/. Make one first, as in "
            f"`autograder new {path.parent}/course`"
        )
    return _assignment(NewPlace(parent, path.name))


def _assignment(place: NewPlace) -> NewPlace:
    if not ID_PATTERN.fullmatch(place.assignment):
        raise UsageError(
            f"{place.assignment!r} is not a valid assignment id: it begins with a letter (a to z, "
            "A to Z), followed by at most 63 such letters, digits, - and _; the title in "
            "assignment.toml may be anything"
        )
    for path in _belonging(place):
        if path.exists():
            raise UsageError(f"{path} already exists: choose another name, or remove it first")
    return place


def _belonging(place: NewPlace) -> Iterator[Path]:
    """What an assignment of this id may have in its course."""
    yield place.folder
    yield place.course / "solutions" / place.assignment
    yield place.course / "student_templates" / f"{place.assignment}.ipynb"


def _refuse_course(folder: Path, name: str) -> None:
    """Raise UsageError unless the folder is missing or empty."""
    if (folder / ASSIGNMENTS).is_dir():
        raise UsageError(
            f"{folder} is a course folder already; to make an assignment in it, name that too, as "
            f"in `autograder new {name}/first`"
        )
    if _is_filled(folder):  # a folder with other things in it is left alone
        raise UsageError(f"{folder} already exists: choose another name")


def _is_filled(path: Path) -> bool:
    """Whether something is there, other than an empty folder."""
    return path.exists() and not (path.is_dir() and not any(path.iterdir()))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their names in ``folder``. Raises ``StoreError``."""
    for name, data in files.items():
        write_atomic(folder / name, data)
