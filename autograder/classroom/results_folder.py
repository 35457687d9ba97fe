"""A results folder: where each file of a graded class is, and what to resume from.

::

    DIR/run.json            assignment, seed: the same command goes on where it stopped
    DIR/evidence/           what the box yielded, by digest, unless that is kept elsewhere
    DIR/submissions/        the cells that were graded, so that a regrade needs no files
    DIR/results/*.json      the instructor's full result per student
    DIR/feedback/*.html     what each student may see
    DIR/gradebook.csv, grades.db, summary.json
    DIR/intake.jsonl        what came in with each `grade`, and which files are no submissions
    DIR/remembered.db       what was found in the evidence: a regrade is quick with it
    DIR/metrics.prom        what the last command took, in Prometheus' text format
"""

from __future__ import annotations

import fcntl
import os
import platform
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from autograder.assignment.read import FILE, find, folders_below
from autograder.errors import StoreError, SubmissionError, UsageError
from autograder.evidence.url import written_down
from autograder.files import not_written, write_atomic, write_other
from autograder.gradebook.database import without_password
from autograder.notebook.students import safe_name
from autograder.notebook.submission import Submission
from autograder.wire.types import resolved

SEED_BITS = 48
LOCK = ".lock"


class RunFile(msgspec.Struct, frozen=True):
    """run.json."""

    format: Literal["autograder-run/1"]
    assignment: str
    folder: str
    seed: int
    draw: bool
    devices: tuple[str, ...] = ()  # real accelerators that submissions were tested on
    gradebook: str = ""  # the URL of the database, without a password; "": grades.db in here
    evidence: str = ""  # URL or folder of evidence, without user and password; "": in here


class KeptSubmission(msgspec.Struct, frozen=True):
    """One submission as it was read, or why it was rejected. ``texts``: the answers in its text
    cells, by exercise."""

    student: str
    name: str
    submission: Submission | None
    rejected: str = ""
    attempts: tuple[
        KeptSubmission, ...
    ] = ()  # all of them in order, where the best of several counts
    texts: dict[str, str] = {}

    def encoded(self) -> bytes:
        """The data to store."""
        return msgspec.msgpack.encode(self)

    def read(self) -> Submission:
        """The cells again; raises ``SubmissionError`` if they could not be read."""
        if self.submission is None:
            raise SubmissionError(self.rejected)
        return self.submission


@dataclass(frozen=True, slots=True)
class ResultsFolder:
    """Paths below one results folder."""

    folder: Path

    def result(self, student: str) -> Path:
        return self.folder / "results" / f"{safe_name(student)}.json"

    def feedback(self, student: str) -> Path:
        return self.folder / "feedback" / f"{safe_name(student)}.html"

    def submission(self, student: str) -> Path:
        return self.folder / "submissions" / f"{safe_name(student)}.cells"

    @property
    def evidence(self) -> Path:
        return self.folder / "evidence"

    def evidence_at(self, where: str = "") -> Path | str:
        """Where evidence is kept: ``where``, which may contain a password, or as recorded, or
        here."""
        recorded = self.open_run().evidence if self.is_begun else ""
        return where or recorded or self.evidence

    @property
    def gradebook(self) -> Path:
        return self.folder / "gradebook.csv"

    @property
    def database(self) -> Path:
        return self.folder / "grades.db"

    @property
    def remembered(self) -> Path:
        return self.folder / "remembered.db"

    @property
    def metrics(self) -> Path:
        return self.folder / "metrics.prom"

    @property
    def intake(self) -> Path:
        return self.folder / "intake.jsonl"

    @property
    def summary(self) -> Path:
        return self.folder / "summary.json"

    @property
    def is_begun(self) -> bool:
        """Whether grading a class here has at least begun."""
        return (self.folder / "run.json").is_file()

    def open_run(self) -> RunFile:
        """What was graded here; raises ``UsageError`` if there is nothing."""
        path = self.folder / "run.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=resolved(RunFile))
        except FileNotFoundError:
            folders = [] if path.is_absolute() else folders_below(Path.cwd(), str(path))
            if folders:
                there = " or ".join(str(folder / self.folder) for folder in folders)
                raise UsageError(f"{self.folder} is not here; do you mean {there}?") from None
            raise UsageError(
                f"{self.folder}: no class has been graded into this folder; run `autograder grade "
                f"ASSIGNMENT PATH... --out {self.folder}` first"
            ) from None
        except (OSError, msgspec.MsgspecError) as bad:
            raise StoreError(
                f"{path}: cannot be read ({bad}); move it away to start over"
            ) from None

    def assignment_folder(self) -> Path:
        """The folder of the assignment that was graded here; if that has moved, the one of its id
        in the course that this folder is in, or the working directory. Raises ``UsageError``."""
        run = self.open_run()
        here = self.folder.resolve()
        # A course that has moved is found by the assignment's id.
        if not (Path(run.folder) / FILE).is_file():
            for start in (here, Path.cwd()):
                with suppress(UsageError):
                    return find(run.assignment, start)
        return find(run.folder, here)

    def seed(self, given: int | None) -> int:
        """The seed of this class: the one that is given, an earlier run's, or a new random one."""
        if given is not None:
            return given
        return self.open_run().seed if self.is_begun else secrets.randbits(SEED_BITS)

    def begin(self, wanted: RunFile) -> RunFile:
        """Start or continue, with places as recorded earlier where ``wanted`` names none. URLs may
        contain passwords, which are not written down."""
        known = self.open_run() if self.is_begun else None
        if known is not None and known.assignment != wanted.assignment:
            raise UsageError(
                f"{self.folder} contains results of {known.assignment!r}; choose another --out "
                f"for {wanted.assignment!r}"
            )
        book = without_password(wanted.gradebook) or (known.gradebook if known is not None else "")
        place = written_down(wanted.evidence) or (known.evidence if known is not None else "")
        own = place == str(self.evidence.absolute())
        run = msgspec.structs.replace(wanted, gradebook=book, evidence="" if own else place)
        if run != known:
            data = msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n"
            write_atomic(self.folder / "run.json", data)
        return run

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the only grader that writes here. The lock ends with its process, however it ends.

        Raises ``UsageError`` while another grader is at work, ``StoreError`` for a folder that
        cannot be written. Not covered: a file system without locks.
        """
        path = self.folder / LOCK
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except OSError as bad:
            raise not_written(path, bad) from None
        with os.fdopen(fd, "r+b", buffering=0) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                who = file.read(200).decode("utf-8", "replace").strip()
                raise UsageError(
                    f"{self.folder}: another grader{who and f' ({who})'} is using this folder; "
                    "wait until it ends, or choose another --out"
                ) from None
            except OSError:
                pass
            try:
                file.truncate(0)
                file.write(f"process {os.getpid()} on {platform.node()}\n".encode())
            except OSError as bad:
                raise not_written(path, bad) from None
            yield

    def keep(self, kept: KeptSubmission) -> None:
        """Keep a submission's cells for later regrades; on disk after ``settle``."""
        write_other(self.submission(kept.student), kept.encoded())

    def kept(self) -> Iterator[KeptSubmission]:
        """Every submission that was graded here, by file name; raises ``StoreError``."""
        for path in self.kept_files():
            yield read_kept(path)

    def kept_files(self) -> list[Path]:
        """The files of the submissions that were graded here, sorted by name."""
        return sorted((self.folder / "submissions").glob("*.cells"))


def read_kept(path: Path) -> KeptSubmission:
    """Read a stored submission; raises ``StoreError``."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=resolved(KeptSubmission))
    except (OSError, msgspec.MsgspecError) as bad:
        raise StoreError(f"{path}: cannot be read ({bad}); grade this submission again") from None
