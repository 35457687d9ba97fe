"""Verdicts: what the judge says about each check, as data that reports are made from."""

from __future__ import annotations

from enum import Enum
from typing import Literal

import msgspec

from autograder.wire.values import Array

ONLY_WHEN_WRONG = "Ran in every small call that goes wrong, and in no other:"


class Status(Enum):
    """The closed list of outcomes of a check and of an exercise."""

    PASSED = "passed"
    FAILED = "failed"
    RAISED = "raised"
    BROKEN = "broken"  # a name is missing because its cell raised an exception
    MISSING = "missing"
    BLANK = "blank"  # not filled in
    STOPPED = "stopped"  # a limit or a crash, seen from outside
    SKIPPED = "skipped"  # a check that it needs did not pass, or the box lacks something
    UNGRADED = "ungraded"  # our fault or no evidence: a grader must look
    MANUAL = "manual"  # it is graded by hand


class Numbers(msgspec.Struct, frozen=True):
    """How far off a result is. Non-finite elements are counted separately, so the maxima stay
    numbers."""

    wrong: int
    total: int
    non_finite: int
    max_abs: float
    max_rel: float
    at: tuple[int, ...]

    @property
    def counted(self) -> str:
        """How many numbers differ, in words: "all 6 numbers differ", "1 of 6 numbers differs"."""
        if self.wrong == self.total:
            return {1: "the number differs", 2: "both numbers differ"}.get(
                self.total, f"all {self.total} numbers differ"
            )
        return f"{self.wrong} of {self.total} numbers {'differs' if self.wrong == 1 else 'differ'}"


Kind = Literal[
    "missing", "unexpected", "type", "shape", "dtype", "value", "order", "changed", "other"
]


class Mismatch(msgspec.Struct, frozen=True):
    """One difference. ``where`` names the value ("via_call", "result of call 2");
    ``path`` leads into containers; ``expected`` and ``actual`` are short texts."""

    where: str
    kind: Kind
    expected: str
    actual: str
    path: tuple[str | int, ...] = ()
    numbers: Numbers | None = None
    text: str = ""  # a ready sentence, where a relation wrote one


class Picture(msgspec.Struct, frozen=True, tag="arrays"):
    """Two arrays of equal shape to draw side by side with their difference (public only)."""

    where: str
    expected: Array
    actual: Array


class ShownRow(msgspec.Struct, frozen=True):
    """A row as texts: its label, its cells, and which of them differ."""

    label: str
    cells: tuple[str, ...]
    wrong: tuple[bool, ...]


class TableView(msgspec.Struct, frozen=True):
    """A part of a table: labels of columns, which of them the other table lacks, some rows; and
    in words how much of it is left out."""

    columns: tuple[str, ...]
    unknown: tuple[bool, ...]
    rows: tuple[ShownRow, ...]
    size: str


class TablePicture(msgspec.Struct, frozen=True, tag="tables"):
    """Two tables to show side by side, around their first difference (public only)."""

    where: str
    expected: TableView
    actual: TableView


class Blame(msgspec.Struct, frozen=True):
    """One way in which a stage of a pipeline was called, and whether it was right."""

    way: str
    right: bool


class DeviceOutcome(msgspec.Struct, frozen=True):
    """One device of a check, and its result.

    ``how``: on the device itself, on a "simulated" one, or on the CPU "beside" a simulated one.
    "absent": the grading machine has no such device. "not simulated": the simulation lacks the
    operation ``note``. "not reached": an earlier device was wrong.
    """

    device: str
    how: Literal["real", "simulated", "beside"]
    result: Literal["right", "wrong", "absent", "not simulated", "not reached"]
    note: str = ""


Sure = Literal["named", "ambiguous", "nothing"]


class Mistake(msgspec.Struct, frozen=True):
    """What explains a wrong result, as instructors call it: a known mistake by its name, anything
    else by its words."""

    name: str
    title: str


class Cause(msgspec.Struct, frozen=True):
    """Why a result is wrong, as far as it can be explained; for instructors.

    "named": these ``mistakes``, or the ``transform`` of the right result, or both; or what the
    right solution would give with one small change, in the words of ``mutant`` ("as if ...").
    "ambiguous": one of these, which fit equally. "nothing": no known mistake fits; ``property`` is
    what the arguments of exactly the wrong calls have in common, if it was found ("an id is
    repeated").
    """

    sure: Sure
    mistakes: tuple[Mistake, ...] = ()
    transform: str = ""  # "transposed", "rolled", ...: judging/diagnosis/transforms/table.py
    mutant: str = ""
    property: str = ""

    def explanations(self) -> tuple[Mistake, ...]:
        """The mistakes; else what explains the result instead, in words; empty if nothing does."""
        if self.mistakes:
            return self.mistakes
        changed = f"the right result: {self.transform}" if self.transform else ""
        apart = f"wrong where {self.property}" if self.property else ""
        words = changed or self.mutant or apart
        return (Mistake(words, words),) if words else ()


class RanLine(msgspec.Struct, frozen=True):
    """A line of a submission that ran. ``source``: the statement that begins there, indented; ""
    until it is quoted."""

    cell: int
    line: int
    source: str = ""


class SmallestCall(msgspec.Struct, frozen=True):
    """A small call that goes wrong, as Python code below comments, with both results as text. It is
    not a call of any check, so a student may see all of it. ``ran``: the lines that ran in every
    small call of the check that goes wrong, and in no other, as the sandbox says."""

    call: str
    expected: str
    actual: str
    ran: tuple[RanLine, ...] = ()

    @property
    def results(self) -> tuple[str, ...]:
        """The call and both results, one below the other."""
        return *self.call.split("\n"), f"expected  {self.expected}", f"got       {self.actual}"

    @property
    def places(self) -> tuple[str, ...]:
        """The lines that ran, each below where it is."""
        quoted = (f"cell {ran.cell}, line {ran.line}:\n{ran.source}" for ran in self.ran)
        return tuple(line for text in quoted for line in text.split("\n"))

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it as text."""
        return *self.results, *((ONLY_WHEN_WRONG, *self.places) if self.ran else ())


class Repair(msgspec.Struct, frozen=True):
    """A small edit of the student's own cell with which the exercise is right: the ``line`` of the
    cell where it begins, what is wrong there in ``words`` ("the axis"), and the lines ``before``
    and ``after``."""

    line: int
    words: str
    before: str
    after: str

    @property
    def place(self) -> str:
        """Where it is, and what is wrong: "line 4: the axis"."""
        return f"line {self.line}: {self.words}"


class Verdict(msgspec.Struct, frozen=True):
    """One check's result. ``earned`` and ``possible`` are thousandths of a point.

    ``message`` may contain inputs and expected values; only reports/feedback decides what of it a
    student sees. ``diagnosis`` is written for students; ``cause`` says how sure it is, and is None
    if no cause was looked for. ``devices``: where it was tried or not. ``smallest``: the smallest
    call of the function that goes wrong, at the first of its checks. ``repair``: an edit that makes
    the exercise right, at its first wrong check.
    """

    exercise: str
    check: str
    kind: str
    public: bool
    status: Status
    earned: int
    possible: int
    message: str = ""
    mismatches: tuple[Mismatch, ...] = ()
    diagnosis: str = ""
    picture: Picture | TablePicture | None = None
    blame: tuple[Blame, ...] = ()
    cause: Cause | None = None
    devices: tuple[DeviceOutcome, ...] = ()
    smallest: SmallestCall | None = None
    repair: Repair | None = None
