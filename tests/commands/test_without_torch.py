"""Courses that do not use torch: where it is not installed, and where it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.load import load
from autograder.assignment.packages import installing, missing, packages_of
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import read_assignment
from autograder.classroom.boxes import site_of
from autograder.errors import SpecError, UsageError
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.wire.messages import Call, Cell, Job, Limits, Probe, Read
from autograder.wire.values import Array, Value
from tests.support.without_torch import ROOT, python_without_torch
from tests.test_architecture import TORCH, modules, of

NUMBERS = Array("float64", (2,), b"\0" * 8 + b"\0\0\0\0\0\0\xf0\x3f", "ndarray")  # 0 and 1
RELATION = """
[[exercise.check]]
id = "zero"
kind = "relation"
title = "The means are 0"
points = 1
public = true
needs = ["example"]
relation = "centred"
calls = [{ call = "standardize", inputs = "small_table" }]
"""
CENTRED = """
import numpy as np


def centred(seen):
    for call in seen.calls("standardize", "small_table"):
        (table,) = call.args
        result = call.array(shape=table.shape)
        assert isinstance(table, np.ndarray) and isinstance(call.result, np.ndarray)
        if not np.abs(result.mean(axis=0)).max() < 1e-9:
            yield "The mean of a column is not 0."
"""


class Shell:
    """Runs commands with the Python in which torch cannot be found."""

    def __init__(self, folder: Path) -> None:
        self._python = python_without_torch(folder / "python")
        self.course = folder / "course"
        self.here = folder

    def __call__(self, *arguments: str, status: int = 0) -> str:
        command = [self._python, "-m", "autograder", *arguments]
        done = subprocess.run(
            command,
            cwd=self.course if self.course.is_dir() else self.here,
            env={**os.environ, "COLUMNS": "200", "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr[-3000:]
        return done.stdout if status == 0 else done.stdout + done.stderr


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A course with the NumPy assignment ``first``, made without torch."""
    made = Shell(tmp_path_factory.mktemp("without"))
    made("new", "course/first", "--like", "numpy")
    return made


@pytest.mark.slow
def test_a_numpy_assignment_is_graded_released_and_validated_without_torch(shell: Shell) -> None:
    own = shell.course / "assignments" / "first"
    with (own / "assignment.toml").open("a") as file:
        file.write(RELATION)
    (own / "checks.py").write_text(CENTRED)
    shell("release", "first", "--package", "wheels")
    (wheel,) = (shell.course / "wheels").iterdir()
    with zipfile.ZipFile(wheel) as held:
        (name,) = (name for name in held.namelist() if name.endswith("METADATA"))
        needs = held.read(name).decode()
    assert "numpy" in needs and "torch" not in needs
    handed_in = "assignments/first/examples/student-01.ipynb"
    checked = shell("check", handed_in, "--public", "assignments/first/public.agw")
    assert "public checks 2 of 2 points" in checked
    shell("grade", "first", "assignments/first/examples", "--out", "out")
    student = (shell.course / "out" / "results" / "student-01.json").read_text()
    assert json.loads(student)["score"] == json.loads(student)["max_score"]
    assert "student-02" in shell("show", "out", "student-02")
    shell("report", "out")
    assert "Valid: this assignment is ready to use." in shell("validate", "first", "--quick")


def test_an_assignment_that_uses_torch_is_refused_in_one_sentence(shell: Shell) -> None:
    said = shell("grade", "embedding-layer", ".", "--out", "no", status=2)
    wanted = "embedding-layer: its notebooks use torch, not installed here; run `pip install torch`"
    assert said.strip() == f"error: {wanted}"


@pytest.mark.slow
def test_doctor_says_what_an_assignment_lacks(shell: Shell) -> None:
    assert "torch none" in shell("doctor")
    said = shell("doctor", "embeddings-and-position", status=1)
    assert "Nothing can be graded without torch" in said
    assert "since transformers cannot be imported here" in said
    assert "Fix: pip install torch transformers" in said
    assert "its notebooks use no other packages" in shell("doctor", "first")


def test_a_notebook_with_torch_is_not_drafted_without(shell: Shell) -> None:
    notebook = shell.here / "own.py"
    notebook.write_text("# %%\nimport numpy as np, torch\n")
    said = shell("new", "second", "--from", str(notebook), status=2)
    assert "it uses torch, not installed here; run `pip install torch`" in said


@pytest.fixture(scope="module")
def box(shell: Shell) -> Any:
    """The box of that assignment, where torch is installed."""
    loaded = load(shell.course / "assignments" / "first")
    with Box(contents=site_of(loaded, prepare(loaded), require="weak").contents) as made:
        yield made


DOUBLED = Array("float64", (2,), b"\0" * 15 + b"\x40", "ndarray")
WITH_TORCH = """
import torch
held = torch.ones(2, dtype=torch.bfloat16)
def doubled(x):
    return 2 * torch.as_tensor(x)
def drawn():
    return torch.rand(1).item()
"""
OWN_MODULE = """
import sys, types
sys.modules["torch"] = types.ModuleType("torch")
def doubled(x): return 2 * x
"""


def _answers(box: Box, source: str, *requests: Call | Read) -> list[Value]:
    probes = tuple(Probe(str(n), "e", request) for n, request in enumerate(requests))
    job = Job((Cell(1, source, "e"),), (("e", 1),), probes, 1, Limits(), draw=False)
    found = [run(job, box).probe(probe.id) for probe in probes]
    return [one.claim.value if one and one.claim else None for one in found]


@pytest.mark.slow
def test_a_notebook_may_import_torch_where_its_assignment_does_not(box: Box) -> None:
    """The warm process has not imported it; tensors of a notebook's own import are read; a module
    of the student's own that is named torch changes nothing."""
    call, drawn = Call("e", "doubled", (NUMBERS,)), Call("e", "drawn", (), 3)
    source = "import sys\nthere = 'torch' in sys.modules\ndef doubled(x): return 2 * x"
    assert _answers(box, source, Read("e", "there"), call) == [False, DOUBLED]
    assert _answers(box, OWN_MODULE, call) == [DOUBLED]
    held, value, *numbers = _answers(box, WITH_TORCH, Read("e", "held"), call, drawn, drawn)
    assert held == Array("bfloat16", (2,), b"\x80\x3f" * 2)
    assert value == Array("float64", (2,), DOUBLED.data)
    assert numbers[0] == numbers[1]  # each call is seeded


@pytest.mark.slow
def test_grading_a_numpy_assignment_does_not_import_torch(shell: Shell, tmp_path: Path) -> None:
    """Even where it is installed."""
    code = (
        "import sys\nfrom autograder.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as done:\n    assert not done.code\n"
        "assert 'torch' not in sys.modules and 'numpy' in sys.modules"
    )
    words = ("grade", "first", "assignments/first/examples", "--out", tmp_path / "out")
    subprocess.run([sys.executable, "-c", code, *words], cwd=shell.course, check=True)


@pytest.mark.parametrize(
    ("source", "packages", "used"),
    [
        ("import numpy as np", None, ()),
        ("import torch", None, ("torch",)),
        ("import numpy as np, torch.nn as nn", None, ("torch",)),
        ("def f():\n    from torch import nn", None, ("torch",)),
        ("from autograder.wire.tensors import to_tensor", None, ("torch",)),
        ("import torchvision  # and no torch", None, ()),
        ("'''import torch'''", None, ()),
        ("import torch", '["pandas"]', ("pandas",)),
        ("import numpy", "[]", ()),
    ],
)
def test_what_an_assignment_uses_without_saying_so(
    shell: Shell, tmp_path: Path, source: str, packages: str | None, used: tuple[str, ...]
) -> None:
    folder = tmp_path / "assignments" / "one"
    folder.mkdir(parents=True)
    text = (shell.course / "assignments" / "first" / "assignment.toml").read_text()
    lines = [line for line in text.split(RELATION)[0].splitlines() if "packages" not in line]
    lines.insert(3, f"packages = {packages}" if packages else "")
    (folder / "assignment.toml").write_text("\n".join(lines))
    (folder / "solution.py").write_text(source)
    spec = read_assignment(folder)
    assert packages_of(spec, [folder / "inputs.py", folder / "solution.py"]) == used


@pytest.fixture
def starter() -> str:
    """The TOML of the NumPy starter."""
    text = (ROOT / "autograder/authoring/starter/numpy.toml").read_text()
    return text.partition("'''")[2].partition("'''")[0].replace("ASSIGNMENT", "one")


def test_relations_are_taken_to_need_torch_unless_packages_say_otherwise(
    tmp_path: Path, starter: str
) -> None:
    for toml, used in ((starter, ()), (starter.replace("packages = []", ""), ("torch",))):
        (tmp_path / "assignment.toml").write_text(toml + RELATION)
        assert packages_of(read_assignment(tmp_path), []) == used


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"function"',
            '"gradient"\nwrt = [0]',
            "check 'example': .* need torch; add",
        ),
        ("= []", '= ["nopackage", "nother"]', "^one: .* nopackage and nother, not installed here;"),
    ],
)
def test_a_check_that_needs_torch_contradicts_packages_without_it(
    tmp_path: Path, starter: str, old: str, new: str, said: str
) -> None:
    (tmp_path / "assignment.toml").write_text(starter.replace(old, new, 1))
    with pytest.raises((SpecError, UsageError), match=said):
        load(tmp_path)


def test_packages_are_named_as_pip_finds_them() -> None:
    assert missing(["json", "no.such", "nopackage"]) == ["no.such", "nopackage"]
    assert installing(["sklearn", "sklearn.svm", "torch"]) == "pip install scikit-learn torch"


@pytest.mark.slow
@pytest.mark.versions
def test_without_torch_every_other_module_can_be_imported(tmp_path: Path) -> None:
    left_out = [*TORCH, "execution.dask", "__main__"]
    names = [f"autograder.{module}" for module in modules() if not of(module, left_out)]
    code = f"import importlib\nfor name in {names}: importlib.import_module(name)"
    command = [python_without_torch(tmp_path), "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
