"""Attacks are cells of ``snippets/CLASS.py``: a header that states the expected outcome, then code.

::

    # %% patched_comparisons
    # title: Comparators of torch and NumPy are patched to be always equal
    # onto: template      (a notebook without answers) | solution | file
    # place: first        (a cell after the imports) | own (end of each answer's cell) | last
    # expect: no points   see ``PLAIN`` and ``_STOP``, several with commas between them
    # may pass: exercise/check, ...   also: must pass, must fail
    # shows: text         appears in the output: proof that the attack came that far
    # twice: yes          handed in twice, the second time at the end of the class
    # rejected: student | words of the reason        (files only; also: read: student)
    # known: medium: why it is known not to be contained at that level; "medium as user" is
    #     medium without the layer uid

    import torch ...

With ``onto: file`` the code is a program that writes hostile files into the folder it is given.
Names in braces (``plant.py``) are replaced by paths and ports of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from autograder.errors import SpecError, UsageError
from autograder.evidence.records import Cause

KINDS = ("forge", "leak", "escape", "exhaust", "persist", "malformed", "render", "evade", "repair")
SNIPPETS = Path(__file__).parent / "snippets"
ONTO = ("template", "solution", "file")
PLACES = ("first", "own", "last")
POINTS = ("no points", "full points", "any points")
PLAIN = (*POINTS, "rejected", "restarted", "met hidden inputs")
LEVELS = ("strong", "medium", "medium as user")
ONCE = ("title", "onto", "place", "expect", "twice")
KEYS = {*ONCE, "may pass", "must pass", "must fail", "shows", "rejected", "read", "known"}
_LINE = re.compile(r"# ([a-z ]+?): (\S.*?)\s*")
_STOP = re.compile(r"stopped: ([a-z]+(?: or [a-z]+)*)(?: \(([^()]+(?:\([^()]*\))?)\))?")
_CELL = "# %% "


@dataclass(frozen=True, slots=True)
class Expect:
    """The expected outcome. ``stops`` are causes ("cpu or wall") with text, "" for any."""

    points: str = ""
    rejected: bool = False
    restarted: bool = False
    met_hidden: bool = False
    stops: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. ``rejected`` maps a student to words of the reason, ``known`` a level to why the
    attack is not contained there."""

    kind: str
    stem: str
    title: str
    onto: str
    expect: Expect
    source: str
    place: str = "first"
    twice: bool = False
    may_pass: frozenset[str] = frozenset()
    must_pass: frozenset[str] = frozenset()
    must_fail: frozenset[str] = frozenset()
    shows: tuple[str, ...] = ()
    rejected: Mapping[str, str] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.stem}"

    @property
    def sleeps(self) -> bool:
        """Whether only a limit on elapsed time can stop it."""
        return any("wall" in cause for cause, _ in self.expect.stops)


def read_attacks(folder: Path = SNIPPETS) -> tuple[Attack, ...]:
    """All attacks in the files of a folder; raises ``SpecError`` with every wrong header, and
    ``UsageError`` when there is no attack."""
    attacks: list[Attack] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.py")):
        for number, lines in _cells(path.read_text(encoding="utf-8")):
            header = _Header(path, number, lines)
            attacks.append(header.attack)
            problems += header.problems
    if problems:
        raise SpecError(problems)
    if not attacks:
        raise UsageError(f"there are no attacks in {folder}")
    return tuple(attacks)


def choose(attacks: Sequence[Attack], only: str) -> tuple[Attack, ...]:
    """The attacks of one class, or the one of this name; all for "". Raises ``UsageError``."""
    chosen = tuple(a for a in attacks if only in ("", a.kind, a.stem, a.name))
    if not chosen:
        known = ", ".join(dict.fromkeys(a.kind for a in attacks))
        raise UsageError(f"there is no attack or class of attacks {only!r}; classes: {known}")
    return chosen


def _cells(text: str) -> Iterable[tuple[int, list[str]]]:
    """The lines of each cell, and the number of its first line."""
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if line.startswith(_CELL)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, lines[start:end]


class _Header:
    """The attack of one cell, and what is wrong with its header."""

    def __init__(self, path: Path, first: int, lines: Sequence[str]) -> None:
        self._path, self._first = path, first
        self._values: dict[str, list[tuple[int, str]]] = {}
        self.problems: list[str] = []
        end = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        for number, line in enumerate(lines[1:end], first + 1):
            self._take(number, line)
        source = "\n".join(lines[end:]).strip("\n")
        if not source:
            self._wrong(first, "no code follows the header")
        self.attack = self._attack(lines[0].removeprefix(_CELL).strip(), source)
        self._agree(self.attack)

    def _wrong(self, number: int, what: str) -> None:
        self.problems.append(f"{self._path}, line {number}: {what}")

    def _take(self, number: int, line: str) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            self._wrong(number, f"must be '# key: value', not {line[:60]!r}")
        elif match[1] not in KEYS:
            self._wrong(number, f"there is no key {match[1]!r}; use {', '.join(sorted(KEYS))}")
        elif match[1] in self._values and match[1] in ONCE:
            self._wrong(number, f"{match[1]!r} appears twice")
        else:
            self._values.setdefault(match[1], []).append((number, match[2]))

    def _attack(self, stem: str, source: str) -> Attack:
        if self._path.stem not in KINDS:
            self._wrong(1, f"{self._path.stem!r} is no class; use one of {', '.join(KINDS)}")
        onto = self._word("onto", ONTO)
        return Attack(
            self._path.stem,
            stem,
            self._one("title"),
            onto,
            self._expect(),
            source,
            place="first" if onto == "file" else self._word("place", PLACES),
            twice=("twice" in self._values and self._one("twice") == "yes"),
            may_pass=self._checks("may pass"),
            must_pass=self._checks("must pass"),
            must_fail=self._checks("must fail"),
            shows=self._all("shows"),
            read=self._all("read"),
            rejected=self._pairs("rejected", " | "),
            known=self._pairs("known", ": "),
        )

    def _one(self, key: str) -> str:
        if key not in self._values:
            self._wrong(self._first, f"the header lacks {key!r}")
        return self._values.get(key, [(0, "")])[0][1]

    def _word(self, key: str, words: Iterable[str]) -> str:
        value = self._one(key)
        if value and value not in words:
            self._wrong(self._values[key][0][0], f"{key!r} must be one of {', '.join(words)}")
        return value

    def _all(self, key: str) -> tuple[str, ...]:
        return tuple(value for _, value in self._values.get(key, ()))

    def _checks(self, key: str) -> frozenset[str]:
        return frozenset(c.strip() for value in self._all(key) for c in value.split(","))

    def _pairs(self, key: str, sign: str) -> dict[str, str]:
        pairs = {}
        for number, value in self._values.get(key, ()):
            first, found, second = value.partition(sign)
            if not found or (key == "known" and first not in LEVELS):
                self._wrong(number, f"{key!r} must be 'what{sign}text', not {value!r}")
            pairs[first] = second
        return pairs

    def _expect(self) -> Expect:
        parts = [part.strip() for part in self._one("expect").split(",") if part.strip()]
        line = self._values.get("expect", [(self._first, "")])[0][0]
        points, stops = [part for part in parts if part in POINTS], []
        for part in parts:
            stop = _STOP.fullmatch(part)
            if stop is not None and set(stop[1].split(" or ")) <= set(get_args(Cause)):
                stops.append((stop[1], stop[2] or ""))
            elif part not in PLAIN:
                self._wrong(line, f"{part!r} cannot be expected; use {', '.join(PLAIN)}, stopped")
        if len(points) > 1:
            self._wrong(line, "only one kind of points can be expected")
        said: dict[str, Any] = {
            "rejected": "rejected" in parts,
            "restarted": "restarted" in parts,
            "met_hidden": "met hidden inputs" in parts,
        }
        return Expect(points[0] if points else "", **said, stops=tuple(stops))

    def _agree(self, made: Attack) -> None:
        line = self._first
        if bool(made.rejected) != made.expect.rejected:
            self._wrong(line, "'expect: rejected' and '# rejected: student | words' go together")
        if made.onto == "file" and not (made.rejected or made.read):
            self._wrong(line, "a file attack must say which students are rejected or read")
        if made.onto != "file" and (made.rejected or made.read or not made.expect.points):
            self._wrong(line, "an attack on a notebook says what points it gets, rejects nobody")
        if made.read and not made.expect.points:
            self._wrong(line, "submissions that are read get points: say which")
