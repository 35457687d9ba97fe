"""From a finished solution notebook to the files of an assignment, and what to look at in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.packages import packages_in
from autograder.authoring.draft.exercises import find_exercises, libraries_of
from autograder.authoring.draft.functions import GivenDefinition, draft_cells
from autograder.authoring.draft.trial import failures
from autograder.authoring.draft.write import draft_files, guessed, title_of
from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats.read import read
from autograder.sandbox.lazy import LazyBox


@dataclass(frozen=True, slots=True)
class Draft:
    """``files``: by their names in the assignment's folder. ``guessed``: sentences to check, by
    exercise. ``given``: functions and classes that students get as they are. ``failed``:
    cells of the notebook that fail in the sandbox."""

    files: Mapping[str, bytes]
    guessed: Mapping[str, Sequence[str]]
    given: Sequence[GivenDefinition]
    failed: Sequence[str]


def make_draft(notebook: Path, own_id: str, box: LazyBox) -> Draft:
    """A draft of an assignment with an exercise for each top-level function.

    Raises ``UsageError`` if there is none or the notebook cannot be read, and ``SandboxError``.
    """
    try:
        submission = read(notebook)
    except SubmissionError as bad:
        raise UsageError(bad.to_author()) from None
    # A notebook with marks is not marked again.
    if any("BEGIN SOLUTION" in cell.source for cell in submission.cells):
        raise UsageError(
            f"{notebook}: it has marks of solutions already; import it with `autograder import "
            "nbgrader` or `autograder import otter`, or use it as solution.py"
        )
    cells, given = draft_cells(submission.cells)
    every, run = find_exercises(cells, box)
    exercises = [one for one in every if one.checks]
    given += tuple(
        GivenDefinition(one.definition.name, one.left[0].problem) for one in every if not one.checks
    )
    failed = tuple(failures(cells, run))
    if not exercises:
        reasons = [*(f"{one.name}: {one.why}" for one in given), *failed]
        text = f"{notebook}: it has no top-level function that could be an exercise"
        raise UsageError("; ".join([text, *reasons]))
    names = [one.definition.name for one in exercises]
    notes = {one.definition.name: tuple(guessed(one, names)) for one in exercises}
    packages = packages_in(libraries_of(cells))
    files = draft_files(title_of(cells, own_id), own_id, cells, notes, exercises, packages)
    return Draft(files, notes, given, failed)
