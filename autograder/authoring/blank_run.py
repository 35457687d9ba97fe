"""Runs the blank notebook from top to bottom: only a missing answer may stop a cell.

Covered: every cell's outcome in the box. A cell may raise NotImplementedError, NameError of a name
that an exercise defines, or that a cell defines which stopped like this itself, and TypeError or
AttributeError of a place that is left as ``...``; the import of a package that an exercise names
and this machine lacks may fail.
Not covered: a cell that goes wrong silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.evidence.records import CellRun, Run
from autograder.grading.context import GradingContext
from autograder.grading.job import make_job
from autograder.notebook.structure.names import read_names
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire.messages import Error

REMEDY = "make the cell report what is missing instead of failing, or move what it needs above it"

_UNDEFINED = re.compile(r"name '(\w+)' is not defined.*", re.DOTALL)
_ELLIPSIS = re.compile(r"\bellipsis\b", re.IGNORECASE)


def run_blank(context: GradingContext, template: Submission) -> Run:
    """Run the template's cells in the box, without any questions. Raises ``SandboxError``."""
    job, _ = make_job(context, template)
    return context.runner.run(msgspec.structs.replace(job, probes=(), draw=False))


def blank_problems(
    loaded: Loaded,
    template: Submission,
    solution: Submission,
    run: Run,
    *,
    unavailable: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """A sentence for each cell that does not run in the blank notebook, and what to do.

    ``unavailable`` names exercises whose packages are missing.
    """
    names = _answered(loaded.spec, solution)
    left_out = (e for e in loaded.spec.exercise if e.id in unavailable)
    lacking = {package for exercise in left_out for package in exercise.requires}
    cells = {cell.number: cell for cell in template.cells}
    for record in run.cells:
        cell = cells[record.number]
        if said := _failure(record, names, lacking):
            where = f"{loaded.template.name}, {_called(cell)}"
            yield f"{where}: in the blank notebook {said}; {REMEDY}"
        elif record.claim is not None and record.claim.error is not None:
            names |= read_names(cell.source).defined  # missing because an answer is


def _answered(assignment: Assignment, solution: Submission) -> frozenset[str]:
    """Every name that an exercise's cell defines once it is answered."""
    asked = {name.split(".")[0] for e in assignment.exercise for name in e.defines}
    own = (cell.source for cell in solution.cells if cell.kind == "code" and cell.exercise)
    return frozenset(asked.union(*(read_names(source).defined for source in own)))


def _failure(record: CellRun, names: frozenset[str], lacking: set[str]) -> str:
    """How a cell ended that is not the fault of a missing answer; empty if there is none."""
    if record.stop is not None:
        return f"the cell is stopped: {record.stop.text}"
    if record.claim is None:
        return "the cell yields no result"
    error = record.claim.error
    if error is None or _is_missing_answer(error, names, lacking):
        return ""
    kind = error.types[0] if error.types else "an error"
    line = f" in line {error.line} ({error.source.strip()})" if error.line else ""
    return f"the cell raises {kind}{line}: {error.text[:200]}"


def _is_missing_answer(error: Error, names: frozenset[str], lacking: set[str]) -> bool:
    kinds = set(error.types)
    if "NotImplementedError" in kinds:
        return True
    if "NameError" in kinds:
        found = _UNDEFINED.fullmatch(error.text)
        # A name that no exercise defines is no missing answer.
        return found is not None and found[1] in names
    if "ImportError" in kinds:
        # Only a package that is lacking excuses an import.
        return any(f"'{package}" in error.text for package in lacking)
    # A TypeError of something else is no missing answer.
    return bool(kinds & {"TypeError", "AttributeError"} and _ELLIPSIS.search(error.text))


def _called(cell: NotebookCell) -> str:
    first = next((line for line in cell.source.split("\n") if line.strip()), "").strip()
    return f"cell {cell.number} ({first[:40]!r})"
