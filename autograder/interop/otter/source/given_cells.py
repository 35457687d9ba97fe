"""The cells that otter adds to a notebook: to begin, to check, to submit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from autograder.interop.otter.source.cells import NotebookFileCell
from autograder.interop.otter.source.settings import AssignmentSettings, ExportSettings

LOCKED = {"deletable": False, "editable": False}


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
