"""Which file of one attempt is the submission.

The rule: a file that can be read before one that cannot; then one that is not hidden; then the
one named like the assignment or its notebook; then .ipynb before scripts; then the largest; then
the first by name. Other submitted files are beside it while it runs if the assignment allows them,
and are named in a note if not. Without a notebook, the submission is
rejected and its files are named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.errors import SubmissionError
from autograder.interop.downloads.names import folded
from autograder.interop.downloads.source import DownloadEntry, inside
from autograder.notebook.formats.beside import FoundBeside, allowed, chosen, listed
from autograder.notebook.formats.find import ARCHIVE, MARKDOWN, NOTEBOOK
from autograder.notebook.formats.recognise import is_markdown_notebook
from autograder.notebook.formats.text import first_of

LOOKED_AT = 1_000_000  # bytes of a Markdown file that are read to see whether it is a notebook
NAMED = 5  # files named in one sentence

_AGAIN = re.compile(r"(.+?)(?:-(\d{1,3})| ?\((\d{1,3})\)| ?- ?copy| copy)", re.I | re.DOTALL)


@dataclass(frozen=True, slots=True)
class PickedFile:
    """The submission of an attempt. ``top`` is the delivered file that it is, or is in; both are
    None if there is no file at all. ``error`` and ``notes`` as for ``FoundFile``. ``opened``: all
    files of the attempt, with archives replaced by their files. ``beside`` as for ``FoundFile``."""

    entry: DownloadEntry | None
    top: DownloadEntry | None
    error: str = ""
    notes: tuple[str, ...] = ()
    opened: tuple[DownloadEntry, ...] = ()
    beside: tuple[FoundBeside, ...] = ()


def pick(
    files: Sequence[DownloadEntry], *, expected: str = "", beside: Sequence[str] = ()
) -> PickedFile:
    """The submission among the files of one attempt; archives are looked into. ``beside``: patterns
    of the files that may be beside it."""
    if not files:
        return PickedFile(None, None, "no file was submitted.")
    opened = [(top, entry) for top in files for entry in _opened(top)]
    entries = tuple(entry for _, entry in opened)
    candidates = [pair for pair in opened if is_notebook(pair[1])]
    if not candidates:
        return replace(_nothing(files, opened), opened=entries)
    best = max(range(len(candidates)), key=lambda at: (*_rank(candidates, at, expected), -at))
    top, entry = candidates[best]
    others = [
        pair
        for pair in opened
        if pair[1] is not entry and not (pair[1].hidden and not is_notebook(pair[1]))
    ]
    kept, notes = _beside((top, entry), others, beside)
    places = {(file.path, file.member) for file in kept}
    rest = [e for _, e in others if (e.path, e.member) not in places]
    if rest:
        note = f"{_named(rest)} {_was(rest)} also submitted; {entry.handed_in} is graded."
        notes = (note, *notes)
    return PickedFile(entry, top, entry.error, notes, entries, kept)


def _beside(
    picked: tuple[DownloadEntry, DownloadEntry],
    others: Sequence[tuple[DownloadEntry, DownloadEntry]],
    patterns: Sequence[str],
) -> tuple[tuple[FoundBeside, ...], tuple[str, ...]]:
    """The files that are beside the picked one, as (delivered file, file), and notes on those that
    may not be. Names are relative to its folder; what was delivered beside its archive, or in
    another archive, is relative to that."""
    top, notebook = picked
    files: list[FoundBeside] = []
    outside: list[str] = []
    for own_top, entry in others if patterns else ():
        if entry.error or entry.hidden:
            continue
        archive = own_top is not entry
        folder = notebook.parts[:-1] if own_top is top or not archive else own_top.parts
        if not archive and top is not notebook:
            folder = top.parts[:-1]
        if entry.parts[: len(folder)] == folder:
            name = "/".join((*entry.parts[len(folder) : -1], entry.handed_in))
            files.append(FoundBeside(name, entry.path, entry.member))
        elif allowed(entry.handed_in, patterns):
            outside.append(entry.handed_in)
    kept, notes = chosen(files, notebook.handed_in, patterns)
    if outside:
        is_ = "is" if len(outside) == 1 else "are"
        notes += (f"{listed(outside)} {is_} left out: not in the notebook's folder or below it.",)
    return kept, notes


def is_notebook(entry: DownloadEntry) -> bool:
    """Whether a file is of a kind that can be graded, by its name or, for Markdown, by its first
    part. A file in a hidden folder is not."""
    if any(part.startswith(".") for part in entry.parts[:-1]):
        return False
    if NOTEBOOK.fullmatch(entry.leaf):
        return True
    if not MARKDOWN.fullmatch(entry.leaf) or entry.error:
        return False
    try:
        return is_markdown_notebook(entry.load()[:LOOKED_AT].decode(errors="replace"))
    except SubmissionError:
        return False


def base_name(leaf: str, expected: str = "") -> tuple[str, int]:
    """A file's name without what a platform adds to a second upload of it, and the number that was
    added, or 0. The expected name is left alone."""
    match = NOTEBOOK.fullmatch(leaf)
    stem, ending = (match[1], match[2].lower()) if match else (leaf, "")
    again = _AGAIN.fullmatch(stem)
    if again is None or _same(stem, expected):
        return stem.casefold() + ending, 0
    return again[1].casefold() + ending, int(again[2] or again[3] or 1)


def _opened(top: DownloadEntry) -> tuple[DownloadEntry, ...]:
    return inside(top) if ARCHIVE.fullmatch(top.leaf) else (top,)


def _rank(
    candidates: Sequence[tuple[DownloadEntry, DownloadEntry]], at: int, expected: str
) -> tuple[int, ...]:
    entry = candidates[at][1]
    match = NOTEBOOK.fullmatch(entry.handed_in)
    stem = match[1] if match else entry.handed_in.rpartition(".")[0]
    again = _AGAIN.fullmatch(stem)
    alike = 2 * _same(stem, expected) or int(again is not None and _same(again[1], expected))
    notebook = bool(match and match[2].lower().startswith(".ipynb"))
    size = _size(entry) if len(candidates) > 1 else 0
    return (not entry.error, not entry.hidden, alike, notebook, size)


def _same(stem: str, expected: str) -> bool:
    match = NOTEBOOK.fullmatch(expected)
    return bool(expected) and folded(stem) == folded(match[1] if match else expected)


def _size(entry: DownloadEntry) -> int:
    try:
        if entry.member is None and not entry.error:
            return entry.path.stat().st_size
        return len(entry.load())
    except (OSError, SubmissionError):
        return -1


def _nothing(
    files: Sequence[DownloadEntry], opened: Sequence[tuple[DownloadEntry, DownloadEntry]]
) -> PickedFile:
    """The refusal of an attempt without a notebook."""
    refused = next((pair for pair in opened if pair[1].error), None)
    if refused is not None:
        return PickedFile(refused[1], refused[0], refused[1].error)
    entries = [entry for _, entry in opened]
    error = f"submitted {_named(entries)}, not a notebook. Submit the .ipynb file itself."
    return PickedFile(files[0], files[0], error)


def _named(entries: Sequence[DownloadEntry]) -> str:
    return first_of([entry.handed_in for entry in entries], NAMED)


def _was(entries: Sequence[DownloadEntry]) -> str:
    return "was" if len(entries) == 1 else "were"
