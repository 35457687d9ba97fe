"""What is special to the flagship assignment, through the ordinary pipeline, box included.

That its mistakes are caught and named and its equivalents lose nothing stands in tests/golden.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.classroom.write_results import write_student
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import Grade
from autograder.grading.context import GradedSubmission, PreparedClass
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant, read_variants
from autograder.pipeline import grade_class
from tests.support.browser import CHROMIUM, NO_CHROMIUM, browser

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions" / "embeddings-and-position"
EQUIVALENTS = read_variants(SOLUTIONS / "equivalents")
BLIND = [v for v in read_variants(SOLUTIONS / "mistakes") if "_device_" in v.name]


def grades_of(
    prepared: PreparedClass, hand_ins: Mapping[str, Submission]
) -> dict[str, GradedSubmission]:
    """Grade submissions given by name."""
    files = [KeptSubmission(name, name, submission) for name, submission in hand_ins.items()]
    graded = grade_class(prepared, files, Local(2), lambda h, g: None)
    return {g.grade.student: g for g in graded}


def lost(grade: Grade) -> dict[str, list[str]]:
    """Exercise -> its checks that did not pass, by-hand ones apart."""
    fine = (Status.PASSED, Status.MANUAL)
    wrong = {e.id: [c.id for c in e.checks if c.status not in fine] for e in grade.exercises}
    return {exercise: checks for exercise, checks in wrong.items() if checks}


@pytest.fixture(scope="module")
def solution(flagship: Loaded) -> Submission:
    return read(flagship.solution)


@pytest.mark.slow
def test_who_thinks_of_no_device_loses_that_check_alone_and_reads_of_a_line(
    prepared: PreparedClass, solution: Submission
) -> None:
    """A mistake of each exercise goes into one notebook."""
    exercises = dict.fromkeys(v.exercise for v in BLIND)
    columns = [[v for v in BLIND if v.exercise == exercise] for exercise in exercises]
    assert len(columns) == 3 and min(map(len, columns)) >= 5
    handed = {}
    for number, row in enumerate(itertools.zip_longest(*columns)):
        handed[str(number)] = functools.reduce(apply_variant, filter(None, row), solution)
    messages = []
    for number, graded in grades_of(prepared, handed).items():
        wrong = [column[int(number)] for column in columns if int(number) < len(column)]
        assert lost(graded.grade) == {v.exercise: ["devices"] for v in wrong}
        checks = [c for e in graded.grade.exercises for c in e.checks if c.id == "devices"]
        messages += [c.message for c in checks if c.status is not Status.PASSED]
    starts = ("On the CPU beside an accelerator: ", "On a simulated CUDA device: ")
    assert len(messages) == len(BLIND) and all(m.startswith(starts) for m in messages)
    assert any("(line 4: `return vectors + encoding`)" in message for message in messages)


def test_the_page_of_a_right_answer_is_light_and_short(
    prepared: PreparedClass, solution: Submission, tmp_path: Path
) -> None:
    """Four screens and 120 kB; pictures, of at most 40 kB, are not drawn here."""
    graded = grades_of(prepared, {"solution": solution})["solution"]
    results = ResultsFolder(tmp_path / "out")
    write_student(results, graded, prepared.context.loaded.spec)
    page = results.feedback("solution")
    assert page.stat().st_size < 80_000
    if not CHROMIUM:
        pytest.skip(NO_CHROMIUM)
    with browser(tmp_path / "browser", width=1280, height=800) as tab:
        tab.open(page.as_uri())
        tab.wait_for("location.protocol == 'file:' && document.readyState == 'complete'")
        assert 800 < tab.evaluate("document.documentElement.scrollHeight") < 4 * 800


# ---------------------------------------------------------------- form without content

SHAPES = {
    "one_hot_equivalence": (
        "one_hot_lookup(weight, token_ids)",
        "*token_ids.shape, weight.shape[1]",
    ),
    "cosine_similarity": ("cosine_similarity(a, b)", ""),
    "positional_encoding": ("sinusoidal_positional_encoding(max_len, d_model)", "max_len, d_model"),
    "input_pipeline": (
        "embed_tokens(token_embedding, token_ids)",
        "*token_ids.shape, token_embedding.embedding_dim",
    ),
}
RESULTS = {
    "zeros": "torch.zeros({})",
    "ones": "torch.ones({})",
    "noise": "torch.rand({}) * 2 - 1",
    "the same noise": "torch.rand({}, generator=torch.Generator().manual_seed(1)) * 2 - 1",
    "nothing": "None",
}
ABOUT_FUNCTIONS = {
    "one_hot_equivalence": {"function-example", "function", "gradient", "devices"},
    "cosine_similarity": {"example", "vectors", "directions", "zero-vector", "devices"},
    "positional_encoding": {
        "example",
        "small",
        "medium",
        "long",
        "odd-width",
        "bounds-and-rows",
        "no-rows",
        "dtype",
        "speed",
    },
    "input_pipeline": {"function-example", "function", "arguments", "gradient", "devices"},
}


@pytest.mark.slow
@pytest.mark.parametrize("result", RESULTS)
def test_a_result_without_content_earns_nothing(
    prepared: PreparedClass, solution: Submission, result: str
) -> None:
    handed = {}
    for exercise, (head, shape) in SHAPES.items():
        own = next(c.source for c in solution.cells if c.exercise == exercise)
        shaped = RESULTS[result].format(shape or "()")
        code = f"{own}\n\n\ndef {head}:\n    return {shaped}\n"
        handed[exercise] = apply_variant(solution, Variant(result, exercise, result, "", code))
    for exercise, graded in grades_of(prepared, handed).items():
        assert ABOUT_FUNCTIONS[exercise] <= set(lost(graded.grade)[exercise])


def test_a_table_that_a_later_cell_trains_is_no_mistake(
    prepared: PreparedClass, solution: Submission
) -> None:
    own = next(c.source for c in solution.cells if c.exercise == "bag_of_words")
    code = f"{own}\nwith torch.no_grad():\n    embedding.weight[3] -= 0.1\n"
    trained = apply_variant(solution, Variant("trained", "bag_of_words", "", "", code))
    assert lost(grades_of(prepared, {"trained": trained})["trained"].grade) == {}


def test_an_own_formula_in_the_pipeline_does_not_wait_for_the_encoding_exercise(
    prepared: PreparedClass, solution: Submission
) -> None:
    """`embed_tokens` is judged by itself where the earlier part raises."""
    blank = "def sinusoidal_positional_encoding(max_len, d_model):\n    raise NotImplementedError\n"
    own = next(v for v in EQUIVALENTS if v.name == "pipeline_own_formula")
    stub = Variant("blank", "positional_encoding", "left empty", "", blank)
    changed = apply_variant(apply_variant(solution, own), stub)
    grade = grades_of(prepared, {"own": changed})["own"].grade
    pipeline = next(e for e in grade.exercises if e.id == "input_pipeline")
    passed = {c.id for c in pipeline.checks if c.status is Status.PASSED}
    assert passed >= ABOUT_FUNCTIONS["input_pipeline"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "body", ["return None", "return torch.full((max_len, d_model), math.nan)", "raise ValueError"]
)
def test_an_encoding_of_no_use_costs_nothing_in_the_function_that_builds_on_it(
    prepared: PreparedClass, solution: Submission, body: str
) -> None:
    """With a stand-in for the encoding the step is right by itself."""
    code = f"def sinusoidal_positional_encoding(max_len, d_model):\n    {body}\n"
    of_no_use = Variant("useless", "positional_encoding", "of no use", "", code)
    # the tables of the notebook itself cannot be made then: without them in the way
    own = next(c.source for c in solution.cells if c.exercise == "input_pipeline")
    function = own[: own.index("# Define:")]
    alone = Variant("function", "input_pipeline", "the function alone", "", function)
    changed = apply_variant(apply_variant(solution, of_no_use), alone)
    grade = grades_of(prepared, {"useless": changed})["useless"].grade
    pipeline = next(e for e in grade.exercises if e.id == "input_pipeline")
    passed = {c.id for c in pipeline.checks if c.status is Status.PASSED}
    assert passed >= ABOUT_FUNCTIONS["input_pipeline"]
    blamed = next(c for c in pipeline.checks if c.id == "function")
    assert (blamed.blame[0].way, blamed.blame[0].right) == ("end to end", False)
    assert "because of your `sinusoidal_positional_encoding`" in blamed.message
