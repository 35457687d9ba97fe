"""The cells that load and ask the checks, the version stamp, and the template in other forms."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest

from autograder.assignment.model import Assignment
from autograder.errors import SpecError, UsageError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.check_cells import ask, set_up, set_up_in_colab
from autograder.notebook.submission import Submission
from autograder.notebook.template.editions import colab_bytes, light_bytes, package_url_in
from autograder.notebook.template.release import make_template, stamp_of

SOLUTION = """# %% [markdown]
# # Lesson

# %% [raw]
# as it is

# %%
import torch

# %% exercise="double"
def double(x):
    # BEGIN SOLUTION
    return x + x
    # END SOLUTION

# %%
%matplotlib inline
print(double(2))

# %% exercise="guess"
# BEGIN SOLUTION
guess = "more"
# END SOLUTION

# %% exercise="why"
# BEGIN SOLUTION
why = "because"
# END SOLUTION
"""
URL = "https://course.example/files/autograder_student-0.1.0-py3-none-any.whl?raw=1"
VALUE = {"kind": "value", "id": "c", "title": "is right", "points": 1, "name": "x", "public": True}
GUESS = {
    "kind": "prediction",
    "id": "p",
    "title": "say before",
    "name": "guess",
    "options": ["more", "less"],
    "answer": "more",
    "because": "it always is so",
}
TEXT = {
    "kind": "written",
    "id": "w",
    "title": "a reason",
    "points": 1,
    "name": "why",
    "rubric": "one point for it",
    "public": True,
}


def assignment(**checks: list[dict[str, Any]]) -> Assignment:
    made = {"double": [VALUE], "guess": [GUESS], "why": [TEXT]} | checks
    exercises = [
        {"id": id_, "title": id_.title(), "defines": [id_], "check": own}
        for id_, own in made.items()
    ]
    return Assignment.model_validate(
        {"format": 1, "id": "small", "title": "Small", "exercise": exercises}
    )


def solution(text: str = SOLUTION) -> Submission:
    return read(Path("solution.py"), data=text.encode())


def template(text: str = SOLUTION, **checks: list[dict[str, Any]]) -> nbformat.NotebookNode:
    return make_template(solution(text), assignment(**checks))


def source_of(notebook: nbformat.NotebookNode, id_: str) -> str:
    (found,) = (c.source for c in notebook.cells if c.get("id", c.metadata.get("id")) == id_)
    return str(found)


# ---------------------------------------------------------------- cells of ours


def test_the_checks_are_loaded_first_and_asked_after_each_exercise() -> None:
    made = template()
    code = [cell.id for cell in made.cells if cell.cell_type == "code"]
    assert code[0] == "autograder-setup"
    assert code[2:4] == ["double", "check-double"]
    assert code[5:] == ["guess", "check-guess", "why"]
    assert source_of(made, "check-double") == 'if grader:\n    grader.check("double")'
    for cell in made.cells:
        if cell.id.startswith(("autograder-", "check-")):
            assert cell.metadata == {"locked": True, "editable": False, "deletable": False}
    nbformat.validate(made)


def test_a_prediction_is_revealed_and_only_public_checks_are_asked() -> None:
    (exercise, *_) = assignment(double=[{**VALUE, "public": False}]).exercise
    assert ask(exercise) == ""
    (exercise, *_) = assignment(double=[GUESS]).exercise
    assert ask(exercise) == 'if grader:\n    grader.reveal("double")'
    (exercise, *_) = assignment(double=[GUESS, VALUE]).exercise
    both = 'if grader:\n    grader.check("double")\n    grader.reveal("double")'
    assert ask(exercise) == both
    (exercise, *_) = assignment(double=[TEXT]).exercise
    assert ask(exercise) == ""


def test_an_exercise_with_the_longest_name_has_a_cell_of_its_own() -> None:
    long = "d" * 64
    spec = assignment().model_dump_json(by_alias=True).replace('"double"', f'"{long}"')
    text = SOLUTION.replace("double", long)
    made = make_template(solution(text), Assignment.model_validate_json(spec))
    nbformat.validate(made)
    assert source_of(made, f"check-{long}"[:64]).endswith(f'check("{long}")')


@pytest.mark.parametrize("line", ["grader = 1", "import x as grader", "def grader(): ..."])
def test_the_name_of_ours_is_not_the_authors(line: str) -> None:
    text = SOLUTION.replace("print(double(2))", line)
    with pytest.raises(SpecError, match=r"cell 5: it defines 'grader'"):
        template(text)


def test_without_the_package_the_first_cell_says_so_and_the_others_do_nothing() -> None:
    cells = [set_up("small"), 'if grader:\n    grader.check("double")', "print('on')"]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "\n".join(cells)],
        capture_output=True,
        text=True,
    )
    first, second = run.stdout.splitlines()
    assert (run.returncode, run.stderr, second) == (0, "", "on")
    assert "install your course's autograder_student-*.whl" in first
    assert "The rest of this notebook works without them." in first


# ---------------------------------------------------------------- the stamp


def test_the_stamp_follows_what_students_see() -> None:
    made = template()
    assert made.metadata.autograder.version == stamp_of(made)
    assert len(stamp_of(made)) == 12 and int(stamp_of(made), 16)
    assert stamp_of(template(SOLUTION.replace("x + x", "2 * x"))) == stamp_of(made)
    others = [
        template(SOLUTION.replace("# # Lesson", "# # Lessons")),
        template(
            SOLUTION.replace('exercise="why"', 'exercise="double"').replace(
                'exercise="double"\ndef', 'exercise="why"\ndef'
            )
        ),
        template(SOLUTION.replace("# %% [raw]", "# %% [markdown]")),
        template(double=[{**VALUE, "public": False}]),
    ]
    assert len({stamp_of(other) for other in [made, *others]}) == 5
    made.cells[0].metadata.mine = 1
    made.cells[0].id = "other"
    assert stamp_of(made) == template().metadata.autograder.version


# ---------------------------------------------------------------- Colab


def test_the_notebook_for_colab_is_as_colab_writes_it() -> None:
    made = nbformat.reads(colab_bytes(template()).decode(), as_version=nbformat.NO_CONVERT)
    nbformat.validate(made)
    assert (made.nbformat, made.nbformat_minor) == (4, 0)
    assert all("id" not in cell and cell.metadata.id for cell in made.cells)
    assert made.metadata.kernelspec == {"name": "python3", "display_name": "Python 3"}
    colab = {"name": "small.colab.ipynb", "provenance": [], "toc_visible": True}
    assert made.metadata.colab == colab
    assert {cell.cell_type for cell in made.cells} == {"code", "markdown"}
    assert made.cells[1].source == "```\nas it is\n```"
    assert made.metadata.autograder == template().metadata.autograder
    plain = template()
    for one, other in zip(made.cells, plain.cells, strict=True):
        assert one.metadata.id == other.id
        if other.id != "autograder-setup" and other.cell_type != "raw":
            assert one.source == other.source
    assert colab_bytes(template()) == colab_bytes(template())


def test_the_address_of_the_package_stands_in_the_notebook_and_is_found_again() -> None:
    made = colab_bytes(template(), package_url=URL)
    assert package_url_in(made) == URL
    assert package_url_in(colab_bytes(template())) == ""
    notebook = nbformat.reads(made.decode(), as_version=nbformat.NO_CONVERT)
    assert f'\n    %pip install -q "{URL}"\n' in source_of(notebook, "autograder-setup")


@pytest.mark.parametrize(
    "url", ["file:///a.whl", "https://a b", 'https://a"b', "https://a/{b}", "https://a/$b", "a.whl"]
)
def test_an_address_that_pip_cannot_be_given_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="--package-url"):
        set_up_in_colab("small", url)


SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
ran = []
shell.register_magic_function(lambda line: ran.append(line), "line", "pip")
{before}
result = shell.run_cell({cell!r}, store_history=False)
print(ran, result.success, shell.user_ns["grader"], flush=True)
"""
THERE = """
import types
student = types.ModuleType("autograder.student")
student.Grader = lambda id_: "grader of " + id_
sys.modules["autograder.student"] = student
"""
GONE = "sys.modules['autograder.student'] = None  # an import of it fails"


def colab_run(cell: str, before: str, folder: Path) -> list[str]:
    code = SHELL.format(cell=cell, before=before)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True
    )
    return run.stdout.splitlines()


def test_pip_is_run_for_an_address_or_an_uploaded_file_alone(tmp_path: Path) -> None:
    said, last = colab_run(set_up_in_colab("small", URL), GONE, tmp_path)
    assert last == f"""['install -q "{URL}"'] True None""" and "could not be installed" in said
    said, last = colab_run(set_up_in_colab("small"), GONE, tmp_path)
    assert last == "[] True None" and "in the Files pane on the left" in said
    (tmp_path / "autograder_student-1-py3-none-any.whl").touch()
    said, last = colab_run(set_up_in_colab("small"), GONE, tmp_path)
    assert last == "['install -q autograder_student-*.whl'] True None"
    (last,) = colab_run(set_up_in_colab("small", URL), THERE, tmp_path)
    assert last == "[] True grader of small"


# ---------------------------------------------------------------- light


def test_the_light_format_is_always_the_same_and_one_of_jupytext() -> None:
    made = template()
    text = light_bytes(made).decode()
    assert '\n# + exercise="double"\ndef double(x):\n' in text
    assert "jupytext_version" not in text and "deletable" not in text
    assert jupytext.reads(text, fmt="py:light").metadata.autograder == made.metadata.autograder
    assert light_bytes(made) == light_bytes(template())


@pytest.mark.parametrize(("name", "edition"), [("a.ipynb", colab_bytes), ("a.py", light_bytes)])
def test_an_edition_is_read_as_the_template(name: str, edition: Callable[[Any], bytes]) -> None:
    code = [cell for cell in template().cells if cell.cell_type == "code"]
    mine = [c for c in read(Path(name), data=edition(template())).cells if c.kind == "code"]
    assert [cell.source for cell in mine[1:]] == [cell.source for cell in code[1:]]
    tags = [cell.metadata.get("exercise", "") for cell in code]
    assert [cell.exercise for cell in mine] == tags
    assert [cell.locked for cell in mine] == [tag == "" for tag in tags]
