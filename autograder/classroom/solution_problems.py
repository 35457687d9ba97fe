"""What is wrong with a solution, by the lines of its file: it is not Python, it raises, it is
stopped, or it does not pass a check. Each cause is reported once, with the checks it spoils."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.judging.checks.registry import every_probe
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.formats.text import first_of
from autograder.notebook.structure.names import not_python
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire.messages import Error

SHOWN = 4  # checks of one cause that are named
_FINE = (Status.PASSED, Status.MANUAL, Status.SKIPPED)
_FRAME = re.compile(r"cell (\d+), line (\d+), in .*", re.DOTALL)


class SolutionFile:
    """The solution's file, and where its cells are in it."""

    def __init__(self, path: Path, solution: Submission) -> None:
        self.path = path
        self._cells = {cell.number: cell for cell in solution.cells}
        self._starts = dict(_starts(path, solution))

    def place(self, number: int, line: int) -> str:
        """The file and the line in it; the cell and its line, if the file does not hold the cell as
        it was read (magics in comments). ``line``: in the cell, from 1."""
        if number in self._starts:
            return f"{self.path}, line {self._starts[number] + line - 1}"
        return f"{self.path}, cell {number}, line {line}"

    def exercise(self, number: int) -> str:
        """The exercise of a cell."""
        return self._cells[number].exercise

    def unparsed(self, cell: NotebookCell) -> str:
        """The problem of a cell that is not Python."""
        line, reason = not_python(cell.source)
        return f"{self.place(cell.number, line)}: {reason}{self._quoted(cell.number, line)}"

    def raised(self, error: Error, number: int = 0) -> str:
        """The problem of code that raised an exception. ``number``: of its cell, if that did."""
        frames = [found for part in error.trace.split("\n") if (found := _FRAME.match(part))]
        line = error.line
        if frames:
            number, line = int(frames[-1][1]), int(frames[-1][2])
        place = self.place(number, line) if number and line else str(self.path)
        said = ": ".join(filter(None, [error.types[0] if error.types else "", error.text.strip()]))
        return f"{place}: {said.partition(chr(10))[0][:300]}{self._quoted(number, line)}"

    def _quoted(self, number: int, line: int) -> str:
        """The line of a cell, and what to do."""
        cell = self._cells.get(number)
        code = cell.source.split("\n")[line - 1 : line] if cell is not None and line else []
        return f": `{code[0].strip()[:120]}`; correct this line" if code else "; correct this"


def _starts(path: Path, solution: Submission) -> Iterator[tuple[int, int]]:
    """The first line of each cell of code in the file, by the cell's number."""
    text, at = path.read_text("utf-8"), 0
    for cell in solution.cells:
        found = text.find(f"\n{cell.source}\n", at) if cell.kind == "code" else -1
        if found >= 0:
            at = found + len(cell.source)
            yield cell.number, text.count("\n", 0, found + 1) + 1


@dataclass(frozen=True, slots=True)
class SolutionRun:
    """The evidence of a solution, and what it was asked."""

    file: SolutionFile
    spec: Assignment
    run: Run
    cases: Cases

    def problems(self, verdicts: Sequence[Verdict]) -> list[str]:
        """A line for each cause for which a check does not pass; none if all pass."""
        spoiled: dict[str, list[str]] = {}
        for verdict in verdicts:
            name = f"{verdict.exercise}/{verdict.check}"
            if cause := self._cause(verdict):
                spoiled.setdefault(cause, []).append(name)
            elif verdict.status not in _FINE:
                said = f"{self.file.path}: the solution does not pass {name}: {verdict.message}"
                spoiled[said] = []
        return [f"{cause}{_named(names)}" for cause, names in spoiled.items()]

    def _cause(self, verdict: Verdict) -> str:
        """What a check has nothing to compare with for: an exception, or a cell that does not
        define a name; empty if there is another reason."""
        if verdict.status is not Status.UNGRADED:
            return ""
        exercise = next(e for e in self.spec.exercise if e.id == verdict.exercise)
        check = next(c for c in exercise.check if c.id == verdict.check)
        if check.kind == "raises":  # it asks for an exception
            return ""
        probes = every_probe(check, exercise.id, self.cases)
        records = [self.run.probe(probe.id) for probe in probes]
        claims = [record.claim if record is not None else None for record in records]
        for claim in claims:
            if claim is not None and claim.error is not None:
                return self.file.raised(claim.error)
        lacking = any(claim is None or claim.status == "missing" for claim in claims)
        return self._broken_cell(exercise.id) if lacking else ""

    def _broken_cell(self, exercise: str) -> str:
        """Why a cell does not run to its end: one of the exercise, or else the first."""
        broken: dict[int, str] = {}
        for record in self.run.cells:
            if record.stop is not None:
                place = self.file.place(record.number, 1)
                broken[record.number] = f"{place}: the cell was stopped: {record.stop.text}"
            elif record.claim is not None and record.claim.error is not None:
                broken[record.number] = self.file.raised(record.claim.error, record.number)
        own = (text for n, text in broken.items() if self.file.exercise(n) == exercise)
        return next(own, next(iter(broken.values()), ""))


def _named(checks: Sequence[str]) -> str:
    """The checks that a cause spoils, in brackets."""
    if not checks:
        return ""
    return f" (no result for {first_of(checks, SHOWN)})"
