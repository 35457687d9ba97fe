"""Assignments of other tools in our folders, graded in a warm box."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import (
    FoundSubmission,
    GradedSubmission,
    GradingContext,
    PreparedClass,
)
from autograder.interop.arrange import arrange
from autograder.notebook.formats.find import FoundFile
from autograder.pipeline import grade_submission
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox

NO_MODELS = Offer(None, "", frozenset(), ())


def runner_in(box: Box) -> LazyBox:
    """Runs in the tests' own box, and never closes it."""
    return LazyBox(lambda: box, require="weak")


def context_of(loaded: Loaded, runner: LazyBox, evidence: Path) -> GradingContext:
    return make_context(
        loaded, NO_MODELS, runner, seed=7, draw=False, evidence=evidence, arrange=arrange
    )


def prepared(context: GradingContext) -> PreparedClass:
    return prepare_reference(context, Local(1), lambda what, total: None)


def graded_there(assignment: Path, notebook: Path, box: Box, name: str = "") -> GradedSubmission:
    """Grade one notebook, called NAME; in a box of its own where files have to be in it."""
    loaded = load(assignment)
    found = FoundFile(student="student-01", path=notebook, name=name or notebook.name)
    has_files = bool(loaded.files.contents)
    own = box_for(loaded, NO_MODELS, require="weak") if has_files else nullcontext(runner_in(box))
    with own as runner:
        context = context_of(loaded, runner, notebook.parent / "evidence")
        return grade_submission(prepared(context), FoundSubmission(found), 0.0)
