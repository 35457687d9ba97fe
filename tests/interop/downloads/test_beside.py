"""Files submitted with a notebook: where they are, seen from the notebook."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.interop.downloads.pick import PickedFile, pick
from autograder.interop.downloads.source import list_entries
from autograder.notebook.formats.find import FoundFile, read_found

NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
PATTERNS = ("*.py", "*.csv")


def _picked(folder: Path, files: Mapping[str, bytes | Mapping[str, bytes]]) -> PickedFile:
    """The choice among files and archives of one student."""
    for name, content in files.items():
        path = folder / "student" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            with zipfile.ZipFile(path, "w") as archive:
                for inner, data in content.items():
                    archive.writestr(inner, data)
    return pick(list_entries([folder / "student"]), beside=PATTERNS)


def _contents(picked: PickedFile) -> dict[str, bytes]:
    return {file.name: file.load() for file in picked.beside}


CHOICES: list[tuple[dict[str, bytes | Mapping[str, bytes]], dict[str, bytes]]] = [
    ({"hw.ipynb": NOTEBOOK, "a.py": b"1", "data/x.csv": b"2"}, {"a.py": b"1", "data/x.csv": b"2"}),
    ({"sub/hw.ipynb": NOTEBOOK, "sub/a.py": b"1"}, {"a.py": b"1"}),
    ({"hw.zip": {"t/hw.ipynb": NOTEBOOK, "t/d/x.csv": b"2"}}, {"d/x.csv": b"2"}),
    ({"hw.zip": {"t/hw.ipynb": NOTEBOOK}, "a.py": b"1"}, {"a.py": b"1"}),
    ({"hw.ipynb": NOTEBOOK, "data.zip": {"data/x.csv": b"2"}}, {"data/x.csv": b"2"}),
    ({"hw.ipynb": NOTEBOOK, "essay.pdf": b"%PDF", ".hidden.csv": b"1"}, {}),
]


@pytest.mark.parametrize(("files", "expected"), CHOICES)
def test_files_are_where_they_were_seen_from_the_notebook(
    tmp_path: Path, files: Mapping[str, bytes], expected: Mapping[str, bytes]
) -> None:
    assert _contents(_picked(tmp_path, files)) == expected


def test_what_is_beside_it_and_what_is_ignored_is_said(tmp_path: Path) -> None:
    files = {
        "top/hw.ipynb": NOTEBOOK,
        "top/a.py": b"1",
        "above.csv": b"2",
        "top/essay.pdf": b"%PDF",
        "top/autograder.py": b"3",
    }
    picked = _picked(tmp_path, {"hw.zip": files})
    assert _contents(picked) == {"a.py": b"1"}
    assert picked.notes == (
        "above.csv, autograder.py, essay.pdf were also submitted; hw.ipynb is graded.",
        "autograder.py is left out: this name belongs to the grader (autograder, .agw). "
        "Rename the file.",
        "above.csv is left out: not in the notebook's folder or below it.",
    )


def test_names_in_an_archive_that_lead_out_are_refused(tmp_path: Path) -> None:
    members = {"hw.ipynb": NOTEBOOK, "../up.csv": b"1", "/etc/x.csv": b"2", "ok.csv": b"3"}
    assert _contents(_picked(tmp_path, {"hw.zip": members})) == {"ok.csv": b"3"}


def test_a_submission_is_read_with_its_files(tmp_path: Path) -> None:
    picked = _picked(tmp_path, {"hw.py": b"x = 1", "data.csv": b"1"})
    assert picked.entry is not None
    found = FoundFile("a", "hw.py", picked.entry.path, beside=picked.beside, notes=picked.notes)
    read = read_found(found)
    assert [(file.name, file.data) for file in read.beside] == [("data.csv", b"1")]
