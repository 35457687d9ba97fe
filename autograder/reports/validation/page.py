"""A validation as one HTML page: verdict, problems, matrices, tolerances, mutants, diagnosis.

Covered: the page needs no script and loads nothing (its policy forbids both); names, texts
and diffs, which come from files, are escaped, with hidden characters written out; wide tables
scroll in boxes of their own.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from autograder.gradebook.grade import as_points
from autograder.gradebook.visible import one_line
from autograder.reports.feedback.panel import TEMPLATES, templates, ticked
from autograder.reports.feedback.words import plural
from autograder.reports.validation import rules
from autograder.reports.validation.matrix import ExerciseBlock, ValidationMatrix, bare
from autograder.reports.validation.model import Validation, VariantRow

_PART_END = re.compile(r"([-_/.])(?=\w)")


def validation_page(found: Validation) -> str:
    """The page as text, to be written as UTF-8."""
    arranged = ValidationMatrix(found)
    pages = templates()
    pages.filters.update(seen=one_line, name=_name, ticked=lambda text: ticked(one_line(text)))
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
        further=_further,
        style=Markup(style),  # noqa: S704  our own files
    )


def _name(text: str) -> Markup:
    """A name that is broken after its hyphens and underscores, not within words."""
    return Markup(_PART_END.sub(r"\1<wbr>", str(escape(one_line(text)))))  # noqa: S704  escaped


def _further(arranged: ValidationMatrix, block: ExerciseBlock) -> dict[str, list[str]]:
    """By heading, what stands behind the checks of the block's rows; only what some row has."""
    made = {
        "Points": [_earned(block, row) for row in block.rows],
        "Costs": [arranged.costs(row) for row in block.rows],
        "Failed elsewhere": [str(block.elsewhere(row) or "") for row in block.rows],
        "Named": [_named(arranged, row) for row in block.rows],
    }
    return {heading: texts for heading, texts in made.items() if any(texts)}


def _named(arranged: ValidationMatrix, row: VariantRow) -> str:
    """How feedback names a known mistake."""
    told = arranged.told(row)
    said = f": {one_line(', '.join(row.diagnosed))}" if told in ("wrong", "ambiguous") else ""
    return f"{rules.TOLD[told]}{said}" if told else ""


def _cells(block: ExerciseBlock, row: VariantRow) -> list[str]:
    """The row's statuses in words."""
    return [status or "not run" for status in block.statuses(row)]


def _earned(block: ExerciseBlock, row: VariantRow) -> str:
    """The row's points in the exercise; empty when it was not graded."""
    earned = row.earned.get(block.exercise)
    return "" if earned is None else f"{as_points(earned):g}"
