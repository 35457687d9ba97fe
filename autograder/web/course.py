"""The course that is served: its assignments, and where everything about it is kept.

::

    COURSE/assignments/ID/           what is asked
    COURSE/out/served/course.db      attempts, grades, decisions, who may come in
    COURSE/out/served/uploads/       what students uploaded, by digest
    COURSE/out/served/results/ID/    the results folder of each assignment
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignment.measured import FILE as MEASURED
from autograder.assignment.model import Assignment
from autograder.assignment.read import FILE, read_assignment
from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import SpecError, UsageError

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Course:
    """A course folder. ``url``: the database, the course's own file if empty."""

    folder: Path
    url: str = ""
    _read: dict[str, tuple[Stamp, Assignment | str]] = field(default_factory=dict)

    @property
    def served(self) -> Path:
        return self.folder / "out" / "served"

    @property
    def database(self) -> Path | str:
        return self.url or self.served / "course.db"

    def results(self, assignment: str) -> ResultsFolder:
        """The results folder of an assignment."""
        return ResultsFolder(self.served / "results" / assignment)

    def assignment_folder(self, assignment: str) -> Path:
        return self.folder / "assignments" / assignment

    def assignments(self) -> Mapping[str, Assignment]:
        """Every assignment without problems, by its id; a file is read again when it changes."""
        found = self._all()
        return {name: one for name, one in found.items() if isinstance(one, Assignment)}

    def problems(self) -> Mapping[str, str]:
        """Why the other assignments cannot be offered, by the name of the folder."""
        return {name: one for name, one in self._all().items() if isinstance(one, str)}

    def _all(self) -> dict[str, Assignment | str]:
        found = {}
        for path in sorted((self.folder / "assignments").glob(f"*/{FILE}")):
            name, stamp = path.parent.name, stamp_of([path, path.with_name(MEASURED)])
            if name not in self._read or self._read[name][0] != stamp:
                self._read[name] = stamp, _assignment(path.parent)
            found[name] = self._read[name][1]
        return found


def open_course(folder: Path, url: str = "") -> Course:
    """The course in a folder; raises ``UsageError`` if there is none."""
    if not (folder / "assignments").is_dir():
        raise UsageError(
            f"{folder}: this is no course folder, since it has no folder 'assignments'; "
            "`autograder new COURSE` makes one"
        )
    course = Course(folder.resolve(), url)
    if not url:
        course.served.mkdir(parents=True, exist_ok=True)
    return course


def stamp_of(paths: list[Path]) -> Stamp:
    """Names, sizes and times of files: they differ once a file has changed."""
    found = []
    for path in paths:
        if path.is_file():
            status = path.stat()
            found.append((str(path), status.st_size, status.st_mtime_ns))
    return tuple(found)


def _assignment(folder: Path) -> Assignment | str:
    try:
        found = read_assignment(folder)
    except SpecError as bad:
        return str(bad)
    if found.id != folder.name:
        return f"{folder}: its id is {found.id!r}; give both the same name"
    return found
