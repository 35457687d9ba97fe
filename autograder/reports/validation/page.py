"""A validation as one HTML page: verdict, problems, matrices, tolerances, mutants, diagnosis.

Covered: the page needs no script and loads nothing (its policy forbids both); names, texts
and diffs, which come from files, are escaped, with hidden characters written out; wide tables
scroll in boxes of their own.
"""

from __future__ import annotations

from markupsafe import Markup

from autograder.gradebook.grade import as_points
from autograder.gradebook.visible import one_line
from autograder.reports.feedback.panel import TEMPLATES, templates, ticked
from autograder.reports.feedback.words import plural
from autograder.reports.validation import rules
from autograder.reports.validation.matrix import ExerciseBlock, ValidationMatrix, bare
from autograder.reports.validation.model import Validation, VariantRow


def validation_page(found: Validation) -> str:
    """The page as text, to be written as UTF-8."""
    arranged = ValidationMatrix(found)
    pages = templates()
    pages.filters.update(seen=one_line, ticked=lambda text: ticked(one_line(text)))
    style = "".join(
        (TEMPLATES / name).read_text(encoding="utf-8") for name in ("style.css", "validation.css")
    )
    return pages.get_template("validation.html.j2").render(
        found=found,
        arranged=arranged,
        rules=rules,
        plural=plural,
        cells=_cells,
        bare=bare,
        earned=_earned,
        style=Markup(style),  # noqa: S704  our own files
    )


def _cells(block: ExerciseBlock, row: VariantRow) -> list[str]:
    """The row's statuses in words."""
    return [status or "not run" for status in block.statuses(row)]


def _earned(block: ExerciseBlock, row: VariantRow) -> str:
    """The row's points in the exercise; empty when it was not graded."""
    earned = row.earned.get(block.exercise)
    return "" if earned is None else f"{as_points(earned):g}"
