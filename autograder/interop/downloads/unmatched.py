"""The sheet on which a person says whose the submissions are that match nobody in the roster.

`grade` writes it, with the people who may be meant; `grade --match` reads what was filled in.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Person, Roster
from autograder.interop.downloads.names import folded, spellings
from autograder.interop.downloads.table import read_table

FILE = "unmatched.csv"
HEADER = ("file", "listed_as", "name", "why", "perhaps", "student")
NAMED = 5  # people who may be meant

WhoseFiles = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class UnmatchedFile:
    """A submission of somebody who is not in the roster. ``name`` and ``why`` may be empty;
    ``students``: whose it is, as far as a person has said so."""

    file: str
    listed_as: str
    name: str
    why: str
    students: tuple[str, ...] = ()


def unmatched_sheet(found: Iterable[UnmatchedFile], roster: Roster) -> str:
    """The sheet as CSV, with the column ``student`` to be filled in where it is not."""
    text = io.StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(HEADER)
    for one in found:
        students = "; ".join(one.students)
        row = (one.file, one.listed_as, one.name, one.why, _perhaps(one, roster), students)
        sheet.writerow(map(cell_text, row))
    return text.getvalue()


def said_of(file: str, whose: WhoseFiles) -> tuple[str, ...]:
    """Whose a file is, as far as a person has said so."""
    return whose.get(cell_text(file), ())


def read_matches(path: Path, roster: Roster) -> WhoseFiles:
    """Whose each file is, by its name as the sheet shows it; several students are separated by
    semicolons, rows without a student are left out. Raises ``UsageError`` naming file, row and
    remedy."""
    table = read_table(path)
    places = {name.strip().casefold(): at for at, name in enumerate(table.header)}
    if missing := [name for name in ("file", "student") if name not in places]:
        raise UsageError(f"{table.name}: there is no column {missing[0]!r}")
    known = {form: p.id for p in roster for form in (cell_text(p.id), p.id)}
    found: dict[str, tuple[str, ...]] = {}
    for row in table.rows:
        cells = dict(enumerate(row.cells))
        file = cells.get(places["file"], "")
        filled = cells.get(places["student"], "").split(";")
        given = tuple(dict.fromkeys(one.strip() for one in filled if one.strip()))
        for student in given:
            if student not in known:
                raise UsageError(
                    f"{table.name}: row {row.number}: {student!r} is not the id of a student in "
                    "the roster"
                )
        students = tuple(known[student] for student in given)
        if students and found.setdefault(file, students) != students:
            raise UsageError(f"{table.name}: row {row.number}: {file!r} is also in an earlier row")
        if students and not file:
            raise UsageError(f"{table.name}: row {row.number}: the name of the file is missing")
    return found


def write_unmatched(
    path: Path, found: Iterable[UnmatchedFile], roster: Roster, whose: WhoseFiles
) -> bool:
    """Write the sheet, unless the one that is there says of some file what ``whose`` does not; says
    whether it was written. Raises ``StoreError``."""
    try:
        before = read_matches(path, roster) if path.exists() else {}
    except UsageError:
        return False
    # What a person has filled in is not written over.
    if any(whose.get(file) != students for file, students in before.items()):
        return False
    write_atomic(path, unmatched_sheet(found, roster).encode())
    return True


def _perhaps(one: UnmatchedFile, roster: Roster) -> str:
    """The people whose name or id is like what the download says; else those of whom all words are
    in it, in any order and among others."""
    said = {form for word in (one.name, one.listed_as) if (form := folded(word))}
    like = [person for person in roster if said & set(map(folded, _forms(person)))]
    if not like:
        words = _words(" ".join((one.name, one.listed_as, Path(one.file).stem)))
        found = ((person, map(_words, _forms(person))) for person in roster)
        like = [person for person, forms in found if any(own and own <= words for own in forms)]
    shown = [f"{p.id} ({p.full_name})" if p.full_name else p.id for p in like[:NAMED]]
    return "; ".join([*shown, *["and more"][: len(like) > NAMED]])


def _forms(person: Person) -> Iterable[str]:
    return person.id, person.email.partition("@")[0], *spellings(person)


def _words(text: str) -> set[str]:
    """The words and numbers of a name, folded."""
    apart = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return {form for word in apart.split() if (form := folded(word))}
