"""The table of a class: which students it shows, in which order; an address keeps the choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote, urlencode

from autograder.gradebook.late import duration
from autograder.gradebook.rounding import written, written_points
from autograder.gradebook.standing import Standing

AT_ONCE = 200  # rows of one page
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "absent": "nothing handed in",
        "excused": "excused",
        "rejected": "file not accepted",
        "ungraded": "not graded yet",
    }
)


@dataclass(frozen=True, slots=True)
class StudentRow:
    """One student. ``pending``: whether an attempt has no result yet."""

    standing: Standing
    name: str
    pending: bool
    path: str

    @property
    def points(self) -> str:
        """The score, the points so far, or why there is none."""
        one = self.standing
        if one.score is not None:
            return f"{written(one.score)} of {written(one.max_score)}"
        if one.state == "open":
            return f"{written(one.so_far)} so far, of {written(one.max_score)}"
        return WORDS[one.state]

    @property
    def waits(self) -> str:
        """What is still to be done."""
        open_ = self.standing.manual_open
        by_hand = f"{written_points(open_)} by hand" if open_ else ""
        return ", ".join(filter(None, (by_hand, "an attempt to grade" if self.pending else "")))

    @property
    def late(self) -> str:
        one = self.standing
        if not one.late_s:
            return ""
        cost = f", -{written(one.penalty)}" if one.penalty else ""
        return f"{duration(one.late_s)}{cost}"


class Choice(NamedTuple):
    """A choice of students, in words, and whom it shows."""

    label: str
    shows: Callable[[StudentRow], bool]


CHOICES: Mapping[str, Choice] = MappingProxyType(
    {
        "": Choice("everybody", lambda row: True),
        "waiting": Choice("with something that waits", lambda row: bool(row.waits)),
        "late": Choice("late", lambda row: row.standing.late_s > 0),
        "absent": Choice("without a submission", lambda row: row.standing.state == "absent"),
        "noted": Choice("with a note", lambda row: bool(row.standing.note)),
        "excused": Choice("excused", lambda row: row.standing.state == "excused"),
    }
)


class Column(NamedTuple):
    """A column, and what it is sorted by; ties are in the order of students."""

    label: str
    key: Callable[[StudentRow], object]


COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "name": Column("Student", lambda row: (row.name.casefold(), row.standing.student)),
        "points": Column("Points", lambda row: _or_less(row.standing.so_far)),
        "waits": Column("Waits", lambda row: (row.standing.manual_open, row.pending)),
        "late": Column("Late", lambda row: row.standing.late_s),
        "note": Column("Notes", lambda row: row.standing.note),
    }
)


class StudentTable:
    """What an address shows. ``asked``: its parameters ``q`` (a part of a name or an id), ``show``,
    ``sort``, ``order`` ("down") and ``from``."""

    def __init__(
        self,
        assignment: str,
        standings: Sequence[Standing],
        names: Mapping[str, str],
        pending: Collection[str],
        asked: Mapping[str, str],
    ) -> None:
        self.path, self.total = f"/students/{assignment}", len(standings)
        self.query = asked.get("q", "")
        self.show = asked.get("show", "") if asked.get("show") in CHOICES else ""
        self.sort = asked.get("sort", "") if asked.get("sort") in COLUMNS else "name"
        self.down = asked.get("order") == "down"
        words, shows = self.query.casefold(), CHOICES[self.show].shows
        rows = []
        for one in standings:
            name, at = names.get(one.student, ""), f"{self.path}/of/{quote(one.student, safe='')}"
            row = StudentRow(one, name, one.student in pending, at)
            if words in f"{name} {one.student}".casefold() and shows(row):
                rows.append(row)
        rows.sort(key=COLUMNS[self.sort].key, reverse=self.down)  # type: ignore[arg-type]
        self.found = len(rows)
        start = asked.get("from", "")
        self.start = int(start) if start.isdecimal() and len(start) < 7 else 0
        self.rows = rows[self.start : self.start + AT_ONCE]
        self.choices, self.columns = CHOICES, COLUMNS

    def sorted_by(self, column: str) -> str:
        """The address that sorts by a column, the other way round if it does already."""
        return self._address(column, down=column == self.sort and not self.down)

    def beginning_at(self, start: int) -> str:
        """The address of another part."""
        return self._address(self.sort, down=self.down, start=start)

    @property
    def later(self) -> str:
        """The address of the next part, "" at the end."""
        after = self.start + AT_ONCE
        return self.beginning_at(after) if after < self.found else ""

    @property
    def earlier(self) -> str:
        """The address of the part before, "" at the beginning."""
        return self.beginning_at(max(0, self.start - AT_ONCE)) if self.start else ""

    def _address(self, sort: str, *, down: bool, start: int = 0) -> str:
        chosen = {"q": self.query, "show": self.show, "sort": sort, "order": "down" if down else ""}
        given = {key: value for key, value in chosen.items() if value}
        more = {"from": str(start)} if start else {}
        return f"{self.path}?{urlencode({**given, **more}, errors='replace')}"


def _or_less(amount: int | None) -> int:
    return -1 if amount is None else amount
