"""The files that a student submits with the notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.model import SUBMITTED_FILES
from autograder.errors import SubmissionError
from autograder.notebook.formats import beside
from autograder.notebook.formats.beside import (
    FoundBeside,
    allowed,
    chosen,
    with_beside,
    without_taken,
)
from autograder.notebook.submission import Submission
from autograder.wire.messages import FileBeside


def _found(*names: str) -> list[FoundBeside]:
    return [FoundBeside(name, Path("nowhere")) for name in names]


@pytest.mark.parametrize(
    ("name", "patterns", "expected"),
    [
        ("helper.py", SUBMITTED_FILES, True),
        ("data/X.CSV", SUBMITTED_FILES, True),
        ("essay.pdf", SUBMITTED_FILES, False),
        ("hw.ipynb", SUBMITTED_FILES, False),
        ("model.pt", (*SUBMITTED_FILES, "*.pt"), True),
        ("data/x.bin", ("data/*",), True),
        ("other/x.bin", ("data/*",), False),
        ("helper.py", (), False),
    ],
)
def test_the_assignment_says_which_files_are_allowed(
    name: str, patterns: tuple[str, ...], expected: bool
) -> None:
    assert allowed(name, patterns) is expected


def test_what_cannot_be_beside_the_notebook_is_named_with_the_reason() -> None:
    names = ("../x.py", "/etc/x.py", "autograder.py", "hw.ipynb", "a.py", "a.py", "a.py/b.py")
    kept, said = chosen(_found(*names, "c.py", "essay.pdf"), "hw.ipynb", ("*.py", "*.ipynb"))
    assert [file.name for file in kept] == ["a.py", "c.py"]
    text = "\n".join(said)
    for name in ("../x.py", "/etc/x.py", "autograder.py", "hw.ipynb", "a.py/b.py"):
        assert f"{name}" in text
    assert "essay.pdf" not in text
    assert "leads out" in text
    assert "belongs to the grader" in text
    assert "another submitted file" in text


def test_their_number_and_size_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "MAX_FILES", 2)
    kept, said = chosen(_found("a.py", "b.py", "c.py"), "hw.ipynb", ("*.py",))
    assert [file.name for file in kept] == ["a.py", "b.py"]
    assert said == ("c.py is left out: more than 2 files. Submit fewer.",)
    monkeypatch.setattr(beside, "MAX_BYTES", 10)
    files = []
    for name, size in (("a.csv", 6), ("b.csv", 5), ("c.csv", 4)):
        (tmp_path / name).write_bytes(b"x" * size)
        files.append(FoundBeside(name, tmp_path / name))
    read = with_beside(Submission("hw.ipynb", "", ()), [*files, FoundBeside("d.csv", tmp_path)])
    assert [file.name for file in read.beside] == ["a.csv", "c.csv"]
    assert "b.csv is left out: all submitted files together may have 10 bytes" in read.repairs[0]
    assert read.repairs[1].startswith("d.csv is left out: ")


def test_the_assignments_file_wins_and_it_is_said() -> None:
    files = tuple(FileBeside(name, b"") for name in ("data", "x.csv", "y.csv", "z.csv/a"))
    made = Submission("hw.ipynb", "", (), beside=files)
    left = without_taken(made, {"data/a.csv", "x.csv", "z.csv"})
    assert [file.name for file in left.beside] == ["y.csv"]
    assert left.repairs == (
        "y.csv is beside the notebook while it runs.",
        "data, x.csv, z.csv/a are left out: the assignment's own file of this name is used.",
    )
    assert without_taken(left, {"data/a.csv", "x.csv", "z.csv"}) == left
    alone = Submission("hw.ipynb", "", ())
    assert without_taken(alone, {"x.csv"}) == alone


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError):
        FoundBeside("a.py", tmp_path / "a.py").load()
