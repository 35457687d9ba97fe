"""The entry point for importing from otter: a path to an ``ImportedAssignment``.

Covered: all problems of the source are reported at once, each with its place. Nothing in it is run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from autograder.errors import SpecError, SubmissionError
from autograder.interop.otter.source.archive import Package, read_archive, read_folder
from autograder.interop.otter.source.blocks import is_master
from autograder.interop.otter.source.cells import read_notebook, unfenced
from autograder.interop.otter.source.exception_file import is_ok_format, read_exception_file
from autograder.interop.otter.source.from_notebook import from_master, from_student
from autograder.interop.otter.source.model import ImportedAssignment, Question, SourceFault
from autograder.interop.otter.source.notes import grader_notes, plugin_names
from autograder.interop.otter.source.ok_file import read_ok_file
from autograder.interop.otter.source.points import scored
from autograder.interop.otter.source.settings import GraderSettings, make, unknown_keys
from autograder.notebook.formats.read import read_bytes

_STAMP = re.compile(r"-autograder(_\d{4}_\d\d_\d\dT[\d_]+)?$")
_REFUSED = {
    ".qmd": "a Quarto document",
    ".rmd": "an R Markdown document",
    ".r": "a script in R",
    ".py": "a Python script",
}


def read_otter(path: Path, course: Path | None = None) -> ImportedAssignment:
    """The assignment in a master notebook, a notebook with tests in its metadata, an
    autograder.zip or the folder unpacked from it. ``course``: a folder in which a master's
    ``config_file`` may be; otherwise it must be beside the master. Raises SpecError with every
    problem."""
    suffix = path.suffix.lower()
    if suffix in _REFUSED and not path.is_dir():
        raise SpecError(
            [
                f"{path}: this is {_REFUSED[suffix]}; give a master notebook (.ipynb) for "
                "Python, or "
                "the autograder.zip that otter made from it"
            ]
        )
    if path.is_dir():
        return _from_package(read_folder(path), path)
    try:
        data = read_bytes(path)
    except SubmissionError as bad:
        raise SpecError([bad.to_author()]) from None
    if data.startswith(b"PK\x03\x04") or suffix == ".zip":
        return _from_package(read_archive(path), path)
    return _from_notebook(data, path, course)


def _from_notebook(data: bytes, path: Path, course: Path | None) -> ImportedAssignment:
    problems: list[str] = []
    try:
        notebook = read_notebook(data)
    except SourceFault as bad:
        raise SpecError([bad.at(str(path))]) from None
    if notebook.language not in ("python", "ipython"):
        raise SpecError(
            [
                f"{path}: its language is {notebook.language!r}; only Python assignments can be "
                "imported"
            ]
        )
    cells = unfenced(notebook.cells, problems, path.name)
    if problems:
        raise SpecError(problems)
    if is_master(cells):
        return from_master(notebook, cells, data, path, course)
    if notebook.otter.get("tests"):
        return from_student(notebook, data, path)
    raise SpecError(
        [
            f"{path}: it has no raw cell with '# ASSIGNMENT CONFIG' or '# BEGIN QUESTION', and its "
            "metadata contains no otter tests; a master in the format before otter 4 must be "
            "converted by hand first"
        ]
    )


def _from_package(package: Package, path: Path) -> ImportedAssignment:
    problems: list[str] = []
    told: list[str] = []
    unknown = unknown_keys(GraderSettings, package.config)
    told += [f"otter_config.json: otter ignores the key {key!r}." for key in unknown]
    known = {key: value for key, value in package.config.items() if key not in unknown}
    settings = make(GraderSettings, known, f"{path.name}/otter_config.json", problems)
    questions = _questions(package.tests, path.name, problems)
    if settings is not None and settings.lang != "python":
        problems.append(
            f"{path.name}: its language is {settings.lang!r}; only Python assignments can be "
            "imported"
        )
    if problems or settings is None:
        raise SpecError(problems)
    points = scored(questions, settings.points_possible, path.name, told)
    told += grader_notes(settings)
    return ImportedAssignment(
        title=settings.assignment_name or _STAMP.sub("", path.stem) or path.stem,
        notebook="",
        questions=points,
        seed=settings.seed,
        seed_variable=settings.seed_variable or "",
        plugins=plugin_names(settings.plugins),
        told=tuple(dict.fromkeys(told)),
        supports=package.supports,
    )


def _questions(tests: Mapping[str, str], file: str, problems: list[str]) -> list[Question]:
    """The question of each test file, in otter's order for tests that no cell calls."""
    made: list[Question] = []
    for name, source in tests.items():
        place = f"{file}/tests/{name}.py"
        try:
            read = read_ok_file if is_ok_format(source) else read_exception_file
            made.append(read(source, name=name, place=place))
        except SourceFault as bad:
            problems.append(bad.at(place))
    return made
