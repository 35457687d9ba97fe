"""The files that a student submits with the notebook: which are beside it while it runs.

Covered: only names that the assignment allows, none that leads out of the folder, hides the
notebook or the grader, or is too long; their number and size are bounded; whatever is left out is
named with the reason. Not covered: what is in the files, which only student code reads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import msgspec

from autograder.assignment.data_files import collides, refused
from autograder.errors import SubmissionError
from autograder.notebook.formats.archive import Member, read_member
from autograder.notebook.formats.read import read_bytes
from autograder.notebook.formats.text import first_of, without_surrogates
from autograder.notebook.submission import Submission
from autograder.wire.messages import FileBeside

MAX_BYTES = 10_000_000  # of all files of one submission beside its notebook
MAX_FILES = 200
NAMED = 5  # files named in one sentence


@dataclass(frozen=True, slots=True)
class FoundBeside:
    """A file that is not read yet. ``name``: relative to the notebook."""

    name: str
    path: Path
    member: Member | None = None

    def load(self) -> bytes:
        """The bytes; raises SubmissionError."""
        if self.member is not None:
            return read_member(self.path, self.member, MAX_BYTES + 1)
        return read_bytes(self.path)


def allowed(name: str, patterns: Sequence[str]) -> bool:
    """Whether a file may be beside the notebook. A pattern without "/" is compared with the file's
    own name, any other with the whole path; case does not matter."""
    whole = name.casefold()
    leaf = PurePosixPath(whole).name
    return any(fnmatchcase(whole if "/" in p else leaf, p.casefold()) for p in patterns)


def chosen(
    files: Sequence[FoundBeside], notebook: str, patterns: Sequence[str]
) -> tuple[tuple[FoundBeside, ...], tuple[str, ...]]:
    """The files that are beside the notebook, and a sentence for each reason why others are not.
    Files that match no pattern are not mentioned."""
    kept: dict[str, FoundBeside] = {}
    said: dict[str, list[str]] = {}
    for file in files:
        if not allowed(file.name, patterns):  # files beside a notebook are those allowed
            continue
        why = refused(file.name, {notebook})
        if not why and collides(file.name, kept):
            why = "another submitted file has this name. Rename one of them"
        if not why and len(kept) == MAX_FILES:
            why = f"more than {MAX_FILES} files. Submit fewer"
        if why:
            said.setdefault(why, []).append(without_surrogates(file.name))
        else:
            kept[file.name] = file
    return tuple(kept.values()), tuple(_left_out(names, why) for why, names in said.items())


def with_beside(submission: Submission, files: Sequence[FoundBeside]) -> Submission:
    """The submission with these files, as long as they can be read and are not too large; a note
    on each that is left out."""
    kept: list[FileBeside] = []
    notes: list[str] = []
    size = 0
    for file in files:
        try:
            data = file.load()
        except SubmissionError as bad:
            notes.append(f"{file.name} is left out: {bad}")
            continue
        if size + len(data) > MAX_BYTES:
            why = f"all submitted files together may have {MAX_BYTES:,} bytes. Submit smaller ones"
            notes.append(_left_out([file.name], why))
            continue
        size += len(data)
        kept.append(FileBeside(file.name, data))
    repairs = (*submission.repairs, *notes)
    return msgspec.structs.replace(submission, beside=tuple(kept), repairs=repairs)


def without_taken(submission: Submission, names: Collection[str]) -> Submission:
    """The submission without files in the place of one of the assignment's (``names``), and a note
    on these and on the others."""
    # An assignment's file wins over a submitted one.
    taken = [file for file in submission.beside if collides(file.name, names)]
    kept = tuple(file for file in submission.beside if file not in taken)
    notes = []
    if kept:
        are = "is" if len(kept) == 1 else "are"
        notes.append(f"{listed([f.name for f in kept])} {are} beside the notebook while it runs.")
    if taken:
        why = "the assignment's own file of this name is used"
        notes.append(_left_out([file.name for file in taken], why))
    new = tuple(note for note in notes if note not in submission.repairs)  # a stored one has them
    return msgspec.structs.replace(submission, beside=kept, repairs=(*submission.repairs, *new))


def _left_out(names: Sequence[str], why: str) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} left out: {why}."


def listed(names: Sequence[str]) -> str:
    """Names for a sentence, at most ``NAMED`` of them."""
    return first_of([name if len(name) <= 80 else f"{name[:79]}…" for name in names], NAMED)
