"""Served courses that several files begin with, and the databases that they can have."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox.box import Box
from autograder.web.course import open_course
from autograder.web.services import services_of
from tests.support import postgres
from tests.support.in_process import Lent, lending
from tests.support.served_course import ServedCourse, graded_course, served_course
from tests.support.tiny_course import edit


@pytest.fixture
def course(tmp_path: Path) -> ServedCourse:
    """An open assignment, for which nothing was handed in."""
    return served_course(tmp_path)


@pytest.fixture(scope="session")
def graded_folder(plain_box: Box, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a course in which two of three students have handed in, and are graded."""
    folder = tmp_path_factory.mktemp("graded")
    with lending(plain_box):
        graded_course(folder)
    return folder


@pytest.fixture(scope="module")
def graded(
    graded_folder: Path, tmp_path_factory: pytest.TempPathFactory, lent_box: Lent
) -> ServedCourse:
    """A copy of that course, whose next attempts are graded in the box of the session."""
    folder = tmp_path_factory.mktemp("course") / "copy"
    shutil.copytree(graded_folder, folder)
    made = open_course(folder)
    edit(made.results("tiny").folder / "run.json", str(graded_folder), str(folder))
    return ServedCourse(folder, services_of(made, per_day=10))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database: the course's own file, or a server's."""
    if request.param == "sqlite":
        yield ""
        return
    if postgres.lacking():
        pytest.skip(postgres.lacking())
    with postgres.server() as found:
        yield found
