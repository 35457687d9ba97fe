"""What was exported last, and which rows of a new file differ from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from autograder.errors import StoreError
from autograder.files import write_atomic
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Exported, Options
from autograder.wire.types import resolved

Rows = Mapping[str, str]


class LastExport(msgspec.Struct, frozen=True):
    """An export: when, by whom, and the score or state that it had for each student."""

    at: datetime
    who: str
    rows: dict[str, str]


class RowChange(NamedTuple):
    """A row that is new, differs, or is gone; "" where there is none."""

    student: str
    before: str
    after: str


def rows_of(made: Exported, standings: Iterable[Standing], options: Options) -> dict[str, str]:
    """What a file says of each student: score or state, and comments if it has them."""
    in_file = set(made.written)
    rows = {}
    for one in standings:
        if one.student in in_file:
            row = one.state if one.score is None else written(one.score)
            rows[one.student] = "; ".join([row, *(one.comments if options.comments else ())])
    return rows


def row_changes(before: Rows, after: Rows) -> list[RowChange]:
    """The rows that differ, sorted by student."""
    return [
        RowChange(student, before.get(student, ""), after.get(student, ""))
        for student in sorted({*before, *after})
        if before.get(student) != after.get(student)
    ]


class Exports:
    """The last export of each kind, in a file of the results folder. Raises ``StoreError``."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "exported.json"

    def last(self, kind: str) -> LastExport | None:
        """The last one of a kind: a format, and for a file of one student the student."""
        return self._all().get(kind)

    def keep(self, kind: str, export: LastExport) -> None:
        """Remember an export instead of the last one of its kind."""
        kept = {**self._all(), kind: export}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(self.path, msgspec.json.encode(kept, order="sorted"))

    def _all(self) -> dict[str, LastExport]:
        try:
            found = self.path.read_bytes() if self.path.is_file() else b"{}"
            return msgspec.json.decode(found, type=resolved(dict[str, LastExport]))
        except (OSError, msgspec.MsgspecError) as bad:
            raise StoreError(f"{self.path}: cannot be read ({bad})") from None
