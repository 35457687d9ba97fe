"""Attack files: a header of ``# key: value`` lines that states the expected outcome, then code.

::

    # title: Comparators of torch and NumPy are patched to be always equal
    # onto: template      (a notebook without answers) | solution | file
    # place: first        (a cell after the imports) | own (end of each answer's cell) | last
    # expect: no points   see ``EXPECTED``, several with commas between them
    # may pass: exercise/check, ...   also: must pass, must fail
    # shows: text         appears in the output: proof that the attack came that far
    # twice: yes          handed in twice, the second time at the end of the class
    # rejected: student | words of the reason        (files only; also: read: student)
    # known: medium: why it is known not to be contained at that level; "medium as user" is
    #     medium without the layer uid

With ``onto: file`` the code is a program that writes hostile files into the folder it is given.
Names in braces (``plant.py``) are replaced by paths and ports of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from autograder.errors import SpecError, UsageError
from autograder.evidence.records import Cause

KINDS = ("forge", "leak", "escape", "exhaust", "persist", "malformed", "render", "evade", "repair")
PLAIN = (
    "no points",
    "full points",
    "any points",
    "rejected",
    "restarted",
    "met hidden inputs",
)
EXPECTED = (*PLAIN, "stopped: CAUSE or CAUSE", "stopped: CAUSE (its whole text)")
Onto = Literal["template", "solution", "file"]
Place = Literal["first", "own", "last"]
LEVELS = ("strong", "medium", "medium as user")
_LINE = re.compile(r"# ([a-z ]+?): (\S.*?)\s*")
_STOP = re.compile(r"stopped: ([a-z]+(?: or [a-z]+)*)(?: \(([^()]+(?:\([^()]*\))?)\))?")
_KEYS = frozenset(
    {
        "title",
        "onto",
        "place",
        "expect",
        "may pass",
        "must pass",
        "must fail",
        "shows",
        "twice",
        "rejected",
        "read",
        "known",
    }
)
_MANY = _KEYS - {"title", "onto", "place", "expect", "twice"}  # these may appear more than once


@dataclass(frozen=True, slots=True)
class Expect:
    """The expected outcome. ``stops`` are causes ("cpu or wall") with text, "" for any."""

    points: Literal["no points", "full points", "any points", ""] = ""
    rejected: bool = False
    restarted: bool = False
    met_hidden: bool = False
    stops: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack file. ``rejected`` maps a student to words of the reason."""

    kind: str
    stem: str
    path: Path
    title: str
    onto: Onto
    expect: Expect
    source: str
    place: Place = "first"
    twice: bool = False
    may_pass: frozenset[str] = frozenset()
    must_pass: frozenset[str] = frozenset()
    must_fail: frozenset[str] = frozenset()
    shows: tuple[str, ...] = ()
    rejected: Mapping[str, str] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)  # by level

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.stem}"


def read_attacks(folder: Path) -> tuple[Attack, ...]:
    """All attacks below a folder; raises ``SpecError`` with every wrong header."""
    attacks: list[Attack] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*/*.py")):
        try:
            attacks.append(read_attack(path))
        except SpecError as bad:
            problems += bad.problems
    if problems:
        raise SpecError(problems)
    return tuple(attacks)


def find_attacks(folder: Path | None, start: Path) -> Path:
    """The folder of attacks: the given one, or tests/attacks beside the package or at ``start``.

    Raises ``UsageError`` when no attack is there.
    """
    beside = Path(__file__).resolve().parents[3] / "tests" / "attacks"
    places = [folder] if folder is not None else [beside, start / "tests" / "attacks"]
    for place in places:
        if any(place.glob("*/*.py")):
            return place
    raise UsageError(
        f"there are no attacks under {' or '.join(str(p) for p in places)}; give their folder "
        "with --attacks (tests/attacks of the project's repository)"
    )


def choose(attacks: Sequence[Attack], only: str) -> tuple[Attack, ...]:
    """The attacks of one class, or the one of this name; all for "". Raises ``UsageError``."""
    chosen = tuple(a for a in attacks if only in ("", a.kind, a.stem, a.name))
    if not chosen:
        known = ", ".join(dict.fromkeys(a.kind for a in attacks))
        raise UsageError(f"there is no attack or class of attacks {only!r}; classes: {known}")
    return chosen


def read_attack(path: Path) -> Attack:
    """One attack; raises ``SpecError`` naming file and line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as bad:
        raise SpecError([f"{path}: cannot be read ({bad})"]) from None
    end = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    header = _Header(path)
    for number, line in enumerate(lines[:end], 1):
        header.take(number, line)
    source = "\n".join(lines[end:]).strip("\n")
    if not source:
        header.wrong(end, "no code follows the header")
    return header.attack(source)


class _Header:
    """Collects the lines of one header, and what is wrong with them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, list[tuple[int, str]]] = {}
        self._problems: list[str] = []

    def wrong(self, number: int, what: str) -> None:
        self._problems.append(f"{self._path}, line {number}: {what}")

    def take(self, number: int, line: str) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            self.wrong(number, f"must be '# key: value', not {line[:60]!r}")
        elif match[1] not in _KEYS:
            self.wrong(number, f"there is no key {match[1]!r}; use {', '.join(sorted(_KEYS))}")
        elif match[1] in self._found and match[1] not in _MANY:
            self.wrong(number, f"{match[1]!r} appears twice")
        else:
            self._found.setdefault(match[1], []).append((number, match[2]))

    def attack(self, source: str) -> Attack:
        """The attack that the header describes; raises ``SpecError``."""
        kind = self._path.parent.name
        if kind not in KINDS:
            self.wrong(1, f"the folder {kind!r} is no class; use one of {', '.join(KINDS)}")
        title, onto = self._one("title"), self._word("onto", get_args(Onto))
        place = "" if onto == "file" else self._word("place", get_args(Place))
        made = Attack(
            kind,
            self._path.stem,
            self._path,
            title,
            onto,  # type: ignore[arg-type]
            self._expect(),
            source,
            place=place or "first",  # type: ignore[arg-type]
            twice=self._one("twice", needed=False) == "yes",
            may_pass=self._checks("may pass"),
            must_pass=self._checks("must pass"),
            must_fail=self._checks("must fail"),
            shows=self._all("shows"),
            read=self._all("read"),
            rejected=self._pairs("rejected", " | "),
            known=self._pairs("known", ": "),
        )
        self._agree(made)
        if self._problems:
            raise SpecError(self._problems)
        return made

    def _one(self, key: str, *, needed: bool = True) -> str:
        if needed and key not in self._found:
            self.wrong(1, f"the header lacks {key!r}")
        return self._found.get(key, [(0, "")])[0][1]

    def _word(self, key: str, words: Iterable[str]) -> str:
        value = self._one(key)
        if value and value not in words:
            self.wrong(self._found[key][0][0], f"{key!r} must be one of {', '.join(words)}")
        return value

    def _all(self, key: str) -> tuple[str, ...]:
        return tuple(value for _, value in self._found.get(key, ()))

    def _checks(self, key: str) -> frozenset[str]:
        return frozenset(c.strip() for value in self._all(key) for c in value.split(","))

    def _pairs(self, key: str, sign: str) -> dict[str, str]:
        pairs = {}
        for number, value in self._found.get(key, ()):
            first, found, second = value.partition(sign)
            if not found or (key == "known" and first not in LEVELS):
                self.wrong(number, f"{key!r} must be 'what{sign}text', not {value!r}")
            pairs[first] = second
        return pairs

    def _expect(self) -> Expect:
        parts = [part.strip() for part in self._one("expect").split(",") if part.strip()]
        points, stops = [p for p in parts if p.endswith(" points")], []
        for part in parts:
            stop = _STOP.fullmatch(part)
            if stop is not None and set(stop[1].split(" or ")) <= set(get_args(Cause)):
                stops.append((stop[1], stop[2] or ""))
            elif part not in PLAIN:
                number = self._found["expect"][0][0]
                self.wrong(number, f"{part!r} cannot be expected; use {', '.join(EXPECTED)}")
        if len(points) > 1:
            self.wrong(self._found["expect"][0][0], "only one kind of points can be expected")
        return Expect(
            points[0] if points else "",  # type: ignore[arg-type]
            "rejected" in parts,
            "restarted" in parts,
            "met hidden inputs" in parts,
            tuple(stops),
        )

    def _agree(self, made: Attack) -> None:
        if bool(made.rejected) != made.expect.rejected:
            self.wrong(1, "'expect: rejected' and lines '# rejected: student | words' go together")
        if made.onto == "file" and not (made.rejected or made.read):
            self.wrong(1, "a file attack must say which students are rejected or read")
        if made.onto != "file" and (made.rejected or made.read or not made.expect.points):
            self.wrong(1, "an attack on a notebook says what points it gets, and rejects nobody")
        if made.read and not made.expect.points:
            self.wrong(1, "submissions that are read get points: say which")
