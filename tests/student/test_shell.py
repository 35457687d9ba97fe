"""``check`` in a shell: a notebook is run, its exercises are checked where they stand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.notebook.structure.outline import TemplateCell
from autograder.student import own_process, shell
from autograder.student.public_evidence import LaterChecks
from tests.support.notebooks import code
from tests.support.notebooks import written as written_notebook
from tests.support.small_public import ID, function, made, written

CHECKS = {
    "double": [function("double", "numbers")],
    "half": [function("half", "numbers")],
    "essay": [],
}
REFERENCE = "def double(x): return 2 * x\ndef half(x): return x / 2"
NUMBERS = {"numbers": [(1.5,), (2.0,)]}
DOUBLE, HALF = REFERENCE.split("\n")


def course(folder: Path, **more: Any) -> None:
    written(
        folder, made(CHECKS, REFERENCE, cases=NUMBERS, later=LaterChecks(1, 2000, 0, 0), **more)
    )


def notebook(
    folder: Path, *sources: str | tuple[str, str], version: str | None = "0123456789ab"
) -> Path:
    """A notebook of these cells; a pair is an exercise's id and its source. Without a version it
    does not say which assignment it is of."""
    pairs = [one if isinstance(one, tuple) else ("", one) for one in sources]
    cells = [code(source, exercise, id=f"c{n}") for n, (exercise, source) in enumerate(pairs)]
    stamp = {"assignment": ID, "format": 1, "version": version}
    path = folder / "mine.ipynb"
    path.write_text(written_notebook(cells, **({"autograder": stamp} if version else {})))
    return path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_all_right_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course(tmp_path)
    (tmp_path / "data.txt").write_text("2")
    cells = (
        'from autograder.student import Grader\ngrader = Grader("small")\nprint("seen")',
        (
            "double",
            "%%check double\n%matplotlib inline\nGrader('another course')  # does nothing\n"
            "import os\nassert os.environ['CUDA_VISIBLE_DEVICES'] == ''\n"
            "two = int(open('data.txt').read())\ndef double(x): return two * x",
        ),
        'grader.check("double")',
        ("half", HALF),
        "double = None  # the name is used again",
    )
    assert shell.check(notebook(tmp_path, *cells, version="ba9876543210")) == 0
    text = said(capsys)
    assert "without a sandbox" in text and "seen" not in text
    assert "✓ Exercise double: Correct" in text and "✓ Exercise half: Correct" in text
    assert "– Exercise essay: After you submit 1 check (2 points)" in text
    assert "You have earned 2 of 2 points from public checks so far." in text
    assert "made from version ba9876543210 of the template" in text


@pytest.mark.slow
@pytest.mark.parametrize(("order", "status"), [("either", 0), ("report", 1)])
def test_cells_out_of_order_are_tried_in_another_one_as_while_they_are_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str, status: int
) -> None:
    given = TemplateCell("code", "", "import operator\nfrom operator import mul  # given to all")
    evidence = made(CHECKS, REFERENCE, cases=NUMBERS, outline=[given])
    written(tmp_path, msgspec.structs.replace(evidence, order=order))
    cells = (
        ("double", "def double(x): return mul(2, x)"),  # the given cell is lost
        ("half", "by = two\ndef half(x): return x / by"),
        "two = 2",
    )
    assert shell.check(notebook(tmp_path, *cells)) == status
    text = said(capsys)
    assert "The cells were run again in the order" in text
    assert "A given cell of the template was missing and was restored" in text
    assert "✓ Exercise double: Correct" in text


@pytest.mark.slow
def test_a_cell_that_raises_or_does_not_end_costs_itself_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = {name: [function(name, "numbers")] for name in ("double", "half", "same")}
    reference = f"{REFERENCE}\ndef same(x): return x"
    written(tmp_path, made(checks, reference, cases=NUMBERS, limits={"cell_wall_s": 2}))
    cells = (
        ("double", "while True:\n    pass"),
        ("half", "1 / 0"),
        ("same", "def same(x): return x"),
    )
    assert shell.check(notebook(tmp_path, *cells)) == 1
    text = said(capsys)
    assert "Cell 1 was stopped in line 1 (`while True:`): it ran for more than 2 seconds" in text
    assert "`half` is not defined. Cell 2 raised ZeroDivisionError: division by zero" in text
    assert "✓ Exercise same: Correct" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("double", "half", "told"),
    [
        ("import os\nos._exit(3)", HALF, "in cell 1: the process ended itself (exit code 3)."),
        ("import os\nos.kill(os.getpid(), 11)", HALF, "in cell 1: the process crashed with signal"),
        (DOUBLE, "import os\ndef half(x): os._exit(0)", "`half(1.5)` was stopped: the process"),
    ],
)
def test_a_process_that_dies_is_told_and_a_call_in_which_it_dies_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], double: str, half: str, told: str
) -> None:
    course(tmp_path)
    assert shell.check(notebook(tmp_path, ("double", double), ("half", half))) == 1
    text = said(capsys)
    assert told in text
    if double is DOUBLE:
        assert "✓ Exercise double: Correct" in text
    else:
        assert "Everything after it was not run." in text
        assert "title of half-is-right (0 of 1): Not checked This was not reached." in text


@pytest.mark.slow
def test_a_process_that_cannot_be_interrupted_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_process, "GRACE_S", 1.0)
    monkeypatch.setattr(own_process, "READ_S", 1.0)
    course(tmp_path, limits={"cell_wall_s": 1, "call_wall_s": 1})
    deaf = (
        "import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
        "end = time.monotonic() + 600\nwhile time.monotonic() < end: pass"
    )
    assert shell.check(notebook(tmp_path, ("double", deaf), ("half", HALF))) == 1
    assert "did not finish and could not be interrupted" in said(capsys)


@pytest.mark.slow
def test_a_simulated_accelerator_is_there_for_cells_that_ask(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    device = {"id": "there", "kind": "device", "call": "double", "inputs": "numbers"}
    written(tmp_path, made({"double": [device]}, REFERENCE, cases=NUMBERS))
    source = (
        "import torch\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
        "def double(x): return 2 * x * float(torch.ones(1, device=device))"
    )
    assert shell.check(notebook(tmp_path, ("double", source))) == 0
    assert "simulated CUDA" in said(capsys)


def test_what_cannot_be_read_or_has_no_evidence_is_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path, assignment: str = "") -> str:
        assert shell.check(path, assignment=assignment) == 2
        return capsys.readouterr().err

    path = notebook(tmp_path, ("double", DOUBLE))
    assert "there are no checks for 'other'" in refused(path, assignment="other")
    assert shell.main(["check", str(path)]) == shell.main([str(path)]) == 2
    course(tmp_path)
    assert "add --assignment ID" in refused(notebook(tmp_path, "x = 1", version=None))
    path.write_bytes(b"no notebook")
    assert "mine.ipynb" in refused(path)


@pytest.mark.slow
def test_it_is_a_program_of_its_own_and_a_command_of_the_grader(tmp_path: Path) -> None:
    course(tmp_path)
    path = notebook(tmp_path, ("double", "def double(x): return x"), ("half", HALF))
    command = [sys.executable, "-m", "autograder.student", "check", str(path)]
    env = os.environ | {"PYTHONIOENCODING": "ascii"}  # a terminal without the marks
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 1 and "? Exercise half: Correct" in done.stdout, done.stderr
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 1 and "Exercise half: Correct" in result.output
