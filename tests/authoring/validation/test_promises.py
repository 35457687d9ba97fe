"""The tables of promises of the assignments: what can be told of them without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.authoring.validation.promises import promise_problems, read_promises
from autograder.classroom.known_mistakes import variants_in
from autograder.notebook.formats.read import read

COURSES = sorted(path.parent for path in Path("assignments").glob("*/promises.toml"))


@pytest.mark.parametrize("folder", COURSES, ids=lambda folder: folder.name)
def test_a_table_quotes_the_template_and_names_checks_and_faults(folder: Path) -> None:
    loaded = load(folder.resolve())
    promises = read_promises(loaded)
    found = promise_problems(loaded, promises, read(loaded.template), [], quick=True)
    leave = "is charged again in"  # nothing was tried
    assert [problem.text for problem in found if leave not in problem.text] == []
    names = {(one.exercise, one.name) for one in variants_in(loaded, "mistakes")}
    unknown = [
        promise.broken_by
        for promise in promises.promise
        if (promise.exercise, promise.broken_by) not in names
        and not promise.broken_by.startswith(f"{promise.exercise}-")  # a mutant
    ]
    assert unknown == []


def test_every_promise_of_these_assignments_has_its_entry() -> None:
    """Exercises with automatic points of assignments that have a table."""
    for folder in COURSES:
        loaded = load(folder.resolve())
        promised = {promise.exercise for promise in read_promises(loaded).promise}
        if promised:
            graded = {
                exercise.id
                for exercise in loaded.spec.exercise
                if any(c.points and c.kind not in ("written", "prediction") for c in exercise.check)
            }
            assert graded <= promised, folder
