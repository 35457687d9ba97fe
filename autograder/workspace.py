"""A results folder: where each file of a graded class lies, and what to resume from.

::

    DIR/run.json            assignment, seed: the same command goes on where it stopped
    DIR/evidence/           what the box yielded, by digest
    DIR/submissions/        the cells that were graded, so that a regrade needs no files
    DIR/results/*.json      the instructor's full result per student
    DIR/feedback/*.html     what each student may see
    DIR/gradebook.csv, grades.db, summary.json
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from autograder.errors import StoreError, SubmissionError, UsageError
from autograder.files import write_atomic
from autograder.gradebook.database import without_password
from autograder.notebook.students import safe_name
from autograder.notebook.submission import Submission

SEED_BITS = 48


class RunFile(msgspec.Struct, frozen=True):
    """run.json."""

    format: Literal["autograder-run/1"]
    assignment: str
    folder: str
    seed: int
    draw: bool
    devices: tuple[str, ...] = ()  # real accelerators that hand-ins were tested on
    gradebook: str = ""  # the URL of the database, without a password; "": grades.db in here


class Kept(msgspec.Struct, frozen=True):
    """One hand-in as it was read, or why it was rejected."""

    student: str
    name: str
    submission: Submission | None
    rejected: str = ""
    attempts: tuple[Kept, ...] = ()  # all of them in order, where the best of several counts

    def read(self) -> Submission:
        """The cells again; raises ``SubmissionError`` where they could not be read."""
        if self.submission is None:
            raise SubmissionError(self.rejected)
        return self.submission


@dataclass(frozen=True, slots=True)
class Workspace:
    """Paths below one results folder."""

    folder: Path

    def result(self, student: str) -> Path:
        return self.folder / "results" / f"{safe_name(student)}.json"

    def feedback(self, student: str) -> Path:
        return self.folder / "feedback" / f"{safe_name(student)}.html"

    @property
    def evidence(self) -> Path:
        return self.folder / "evidence"

    @property
    def gradebook(self) -> Path:
        return self.folder / "gradebook.csv"

    @property
    def database(self) -> Path:
        return self.folder / "grades.db"

    @property
    def summary(self) -> Path:
        return self.folder / "summary.json"

    def open_run(self) -> RunFile:
        """What was graded here; raises ``UsageError`` when nothing was."""
        path = self.folder / "run.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=RunFile)
        except FileNotFoundError:
            raise UsageError(
                f"{self.folder}: no class was graded into this folder; run `autograder grade "
                f"ASSIGNMENT PATH... --out {self.folder}` first"
            ) from None
        except (OSError, msgspec.MsgspecError) as bad:
            raise StoreError(
                f"{path}: cannot be read ({bad}); move it away to start anew"
            ) from None

    def begin(
        self, assignment: str, folder: Path, *, seed: int | None, draw: bool,
        devices: tuple[str, ...] = (), gradebook: str = "",
    ) -> RunFile:  # fmt: skip
        """Start or go on: the seed of an earlier run here is used again unless one is given."""
        known = self.open_run() if (self.folder / "run.json").is_file() else None
        if known is not None and known.assignment != assignment:
            raise UsageError(
                f"{self.folder} holds results of {known.assignment!r}; choose another --out for "
                f"{assignment!r}"
            )
        if seed is None:
            seed = known.seed if known is not None else secrets.randbits(SEED_BITS)
        book = without_password(gradebook) or (known.gradebook if known is not None else "")
        run = RunFile("autograder-run/1", assignment, str(folder), seed, draw, devices, book)
        if run != known:
            data = msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n"
            write_atomic(self.folder / "run.json", data)
        return run

    def keep(self, kept: Kept) -> None:
        """Keep a hand-in's cells for later regrades."""
        path = self.folder / "submissions" / f"{safe_name(kept.student)}.cells"
        data = msgspec.msgpack.encode(kept)
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)

    def kept(self) -> Iterator[Kept]:
        """Every hand-in that was graded here, by file name; raises ``StoreError``."""
        for path in self.kept_files():
            yield read_kept(path)[0]

    def kept_files(self) -> list[Path]:
        """Where the hand-ins lie that were graded here, by file name."""
        return sorted((self.folder / "submissions").glob("*.cells"))


def read_kept(path: Path) -> tuple[Kept, bytes]:
    """A hand-in as it is kept, and its bytes; raises ``StoreError``."""
    try:
        data = path.read_bytes()
        return msgspec.msgpack.decode(data, type=Kept), data
    except (OSError, msgspec.MsgspecError) as bad:
        raise StoreError(f"{path}: cannot be read ({bad}); grade this hand-in again") from None
