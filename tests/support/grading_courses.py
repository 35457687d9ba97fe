"""Courses of the tests of grading, ready to be graded without known mistakes."""

from __future__ import annotations

from pathlib import Path

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import prepare
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.tables import read_table

COURSES = read_table(Path(__file__).with_suffix(".yaml"))


def without_mistakes(course: Loaded, box: LazyBox, evidence: Path) -> PreparedClass:
    offer = prepare(course)
    context = make_context(course, offer, box, seed=1, draw=False, evidence=evidence)
    return prepare_reference(context, Inline(), lambda what, total: None, mistakes=False)
