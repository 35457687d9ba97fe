"""Finds an assignment's public evidence: at a given place, in the package, or nearby.

Covered: the id is checked before it becomes part of a path. Not covered: whether the file is the
course's; whoever can write into these folders can write the notebook as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from autograder.assignment.kinds import ID_PATTERN
from autograder.errors import StoreError
from autograder.student.errors import GraderError
from autograder.student.public_evidence import FILE, PublicEvidence, read_public

DATA = Path(__file__).resolve().parent / "data"
SUFFIX = ".agw"


class _OfAssignment(Protocol):
    @property
    def assignment(self) -> str: ...


GivenFile = TypeVar("GivenFile", bound=_OfAssignment)


def find_public(assignment: str, *, given: Path | None, start: Path) -> PublicEvidence:
    """Read the public evidence of an assignment.

    Searched in this order: ``given``, a file or a folder with ID.agw or public.agw; the data of the
    installed package; ID.agw and assignments/ID/public.agw in ``start`` and its parents. Raises
    ``GraderError`` naming these places if there is none, or naming the file that is not valid.
    """
    if not isinstance(assignment, str) or not ID_PATTERN.fullmatch(assignment):
        raise GraderError(
            f"{assignment!r} is not a valid assignment id: write it as your course does"
        )
    places = list(_given(given, assignment) if given is not None else _usual(assignment, start))
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise GraderError(_nowhere(assignment, places, given))
    return read_given(path, partial(read_public, name=str(path)), assignment, "the checks")


def read_given(
    path: Path, decode: Callable[[bytes], GivenFile], assignment: str, what: str
) -> GivenFile:
    """A file that the course gives out, with ``what`` of this assignment. Raises ``GraderError``
    for one that ``decode`` refuses or that belongs to another assignment."""
    try:
        found = decode(path.read_bytes())
    except (OSError, StoreError, ValueError, msgspec.MsgspecError, RecursionError):
        raise GraderError(
            f"{path} cannot be read by this version of the package; get this file and the package "
            "from your course again"
        ) from None
    if found.assignment != assignment:
        raise GraderError(f"{path} holds {what} of {found.assignment!r}, not {assignment!r}")
    return found


def _given(given: Path, assignment: str) -> Iterator[Path]:
    if given.is_dir():
        yield from (given / f"{assignment}{SUFFIX}", given / FILE)
    else:
        yield given


def _usual(assignment: str, start: Path) -> Iterator[Path]:
    yield DATA / f"{assignment}{SUFFIX}"
    for folder in (start, *start.parents):
        yield folder / f"{assignment}{SUFFIX}"
        yield folder / "assignments" / assignment / FILE


def _nowhere(assignment: str, places: list[Path], given: Path | None) -> str:
    if given is not None:
        return f"there are no checks at {', '.join(map(str, places))}; check the path"
    near = [place for place in places if DATA not in place.parents][:2]
    packed = sorted(path.stem for path in DATA.glob(f"*{SUFFIX}"))
    has = f"it has {', '.join(packed)}" if packed else "it has no assignment"
    return (
        f"there are no checks for {assignment!r}.\n"
        f"Searched the installed package ({DATA}): {has};\n"
        f"{near[0]}, {near[1]}, and the same in every parent folder.\n"
        f"Put {assignment}{SUFFIX} next to the notebook, or name it: `autograder check NOTEBOOK "
        "--public FILE`; students install their course's autograder_student package."
    )
