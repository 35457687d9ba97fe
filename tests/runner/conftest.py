"""The course with an exercise for each thing that can be asked, ready for grading."""

from __future__ import annotations

import pytest

from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.changed_solution import prepared_course
from tests.support.courses import VERBS


@pytest.fixture(scope="package")
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(VERBS, warm_box, tmp_path_factory.mktemp("course"))
