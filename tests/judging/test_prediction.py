"""Predictions: every option earns the same, nothing else does, and no rule asks for more."""

from __future__ import annotations

import html
import io
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import torch
from nbformat.v4 import new_notebook
from pydantic import TypeAdapter, ValidationError
from rich.console import Console

from autograder.assignment.kinds import Check, PredictionCheck
from autograder.assignment.model import Assignment
from autograder.authoring.validation.trivial import trivial_answers
from autograder.evidence.records import Measured, ProbeRun, Run, TimeSpent
from autograder.gradebook.grade import SubmittedFile
from autograder.gradebook.points import points
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.mutation.mutants import mutants
from autograder.notebook.submission import NotebookCell, Submission
from autograder.reports.feedback.checked import Checked
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.feedback.plain import checked_text
from autograder.reports.terminal.grades import student_view
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_wire
from autograder.wire.values import Opaque, Whole

WORDS = ("it grows", "it stays the same", "it shrinks")
NUMBERS = (10, 20.5, 0.1)
BECAUSE = "the squares of a sine and its cosine add up to 1."


def spec(**keys: Any) -> dict[str, Any]:
    """A prediction check as assignment.toml has it."""
    usual = {
        "id": "guess",
        "kind": "prediction",
        "title": "Say before you run",
        "name": "guess",
        "options": WORDS,
        "answer": WORDS[1],
        "because": BECAUSE,
    }
    return {**usual, **keys}


def prediction(**keys: Any) -> PredictionCheck:
    made = TypeAdapter[Any](Check).validate_python(spec(**keys))
    assert isinstance(made, PredictionCheck)
    return made


def run(guess: Any) -> Run:
    """A run in which ``guess`` is this: a claim, a value of the wire, or what becomes one."""
    value = guess if isinstance(guess, Whole | Opaque | Outcome) else to_wire(guess)
    claim = value if isinstance(value, Outcome) else Outcome("returned", value)
    record = ProbeRun("ex/read/guess", claim, None, TimeSpent(0.0, 0.0))
    return Run((), (record,), Measured(1.0, 1.0, 100.0, 1, "strong", ()))


def look(guess: Any, solved: Any = WORDS[1], **keys: Any) -> Finding:
    return examine(prediction(**keys), "ex", run(guess), Reference(run(solved)))


def assignment(*checks: dict[str, Any]) -> Assignment:
    entry = {"id": "ex", "title": "An exercise", "defines": ["guess"], "check": checks}
    return Assignment.model_validate(
        {"format": 1, "id": "a", "title": "A title", "exercise": [entry]}
    )


# ---------------------------------------------------------------- what counts as a prediction


@pytest.mark.parametrize("worth", [Decimal(0), Decimal("0.5")])
@pytest.mark.parametrize(("options", "answer"), [(WORDS, WORDS[1]), (NUMBERS, 20.5)])
def test_every_option_earns_the_same(options: Any, answer: Any, worth: Decimal) -> None:
    asked = assignment(spec(options=options, answer=answer, points=worth))
    grades = []
    for option in options:
        verdicts = judge(asked, run(option), Reference(run(answer)))
        grades.append(
            points(asked, SubmittedFile("s.py", "0"), verdicts, None, student="student-01")
        )
    assert {grade.exercises[0].status for grade in grades} == {Status.PASSED}
    assert {grade.score for grade in grades} == {int(worth * 1000)}


def test_what_is_told_differs_in_words_alone() -> None:
    right, wrong = look(WORDS[1]), look(WORDS[2])
    assert right.message == f"It is 'it stays the same', as you predicted: {BECAUSE}"
    assert wrong.message == (f"You predicted 'it shrinks'. It is 'it stays the same': {BECAUSE}")
    assert (right.status, right.mismatches) == (wrong.status, wrong.mismatches)


@pytest.mark.parametrize("guess", ["it grows", "  IT Grows\n", "It  grows"])
def test_case_and_blanks_of_a_text_do_not_count(guess: str) -> None:
    assert look(guess).status is Status.PASSED


@pytest.mark.parametrize(
    "guess",
    [
        10,
        10.0,
        torch.tensor(10),
        torch.tensor([[10.0]]),
        np.array([10]),
        np.float64(10),
        0.1,
        torch.tensor(0.1),
        np.float32(0.1),
        torch.tensor(20.5, dtype=torch.float16),
    ],
)
def test_numbers_count_by_value_whatever_holds_them(guess: Any) -> None:
    assert look(guess, 10, options=NUMBERS, answer=10).status is Status.PASSED


def test_of_options_that_lie_close_the_nearest_is_meant() -> None:
    near = {"options": (50_000_000, 50_000_001, 3), "answer": 50_000_001}
    assert "as you predicted" in look(50_000_001, 50_000_001, **near).message
    assert "You predicted 50000000." in look(50_000_000, 50_000_001, **near).message


@pytest.mark.parametrize(
    "guess", [None, "", "   ", Opaque("ellipsis", "Ellipsis"), Outcome("missing")]
)
def test_no_prediction_is_missing(guess: Any) -> None:
    finding = look(guess)
    missing = guess == Outcome("missing")
    assert finding.status is (Status.MISSING if missing else Status.BLANK)
    assert "`guess`" in finding.message and "stays" not in finding.message


@pytest.mark.parametrize(
    "guess", ["grows", 1, True, ["it grows"], f"it grows{' ' * 5_000}", Opaque("f", "f")]
)
def test_what_is_none_of_the_options_is_told_all_of_them_and_not_the_answer(guess: Any) -> None:
    finding = look(guess)
    assert finding.status is Status.FAILED
    assert "choose 'it grows' or 'it stays the same' or 'it shrinks'." in finding.message
    assert BECAUSE not in finding.message and len(finding.message) < 300


@pytest.mark.parametrize(
    "guess",
    [
        "10",
        True,
        11,
        10.1,
        float("nan"),
        float("inf"),
        10 + 0j,
        Whole("9" * 400),
        torch.ones(2),
        torch.tensor(True),
    ],
)
def test_what_is_not_that_number_is_none_of_the_options(guess: Any) -> None:
    assert look(guess, 10, options=NUMBERS, answer=10).status is Status.FAILED


def test_a_truth_value_is_not_the_number_one() -> None:
    assert look(True, 1, options=(0, 1), answer=1).status is Status.FAILED


@pytest.mark.parametrize("solved", [WORDS[0], "no option", 3, None, Outcome("missing")])
def test_a_solution_that_predicts_something_else_grades_nobody(solved: Any) -> None:
    assert look(WORDS[1], solved).status is Status.UNGRADED
    assert look(WORDS[0], solved).status is Status.UNGRADED


def test_only_the_name_is_asked_for() -> None:
    assert [probe.id for probe in probes(prediction(), "ex", {})] == ["ex/read/guess"]


# ---------------------------------------------------------------- how it is stated


def test_it_is_public_and_worth_nothing_where_nothing_is_said() -> None:
    made = prediction()
    assert made.public is True and made.points == 0


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"public": False}, "True"),
        ({"options": ["one"], "answer": "one"}, "at least 2"),
        ({"options": ["one", " ONE "], "answer": "one"}, "options that differ from each other"),
        ({"options": [1, 1.0], "answer": 1}, "options that differ from each other"),
        ({"options": ["one", " "], "answer": "one"}, "and are not empty"),
        ({"answer": "it explodes"}, "is not an option; write one"),
        ({"options": [1, 2], "answer": "1"}, "is not an option; write one"),
        ({"options": [True, 2], "answer": 2}, "write text in quotes or a finite number"),
        ({"options": [1, float("nan")], "answer": 1}, "write text in quotes or a finite number"),
        ({"options": [1, 10**400], "answer": 1}, "write text in quotes or a finite number"),
        ({"because": "so"}, "at least 10"),
        ({"points": -1}, "greater than or equal to 0"),
    ],
)
def test_a_prediction_that_cannot_be_one_is_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        prediction(**keys)


# ---------------------------------------------------------------- what is seen of it


def seen(guess: Any, *others: dict[str, Any]) -> tuple[str, str, str]:
    """The feedback page, the terminal and the plain text."""
    asked = assignment(spec(), *others)
    verdicts = judge(asked, run(guess), Reference(run(WORDS[1])))
    graded = points(asked, SubmittedFile("s.py", "0"), verdicts, None, student="student-01")
    shown = feedback(graded, asked)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(student_view(graded))
    (one,) = shown.exercises
    plain = checked_text(Checked(id="ex", title="An exercise", feedback=one))
    return feedback_page(shown, new_notebook(), {}), console.export_text(), plain


@pytest.mark.parametrize("guess", WORDS)
def test_a_prediction_is_called_neither_right_nor_wrong(guess: str) -> None:
    page, terminal, plain = seen(guess)
    body = page[page.index("<body") :]
    assert body.count("Prediction made") == 3  # overview, panel, check
    for text in (body, terminal, plain):
        assert "Prediction made" in text
        assert "Correct" not in text and "Not right" not in text
    assert body.count('class="mark good"') == 2 and 'class="mark bad"' not in body
    assert html.escape(BECAUSE) in body and BECAUSE in " ".join(plain.split())
    assert "0 of 0" not in body + plain


def test_beside_other_checks_a_prediction_keeps_its_own_word() -> None:
    other = {
        "id": "v",
        "kind": "value",
        "title": "A value",
        "points": 1,
        "name": "guess",
        "public": True,
    }
    page, terminal, _ = seen(WORDS[1], other)
    body = page[page.index("<body") :]
    assert (body.count("Prediction made"), body.count("Correct")) == (1, 2)
    assert "1 other public check passed" in body
    assert "Prediction made" not in terminal and "Correct" in terminal


# ---------------------------------------------------------------- nothing else asks for a right one

FUNCTION = {
    "id": "f",
    "kind": "function",
    "title": "f is right",
    "points": 1,
    "call": "f",
    "inputs": "cases",
}
SOLVED = "guess = 2\nlater: int = 3\n\ndef f(x):\n    return x + 1\n"
GUESSED = spec(options=(1, 2, 3), answer=2)
LATER = spec(id="later", name="later", options=(1, 2, 3), answer=3)


def submission(source: str) -> Submission:
    return Submission("s.py", "0" * 64, (NotebookCell(1, "code", source, "ex"),))


def test_no_mutant_changes_a_prediction() -> None:
    both = mutants(submission(SOLVED), assignment(GUESSED, LATER, FUNCTION))
    assert {mutant.line for mutant in both} == {5}
    without = mutants(submission(SOLVED), assignment(FUNCTION))
    assert {1, 2} <= {mutant.line for mutant in without}


def test_an_exercise_of_predictions_alone_is_not_mutated() -> None:
    assert mutants(submission(SOLVED), assignment(GUESSED, LATER)) == ()
    assert mutants(submission(SOLVED), assignment(GUESSED, FUNCTION)) != ()


def test_an_exercise_of_predictions_has_no_trivial_answers() -> None:
    assert trivial_answers(submission(SOLVED), assignment(GUESSED, LATER)) == ()
    assert trivial_answers(submission(SOLVED), assignment(GUESSED, FUNCTION))


def test_what_is_no_option_is_not_explained_as_a_right_answer_in_disguise() -> None:
    asked = assignment(GUESSED)
    verdicts = judge(asked, run(-2), Reference(run(2)))
    (found,) = diagnose(asked, verdicts, run(-2), Reference(run(2)), ())
    assert found.status is Status.FAILED and found.diagnosis == "" and found.cause is None
