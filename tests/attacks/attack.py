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
    # each: name | code   one attack for each such line, of this name too: it has the code where
    #     the cell has <each>

    import torch ...

With ``onto: file`` the code is a program that writes hostile files into ``folder`` (``place.py``).
Names in braces (``plant.py``) are replaced by paths and ports of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
KEYS = {*ONCE, "may pass", "must pass", "must fail", "shows", "rejected", "read", "known", "each"}
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
    """All attacks in the files of a folder; raises ``SpecError`` at a wrong header, and
    ``UsageError`` when there is no attack."""
    attacks = [
        attack
        for path in sorted(folder.glob("*.py"))
        for cell in f"\n{path.read_text(encoding='utf-8')}".split(f"\n{_CELL}")[1:]
        for attack in _Cell(path.stem, cell).attacks()
    ]
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


class _Cell:
    """The header and the code of one cell."""

    def __init__(self, kind: str, cell: str) -> None:
        stem, *lines = cell.split("\n")
        self._kind, self._stem = kind, stem.strip()
        end = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        self._source = "\n".join(lines[end:]).strip("\n")
        self._values: dict[str, list[str]] = {}
        for line in lines[:end]:
            match = _LINE.fullmatch(line)
            self._require(match is not None, f"must be '# key: value', not {line[:60]!r}")
            assert match is not None
            self._require(match[1] in KEYS, f"there is no key {match[1]!r}")
            self._values.setdefault(match[1], []).append(match[2])
        for key in ONCE:
            self._require(len(self._values.get(key, ())) < 2, f"{key!r} appears twice")

    def attacks(self) -> Iterator[Attack]:
        """The attack, or one for each of its variants."""
        attack = self._attack()
        self._agree(attack)
        each = self._pairs("each", " | ")
        self._require(("<each>" in attack.source) is bool(each), "'each' and <each> go together")
        for name, code in each.items():
            source, title = attack.source.replace("<each>", code), f"{attack.title}: {name}"
            yield replace(attack, stem=f"{attack.stem}_{name}", title=title, source=source)
        if not each:
            yield attack

    def _require(self, fine: bool, what: str) -> None:
        if not fine:
            raise SpecError([f"{self._kind}/{self._stem}: {what}"])

    def _attack(self) -> Attack:
        self._require(self._kind in KINDS, f"{self._kind!r} is no class")
        onto = self._word("onto", ONTO)
        return Attack(
            self._kind,
            self._stem,
            self._one("title"),
            onto,
            self._expect(),
            self._source,
            place="first" if onto == "file" else self._word("place", PLACES),
            twice=self._values.get("twice") == ["yes"],
            may_pass=self._checks("may pass"),
            must_pass=self._checks("must pass"),
            must_fail=self._checks("must fail"),
            shows=self._all("shows"),
            read=self._all("read"),
            rejected=self._pairs("rejected", " | "),
            known=self._pairs("known", ": "),
        )

    def _one(self, key: str) -> str:
        self._require(key in self._values, f"the header lacks {key!r}")
        return self._values[key][0]

    def _word(self, key: str, words: Sequence[str]) -> str:
        value = self._one(key)
        self._require(value in words, f"{key!r} must be one of {', '.join(words)}")
        return value

    def _all(self, key: str) -> tuple[str, ...]:
        return tuple(self._values.get(key, ()))

    def _checks(self, key: str) -> frozenset[str]:
        return frozenset(c.strip() for value in self._all(key) for c in value.split(","))

    def _pairs(self, key: str, sign: str) -> dict[str, str]:
        pairs = [value.partition(sign) for value in self._all(key)]
        self._require(all(found for _, found, _ in pairs), f"{key!r} must be 'what{sign}text'")
        return {first: second for first, _, second in pairs}

    def _expect(self) -> Expect:
        parts = [part.strip() for part in self._one("expect").split(",") if part.strip()]
        points, stops = [part for part in parts if part in POINTS], []
        for part in parts:
            stop = _STOP.fullmatch(part)
            if stop is not None and set(stop[1].split(" or ")) <= set(get_args(Cause)):
                stops.append((stop[1], stop[2] or ""))
            else:
                self._require(part in PLAIN, f"{part!r} cannot be expected")
        self._require(len(points) < 2, "only one kind of points can be expected")
        said: dict[str, Any] = {
            "rejected": "rejected" in parts,
            "restarted": "restarted" in parts,
            "met_hidden": "met hidden inputs" in parts,
        }
        return Expect(points[0] if points else "", **said, stops=tuple(stops))

    def _agree(self, made: Attack) -> None:
        self._require(bool(made.source), "no code follows the header")
        self._require(set(made.known) <= set(LEVELS), f"'known' must be of {', '.join(LEVELS)}")
        both = bool(made.rejected) == made.expect.rejected
        self._require(both, "'expect: rejected' and '# rejected: student | words' go together")
        of_file, named = made.onto == "file", bool(made.rejected or made.read)
        self._require(
            of_file == named, "a file attack, and no other, must say which students it is"
        )
        pointed = bool(made.expect.points) or (of_file and not made.read)
        self._require(pointed, "an attack that is graded says what points it gets")
