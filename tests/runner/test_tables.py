"""Data frames and estimators through the whole sandbox: arguments, results, changes in place."""

from __future__ import annotations

import pytest

from autograder.grading.context import PreparedClass
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from tests.support.changed_solution import graded, lost, prepared_course, submissions
from tests.support.in_process import Lent
from tests.support.tables import table_beside
from tests.support.tables_course import TABLES

EVERY = table_beside(__file__)
WRONG = submissions(EVERY["wrong"])


@pytest.fixture(scope="module")
def tables(plain_box: Box, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    box = LazyBox(lambda: Lent(plain_box), require="weak")
    return prepared_course(TABLES, box, tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("answer", EVERY["right"])
def test_a_right_answer_in_another_form_passes(tables: PreparedClass, answer: str) -> None:
    assert lost(graded(tables, *EVERY["right"][answer].items())) == {}


@pytest.mark.parametrize("answers", WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_told_what_differs(
    tables: PreparedClass, answers: list[dict[str, str]]
) -> None:
    messages = lost(graded(tables, *((row["where"], row["instead"]) for row in answers)))
    for row in answers:
        assert row["said"] in messages.get(row["check"], "nothing"), messages
