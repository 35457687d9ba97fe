"""Our assignments in otter: the files, and that each check earns there what it earns here.

Without otter; tests/interop/otter grades the same with the real one.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import nbformat
import pytest

from autograder.assignment.load import Loaded, load
from autograder.authoring.release import made_release
from autograder.errors import SpecError, StoreError, SubmissionError, UsageError
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import as_points
from autograder.interop.otter.export.export import OtterAssignment, otter_assignment
from autograder.interop.otter.export.plugin import Graded, is_otters, only_shown, refuse_shadows
from autograder.student.cases import CHECKS, SAID, Cases, CheckFailed, EveryCheck, read_checks
from tests.support import otter_loader
from tests.support.in_process import Lent
from tests.support.selection import rarely
from tests.support.small_course import (
    EVEN,
    ID,
    LOOPS,
    ODD,
    RIGHT,
    SQUARES,
    SUMS,
    WORDS,
    notebook,
    write_small_course,
)
from tests.support.strict_readers.otter import Archive, read_archive, read_test

SEED = 5
HIDDEN = ("kept-back", "a title that nobody shall see", "no loop over all", "secret reason")
SOLUTION = ("Fraction(3, 10)", "a sentence of the solution")
WRONG = (SUMS, SQUARES, ODD, WORDS)
# what each sample earns in each test file: worked out by hand from the course
POINTS = {
    "right": {"sums": 2, "doubles": 4, "judged": 1},
    "wrong": {"sums": 2, "doubles": 0.125, "judged": 0},
    "slow": {"sums": 0, "doubles": 3, "judged": 1},
}
SAMPLES = {"right": RIGHT, "slow": ("total = 0.31", LOOPS, EVEN), "wrong": WRONG}


@pytest.fixture(scope="module", autouse=True)
def _lent(lent_box: Lent) -> None:
    """Nothing here is about boxes."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    loaded = load(write_small_course(tmp_path_factory.mktemp("course")))
    for path, content in made_release(loaded, Local(1), _quiet).files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return loaded


@pytest.fixture(scope="module")
def exported(course: Loaded) -> OtterAssignment:
    return otter_assignment(course, Local(1), _quiet, seed=SEED)


@pytest.fixture(scope="module")
def archive(exported: OtterAssignment) -> Archive:
    return read_archive(exported.files["autograder.zip"])


def _quiet(what: str, total: int) -> None:
    """Nobody looks."""


@pytest.fixture
def there(
    exported: OtterAssignment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Path]:
    """Makes a place as otter does for one submission, source/ and submission/; the notebook."""

    def unpacked(sources: tuple[str, ...]) -> Path:
        with zipfile.ZipFile(io.BytesIO(exported.files["autograder.zip"])) as archive:
            archive.extractall(tmp_path / "source")
        submission = tmp_path / "submission"
        shutil.copytree(tmp_path / "source/files", submission)
        shutil.copytree(tmp_path / "source/tests", submission / "tests")
        (submission / "hand-in.ipynb").write_text(notebook(*sources))
        otter_loader.install()
        monkeypatch.chdir(submission)
        return submission / "hand-in.ipynb"

    return unpacked


def graded_there(path: Path) -> nbformat.NotebookNode:
    """What otter is told to run."""
    plugin = Graded(str(path), {}, {"require": "weak"})
    made = plugin.before_execution(nbformat.read(path, as_version=4))
    nbformat.validate(made)
    return made


def points_of(folder: Path, names: dict[str, Any]) -> dict[str, float]:
    """The points of every test file in a folder."""
    return {
        path.stem: otter_loader.run_test(path, names)["points"]
        for path in sorted((folder / "tests").glob("*.py"))
    }


# ---------------------------------------------------------------- the files


def test_the_archive_is_one_of_otter_with_every_point_of_ours(
    course: Loaded, archive: Archive
) -> None:
    automatic = {
        exercise.id: [c for c in exercise.check if c.kind != "written"]
        for exercise in course.spec.exercise
    }
    assert {
        name: [(c.name, c.points, c.hidden) for c in cases] for name, cases in archive.tests.items()
    } == {
        name: [(c.title, as_points(int(c.points * 1000)), not c.public) for c in checks]
        for name, checks in automatic.items()
        if checks
    }
    assert archive.tests["sums"][0].failure_message == "Add all of 'them'."
    assert archive.tests["judged"][0].failure_message is None
    assert set(archive.files) == {CHECKS}
    pip = archive.environment["dependencies"][-1]["pip"]
    wheel = f"/autograder/source/{archive.wheels[0]}"
    cpu = "--extra-index-url https://download.pytorch.org/whl/cpu"
    torch = f"torch=={metadata.version('torch').partition('+')[0]}"
    assert pip == [cpu, "otter-grader[grading,plugins]==7.0.0", wheel, torch]


def test_students_get_public_checks_and_nobody_the_solution(
    exported: OtterAssignment,
) -> None:
    theirs = {n: d for n, d in exported.files.items() if n.startswith("student/")}
    tests = {n: read_test(d, Path(n).name) for n, d in theirs.items() if n.endswith(".py")}
    assert sorted(tests) == [f"student/tests/{e}.py" for e in ("doubles", "judged", "sums")]
    assert [case.hidden for cases in tests.values() for case in cases] == [False] * 3
    for name, data in theirs.items():
        assert [text for text in (*HIDDEN, *SOLUTION) if text.encode() in data] == [], name
    with zipfile.ZipFile(io.BytesIO(exported.files["autograder.zip"])) as held:
        every = {name: held.read(name) for name in held.namelist()}
    for name, data in every.items():
        assert [text for text in SOLUTION if text.encode() in data] == [], name
    assert HIDDEN[1].encode() in every[f"files/{CHECKS}"]


def test_the_notebook_asks_otter_and_marks_what_a_person_reads(exported: OtterAssignment) -> None:
    made = nbformat.reads(exported.files[f"student/{ID}.ipynb"].decode(), as_version=4)
    nbformat.validate(made)
    code = [cell.source for cell in made.cells if cell.cell_type == "code"]
    assert f'grader = otter.Notebook("{ID}.ipynb")' in code[0]
    assert [c for c in code if "grader.check" in c] == [
        f'grader.check("{exercise}")' for exercise in ("sums", "doubles", "judged")
    ]
    kinds = [cell.source for cell in made.cells]
    begin = kinds.index("<!-- BEGIN QUESTION -->")
    assert made.cells[begin + 1].metadata.exercise == "opinion"
    assert kinds[begin + 2] == "<!-- END QUESTION -->"
    assert made.metadata.autograder.assignment == ID


def test_equal_courses_and_seeds_give_equal_files(
    course: Loaded, exported: OtterAssignment
) -> None:
    again = otter_assignment(course, Local(1), _quiet, seed=SEED)
    assert without_times(again) == without_times(exported)


def without_times(exported: OtterAssignment) -> dict[str, bytes]:
    """Every file, those of the archive too, but for what the solution's calls cost."""
    with zipfile.ZipFile(io.BytesIO(exported.files["autograder.zip"])) as archive:
        inside = {f"autograder.zip/{name}": archive.read(name) for name in archive.namelist()}
    files = dict(exported.files) | inside
    del files["autograder.zip"]
    place = f"autograder.zip/files/{CHECKS}"
    every = msgspec.msgpack.decode(files[place], type=EveryCheck)
    assert every.spent
    files[place] = msgspec.msgpack.encode(msgspec.structs.replace(every, spent={}))
    return files


def test_what_cannot_be_taken_is_told(course: Loaded, exported: OtterAssignment) -> None:
    assert any("answers to all hidden checks" in note for note in exported.notes)
    assert "opinion: graded by hand; otter gives it no points." in exported.notes
    public = course.folder / "public.agw"
    content = public.read_bytes()
    public.unlink()
    try:
        with pytest.raises(SpecError, match=f"autograder release {ID}"):
            otter_assignment(course, Local(1), _quiet, seed=SEED)
    finally:
        public.write_bytes(content)


# ---------------------------------------------------------------- graded as otter grades


@pytest.mark.parametrize("sample", rarely(SAMPLES, keep=2))
def test_a_graded_hand_in_earns_what_it_earns_here(
    there: Callable[..., Path], tmp_path: Path, sample: str
) -> None:
    path = there(SAMPLES[sample])
    made = graded_there(path)
    assert [cell.cell_type for cell in made.cells if cell.cell_type == "code"] == []
    assert not (path.parent / CHECKS).exists()
    assert (tmp_path / "source" / "files" / CHECKS).is_file()
    assert points_of(path.parent, {}) == POINTS[sample]


def test_student_code_finds_no_answers(
    there: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a box that hides folders, too: they are not there."""
    path = there(RIGHT)
    places = [path.parent / CHECKS, tmp_path / "source" / "files" / CHECKS]
    seen: list[bool] = []

    def grade(*given: object, **more: object) -> None:
        seen.extend(place.exists() for place in places)
        raise SubmissionError("looked")

    monkeypatch.setattr("autograder.interop.otter.export.plugin.graded", grade)
    with pytest.raises(SubmissionError, match="looked"):
        graded_there(path)
    assert seen == [False, False]
    assert [place.exists() for place in places] == [True, True]


def test_what_has_no_score_here_gets_none_there(there: Callable[..., Path]) -> None:
    julia = json.loads(notebook(*RIGHT))
    julia["metadata"]["kernelspec"] = {"name": "julia", "language": "julia", "display_name": "J"}
    path = there(RIGHT)
    path.write_text(json.dumps(julia))
    with pytest.raises(SubmissionError, match="julia"):
        graded_there(path)
    assert not (path.parent / SAID).exists()


def test_live_names_come_before_what_a_submission_brings(there: Callable[..., Path]) -> None:
    """Without the plugin the test files ask the names, and forged results are not believed."""
    passed = {"exercise": "judged", "check": "holds", "passed": True}
    path = there(WRONG)
    (path.parent / SAID).write_text(json.dumps({"format": "autograder-said/1", "checks": [passed]}))
    names: dict[str, Any] = {"__name__": "__main__"}
    for source in WRONG:
        exec(source, names)
    assert points_of(path.parent, names) == POINTS["wrong"]
    judged = otter_loader.run_test(path.parent / "tests/judged.py", names)["said"]
    assert judged["`answer` is even"] == "CheckFailed: 41 is odd."
    doubles = otter_loader.run_test(path.parent / "tests/doubles.py", names)["said"]
    assert doubles[HIDDEN[1]] == "CheckFailed: A hidden check: gave wrong values."
    graded_there(path)
    assert points_of(path.parent, names) == POINTS["wrong"]


def test_names_that_change_are_asked_again(there: Callable[..., Path]) -> None:
    path = there(RIGHT)
    cases = Cases(ID, "judged", folder=path.parent)
    names: dict[str, Any] = {"answer": 41}
    with pytest.raises(CheckFailed, match="41 is odd"):
        cases.passes("holds", names)
    names["answer"] = 42
    cases.passes("holds", names)
    names["answer"] = 13  # our own fault: no pass, and no fault of the student's
    with pytest.raises(CheckFailed, match="checked when your submission is graded"):
        cases.passes("holds", names)
    del names["answer"]
    with pytest.raises(CheckFailed, match="not defined"):
        cases.passes("holds", names)


@pytest.mark.parametrize("content", [b"", b"\x00", b"{}", b"\x81\xa6format\xa1x"])
def test_a_damaged_file_of_checks_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / CHECKS).write_bytes(content)
    with pytest.raises(StoreError, match="export the assignment again"):
        read_checks(tmp_path / CHECKS)


def test_only_cells_that_call_otter_are_passed_over() -> None:
    with pytest.raises(UsageError, match="write one of none, weak, medium, strong"):
        Graded("hand-in.ipynb", {}, {"require": "high"})
    ours = ['import otter\ngrader = otter.Notebook("hw.ipynb")', 'grader.check("sums")']
    for source in (*ours, "grader.export(pdf=False)"):
        assert is_otters("code", source)
    for source in ('grader.check("sums")\ntotal = 3', "import otter_tools", ""):
        assert not is_otters("code", source)


def test_no_metadata_of_a_hand_in_reaches_otter() -> None:
    evil = {"otter": {"tests": ['q"); print(1) #']}, "tags": ["x"]}
    cells = [
        nbformat.v4.new_markdown_cell("text", metadata=evil),
        nbformat.v4.new_raw_cell("raw", metadata=evil),
        nbformat.v4.new_code_cell("x = 1", metadata=evil),
    ]
    shown = only_shown(nbformat.v4.new_notebook(cells=cells, metadata=evil))
    assert [cell.cell_type for cell in shown.cells] == ["markdown", "raw", "raw"]
    assert all(cell.metadata == {} for cell in shown.cells) and "otter" not in shown.metadata


def test_a_module_in_the_place_of_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("my_homework.py", "tests/__init__.py", "data.csv", "json.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    refuse_shadows(tmp_path)
    known = metadata.packages_distributions()  # which takes a second
    monkeypatch.setattr(metadata, "packages_distributions", lambda: known)
    for name in ("autograder/__init__.py", "torch.py", "otter.pyc", "json/__init__.py", "numpy.so"):
        folder = tmp_path / name.partition(".")[0]
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("")
        with pytest.raises(SubmissionError, match="this name hides a module that the grader needs"):
            refuse_shadows(folder)
