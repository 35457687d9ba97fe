"""The course with an exercise for each thing that can be asked, ready for grading."""

from __future__ import annotations

import pytest

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import VERBS, write_course


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return write_course(tmp_path_factory.mktemp("course"), VERBS)


@pytest.fixture(scope="module")
def ready(
    course: Loaded, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClass:
    context = make_context(
        course,
        Offer(None, "", frozenset(), ()),
        warm_box,
        seed=5,
        draw=False,
        evidence=tmp_path_factory.mktemp("evidence"),
    )
    return prepare_reference(context, Inline(), lambda what, total: None)
