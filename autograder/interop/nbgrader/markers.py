"""Regions between two markers, which students do not get: solutions, hidden tests, mark schemes.

A line is a marker if it contains the marker's words anywhere, as in nbgrader.
Covered: nested regions, regions without a beginning or an end. Not covered: a region whose two
markers are both misspelt; it is released.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markers:
    """The words of each marker and the stubs for solutions; nbgrader's defaults."""

    begin_solution: str = "BEGIN SOLUTION"
    end_solution: str = "END SOLUTION"
    begin_tests: str = "BEGIN HIDDEN TESTS"
    end_tests: str = "END HIDDEN TESTS"
    begin_scheme: str = "BEGIN MARK SCHEME"
    end_scheme: str = "END MARK SCHEME"
    code_stub: str = "# YOUR CODE HERE\nraise NotImplementedError()"
    text_stub: str = "YOUR ANSWER HERE"
    autotest: str = "AUTOTEST"

    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """The name of each kind of region and its two markers."""
        return (
            ("solution", self.begin_solution, self.end_solution),
            ("hidden test", self.begin_tests, self.end_tests),
            ("mark scheme", self.begin_scheme, self.end_scheme),
        )


DEFAULT = Markers()


class MarkerProblem(Exception):
    """Markers do not pair up: the line of the cell (from 1) and the problem."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class Cut:
    """A text without its regions; ``regions`` holds the content of each."""

    text: str
    regions: tuple[str, ...]


def cut(source: str, begin: str, end: str, stub: str = "") -> Cut:
    """The text with ``stub``, indented as the marker is, in place of each region.

    Raises ``MarkerProblem``.
    """
    kept: list[str] = []
    regions: list[str] = []
    open_at, inside = 0, [""]
    for number, line in enumerate(source.split("\n"), start=1):
        if begin in line:
            if open_at:
                raise MarkerProblem(number, f"{begin} inside the region opened on line {open_at}")
            open_at, inside = number, []
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + part for part in stub.split("\n")] if stub else []
        elif end in line:
            if not open_at:
                raise MarkerProblem(number, f"{end} without a {begin} before it")
            regions.append("\n".join(inside))
            open_at = 0
        else:
            (inside if open_at else kept).append(line)
    if open_at:
        raise MarkerProblem(open_at, f"{begin} without an {end} after it")
    return Cut("\n".join(kept), tuple(regions))


def autotests(source: str, markers: Markers) -> Iterator[int]:
    """The lines (from 1) that nbgrader would turn into tests by running the solution."""
    for number, line in enumerate(source.split("\n"), start=1):
        if line.strip().startswith("#") and markers.autotest in line:
            yield number
