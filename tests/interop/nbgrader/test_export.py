"""What nbgrader's courses get from us: our assignments as its notebooks, and graded folders."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.assignment.read import find
from autograder.classroom.grade_class import ClassGrader, ReceivedClass
from autograder.classroom.results_folder import ResultsFolder, RunFile
from autograder.errors import SpecError, UsageError
from autograder.execution.engines.local import Local
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.gradebook.standing import Standing
from autograder.gradebook.store import ArrivalRecord
from autograder.grading.context import FoundSubmission
from autograder.interop.nbgrader.export import course_export, course_trees
from autograder.interop.nbgrader.ours import exported, parts, source_notebook
from autograder.interop.nbgrader.source import read_course
from autograder.interop.nbgrader.trees import (
    CellScore,
    GradedNotebook,
    autograded,
    grades_csv,
    trees,
)
from autograder.interop.nbgrader.write import bring
from autograder.notebook.formats.find import FoundFile
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.sandbox.box import Box
from tests.support import nbgrader_cells as nb
from tests.support import text_answer_material
from tests.support.cases import read_files, write_files
from tests.support.imported import context_of, prepared, runner_in
from tests.support.progress import QUIET
from tests.support.strict_readers import nbgrader as strict

ROOT = Path(__file__).resolve().parents[3]
SPEC, SOLUTION = read_files(Path(__file__).with_suffix(".txt")).values()


def spec() -> Assignment:
    return Assignment.model_validate(tomllib.loads(SPEC))


def solution(tmp_path: Path, text: str = SOLUTION) -> Submission:
    path = tmp_path / "solution.py"
    path.write_text(text)
    return read(path)


def both(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Source and release of the small assignment, by grade_id."""
    made = exported(spec(), solution(tmp_path), public=b"EVIDENCE", version="v1")
    files = {path.as_posix(): data for path, data in made.files.items()}
    assert files["source/sums/sums.agw"] == files["release/sums/sums.agw"] == b"EVIDENCE"
    source, release = (notebook_of(files[f"{f}/sums/sums.ipynb"]) for f in ("source", "release"))
    return source, release


def notebook_of(data: bytes) -> dict[str, Any]:
    """A valid notebook, each source in one piece."""
    notebook: dict[str, Any] = json.loads(data)
    nbformat.validate(notebook)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


# ---------------------------------------------------------------- our assignments


def test_a_release_of_ours_is_valid_and_tells_no_secret(tmp_path: Path) -> None:
    source, release = both(tmp_path)
    found = strict.check(release)
    assert strict.check(source, released=False).keys() == found.keys()
    ids = "autograder-setup given-2 total total-tests-2 total-rest total-tests bonus bonus-tests"
    assert list(found) == ids.split()
    text = json.dumps(release)
    for secret in ("secret", "SECRET", "RUBRIC", "3000", "BEGIN", "END"):
        assert secret not in text, secret
    assert "SECRET RUBRIC" in json.dumps(source)
    assert "OTHER RUBRIC" in json.dumps(source)
    assert release["metadata"]["autograder"] == {"assignment": "sums", "format": 1, "version": "v1"}


def test_prompts_stay_and_answers_become_stubs(tmp_path: Path) -> None:
    source, release = both(tmp_path)
    own = strict.check(source, released=False)["total"]["source"]
    given = strict.check(release)["total"]["source"]
    assert given == (
        "def total(numbers):\n    # Use a loop.\n    # YOUR CODE HERE\n"
        "    raise NotImplementedError()\n\n\n# YOUR CODE HERE\nraise NotImplementedError()"
    )
    space: dict[str, Any] = {}
    exec(own, space)
    assert space["total"]([1, 2]) == 3
    assert space["why"] == "because_of_a_secret"


def test_points_of_every_part(tmp_path: Path) -> None:
    _, release = both(tmp_path)
    noted = {k: c["metadata"]["nbgrader"] for k, c in strict.check(release).items()}
    points = {k: n["points"] for k, n in noted.items() if "points" in n}
    assert points == {"total-tests-2": 1.5, "total-rest": 5, "total-tests": 4, "bonus-tests": 0}
    sources = {name: cell["source"] for name, cell in strict.check(release).items()}
    assert sources["total-tests-2"].endswith('.earned("total")')
    assert sources["bonus-tests"].endswith('.check("bonus")')  # it shows no points: 0 is the most
    assert noted["total-rest"]["task"]
    assert noted["total-tests"]["grade"]
    assert noted["total-tests"]["solution"]
    made = exported(spec(), solution(tmp_path), public=b"", version="")
    assert any("1.5 points" in note for note in made.notes)
    assert any("9 points" in note for note in made.notes)
    assert any("bonus" in note for note in made.notes)


def test_an_answer_outside_of_its_region_stops_the_export(tmp_path: Path) -> None:
    told = SOLUTION.replace("# # Adding up", "# # Adding up\n#\n# x secret_result = sum(numbers)")
    with pytest.raises(SpecError, match="secret_result"):
        exported(spec(), solution(tmp_path, told), public=b"", version="")
    wrong = SOLUTION.replace("# END SOLUTION\n\n# %% exercise", "\n# %% exercise")
    with pytest.raises(SpecError, match="without an END SOLUTION"):
        source_notebook(spec(), solution(tmp_path, wrong))


def test_answers_in_markdown_are_cells_of_their_own(tmp_path: Path) -> None:
    text = text_answer_material.SOLUTION
    made = exported(
        text_answer_material.assignment(), solution(tmp_path, text), public=b"", version=""
    )
    data = made.files[Path("release/order/order.ipynb")]
    release = notebook_of(data)
    noted = {k: c["metadata"]["nbgrader"] for k, c in strict.check(release).items()}
    assert {k: n["points"] for k, n in noted.items() if "points" in n} == {
        "why": 1,
        "double-rest": 1,
        "double-text": 1,
    }
    kinds = {c["metadata"].get("nbgrader", {}).get("grade_id"): c for c in release["cells"]}
    assert [kinds[name]["cell_type"] for name in ("why", "double-text")] == ["markdown"] * 2
    assert b"every order" not in data and b"One point for it" not in data
    assert b"every order" in made.files[Path("source/order/order.ipynb")]


def test_an_assignment_of_the_course_can_be_exported() -> None:
    name = "rotary-and-unembedding"
    made = course_export(load(find(name, ROOT)))
    strict.check(notebook_of(made.files[Path("release", name, f"{name}.ipynb")]))
    whole = load(find(name, ROOT)).spec
    usual = sum(e.max_score for e in whole.exercise if not e.stretch)
    assert sum(part.points for part in parts(whole)) == usual


# ---------------------------------------------------------------- graded folders


def standing(student: str, **values: Any) -> Standing:
    usual = {"state": "final", "score": 1000, "max_score": 2000}
    return Standing(assignment="hw", student=student, **{**usual, **values})


def graded(name: str, *standings: Standing, assignment: str = "hw") -> GradedNotebook:
    return GradedNotebook(assignment, name, {}, 2000, standings)


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))[1:]


def test_grades_csv_adds_the_notebooks_of_an_assignment() -> None:
    when = datetime(2025, 2, 2, 22, 58, 23, 948203, tzinfo=UTC)
    first = graded("a", standing("student-01", submitted_at=when), standing("007"))
    second = graded(
        "b",
        standing("student-01", score=500, penalty=250),
        standing("007", state="absent", score=None),
    )
    data = grades_csv([first, second], NO_ROSTER)
    assert data.startswith(
        b"assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
        b"late_submission_penalty,score,max_score\n"
    )
    assert [",".join(row) for row in rows(data)] == [
        "hw,,,007,,,,1.0,0.0,1.0,4.0",
        "hw,,2025-02-02 22:58:23.948203,student-01,,,,1.75,0.25,1.5,4.0",
    ]
    assert b'"' not in data


@pytest.mark.parametrize("state", ["open", "absent", "rejected", "ungraded", "excused"])
def test_no_score_is_blank_unless_zeros_are_wanted(state: Any) -> None:
    so_far = 500 if state == "open" else None
    own = graded("a", standing("student-01", state=state, score=None, so_far=so_far))
    assert rows(grades_csv([own], NO_ROSTER))[0][7:] == ["", "", "", "2.0"]
    wanted = "0.5" if state == "open" else "0.0"
    assert rows(grades_csv([own], NO_ROSTER, zeros=True))[0][7:] == [wanted, "0.0", wanted, "2.0"]


def test_names_are_quoted_where_they_must_be_and_run_in_no_spreadsheet() -> None:
    person = Person("=1+1", first_name='=cmd"', last_name="O, B", email="a@b.c")
    data = grades_csv([graded("a", standing("=1+1"))], Roster([person]))
    assert rows(data)[0][3:7] == ["=1+1", "O, B", "'=cmd\"", "a@b.c"]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "a\0"])
def test_names_that_lead_elsewhere_or_are_there_twice_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="twice"):
        trees([graded("a", standing("x")), graded("a", standing("y"))], NO_ROSTER)
    with pytest.raises(UsageError):
        trees([graded(name, standing("x"))], NO_ROSTER)
    with pytest.raises(UsageError):
        trees([graded("a", standing("x"), assignment=name)], NO_ROSTER)


def test_a_test_cell_shows_what_nbgrader_makes_the_same_score_of(tmp_path: Path) -> None:
    original = nb.tests("assert x\n# hidden", points=2)
    original["metadata"]["nbgrader"]["checksum"] = "0" * 32
    own = GradedNotebook("hw", "p", {"area-tests": original}, 2000, ())
    path = nb.written(tmp_path / "p.ipynb", nb.cell("x = 1"), nb.tests("pass"))
    earned = {(2000, "passed"): 2, (500, "failed"): 0.5, (0, "failed"): 0, (0, "missing"): 0}
    earned |= {(None, "ungraded"): 0, (2500, "passed"): 2, (2500, "failed"): 2}
    for (score, status), points in earned.items():
        cells = {"area-tests": CellScore(score, 2000, by_hand=False, status=status, said="why")}
        made = autograded(own, read(path), None, cells)
        nbformat.validate(made)
        (tested,) = strict.check(made, released=False).values()
        assert tested["source"] == "assert x\n# hidden"
        assert strict.score(tested) == points, (score, status)
        assert tested["metadata"]["autograder"]["status"] == status
    lost = read(nb.written(tmp_path / "lost.ipynb", nb.cell("x = 1")))  # it stands at the end
    missing = CellScore(0, 2000, by_hand=False, status="missing")
    made = autograded(own, lost, None, {"area-tests": missing})
    nbformat.validate(made)
    assert [cell["source"] for cell in made["cells"]] == ["x = 1", "assert x\n# hidden"]
    assert strict.score(made["cells"][1]) == 0


# ---------------------------------------------------------------- the whole way


def brought(tmp_path: Path) -> Path:
    source = nb.written(tmp_path / "source" / "hw 1" / "Blatt α.ipynb", *nb.every_kind()).parent
    (one,) = bring(read_course(source))
    write_files(tmp_path, one.files)
    return tmp_path / "assignments" / one.id


@pytest.fixture
def files(tmp_path: Path, plain_box: Box) -> Mapping[PurePosixPath, bytes]:
    """The trees of one student's notebook, graded in a box."""
    loaded = load(brought(tmp_path))
    workspace = ResultsFolder(tmp_path / "out")
    workspace.begin(RunFile("autograder-run/1", loaded.spec.id, str(loaded.folder), 7, False))
    context = context_of(loaded, runner_in(plain_box), workspace.evidence)
    path = nb.written(
        tmp_path / "h.ipynb",
        nb.answer("def area(r):\n    return r * 2"),
        nb.tests("pass"),
        nb.tests("assert area(1) == 1", "seen"),
        nb.manual("Mine.", "why"),
        nb.cell("print(7)"),
    )
    handed = FoundSubmission(FoundFile(student="student-01", path=path, name="h.ipynb"))
    when = datetime(2025, 1, 1, 12, 30, tzinfo=UTC)
    about = {"platform": "nbgrader", "file": "h.ipynb", "place": "", "attempt": 1, "late": None}
    record = ArrivalRecord(loaded.spec.id, "student-01", submitted_at=when, **about)
    grader = ClassGrader(prepared(context), workspace, Local(1), [])
    grader.grade(ReceivedClass([handed], [record]), QUIET)
    return course_trees([workspace.folder]).files


def test_a_graded_class_leaves_what_nbgrader_leaves(
    files: Mapping[PurePosixPath, bytes],
) -> None:
    by_name = {path.as_posix(): data for path, data in files.items()}
    place = "student-01/hw 1"
    assert set(by_name) == {
        f"autograded/{place}/Blatt α.ipynb",
        f"autograded/{place}/timestamp.txt",
        f"feedback/{place}/Blatt α.html",
        f"feedback/{place}/timestamp.txt",
        "grades.csv",
    }
    assert by_name[f"feedback/{place}/timestamp.txt"] == b"2025-01-01 12:30:00 UTC\n"
    made = nbformat.reads(by_name[f"autograded/{place}/Blatt α.ipynb"].decode(), as_version=4)
    nbformat.validate(made)
    found = strict.check(made, released=False)
    assert [strict.score(found[name]) for name in ("area-tests", "seen")] == [0.0, 0.0]
    assert "area(3)" in found["area-tests"]["source"]
    assert strict.score(found["why"]) is None
    assert found["essay"]["metadata"]["autograder"]["score"] is None
    shown = next(cell for cell in made["cells"] if cell["source"] == "print(7)")
    assert shown["outputs"][0]["text"] == "7\n"
    (row,) = rows(by_name["grades.csv"])
    assert row[:4] == ["hw 1", "", "2025-01-01 12:30:00", "student-01"]
    assert row[7:] == ["", "", "", "10.0"]


def test_an_assignment_that_is_anothers_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nbgrader"):
        course_export(load(brought(tmp_path)))
