"""The course with an exercise for each thing that can be asked, ready for grading."""

from __future__ import annotations

import pytest

from autograder.assignment.load import Loaded
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import VERBS, prepare_course, write_course


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return write_course(tmp_path_factory.mktemp("course"), VERBS)


@pytest.fixture(scope="module")
def ready(
    course: Loaded, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClass:
    return prepare_course(course, warm_box, tmp_path_factory.mktemp("evidence"))
