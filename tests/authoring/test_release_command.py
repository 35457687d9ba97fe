"""`autograder release`: what it writes, what it compares, and what stops it."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from msgspec import structs

from autograder import cli
from autograder.assignment.load import Loaded
from autograder.authoring.packages.needed_files import modules_of
from autograder.authoring.release import ReleaseOptions, made_release
from autograder.errors import SpecError
from autograder.execution.engines.local import Inline
from autograder.files import write_atomic
from autograder.notebook.template.editions import package_url_in
from autograder.student.public_evidence import PublicEvidence, public_bytes, read_public
from tests.support.courses import SMALL, VERBS, write_course

URL = "https://course.example/autograder_student.whl"


pytestmark = pytest.mark.usefixtures("lent_box")
# instead of all that the package needs, which is packed and searched for secrets once
FEW = {"autograder/__init__.py": b"", "autograder/student/__init__.py": b""}
LEAK = {
    "autograder/student/card.py": b"""
def f(table):
    return table - table.mean(dim=1, keepdim=True)
"""
}


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loaded:
    monkeypatch.chdir(tmp_path)
    return write_course(tmp_path, SMALL)


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The modules that a package has."""
    modules = dict(FEW)
    monkeypatch.setattr("autograder.authoring.release.modules_of", lambda package: modules)
    return modules


def refused(course: Loaded, package: Path) -> list[str]:
    """Why a release with a package is not made."""
    with pytest.raises(SpecError) as bad:
        made_release(course, Inline(), lambda what, total: None, ReleaseOptions(package=package))
    return list(bad.value.problems)


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main(["release", *arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


def test_everything_is_written_and_compared_with_what_is_there(
    course: Loaded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, folder = tmp_path / "wheels", str(course.folder)
    wish = ("--colab", "--light", "--package", str(out), "--package-url", URL)
    assert command(folder, *wish) == 0
    templates = tmp_path / "student_templates"
    names = sorted(path.name for path in templates.iterdir())
    assert names == ["small.colab.ipynb", "small.ipynb", "small.py"]
    assert package_url_in((templates / "small.colab.ipynb").read_bytes()) == URL
    (wheel,) = out.glob("autograder_student-*.whl")
    with zipfile.ZipFile(wheel) as held:
        kept = held.read("autograder/student/data/small.agw")
        assert set(modules_of("autograder.student")) < set(held.namelist())
    public = read_public(kept)
    assert kept == (course.folder / "public.agw").read_bytes()
    assert public.assignment == "small" and public.outline and len(public.version) == 12
    capsys.readouterr()

    (templates / "small.ipynb").unlink()
    (templates / "small.py").write_bytes((templates / "small.py").read_bytes() + b"\n")
    old = structs.replace(public, outcomes={})
    (course.folder / "public.agw").write_bytes(public_bytes(old))
    assert command(folder, "--check") == 2
    said = capsys.readouterr().err
    assert "small.ipynb: the file does not exist" in said
    assert "small.py: differs from what the solution generates" in said
    assert "public.agw: out of date" in said
    assert "3 problems" in said  # the address is read from the notebook for Colab


@pytest.mark.slow
def test_a_validation_of_the_same_files_that_found_problems_is_mentioned(
    course: Loaded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "out/validate/small/validation.json"
    for content, said in (
        (None, False),
        ('{"valid": false, "problems": [{}, {}]}', True),
        ('{"valid": true, "problems": []}', False),
        ("[", False),
    ):
        if content is not None:
            write_atomic(kept, content.encode())
        assert command(str(course.folder)) == 0
        assert ("validation.html lists 2 problems" in capsys.readouterr().err) is said
    write_atomic(kept, b'{"valid": false, "problems": [{}]}')
    later = kept.stat().st_mtime + 5
    os.utime(course.solution, (later, later))
    assert command(str(course.folder)) == 0
    assert "lists" not in capsys.readouterr().err  # perhaps it was mended


def test_an_address_without_a_notebook_for_colab_is_refused(
    course: Loaded, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(str(course.folder), "--package-url", URL) == 2
    assert "add --colab" in capsys.readouterr().err
    assert not course.template.exists()


def test_a_package_with_a_secret_is_not_made(
    course: Loaded, packed: dict[str, bytes], tmp_path: Path
) -> None:
    packed |= LEAK
    place = "small: the release would give away a secret: autograder/student/card.py: contains "
    told = [problem.removeprefix(place) for problem in refused(course, tmp_path)]
    assert [one[:25] for one in told] == ["a line of the solution of", "the solution of 'center',"]


@pytest.mark.slow
@pytest.mark.usefixtures("packed")
def test_evidence_of_another_assignment_in_the_package_is_searched_for_its_own_secrets(
    course: Loaded, tmp_path: Path
) -> None:
    other = write_course(tmp_path, VERBS)
    hidden = next(c for e in other.spec.exercise for c in e.check if not c.public)
    spec = ("autograder-public/2", "verbs", hidden.title, "", {}, (), "", (), {}, {})
    empty = PublicEvidence(*spec, order="either", torch=True)
    (other.folder / "public.agw").write_bytes(public_bytes(empty))
    (problem,) = refused(course, tmp_path)  # the title of small's hidden check is none of verbs'
    assert problem.startswith(
        "verbs: the release would give away a secret: autograder/student/data"
    )


DOUBLED = {
    "assignments/doubled/assignment.toml": """
format = 1
id = "doubled"
title = "Twice as much"

[[exercise]]
id = "double"
title = "Twice as much"
defines = ["double"]
check = [
  { id = "a", kind = "function", title = "once", points = 1, call = "double", inputs = "halves", \
public = true },
  { id = "b", kind = "function", title = "twice", points = 1, call = "double", inputs = "wholes" },
]
""",
    "assignments/doubled/inputs.py": """
import torch


def halves(rng):
    return [(torch.tensor([0.123, 4.567, 8.901, 2.345]),)]


def wholes(rng):
    return [(2 * table,) for (table,) in halves(rng)]
""",
    "solutions/doubled/solution.py": """# %% exercise="double"
def double(table):
    # BEGIN SOLUTION
    return table + table
    # END SOLUTION
""",
}


@pytest.mark.slow
@pytest.mark.usefixtures("packed")
def test_what_public_answers_of_another_assignment_show_is_no_secret_in_the_package(
    course: Loaded, tmp_path: Path
) -> None:
    other = write_course(tmp_path, DOUBLED)
    for one, held in ((other, ["doubled"]), (course, ["doubled", "small"])):
        assert command(str(one.folder), "--package", str(tmp_path / "wheels")) == 0
        (wheel,) = (tmp_path / "wheels").iterdir()
        with zipfile.ZipFile(wheel) as packed:
            evidence = {Path(name).stem for name in packed.namelist() if name.endswith(".agw")}
        assert sorted(evidence) == held
