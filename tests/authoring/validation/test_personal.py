"""Validation tries values of a student's own with a few drawn students."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.assignment.pretrained import Offer
from autograder.authoring.validation.personal import personal_problems
from autograder.authoring.validation.run import validate
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import write_course
from tests.support.personal_course import FILES
from tests.support.progress import QUIET

TRIALS = TrialEngine(Local(1), QUIET)
Texts = Callable[..., list[str]]


@pytest.fixture
def context_of(warm_box: LazyBox, tmp_path: Path) -> Callable[..., GradingContext]:
    def make(**changes: tuple[str, str]) -> GradingContext:
        course = write_course(tmp_path / "course", FILES, **changes)
        offer, kept = Offer(None, "", frozenset(), ()), tmp_path / "evidence"
        return make_context(course, offer, warm_box, seed=3, draw=False, evidence=kept)

    return make


@pytest.fixture
def problems(context_of: Callable[..., GradingContext]) -> Texts:
    def find(**changes: tuple[str, str]) -> list[str]:
        context = context_of(**changes)
        prepared = prepare_reference(context, TRIALS.engine, TRIALS.report, mistakes=False)
        return [problem.text for problem in personal_problems(prepared, TRIALS)]

    return find


@pytest.mark.slow
def test_a_sound_assignment_is_valid(context_of: Callable[..., GradingContext]) -> None:
    found = validate(context_of(), TRIALS)
    assert found.problems == ()
    assert found.mutants and found.killed == found.mutants
    assert found.diagnosis == {"right": 1, "wrong": 0, "ambiguous": 0, "none": 0}


@pytest.mark.slow
def test_there_is_nothing_to_say_of_sound_values(problems: Texts) -> None:
    assert problems() == []


def test_values_that_are_alike(problems: Texts) -> None:
    (said,) = problems(inputs=("rng.normal(size=6)", "rng.normal(size=6) * 0"))
    assert "the right answers in centred are the same for 6 of 6 pairs" in said


def test_values_with_which_the_solution_fails(problems: Texts) -> None:
    # about half of all students get a first number that is negative; the class's own does not
    half = ("rng.normal(size=6)", "rng.normal(size=6) + 0 * rng.random()")
    raising = "    assert data[0] > 0\n    centred = data - data.mean()"
    found = problems(
        inputs=half, solution=("centred = data - data.mean()", raising.replace("    ", ""))
    )
    assert any("with the values of a drawn student, centred/centred" in text for text in found)


def test_an_exercise_that_depends_on_them_and_does_not_say_so(problems: Texts) -> None:
    (said,) = problems(solution=("return 2 * x", "return 2 * x * data.sum()"))
    assert "the solution's answers in double depend on a student's own values" in said
