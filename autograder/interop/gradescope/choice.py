"""Which of the files that a student uploaded, or of a repository, is the submission.

The rule is that of downloads: the file with the expected name, then .ipynb before scripts, then the
largest. If no file has that name, the only notebook made from the assignment's template comes
first. A note lists the files that were ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.errors import SubmissionError, UsageError
from autograder.interop.downloads.names import folded
from autograder.interop.downloads.pick import is_notebook, pick
from autograder.interop.downloads.source import DownloadEntry, list_entries
from autograder.notebook.formats.find import NOTEBOOK, FoundFile
from autograder.notebook.formats.read import read

LOOKED_INTO = 20  # notebooks whose stamp is read


def chosen(folder: Path, expected: str, assignment: str, beside: Sequence[str] = ()) -> FoundFile:
    """The submission in its folder, or why there is none. ``expected``: its file's name without the
    ending; ``beside``: patterns of files that may be beside it. Raises nothing."""
    try:
        entries = list_entries([folder])
    except UsageError as bad:
        return FoundFile("", folder.name, folder, error=str(bad))
    expected = _named_by_stamp(entries, expected, assignment) or expected
    picked = pick(entries, expected=expected, beside=beside)
    if picked.entry is None:
        return FoundFile("", folder.name, folder, error=_sentence(picked.error))
    entry, error = picked.entry, picked.error
    shown = "/".join(entry.parts) or entry.leaf
    error = error and _sentence(error)
    return FoundFile("", shown, entry.path, entry.member, error, picked.notes, picked.beside)


def _named_by_stamp(entries: tuple[DownloadEntry, ...], expected: str, assignment: str) -> str:
    """The stem of the only notebook with this assignment's stamp, if there are several notebooks
    and none has the expected name; else empty."""
    notebooks = [entry for entry in entries if is_notebook(entry)]
    if len(notebooks) < 2 or any(
        folded(_stem(notebook)) == folded(expected) for notebook in notebooks
    ):
        return ""
    ours = [notebook for notebook in notebooks[:LOOKED_INTO] if _stamped(notebook) == assignment]
    return _stem(ours[0]) if len(ours) == 1 else ""


def _stem(entry: DownloadEntry) -> str:
    match = NOTEBOOK.fullmatch(entry.leaf)
    return match[1] if match else entry.leaf


def _stamped(entry: DownloadEntry) -> str:
    try:
        stamp = read(Path(entry.leaf), data=entry.load()).stamp
    except SubmissionError:
        return ""
    return stamp.assignment if stamp else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith(("no file", "submitted")) else text
