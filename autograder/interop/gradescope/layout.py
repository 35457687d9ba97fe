"""Where things are on Gradescope, and where the package puts its own, below one root."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one container. ``root`` is /autograder there; tests and rehearsals move it.

    ``source`` is the package as it was unpacked, ``submission`` the student's files. ``grader``
    is ours: the environment, its cache, and the evidence of the solution.
    """

    root: Path

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def submission(self) -> Path:
        return self.root / "submission"

    @property
    def metadata(self) -> Path:
        return self.root / "submission_metadata.json"

    @property
    def results(self) -> Path:
        return self.root / "results" / "results.json"

    @property
    def settings(self) -> Path:
        return self.source / "gradescope.json"

    @property
    def evidence(self) -> Path:
        return self.root / "grader" / "evidence"

    def assignment(self, id_: str) -> Path:
        """The folder of an assignment in the package."""
        return self.source / "course" / "assignments" / id_
