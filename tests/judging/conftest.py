"""A box for small courses, lent by the session's plain one."""

from __future__ import annotations

import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from tests.support.in_process import Lent


@pytest.fixture(scope="session")
def course_box(plain_box: Box) -> LazyBox:
    return LazyBox(lambda: Lent(plain_box), require="weak")
