"""Notes on what an otter assignment asks for and what is not supported here, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.interop.otter.source.model import Example, ImportedAssignment, OtterCase
from autograder.interop.otter.source.points import POINT
from autograder.interop.otter.source.settings import (
    AssignmentSettings,
    ExportSettings,
    GraderSettings,
)
from autograder.notebook.formats.text import first_of

SHOWN = 8  # cells or questions named in one sentence
ANYBODYS = frozenset({"True", "False", "None", "np.True_", "np.False_", ""})
_SETUP = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.ClassDef)


def summary(brought: ImportedAssignment) -> Iterator[str]:
    """A summary of the import: questions, points, hidden cases, where tests decide."""
    cases = [*brought.cases()]
    hidden = sum(case.hidden for case in cases)
    yield (
        f"questions: {len(brought.questions)}, points: {brought.total / POINT:g}, "
        f"hidden cases: {hidden} of {len(cases)}"
    )
    inside = [s.question.name for s in brought.questions if s.question.source]
    outside = sum(not case.function for case in cases)
    if outside:
        yield f"compared outside the sandbox with the expected output: {outside} of {len(cases)}"
    if inside:
        yield (
            "decided inside the sandbox, where a submission can tamper with its own process: "
            f"{', '.join(inside)}"
        )
    yield from _forgeable_note(brought)


def _forgeable_note(brought: ImportedAssignment) -> Iterator[str]:
    """How many expected outputs of which questions a student's object can print without being
    right; nothing if there are none."""
    wanted, counts = 0, dict[str, int]()
    for scored in brought.questions:
        outputs = [
            expectation for case in scored.question.cases for expectation in _expectations(case)
        ]
        wanted += len(outputs)
        if forged := sum(map(forgeable, outputs)):
            counts[scored.question.name] = forged
    if counts:
        shown = first_of([f"{name} ({number})" for name, number in counts.items()], SHOWN)
        yield (
            f"{sum(counts.values())} of {wanted} expected outputs are True, False, None or empty: "
            "a student's object can print them without being right (its own == or bool() decides): "
            f"{shown}. Let such an example print the value itself, or add a check of ours, "
            "which compares values outside the sandbox."
        )


def _expectations(case: OtterCase) -> Iterator[Example]:
    """The examples that test something. One that only imports, assigns or defines never prints
    anything, and counts only at the end of its case."""
    for example in case.examples:
        last = example is case.examples[-1]
        if last or example.shows or example.raises or not _is_setup(example.code):
            yield example


def _is_setup(source: str) -> bool:
    try:
        return all(isinstance(step, _SETUP) for step in ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def forgeable(example: Example) -> bool:
    """Whether the expected output does not depend on the value: a truth value, nothing, or a
    pattern that matches any text."""
    shows = example.shows.strip()
    anything = "ELLIPSIS" in example.options and set(shows) <= {".", "\n", " "}
    return not example.raises and (shows in ANYBODYS or anything)


def passed_over(keys: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """The keys that otter does not know, each with the numbers of its cells."""
    for key, cells in keys.items():
        shown = first_of([*map(str, cells)], SHOWN)
        yield f"otter ignores the key {key!r} (cell {shown})."


def plugin_names(plugins: Sequence[Any]) -> tuple[str, ...]:
    """The unique names of plugins given as text or as ``{name: settings}``."""
    names: list[str] = []
    for plugin in plugins:
        names += [plugin] if isinstance(plugin, str) else map(str, plugin)
    return tuple(dict.fromkeys(names))


def grader_notes(settings: GraderSettings) -> Iterator[str]:
    """Settings of otter_config.json that are not supported, one sentence each."""
    if names := plugin_names(settings.plugins):
        yield f"Plugins are never run: {', '.join(names)}."
    if settings.score_threshold is not None:
        yield (
            f"score_threshold = {settings.score_threshold} is not applied: the score here is the "
            "points earned, not all or nothing."
        )
    if settings.pdf or settings.token is not None:
        yield "No PDF is made or sent anywhere."
    if settings.grade_from_log:
        yield "grade_from_log is not supported: a log is a pickle and is never read; cells are run."
    if settings.assignment_name:
        yield (
            f"assignment_name = {settings.assignment_name!r} is not checked in submissions; "
            "otter gives a notebook of another assignment 0."
        )
    if settings.show_hidden or settings.show_all_public:
        yield "show_hidden and show_all_public have no effect: hidden tests stay hidden here."
    if settings.debug:
        yield "debug is not supported: an error in a cell never stops the notebook here."


def master_notes(settings: AssignmentSettings) -> Iterator[str]:
    """Settings of a master that are not supported, one sentence each."""
    if settings.requirements or settings.environment:
        yield (
            "The packages in requirements and environment are not installed: notebooks run with "
            "those of the sandbox."
        )
    if settings.solutions_pdf or settings.template_pdf:
        yield "No PDF of the solution or of the template is made."
    if settings.save_environment:
        yield "save_environment is not supported: it would pickle students' objects."
    if settings.tests.files or settings.tests.url_prefix:
        yield "The public tests are in the student notebook's metadata, not in files."
    if settings.runs_on != "default":
        yield f"runs_on = {settings.runs_on!r}: there, otter's own checks need its tests folder."
    export = settings.export_cell
    if isinstance(export, ExportSettings) and export.pdf:
        yield "The PDF that otter's export makes is not read here."
