"""Assignments of other tools in our folders, graded in a warm box."""

from __future__ import annotations

from pathlib import Path

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import (
    GradingContext,
    PreparedClass,
)
from autograder.interop.arrange import arrange
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
