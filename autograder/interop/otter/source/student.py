"""The student notebook of a master, as `otter assign` writes it: stripped, with otter's own cells.

Covered: solutions, hidden tests and outputs are removed; the public tests are in the notebook's
metadata; question text and otter's cells are locked. Unlike in otter, tests are always in the
metadata, and public cases keep the points that they have among all cases.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.errors import SpecError
from autograder.interop.otter.source.blocks import Part, SourceBlock
from autograder.interop.otter.source.cells import NotebookFile, NotebookFileCell
from autograder.interop.otter.source.model import ScoredQuestion, SourceFault
from autograder.interop.otter.source.plugins import with_calls
from autograder.interop.otter.source.public_tests import otter_metadata
from autograder.interop.otter.source.settings import (
    AssignmentSettings,
    ExportSettings,
    QuestionSettings,
)
from autograder.interop.otter.source.solution_regions import (
    for_students,
    with_seed,
    without_ignored,
)
from autograder.notebook.formats.text import without_surrogates

ANSWER_TAG = "otter_answer_cell"
SOLUTION_TAG = "otter_assign_solution_cell"
INCLUDE_TAG = "otter_include"
RESPONSE = "_Type your answer here, replacing this text._"
_IDS_SINCE = 5  # the minor version of the format that requires ids
LOCKED = {"deletable": False, "editable": False}


@dataclass(slots=True)
class _Made:
    """The cells of the notebook so far, and whether the next cell begins or ends an export."""

    cells: list[NotebookFileCell] = field(default_factory=list)
    begin_export: bool = False
    end_export: bool = False


def student_notebook(
    notebook: NotebookFile,
    parts: Sequence[Part],
    settings: AssignmentSettings,
    questions: Sequence[ScoredQuestion],
    *,
    file: str,
) -> bytes:
    """The bytes of the student notebook file; raises SpecError with the problems of its cells."""
    made = _Made()
    by_name = {scored.question.name: scored for scored in questions}
    for part in parts:
        if isinstance(part, NotebookFileCell):
            _add(made, part)
        elif part.settings is not None:
            _add_question(made, part, part.settings, settings, by_name.get(part.settings.name))
    if made.end_export:
        made.cells.append(_tagged(markdown_cell(""), "END"))
    cells = [
        *(init_cells(settings, file) if settings.init_cell else ()),
        *made.cells,
        *(check_all_cells() if settings.check_all_cell else ()),
        *export_cells(settings),
    ]
    metadata = dict(notebook.metadata) | {"otter": otter_metadata(settings, questions)}
    return notebook_bytes(_all_stripped(cells, settings, file), metadata, notebook.minor)


def plain_student_notebook(
    notebook: NotebookFile, questions: Sequence[ScoredQuestion], *, file: str
) -> bytes:
    """The student notebook of one that already has otter's cells: without solutions and outputs,
    with only the public tests in its metadata. Raises SpecError with the problems of its cells."""
    name = notebook.otter.get("assignment_name")
    settings = AssignmentSettings(name=name if isinstance(name, str) else None)
    metadata = dict(notebook.metadata)
    metadata["otter"] = notebook.otter | otter_metadata(settings, questions)
    stripped = _all_stripped(notebook.cells, settings, file)
    return notebook_bytes(stripped, metadata, notebook.minor)


def notebook_bytes(
    cells: Sequence[NotebookFileCell], metadata: Mapping[str, Any], minor: int
) -> bytes:
    """A notebook without outputs as a file: the same bytes each time."""
    taken: set[str] = set()
    made = []
    for cell in cells:
        one: dict[str, Any] = {"cell_type": cell.kind, "metadata": cell.metadata or {}}
        if minor >= _IDS_SINCE:
            one["id"] = _free_id(cell, taken)
        if cell.kind == "code":
            one |= {"execution_count": None, "outputs": []}
        made.append(one | {"source": cell.source})
    whole = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}
    text = json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True)
    return (without_surrogates(text) + "\n").encode()


def _add_question(
    made: _Made,
    block: SourceBlock,
    own: QuestionSettings,
    settings: AssignmentSettings,
    scored: ScoredQuestion | None,
) -> None:
    made.begin_export |= own.manual or own.export
    has_prompt, no_solution = False, False
    text_at: int | None = None
    for part in block.parts:
        if isinstance(part, NotebookFileCell):
            if part.kind == "markdown":
                text_at = len(made.cells)
            _add(made, replace(part, metadata={**(part.metadata or {}), **LOCKED}))
        elif part.kind == "prompt":
            has_prompt = True
            for cell in _cells(part):
                _add(made, _with_tag(cell, ANSWER_TAG))
        elif part.kind == "solution":
            if own.manual and not has_prompt and any(c.kind == "markdown" for c in _cells(part)):
                _add(made, _with_tag(markdown_cell(RESPONSE), ANSWER_TAG))
                has_prompt = True
            for cell in _cells(part):
                _add(made, _with_tag(cell, SOLUTION_TAG))
        else:
            no_solution = no_solution or not has_prompt
    made.end_export |= own.manual or own.export
    if scored is not None:
        public = any(not case.hidden for case in scored.question.cases)
        _add_check(made, own, asked=(public or not no_solution) and own.check_cell)
    if settings.show_question_points and text_at is not None:
        points = own.points or 0 if own.manual else scored.total / 1000 if scored else 1
        cell = made.cells[text_at]
        made.cells[text_at] = replace(cell, source=f"{cell.source}\n\n_Points:_ {points:g}")


def _add_check(made: _Made, own: QuestionSettings, *, asked: bool) -> None:
    """Add the cell that checks a question; if students get none, the cell before names it."""
    if asked:
        made.cells.append(locked_code(f'grader.check("{own.name}")', f"check-{own.name}"))
    elif made.cells:
        last = made.cells[-1]
        noted = dict(last.metadata or {})
        before = noted.get("otter")
        noted["otter"] = {**(before if isinstance(before, dict) else {}), "tests": [own.name]}
        made.cells[-1] = replace(last, metadata=noted)


def _add(made: _Made, cell: NotebookFileCell) -> None:
    """Add a cell, with the comments that mark manually graded questions."""
    fence = None
    for wanted, word in ((made.begin_export, "BEGIN"), (made.end_export, "END")):
        if wanted and cell.kind == "markdown":
            cell = _tagged(cell, word)
        elif wanted:
            fence = _tagged(fence or markdown_cell(""), word)
    made.begin_export = made.end_export = False
    made.cells += [cell] if fence is None else [fence, cell]


def _cells(block: SourceBlock) -> list[NotebookFileCell]:
    return [part for part in block.parts if isinstance(part, NotebookFileCell)]


def _all_stripped(
    cells: Sequence[NotebookFileCell], settings: AssignmentSettings, file: str
) -> list[NotebookFileCell]:
    stripped: list[NotebookFileCell] = []
    problems: list[str] = []
    for cell in cells:
        try:
            stripped += _stripped(cell, settings)
        except SourceFault as bad:
            problems.append(bad.at(f"{file}, cell {cell.number}"))
    if problems:
        raise SpecError(problems)
    return stripped


def _stripped(cell: NotebookFileCell, settings: AssignmentSettings) -> list[NotebookFileCell]:
    """The cell for students, or nothing if they do not get it; raises SourceFault."""
    tags = cell.tags
    source = without_ignored(with_calls(cell.source))
    solution = SOLUTION_TAG in tags
    if cell.kind == "code" and (solution or settings.strip_solutions_from_all_cells):
        source = for_students(source)
    if cell.kind == "markdown" and solution and INCLUDE_TAG not in tags:
        return []
    if settings.seed.variable:
        source = with_seed(source, settings.seed.variable, settings.seed.student_value)
    metadata = dict(cell.metadata or {})
    if solution:
        kept = [tag for tag in tags if tag not in (SOLUTION_TAG, INCLUDE_TAG)]
        metadata["tags"] = [*kept, ANSWER_TAG]
    return [replace(cell, source=source, metadata=metadata)]


def _tagged(cell: NotebookFileCell, word: str) -> NotebookFileCell:
    source = f"<!-- {word} QUESTION -->\n\n{cell.source}"
    return replace(cell, source=source, metadata={**(cell.metadata or {}), **LOCKED})


def _with_tag(cell: NotebookFileCell, tag: str) -> NotebookFileCell:
    noted = dict(cell.metadata or {})
    noted["tags"] = [*cell.tags, tag]
    return replace(cell, metadata=noted)


def _free_id(cell: NotebookFileCell, taken: set[str]) -> str:
    """An id of at most 64 characters that no other cell has."""
    digest = hashlib.sha256(f"{cell.kind}\n{cell.source}".encode()).hexdigest()[:8]
    own = cell.id if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell.id) else f"{cell.kind}-{digest}"
    made, number = own, 2
    while made in taken:
        made, number = f"{own[:58]}-{number}", number + 1
    taken.add(made)
    return made


def init_cells(settings: AssignmentSettings, file: str) -> list[NotebookFileCell]:
    """The cells that create ``grader``; ``file`` is the notebook's name."""
    given = [f'"{file}"'] if settings.runs_on == "default" else []
    if settings.tests.url_prefix:
        given.append(f'tests_url_prefix="{settings.tests.url_prefix}"')
    source = f"# Initialize Otter\nimport otter\ngrader = otter.Notebook({', '.join(given)})"
    install = [locked_code("%pip install -q otter-grader", "otter-install")]
    return [*(install if settings.runs_on == "colab" else ()), locked_code(source, "otter-init")]


def check_all_cells() -> list[NotebookFileCell]:
    """The cells that run all public tests again."""
    text = "---\n\nRun the next cell to run all tests in this notebook again."
    return [markdown_cell(text, LOCKED), locked_code("grader.check_all()", "otter-check-all")]


def export_cells(settings: AssignmentSettings) -> list[NotebookFileCell]:
    """The cells that make the zip to submit; none if ``export_cell`` is false."""
    export = ExportSettings() if settings.export_cell is True else settings.export_cell
    if not isinstance(export, ExportSettings):
        return []
    text = (
        "## Submission\n\nRun all cells in order first, so that all figures are included. The "
        "next cell makes a zip file for you to submit."
    )
    lines = []
    if not export.force_save:
        text += " **Save the notebook before you run it.**"
        lines.append("# Save your notebook, then run this cell.")
    text += f"\n\n{export.instructions}" if export.instructions else ""
    files = [*export.files, *settings.student_files]
    given = [
        *(["filtering=False"] if not export.filtering else ()),
        *(["pdf=False"] if not export.pdf else ()),
        *(["force_save=True"] if export.force_save else ()),
        *(["run_tests=True"] if export.run_tests else ()),
        *(["ignore_log=True"] if export.ignore_log else ()),
        *([f"files={files}"] if files else ()),
    ]
    lines.append(f"grader.export({', '.join(given)})")
    code = locked_code("\n".join(lines), "otter-export")
    return [markdown_cell(text, LOCKED), code, markdown_cell(" ")]


def markdown_cell(source: str, metadata: Mapping[str, Any] | None = None) -> NotebookFileCell:
    """A new Markdown cell."""
    return NotebookFileCell(0, "markdown", source, metadata=dict(metadata or {}))


def locked_code(source: str, wanted: str) -> NotebookFileCell:
    """A new locked code cell whose id is ``wanted`` with invalid characters replaced."""
    own = re.sub(r"[^A-Za-z0-9_-]", "-", wanted)[:64]
    return NotebookFileCell(0, "code", source, metadata=dict(LOCKED), id=own)
