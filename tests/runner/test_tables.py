"""Data frames and estimators through the whole sandbox: arguments, results, changes in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import box_for
from autograder.grading.context import PreparedClass
from autograder.judging.diagnosis.by_mutants import NO_MUTANTS
from tests.support.changed_solution import graded, lost, submissions
from tests.support.courses import TABLES, prepare_course, write_course
from tests.support.tables import table_beside

EVERY = table_beside(__file__)
WRONG = submissions(EVERY["wrong"])


@pytest.fixture(scope="module")
def tables(offer: Offer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedClass]:
    """In a box of its own, in which the libraries are imported before each child starts."""
    loaded = write_course(tmp_path_factory.mktemp("course"), TABLES)
    with box_for(loaded, offer, require="weak") as box:
        prepared = prepare_course(loaded, box, tmp_path_factory.mktemp("evidence"))
        yield replace(prepared, mutants=NO_MUTANTS)


@pytest.mark.slow
@pytest.mark.parametrize("answer", EVERY["right"])
def test_a_right_answer_in_another_form_passes(tables: PreparedClass, answer: str) -> None:
    assert lost(graded(tables, *EVERY["right"][answer].items())) == {}


@pytest.mark.slow
@pytest.mark.parametrize("answers", WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_told_what_differs(
    tables: PreparedClass, answers: list[dict[str, str]]
) -> None:
    messages = lost(graded(tables, *((row["where"], row["instead"]) for row in answers)))
    for row in answers:
        assert row["said"] in messages.get(row["check"], "nothing"), messages
