"""An assignment with files, and submissions with their own, through the commands."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest

from autograder.interop.gradescope.harness import main as harness
from autograder.interop.otter.export.plugin import Graded
from autograder.student.cases import SAID
from tests.support import tiny_course
from tests.support.graded_here import results
from tests.support.in_process import command, done
from tests.support.tiny_course import edit, notebook, scores

FILES = {"data/numbers.csv": b"0.1\n0.2\n", "tools.py": b"def total(xs):\n    return sum(xs)\n"}
READ = "[float(line) for line in open('data/numbers.csv')]"
SUMS = f"import tools\ntotal = tools.total({READ})"
DOUBLES = "def double(n):\n    return 2 * n"
OWN = "import mine\nfrom pathlib import Path\ndef double(n):\n    return mine.TWO * n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose only assignment is released."""
    root = tmp_path_factory.mktemp("course")
    folder = tiny_course.write_assignment(root)
    edit(folder / "solution.py", "# BEGIN SOLUTION\ntotal = 0.1 + 0.2", f"# BEGIN SOLUTION\n{SUMS}")
    for name, data in FILES.items():
        (folder / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / name).write_bytes(data)
    done("release", folder)
    return root


def _assignment(course: Path) -> Path:
    return course / "assignments" / "tiny"


def _archive(path: Path, files: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """Students: one plain, one with files of its own, one who replaces the assignment's."""
    folder = tmp_path / "in"
    constant = notebook("total = 0.3", DOUBLES)
    plain = notebook(SUMS, DOUBLES)
    tiny_course.write_class(folder, {"plain.ipynb": plain, "constant.ipynb": constant})
    more = {"mine.py": "TWO = 2", "essay.pdf": "%PDF"}
    _archive(folder / "own.zip", {"tiny.ipynb": notebook(SUMS, OWN), **more})
    replaced = {"data/numbers.csv": "5\n", "tools.py": "def total(xs):\n    return 0.3\n"}
    _archive(folder / "replaced.zip", {"tiny.ipynb": notebook(SUMS, DOUBLES), **replaced})
    change = "open('data/numbers.csv', 'a').write('9\\n')"
    _archive(folder / "changes.zip", {"tiny.ipynb": notebook(f"{change}\n{SUMS}", DOUBLES)})
    return folder


@pytest.mark.slow
def test_files_are_beside_every_notebook_that_is_graded_and_a_changed_one_runs_it_again(
    course: Path, submissions: Path, tmp_path: Path
) -> None:
    shutil.copytree(course, tmp_path / "course")
    folder, out = _assignment(tmp_path / "course"), tmp_path / "out"
    grade = ("grade", folder, submissions, "--out", out, "--no-figures", "--seed", 7)
    done(*grade, "--require", "weak")
    before = {"plain": 6, "own": 6, "replaced": 6, "changes": 4, "constant": 6}
    assert scores(out) == before
    said = {who: result["submission"]["repairs"] for who, result in results(out).items()}
    assert said["plain"] == []
    assert said["own"] == [
        "essay.pdf was also submitted; tiny.ipynb is graded.",
        "mine.py is beside the notebook while it runs.",
    ]
    left_out = "are left out: the assignment's own file of this name is used."
    assert said["replaced"] == [f"data/numbers.csv, tools.py {left_out}"]
    assert left_out in " ".join(done("show", out, "replaced").out.split())
    assert "5 graded, all from earlier runs" in done(*grade).out
    done("regrade", out)
    assert scores(out) == before
    (folder / "files" / "data" / "numbers.csv").write_text("0.1\n0.3\n")
    done(*grade, "--require", "weak")
    assert scores(out) == before | {"constant": 4}


def test_the_release_puts_them_beside_the_notebook(course: Path) -> None:
    folder = course / "student_templates"
    for name, data in FILES.items():
        assert (folder / name).read_bytes() == data
    (folder / "tools.py").write_text("0")
    stale = command("release", _assignment(course), "--check")
    (folder / "tools.py").write_bytes(FILES["tools.py"])
    assert stale.code != 0 and "tools.py: differs" in stale.err


def test_two_assignments_cannot_have_different_files_of_one_name(tmp_path: Path) -> None:
    folder = tiny_course.write_assignment(tmp_path)
    for other, text in ((folder, "1"), (folder.with_name("second"), "2")):
        (other / "files").mkdir(parents=True)
        (other / "files" / "x.csv").write_text(text)
    (folder / "files" / "second.ipynb").write_text("not a notebook")
    refused = command("release", folder)
    assert refused.code != 0
    assert "is another file of this name" in refused.err
    assert "Put one into a folder of its own, such as files/tiny/" in refused.err
    assert "another assignment's notebook" in refused.err
    assert not (tmp_path / "student_templates" / "x.csv").exists()


def test_a_secret_in_a_file_is_not_released(tmp_path: Path) -> None:
    folder = tiny_course.write_assignment(tmp_path)
    (folder / "files").mkdir()
    (folder / "files" / "notes.txt").write_text("a title that nobody shall see\n")
    refused = command("release", folder)
    assert refused.code != 0
    assert "notes.txt: contains" in refused.err


@pytest.mark.slow
def test_a_student_checks_beside_the_files(course: Path, tmp_path: Path) -> None:
    folder = course / "student_templates"
    path = tmp_path / "mine" / "tiny.ipynb"
    path.parent.mkdir()
    path.write_text(notebook(SUMS, DOUBLES))
    public = ("--assignment", "tiny", "--public", _assignment(course) / "public.agw")
    assert command("check", path, *public).code == 1  # they are not there
    for name in FILES:
        (path.parent / name).parent.mkdir(exist_ok=True)
        (path.parent / name).write_bytes((folder / name).read_bytes())
    done("check", path, *public)


@pytest.mark.slow
def test_validation_has_them(course: Path, tmp_path: Path) -> None:
    command("validate", _assignment(course), "--quick", "--require", "weak", "--out", tmp_path)
    found = json.loads((tmp_path / "validation.json").read_text())
    assert [one["rule"] for one in found["problems"]] == ["large loss"]  # of its known mistake


@pytest.mark.slow
def test_on_gradescope(course: Path, tmp_path: Path) -> None:
    root = tmp_path / "autograder"
    package = tmp_path / "package.zip"
    done("package", "gradescope", _assignment(course), "--out", package, "--require", "weak")
    with zipfile.ZipFile(package) as archive:
        archive.extractall(root / "source")
    place = root / "submission"
    (place / "data").mkdir(parents=True)
    (place / "tiny.ipynb").write_text(notebook(SUMS, OWN))
    (place / "mine.py").write_text("TWO = 2")
    (place / "data" / "numbers.csv").write_text("5")
    (root / "submission_metadata.json").write_text("{}")
    assert harness(["--root", str(root), "--prepare"]) == 0
    assert harness(["--root", str(root)]) == 0
    found = json.loads((root / "results" / "results.json").read_text())
    assert found["score"] == 6, found


@pytest.mark.slow
def test_in_otters_zip(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "otter"
    done("package", "otter", _assignment(course), "--out", made, "--seed", 3)
    for name, data in FILES.items():
        assert (made / "student" / name).read_bytes() == data
    with zipfile.ZipFile(io.BytesIO((made / "autograder.zip").read_bytes())) as archive:
        archive.extractall(tmp_path / "source")
    place = tmp_path / "source" / "files"
    for name, data in FILES.items():
        assert (place / name).read_bytes() == data
    (place / "tools.py").write_text("def total(xs):\n    return 0")  # as a submission could
    (place / "hw.ipynb").write_text(notebook(SUMS, DOUBLES))
    plugin = Graded(str(place / "hw.ipynb"), {}, {"require": "weak"})
    plugin.before_execution(nbformat.read(place / "hw.ipynb", as_version=4))
    found = json.loads((place / SAID).read_text())
    assert all(result["passed"] for result in found["checks"]), found


def test_in_a_course_of_nbgrader(course: Path, tmp_path: Path) -> None:
    done("package", "nbgrader", _assignment(course), "--out", tmp_path)
    for folder in ("source", "release"):
        for name, data in FILES.items():
            assert (tmp_path / folder / "tiny" / name).read_bytes() == data
