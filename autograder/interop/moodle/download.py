"""Moodle's "Download all submissions": ``Full name_participant_assignsubmission_file/...``.

Folders (the default) and the flat form, teams, blind marking. Submission times come from the
grading worksheet, if one is given with the download or is next to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from autograder.errors import SubmissionError, UsageError
from autograder.interop.downloads.clock import parse_words
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.source import DownloadEntry
from autograder.interop.downloads.table import MAX_TABLE, TableRow, TextTable, parse_table
from autograder.notebook.formats.find import NOTEBOOK

_PLACE = re.compile(
    r"(?P<name>.+?)(?:_(?P<pid>[0-9]+))?_(?P<kind>assignsubmission|assignfeedback)"
    r"_(?P<plugin>[^_/]+)(?:_+(?P<rest>.*))?",
    re.DOTALL,
)
_PARTICIPANT = re.compile(r"\D+([0-9]+)")
_SUBMITTED = "last modified (submission)"


def place_of(entry: DownloadEntry) -> tuple[int, re.Match[str]] | None:
    """Which of an entry's parts has one of Moodle's names, counted from the root, and its match."""
    for at, part in enumerate((entry.root, *entry.parts)):
        if match := _PLACE.fullmatch(part):
            return at, match
    return None


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries have one of Moodle's names in their path."""
    return sum(place_of(entry) is not None for entry in entries)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of a Moodle download."""
    places: dict[tuple[str, str, str], list[tuple[str, bool, DownloadEntry]]] = {}
    strays: list[DownloadEntry] = []
    sheets: list[DownloadEntry] = []
    notes: list[str] = []
    for entry in (*entries, *_beside(given)):
        if (found := place_of(entry)) is None:
            (sheets if entry.leaf.lower().endswith(".csv") else strays).append(entry)
            continue
        at, match = found
        if match["kind"] == "assignfeedback":
            notes.append(f"{entry.shown} is feedback, not a submission; it was skipped.")
            continue
        whole = (entry.root, *entry.parts)
        folder = at < len(whole) - 1
        who = (match["name"].replace("_", " "), match["pid"] or "", entry.root)
        place = whole[at] if folder else ""
        named = replace(entry, file="" if folder else match["rest"] or "")
        typed = match["plugin"].strip() == "onlinetext" and not NOTEBOOK.fullmatch(entry.leaf)
        places.setdefault(who, []).append((place, not typed, named))
    times, told = _times(sheets, given)
    found_all = tuple(
        _delivery(name, pid, files, times, order)
        for order, ((name, pid, _), files) in enumerate(places.items())
    )
    return Reading(found_all, tuple(strays), (*notes, *told))


def _delivery(
    name: str,
    pid: str,
    files: list[tuple[str, bool, DownloadEntry]],
    times: Mapping[str, datetime],
    order: int,
) -> Delivery:
    uploads = tuple(entry for _, is_file, entry in files if is_file)
    place = next((place for place, is_file, _ in files if is_file), files[0][0])
    blind = name.casefold() in ("participant", "")
    identity = Identity(
        pid or name,
        (("moodle_id", pid),) if pid else (),
        name="" if blind else name,
        lossy=True,
    )
    return Delivery(
        (identity,),
        uploads,
        place=place if uploads or place else files[0][2].leaf,
        submitted_at=times.get(pid),
        order=order,
        refusal="" if uploads else "submitted text typed in online, not a notebook.",
    )


def _beside(given: ReaderOptions) -> Iterator[DownloadEntry]:
    """Worksheets next to the download, under the name that Moodle gives them."""
    for folder in dict.fromkeys(path.resolve().parent for path in given.paths):
        for sheet in sorted(folder.glob("Grades-*.csv")):
            yield DownloadEntry("", (sheet.name,), sheet)


def _times(
    sheets: Iterable[DownloadEntry], given: ReaderOptions
) -> tuple[dict[str, datetime], tuple[str, ...]]:
    """Participant -> submission time, from the worksheets, and notes about unreadable times."""
    times: dict[str, datetime] = {}
    notes: dict[str, None] = {}
    for sheet in sheets:
        try:
            table = parse_table(sheet.load(MAX_TABLE), sheet.leaf)
        except (SubmissionError, UsageError) as bad:
            notes[str(bad)] = None
            continue
        people = [(match[1], row) for row in table.rows if (match := _identifier(row))]
        column = _column(table, people, given)
        if not people or column is None:
            notes[f"{sheet.leaf}: it contains no submission times."] = None
            continue
        for pid, row in people:
            text = row.cells[column].strip() if column < len(row.cells) else ""
            when = parse_words(text, given.timezone)
            if when is not None:
                times[pid] = when
            elif text not in ("", "-"):
                where = f"{sheet.leaf}, row {row.number}"
                notes[f"{where}: the time {text[:80]!r} cannot be read and is ignored."] = None
    return times, tuple(notes)


def _identifier(row: TableRow) -> re.Match[str] | None:
    return _PARTICIPANT.fullmatch(row.cells[0].strip())


def _column(
    table: TextTable, people: Sequence[tuple[str, TableRow]], given: ReaderOptions
) -> int | None:
    """The column of submission times: by its title, else the first that contains times."""
    titles = [title.strip().casefold() for title in table.header]
    if _SUBMITTED in titles:
        return titles.index(_SUBMITTED)
    for column in range(1, len(titles)):
        cells = [row.cells[column].strip() for _, row in people if column < len(row.cells)]
        full = [cell for cell in cells if cell not in ("", "-")]
        if full and sum(parse_words(c, given.timezone) is not None for c in full) * 2 >= len(full):
            return column
    return None
