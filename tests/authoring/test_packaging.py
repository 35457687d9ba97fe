"""The package for students: which files are in it, and that it is a proper wheel."""

from __future__ import annotations

import ast
import base64
import csv
import hashlib
import io
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from autograder.authoring.packages.needed_files import modules_of
from autograder.authoring.packages.student_wheel import (
    requirements,
    wheel_bytes,
    wheel_files,
    wheel_name,
)

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = {"small": b"\x80evidence"}
MODULES = {
    "autograder/__init__.py": b"",
    "autograder/student/__init__.py": b"import IPython.display, torch\nfrom numpy import array\n",
    "autograder/student/shell.py": b"def main():\n    import yaml.nodes, json, autograder.wire\n",
    "autograder/student/panel.css": b"import nothing {}",
}


# ---------------------------------------------------------------- which files


def test_a_package_comes_with_all_that_it_imports_and_with_nothing_else() -> None:
    files = modules_of("autograder.wire")
    assert set(files) == {
        "autograder/__init__.py",
        *(
            f"autograder/wire/{n}.py"
            for n in (
                "__init__",
                "messages",
                "pinned",
                "simulation",
                "tensors",
                "types",
                "values",
                "weight",
            )
        ),
    }
    assert files["autograder/wire/weight.py"] == (ROOT / "autograder/wire/weight.py").read_bytes()
    assert list(files) == sorted(files)


def test_imports_are_followed_to_the_end_and_every_one_is_there() -> None:
    files = modules_of("autograder.judging.checks")
    assert "autograder/assignment/kinds.py" in files and "autograder/errors.py" in files
    assert "autograder/assignment/load.py" not in files and "autograder/sandbox/box.py" not in files
    for name, source in files.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder"):
                place = str(node.module).replace(".", "/")
                assert {f"{place}.py", f"{place}/__init__.py"} & set(files), name


def test_files_that_a_module_names_are_taken_and_others_are_not() -> None:
    files = modules_of("autograder.student")
    beside = {Path(name).name for name in files if not name.endswith(".py")}
    assert beside >= {"panel.html.j2", "notebook_panel.html.j2", "notebook_panel.css"}
    assert not any(name.startswith(("page", "validation", "style")) for name in beside)


def test_programs_that_a_module_starts_by_name_are_taken() -> None:
    files = modules_of("autograder.student")
    assert "autograder/notebook/formats/converter.py" in files  # named in the text that starts it
    assert not any(name.startswith("autograder/sandbox/box") for name in files)


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"autograder\.nothing"):
        modules_of("autograder.nothing")


# ---------------------------------------------------------------- the wheel


@pytest.fixture(scope="module")
def wheel() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(wheel_bytes(wheel_files(MODULES, EVIDENCE))))


def text(wheel: zipfile.ZipFile, name: str) -> str:
    (found,) = (n for n in wheel.namelist() if n.endswith(f".dist-info/{name}"))
    return wheel.read(found).decode()


def test_equal_contents_give_equal_bytes(wheel: zipfile.ZipFile) -> None:
    again = dict(reversed([*MODULES.items()]))
    assert wheel_bytes(wheel_files(again, EVIDENCE)) == wheel_bytes(wheel_files(MODULES, EVIDENCE))
    entries = wheel.infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.external_attr for entry in entries} == {0o644 << 16}


def test_every_file_is_listed_with_its_digest(wheel: zipfile.ZipFile) -> None:
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(text(wheel, "RECORD")))}
    assert set(rows) == set(wheel.namelist())
    for name, (digest, size) in rows.items():
        if name.endswith("RECORD"):
            assert (digest, size) == ("", "")
            continue
        data = wheel.read(name)
        own = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={own}", str(len(data)))


def test_it_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    version = metadata.version("autograder")
    assert wheel_name() == f"autograder_student-{version}-py3-none-any.whl"
    said = text(wheel, "METADATA").splitlines()
    assert said[:3] == ["Metadata-Version: 2.1", "Name: autograder-student", f"Version: {version}"]
    assert "Requires-Python: >=3.11" in said
    needed = [line.removeprefix("Requires-Dist: ") for line in said if "Dist" in line]
    assert needed == ["ipython<10,>=8.18", "numpy>=1.26", "pyyaml>=6.0", "torch"]
    assert "Tag: py3-none-any" in text(wheel, "WHEEL").splitlines()
    command = "autograder-check = autograder.student.shell:main"
    assert text(wheel, "entry_points.txt").splitlines() == ["[console_scripts]", command]
    assert wheel.read("autograder/student/data/small.agw") == EVIDENCE["small"]


def test_what_only_the_graders_side_needs_is_not_asked_of_students() -> None:
    assert requirements(modules_of("autograder.wire")) == ("msgspec>=0.18", "numpy>=1.26", "torch")
    assert requirements({"autograder/a.py": b"import json\nimport autograder.wire"}) == ()


def test_pip_takes_it(tmp_path: Path) -> None:
    path = tmp_path / wheel_name()
    path.write_bytes(wheel_bytes(wheel_files(MODULES, EVIDENCE)))
    target = tmp_path / "site"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-compile",
            "--disable-pip-version-check",
            "--target",
            str(target),
            str(path),
        ],
        check=True,
    )
    assert (target / "autograder/student/data/small.agw").read_bytes() == EVIDENCE["small"]
    assert (target / "bin" / "autograder-check").is_file()
