"""A short chain of exercises, ready for grading."""

from __future__ import annotations

import pytest

from autograder.assignment.load import Loaded
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import write_course
from tests.support.grading_courses import COURSES, without_mistakes


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return write_course(tmp_path_factory.mktemp("chain"), COURSES["chain"])


@pytest.fixture(scope="module")
def ready(
    chain: Loaded, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClass:
    return without_mistakes(chain, warm_box, tmp_path_factory.mktemp("evidence"))
