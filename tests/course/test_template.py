"""What students get and what is shipped as samples is exactly what the solution makes."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from msgspec.structs import replace

from autograder import cli
from autograder.assignment.load import Loaded
from autograder.evidence.records import Run
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import Grade
from autograder.grading.context import (
    FoundSubmission,
    GradingContext,
    PreparedClass,
)
from autograder.grading.job import make_job
from autograder.notebook.formats.find import find
from autograder.notebook.formats.read import read
from autograder.notebook.template.editions import colab_bytes
from autograder.notebook.template.release import read_template, template_bytes
from autograder.pipeline import grade_class
from autograder.sandbox.lazy import LazyBox
from tests.support.in_process import lending

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = tuple(sorted(path.parent.name for path in ROOT.glob("assignments/*/public.agw")))
AGAIN = "run `autograder release embeddings-and-position`"
UNFINISHED = {"NotImplementedError", "NameError"}  # what a missing answer may raise
TELLING = 13  # characters; shorter lines ("else:", "return x") tell nothing


@pytest.fixture(scope="module")
def template(flagship: Loaded) -> nbformat.NotebookNode:
    return nbformat.reads(flagship.template.read_text(), as_version=nbformat.NO_CONVERT)


def text_of(template: nbformat.NotebookNode) -> str:
    return "\n".join(cell["source"] for cell in template["cells"])


# ---------------------------------------------------------------- the template


def test_the_template_is_what_the_solution_makes_now(flagship: Loaded) -> None:
    made = template_bytes(flagship.solution, flagship.spec)
    assert flagship.template.read_bytes() == made, AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_release_check_agrees(
    assignment: str, warm_box: LazyBox, capsys: pytest.CaptureFixture[str]
) -> None:
    """So what is in the repository runs while it is blank, and tells no secret."""
    with lending(warm_box.box()), pytest.raises(SystemExit) as left:
        cli.main(["release", assignment, "--check"])
    assert left.value.code == 0 and capsys.readouterr().out.count("is up to date") == 2


def test_the_template_is_a_valid_empty_notebook(template: nbformat.NotebookNode) -> None:
    nbformat.validate(template)
    assert (template["nbformat"], template["nbformat_minor"]) == (4, 5)
    assert template["metadata"]["kernelspec"]["name"] == "python3"
    ids = Counter(cell["id"] for cell in template["cells"])
    assert set(ids.values()) == {1}
    code = [cell for cell in template["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_each_exercise_has_one_cell_to_fill_in_and_the_rest_is_locked(
    template: nbformat.NotebookNode, flagship: Loaded
) -> None:
    tags = [cell["metadata"].get("exercise") for cell in template["cells"]]
    assert [tag for tag in tags if tag] == [e.id for e in flagship.spec.exercise]
    for cell in template["cells"]:
        assert ("exercise" in cell["metadata"]) is not cell["metadata"].get("locked", False)
        assert ("YOUR CODE HERE" in cell["source"]) is ("exercise" in cell["metadata"])


def test_each_exercise_with_a_public_check_is_followed_by_a_cell_that_asks_it(
    template: nbformat.NotebookNode, flagship: Loaded
) -> None:
    following = {
        cell["metadata"]["exercise"]: after
        for cell, after in itertools.pairwise(template["cells"])
        if "exercise" in cell["metadata"]
    }
    for exercise in flagship.spec.exercise:
        after = following[exercise.id]
        asked = [f'    grader.{verb}("{exercise.id}")' for verb in ("check", "reveal")]
        kinds = {check.kind for check in exercise.check if check.public} - {"written"}
        lines = after["source"].split("\n") if after["id"] == f"check-{exercise.id}" else [""]
        assert (lines[0] == "if grader:") is bool(kinds)
        assert (asked[0] in lines) is bool(kinds - {"prediction"})
        assert (asked[1] in lines) is ("prediction" in kinds)
    assert flagship.spec.id in template["cells"][1]["source"]
    assert template["cells"][1]["id"] == "autograder-setup"


def test_every_name_that_is_read_is_asked_for(
    template: nbformat.NotebookNode, flagship: Loaded
) -> None:
    cells = {cell["metadata"].get("exercise"): cell["source"] for cell in template["cells"]}
    for exercise in flagship.spec.exercise:
        for name in exercise.defines:
            assert name.split(".")[0] in cells[exercise.id], (exercise.id, name)


def test_no_line_of_the_solution_is_in_the_template(
    template: nbformat.NotebookNode, flagship: Loaded
) -> None:
    shown: set[str] = set()
    secret: set[str] = set()
    inside = False
    for line in flagship.solution.read_text().splitlines():
        plain = line.strip()
        if plain in ("# BEGIN SOLUTION", "# END SOLUTION"):
            inside = plain == "# BEGIN SOLUTION"
        else:
            (secret if inside else shown).add(plain.removeprefix("# "))
    telling = {line for line in secret - shown if len(line) >= TELLING}
    assert len(telling) > 50
    text = text_of(template)
    assert "SOLUTION" not in text
    assert {line for line in telling if line in text} == set()


def test_the_template_tells_no_hidden_check(
    template: nbformat.NotebookNode, flagship: Loaded
) -> None:
    text = text_of(template)
    for exercise in flagship.spec.exercise:
        for check in exercise.check:
            if not check.public:
                assert check.title not in text and (not check.hint or check.hint not in text)


@pytest.fixture(scope="module")
def blank_run(context: GradingContext, flagship: Loaded) -> Run:
    job, _ = make_job(context, read(flagship.template))
    return context.runner.run(job)


def test_the_template_runs_from_top_to_bottom(blank_run: Run, flagship: Loaded) -> None:
    assert [cell.stop for cell in blank_run.cells if cell.stop is not None] == []
    assert blank_run.measured.children == 1
    raised = {
        cell.number: cell.claim.error.types[0]
        for cell in blank_run.cells
        if cell.claim is not None and cell.claim.error is not None
    }
    assert set(raised.values()) <= UNFINISHED
    given = {cell.number for cell in read(flagship.template).cells if cell.locked}
    assert given & set(raised) == set()  # a given cell says what is missing, and does not raise


def test_the_notebook_for_colab_calls_no_pip_while_it_is_graded(
    context: GradingContext, flagship: Loaded
) -> None:
    template = read_template(flagship.solution, flagship.spec)
    for url in ("", "https://course.example/a.whl"):
        made = read(Path("a.ipynb"), data=colab_bytes(template, package_url=url))
        job, _ = make_job(context, made)
        run = context.runner.run(replace(job, cells=job.cells[:1], probes=()))
        (cell,) = run.cells
        assert "%pip install" in job.cells[0].source
        assert cell.claim is not None and cell.claim.error is None
        assert cell.claim.outputs == ()


def test_a_blank_template_answers_nothing(blank_run: Run) -> None:
    """Only a stand-in answers, where it is called itself."""
    returned = [
        probe.id
        for probe in blank_run.probes
        if probe.claim is not None
        and probe.claim.status == "returned"
        and not re.search(r"/call/(\w+)[./].*/\1=", probe.id)
    ]
    assert returned == []


# ---------------------------------------------------------------- the samples


@pytest.fixture(scope="module")
def maker(flagship: Loaded) -> ModuleType:
    spec = importlib.util.spec_from_file_location("maker", flagship.folder / "make_examples.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "maker", module)  # its dataclasses look it up
        spec.loader.exec_module(module)
    return module


def test_there_is_a_sample_of_every_sort_and_enough_variants(flagship: Loaded) -> None:
    assert len(list((flagship.folder / "examples").glob("*.ipynb"))) >= 10
    assert len(list((flagship.solutions / "mistakes").glob("*.py"))) >= 15
    assert len(list((flagship.solutions / "equivalents").glob("*.py"))) >= 3


LOOPING = "student-09"  # takes a whole cell limit; the limits have tests of their own


@pytest.fixture(scope="module")
def sample_class(prepared: PreparedClass, flagship: Loaded) -> dict[str, Grade]:
    """The sample class without the one that loops, through the ordinary pipeline."""
    files = [
        FoundSubmission(f) for f in find([flagship.folder / "examples"]) if f.student != LOOPING
    ]
    graded = grade_class(prepared, files, Local(2), lambda h, g: None)
    return {g.grade.student: g.grade for g in graded}


@pytest.mark.slow
def test_the_sample_class_comes_out_as_its_script_says(
    sample_class: dict[str, Grade], maker: ModuleType, flagship: Loaded
) -> None:
    assert {s for s, g in sample_class.items() if g.status == "rejected"} == {
        "student-11",
        "student-17",
    }
    mistakes = {path.stem for path in (flagship.solutions / "mistakes").glob("*.py")}
    for student, grade in sample_class.items():
        if grade.score is None:
            continue
        sample = maker.SAMPLES[student]
        full = grade.max_score + grade.bonus_max
        wrong = bool(mistakes & set(sample.variants)) or bool(sample.blank)
        assert (grade.score == full) is not wrong, student
    assert sample_class["student-10"].score == 0


def test_nothing_shipped_to_students_holds_the_graders_files(flagship: Loaded) -> None:
    folder: Path = flagship.template.parent
    assert {path.suffix for path in folder.iterdir()} == {".ipynb"}
