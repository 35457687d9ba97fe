"""Finds the submissions under the paths given to a command: files, folders, zip archives.

Covered: a folder is searched recursively, in the order of names; hidden files and folders,
``__MACOSX``, ``__pycache__`` and notebook checkpoints are skipped; a file that cannot be opened, a
link, or an archive that is rejected is listed with its error, so that no submission is lost
silently. Two submissions never get the same student id. A Markdown file is a submission if it is
named directly, or if jupytext wrote it; a README never is. An archive that is named directly is a
class; one in a folder is one submission, and the names in it do not matter.

Not covered: the naming patterns of learning platforms; the student is the file's stem. The contents
of an archive in a folder (see ``interop.downloads``). Markdown files in archives, which are never
unpacked to be examined. Reporting what was skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import msgspec

from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats.archive import Member, check_total, list_members, read_member
from autograder.notebook.formats.beside import FoundBeside, with_beside
from autograder.notebook.formats.read import read, read_bytes
from autograder.notebook.formats.recognise import is_markdown_notebook
from autograder.notebook.formats.text import without_surrogates
from autograder.notebook.students import student_id
from autograder.notebook.submission import Submission

MAX_DEPTH = 50  # levels of nested folders
LOOKED_AT = 1_000_000  # bytes of a Markdown file that are read to see whether it is a notebook

NOTEBOOK = re.compile(
    r"(.+?)(\.ipynb(?:\.txt|\.json)?|\.py|\.rmd|\.qmd)", re.IGNORECASE | re.DOTALL
)
MARKDOWN = re.compile(r"(.+)\.(?:md|markdown)", re.IGNORECASE | re.DOTALL)
ARCHIVE = re.compile(r"(.+)\.zip", re.IGNORECASE | re.DOTALL)
EMPTY = "the archive contains no files."
_PASSED_OVER = ("__MACOSX", "__pycache__", "__init__.py")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A submission that has not been read yet. ``name`` is for display; ``error`` says why it
    cannot be read; ``notes`` are sentences to add to the repairs; ``beside``: the files submitted
    with it that are beside it while it runs."""

    student: str
    name: str
    path: Path
    member: Member | None = None
    error: str = ""
    notes: tuple[str, ...] = ()
    beside: tuple[FoundBeside, ...] = ()

    def load(self) -> bytes:
        """The file's bytes; raises SubmissionError."""
        if self.error:
            raise SubmissionError(self.error)
        if self.member is not None:
            return read_member(self.path, self.member)
        return read_bytes(self.path)


def read_found(found: FoundFile) -> Submission:
    """Read a submission that ``find`` returned; raises SubmissionError."""
    name = Path(PurePosixPath(found.member.name).name) if found.member else found.path
    submission = read(name, data=found.load())
    submission = msgspec.structs.replace(submission, repairs=found.notes + submission.repairs)
    return with_beside(submission, found.beside)


def find(paths: Iterable[Path]) -> list[FoundFile]:
    """Every submission under ``paths``, each once, each with a unique student id.

    Raises UsageError for a path that does not exist or is of a kind that cannot be read.
    """
    seen: set[tuple[str, int]] = set()
    folders: dict[str, str] = {}
    found = []
    for path in paths:
        for one in _under(path):
            # A link is not the file it leads to.
            real = real_path(one.path, folders, given=one.path == path)
            key = (real, one.member.outermost if one.member else -1)
            if key not in seen:
                seen.add(key)
                found.append(one)
    return _with_own_ids(found)


def real_path(path: Path, folders: dict[str, str], *, given: bool) -> str:
    """The real path of a file. A link that was ``given`` is resolved; any other is not, or it could
    take the place of another student's file. ``folders``: those known; it grows."""
    folder, name = os.path.split(path)
    if given or name in ("", ".", ".."):
        return os.path.realpath(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    return os.path.join(folders[folder], name)  # noqa: PTH118


def _under(path: Path) -> Iterator[FoundFile]:
    shown = without_surrogates(path.name or str(path.resolve().name))
    if path.is_dir():
        yield from _in_folder(path, shown)
    elif not path.is_file():
        what = "this is not a regular file" if path.exists() else "no such file or folder"
        raise UsageError(f"{without_surrogates(str(path))}: {what}")
    elif ARCHIVE.fullmatch(path.name):
        yield from _in_archive(path, shown)
    elif match := NOTEBOOK.fullmatch(path.name) or MARKDOWN.fullmatch(path.name):
        yield FoundFile(student_id(match[1]), shown, path)
    else:
        raise UsageError(
            f"{without_surrogates(str(path))}: not a submission: pass .ipynb, .py, .Rmd, .qmd or "
            ".md files, folders or .zip archives"
        )


def _in_folder(folder: Path, shown: str) -> Iterator[FoundFile]:
    error = ""
    entries: list[Path] = []
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as bad:
        error = f"{shown}: the folder cannot be opened ({bad.strerror})."
    if shown.count("/") > MAX_DEPTH:
        error = f"{shown[:200]}: folders are nested more than {MAX_DEPTH} levels deep here."
    if error:
        yield FoundFile(student_id(folder.name), shown, folder, error=error)
        return
    for entry in entries:
        name = f"{shown}/{without_surrogates(entry.name)}"
        if _passed_over(entry.name):
            continue
        archive = ARCHIVE.fullmatch(entry.name)
        match = NOTEBOOK.fullmatch(entry.name) or archive
        if os.path.islink(entry):  # noqa: PTH114 - unlike Path's, these never raise
            # A link to a folder is listed.
            if match or os.path.isdir(entry):  # noqa: PTH112
                error = (
                    f"{name}: this is a link; links in a folder of submissions are not followed."
                )
                student = student_id(match[1] if match else entry.name)
                yield FoundFile(student, name, entry, error=error)
        elif os.path.isdir(entry):  # noqa: PTH112
            inside = list(_in_folder(entry, name))
            if match and not inside:
                error = f"{name}: this is a folder without a submission in it."
                inside = [FoundFile(student_id(match[1]), name, entry, error=error)]
            yield from inside
        # An archive in a folder names nobody else.
        elif match or ((match := MARKDOWN.fullmatch(entry.name)) and _is_notebook(entry)):
            yield FoundFile(student_id(match[1]), name, entry)


def _is_notebook(path: Path) -> bool:
    """Whether a Markdown file in a folder is a submission."""
    try:
        if not path.is_file():  # opening a pipe would wait forever
            return False
        with path.open("rb") as stream:
            return is_markdown_notebook(stream.read(LOOKED_AT).decode(errors="replace"))
    except OSError:
        return False


def _in_archive(path: Path, shown: str) -> Iterator[FoundFile]:
    members, holds = [], False
    try:
        for member in list_members(path):
            holds = True
            parts = PurePosixPath(member.name).parts
            wanted = NOTEBOOK.fullmatch(member.name) or ARCHIVE.fullmatch(member.name)
            if wanted and not any(_passed_over(part) for part in parts if part != ".."):
                members.append(member)
        check_total(path, members)
        if not holds:
            raise SubmissionError(f"{shown}: {EMPTY}")
    except SubmissionError as bad:
        yield FoundFile(student_id(path.stem), shown, path, error=str(bad))
        return
    for member in members:
        name = f"{shown}/{member.name}"
        leaf = PurePosixPath(member.name).name
        match = NOTEBOOK.fullmatch(leaf) or ARCHIVE.fullmatch(leaf)
        error = f"{name}: {member.error}" if member.error else ""
        if ARCHIVE.fullmatch(leaf) and not error:
            error = (
                f"{name}: an archive inside an archive is not opened. Unpack the outer one first."
            )
        student = student_id(match[1] if match else leaf)
        yield FoundFile(student, name, path, member, error=error)


def _passed_over(name: str) -> bool:
    return name.startswith(".") or name in _PASSED_OVER


def _with_own_ids(found: list[FoundFile]) -> list[FoundFile]:
    """The second of two equal ids gets its folder's name or a number added, and a note."""
    taken: set[str] = set()
    result = []
    for one in found:
        student = one.student
        if student.casefold() in taken:
            student = next(choice for choice in _choices(one) if choice.casefold() not in taken)
            note = f"Another file has the same student id {one.student!r}; this one is {student!r}."
            one = replace(one, student=student, notes=(*one.notes, note))
        taken.add(student.casefold())
        result.append(one)
    return result


def _choices(found: FoundFile) -> Iterator[str]:
    parts = PurePosixPath(found.name).parts
    if len(parts) > 1:
        folder = student_id(parts[-2])
        yield f"{found.student} ({folder})"
    number = 2
    while True:
        yield f"{found.student}-{number}"
        number += 1
