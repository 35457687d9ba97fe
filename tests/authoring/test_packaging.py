"""The package for students: which files are in it, and that it is a proper wheel."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import pytest
import typer
from hatchling.builders.wheel import WheelBuilder

from autograder.authoring.packages.needed_files import DISTRIBUTION, modules_of
from autograder.authoring.packages.wheels import requirements, student_files, student_wheel
from tests.support import tiny_course

ROOT = Path(__file__).resolve().parents[2]
INSTALL = ("install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
EVIDENCE = {"small": b"\x80evidence"}
MODULES = {
    "autograder/__init__.py": b"",
    "autograder/student/__init__.py": b"import IPython.display, torch\nfrom numpy import array\n",
    "autograder/student/shell.py": b"def main():\n    import yaml.nodes, json, autograder.wire\n",
    "autograder/student/panel.css": b"import nothing {}",
}


# ---------------------------------------------------------------- which files


@pytest.fixture(scope="module")
def of_students() -> Mapping[str, bytes]:
    """The modules of the student package: everything that one of them imports, and no more."""
    return modules_of("autograder.student")


@pytest.mark.slow
def test_a_package_comes_with_all_that_it_imports(of_students: Mapping[str, bytes]) -> None:
    wire = modules_of("autograder.wire")
    assert {"autograder/__init__.py", "autograder/wire/__init__.py"} < set(wire)
    assert {name.split("/")[1] for name in wire} == {"__init__.py", "wire"}
    for name, source in of_students.items():
        assert source == (ROOT / name).read_bytes()
        for node in ast.walk(ast.parse(source)) if name.endswith(".py") else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder"):
                place = str(node.module).replace(".", "/")
                assert {f"{place}.py", f"{place}/__init__.py"} & set(of_students), name
    assert list(of_students) == sorted(of_students)


def test_what_a_module_names_or_starts_is_taken_and_nothing_else(
    of_students: Mapping[str, bytes],
) -> None:
    """Programs are named in the text that starts them."""
    beside = {Path(name).name for name in of_students if not name.endswith(".py")}
    assert beside >= {"panel.html.j2", "notebook_panel.html.j2", "notebook_panel.css"}
    assert not any(name.startswith(("page", "validation", "style")) for name in beside)
    assert "autograder/notebook/formats/converter.py" in of_students
    assert not any(name.startswith("autograder/sandbox/box") for name in of_students)


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"autograder\.nothing"):
        modules_of("autograder.nothing")


# ---------------------------------------------------------------- the wheel


@pytest.fixture(scope="module")
def built() -> tuple[str, bytes]:
    return student_wheel(student_files(MODULES, EVIDENCE), torch=True)


def test_equal_contents_give_equal_bytes(built: tuple[str, bytes]) -> None:
    again = dict(reversed([*MODULES.items()]))
    assert student_wheel(student_files(again, EVIDENCE), torch=True) == built


def test_it_says_what_it_is(built: tuple[str, bytes]) -> None:
    version, wheel = metadata.version(DISTRIBUTION), zipfile.ZipFile(io.BytesIO(built[1]))
    assert built[0] == f"autograder_student-{version}-py3-none-any.whl"

    def lines(name: str) -> list[str]:
        return wheel.read(f"autograder_student-{version}.dist-info/{name}").decode().splitlines()

    said = lines("METADATA")
    assert {"Name: autograder-student", f"Version: {version}", "Requires-Python: >=3.11"} < {*said}
    needed = [line.removeprefix("Requires-Dist: ") for line in said if "Dist" in line]
    assert needed == ["ipython<10,>=8.18", "numpy>=2.0", "pyyaml>=6.0", "torch"]
    command = "autograder-check = autograder.student.shell:main"
    assert lines("entry_points.txt") == ["[console_scripts]", command]
    own = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert {n: wheel.read(n) for n in own} == student_files(MODULES, EVIDENCE)


def test_what_only_the_graders_side_needs_is_not_asked_of_students() -> None:
    wire = modules_of("autograder.wire")
    without = ("msgspec>=0.19", "numpy>=2.0")
    assert requirements(wire, torch=True) == (*without, "torch")
    assert requirements(wire, torch=False) == without
    plain = {"autograder/a.py": b"import json\nimport autograder.wire"}
    assert requirements(plain, torch=True) == ()


def test_pip_takes_it(built: tuple[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / built[0]
    path.write_bytes(built[1])
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", *INSTALL, "--no-compile", "--target", target, path]
    subprocess.run(install, check=True)
    assert (target / "autograder/student/data/small.agw").read_bytes() == EVIDENCE["small"]
    assert (target / "bin" / "autograder-check").is_file()


# ---------------------------------------------------------------- the grader's own wheel


@pytest.mark.slow
def test_the_wheel_grades_a_course_outside_the_checkout(tmp_path: Path) -> None:
    """Installed by itself in a fresh environment, which finds the packages of others here."""
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    place = tmp_path / "Kurs „Größe“ 1"
    environment = place / "env"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python))
    subprocess.run([*pip, *INSTALL, wheel], check=True)
    (site,) = environment.glob("lib/python3.*/site-packages")
    (site / "others.pth").write_text(f"{Path(typer.__file__).parents[1]}\n", encoding="utf-8")
    (environment / "share").symlink_to(Path(sys.prefix, "share"))  # nbconvert's templates
    course = tiny_course.write_assignment(place)
    hand_ins = tiny_course.write_class(
        place / "Abgaben",
        {
            "ada.ipynb": tiny_course.notebook(tiny_course.SUMS, tiny_course.DOUBLES),
            "bo.ipynb": tiny_course.notebook(tiny_course.SUMS, tiny_course.SQUARES),
        },
    )
    command = ("grade", course, hand_ins, "--out", place / "Noten", "--no-figures")
    done = subprocess.run(
        [environment / "bin" / "autograder", *command, "--require", "weak"],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert tiny_course.scores(place / "Noten") == {"ada": 6, "bo": 3}
    code = "import autograder; print(autograder.__file__)"
    where = subprocess.run([python, "-c", code], cwd=place, capture_output=True, text=True)
    assert Path(where.stdout.strip()).is_relative_to(site)


def test_to_build_the_wheel_nothing_large_is_set_up(tmp_path: Path) -> None:
    make = ["make", "--dry-run", "dist", f"VENV={tmp_path / 'venv'}"]
    said = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "hatchling build" in said and "torch" not in said and "-e " not in said
