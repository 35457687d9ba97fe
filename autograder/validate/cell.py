"""The cell of an author's notebook that holds an exercise's solution."""

from __future__ import annotations

from autograder.notebook.regions import MarkError, find_regions
from autograder.notebook.submission import NotebookCell, Submission


def solution_cell(solution: Submission, exercise: str) -> NotebookCell | None:
    """The one cell that ``apply_variant`` would replace; None where it would refuse."""
    tagged = [c for c in solution.cells if c.kind == "code" and c.exercise == exercise]
    cells = tagged if len(tagged) < 2 else [cell for cell in tagged if has_region(cell.source)]
    return cells[0] if len(cells) == 1 else None


def has_region(source: str) -> bool:
    """Whether a cell has solution regions, all of them well marked."""
    try:
        return bool(find_regions(source))
    except MarkError:
        return False
