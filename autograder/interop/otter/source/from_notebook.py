"""A master notebook, or one with tests in its metadata, to an ``ImportedAssignment``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autograder.errors import SpecError
from autograder.interop.folder_files import opened_files
from autograder.interop.otter.source.blocks import MasterReading, Part, read_blocks, read_config
from autograder.interop.otter.source.cells import NotebookFile, NotebookFileCell
from autograder.interop.otter.source.exception_file import read_exception_file
from autograder.interop.otter.source.master_tests import read_questions
from autograder.interop.otter.source.model import ImportedAssignment, Question, SourceFault
from autograder.interop.otter.source.notes import (
    grader_notes,
    master_notes,
    passed_over,
    plugin_names,
)
from autograder.interop.otter.source.ok_file import read_ok
from autograder.interop.otter.source.plugins import plugins_in
from autograder.interop.otter.source.points import scored
from autograder.interop.otter.source.settings import (
    AssignmentSettings,
    GraderSettings,
    make,
    merged,
    read_yaml,
)
from autograder.interop.otter.source.solution_regions import is_seeded
from autograder.interop.otter.source.student import (
    SOLUTION_TAG,
    plain_student_notebook,
    student_notebook,
)
from autograder.interop.otter.source.support_files import beside, text_beside


def from_master(
    notebook: NotebookFile,
    cells: tuple[NotebookFileCell, ...],
    data: bytes,
    path: Path,
    course: Path | None = None,
) -> ImportedAssignment:
    """The assignment of a master notebook; raises SpecError with every problem. ``course``: a
    folder in which its ``config_file`` may be."""
    reading = MasterReading(path.name)
    problems, told = reading.problems, reading.told
    settings = _settings(cells, path, reading, course)
    parts = read_blocks(cells, reading)
    plugins = _plugins(parts, path.name, problems)
    grader = GraderSettings() if isinstance(settings.generate, bool) else settings.generate
    seed = settings.seed.autograder_value if settings.seed.variable else grader.seed
    problems += _seed_problems(parts, seed, path.name)
    questions = read_questions(parts, reading, ok_format=settings.tests.ok_format)
    wanted = [*settings.files, *settings.autograder_files]
    named = beside(path.parent, wanted, problems, told)
    told += passed_over(reading.passed_over)
    if problems:
        raise SpecError(problems)
    found = opened_files(path.parent, _code(cells), taken=[path.name], brought=named)
    points = scored(questions, grader.points_possible, path.name, told)
    template = student_notebook(notebook, parts, settings, points, file=path.name)
    asked = plugin_names([*grader.plugins, *settings.plugins])
    graded = grader.model_copy(
        update={"plugins": (*asked, *plugins), "assignment_name": settings.name}
    )
    told += [*master_notes(settings), *grader_notes(graded), *found.notes]
    return ImportedAssignment(
        title=settings.name or path.stem,
        notebook=path.stem,
        questions=points,
        seed=seed,
        seed_variable=settings.seed.variable or grader.seed_variable or "",
        plugins=plugin_names(graded.plugins),
        told=tuple(dict.fromkeys(told)),
        supports=found.contents,
        student_files=settings.student_files,
        solution=data,
        template=template,
    )


def from_student(notebook: NotebookFile, data: bytes, path: Path) -> ImportedAssignment:
    """The assignment whose tests are in a notebook's metadata; raises SpecError."""
    problems: list[str] = []
    told: list[str] = []
    noted = notebook.otter
    tests = noted["tests"]
    if not isinstance(tests, dict) or not isinstance(noted.get("OK_FORMAT"), bool):
        raise SpecError([f"{path}: otter's metadata needs 'tests' and 'OK_FORMAT'"])
    questions = _noted_questions(tests, path.name, problems, functions=not noted["OK_FORMAT"])
    if problems:
        raise SpecError(problems)
    tested = [(f"test {name!r}", text) for name, text in tests.items() if isinstance(text, str)]
    found = opened_files(path.parent, [*_code(notebook.cells), *tested], taken=[path.name])
    told += found.notes
    points = scored(questions, None, path.name, told)
    solved = any(SOLUTION_TAG in cell.tags for cell in notebook.cells)
    template = plain_student_notebook(notebook, points, file=path.name)
    if not solved:
        told.append(
            "This is a student notebook: hidden tests are not in it, and their points are missing. "
            "If there are any, import the master notebook or the autograder.zip."
        )
    name = noted.get("assignment_name")
    return ImportedAssignment(
        title=name if isinstance(name, str) and name.strip() else path.stem,
        notebook=path.stem,
        questions=points,
        told=tuple(dict.fromkeys(told)),
        supports=found.contents,
        solution=data if solved else None,
        template=template,
    )


def _code(cells: Iterable[NotebookFileCell]) -> list[tuple[str, str]]:
    """The code cells with their places."""
    return [(f"cell {cell.number}", cell.source) for cell in cells if cell.kind == "code"]


def _noted_questions(
    tests: Mapping[str, Any], file: str, problems: list[str], *, functions: bool
) -> list[Question]:
    made = []
    for name, test in tests.items():
        place = f"{file}, test {name!r} of its metadata"
        try:
            if not functions:
                made.append(read_ok(test, name=name, place=place))
            elif isinstance(test, str):
                made.append(read_exception_file(test, name=name, place=place))
            else:
                raise SourceFault(0, "an exception-based test must be the text of a file")
        except SourceFault as bad:
            problems.append(bad.at(place))
    return made


def _settings(
    cells: tuple[NotebookFileCell, ...], path: Path, reading: MasterReading, course: Path | None
) -> AssignmentSettings:
    """The notebook's settings, which override its ``config_file``; the defaults if they are
    invalid, so that all other problems are reported too."""
    own = read_config(cells, reading)
    if isinstance(name := own.get("config_file"), str):
        try:
            own = merged(read_yaml(text_beside(path.parent, name, course)), own)
        except SourceFault as bad:
            reading.problems.append(bad.at(f"{path.name}, config_file {name!r}"))
    made = make(AssignmentSettings, own, f"{path.name}, assignment config", reading.problems)
    return made or AssignmentSettings()


def _plugins(parts: list[Part], file: str, problems: list[str]) -> list[str]:
    found: list[str] = []
    for cell in all_cells(parts):
        try:
            found += plugins_in(cell.source)
        except SourceFault as bad:
            problems.append(bad.at(f"{file}, cell {cell.number}"))
    return found


def _seed_problems(parts: list[Part], seed: int | None, file: str) -> list[str]:
    if seed is not None:
        return []
    return [
        f"{file}, cell {cell.number}: it has a line that ends in '# SEED', but the assignment "
        "config has no generate.seed"
        for cell in all_cells(parts)
        if cell.kind == "code" and is_seeded(cell.source)
    ]


def all_cells(parts: list[Part]) -> list[NotebookFileCell]:
    """Every cell of a tree except those of tests."""
    found: list[NotebookFileCell] = []
    for part in parts:
        if isinstance(part, NotebookFileCell):
            found.append(part)
        elif part.kind != "tests":
            found += all_cells(part.parts)
    return found
