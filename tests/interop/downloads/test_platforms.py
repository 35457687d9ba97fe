"""What is peculiar to each platform's download, which of several files counts, and whose it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import UsageError
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.arrival import Arrival
from autograder.interop.downloads.pick import PickedFile, pick
from autograder.interop.downloads.source import list_entries
from autograder.notebook.formats.find import FoundFile, find, read_found
from tests.support.class_of_sixty.small import BERLIN, LARGER, NB, arrived, people, students, write
from tests.support.tables import read_table

CASES = read_table(Path(__file__).with_name("downloads.yaml"))


def content(name: str, told: Any) -> bytes:
    """A file of downloads.yaml."""
    if isinstance(told, Mapping):
        return archive({inner: content(inner, value) for inner, value in told.items()})
    if told is None:
        return NB if name.endswith((".ipynb", ".py")) else b"other"
    return LARGER if told == "larger" else str(told).encode()


def archive(files: Mapping[str, bytes]) -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return page.getvalue()


def laid_out(case: Mapping[str, Any], folder: Path) -> Path:
    """Write the download; its given part. "zipped" begins the names that go into an archive."""
    told = case["files"]
    files = told if isinstance(told, Mapping) else dict.fromkeys(told)
    data = {name: content(name, value) for name, value in files.items()}
    if "zipped" in case:
        packed = {name: data.pop(name) for name in [*data] if name.startswith(case["zipped"])}
        data["class.zip"] = archive(packed)
    for name, each in data.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(each)
    return folder / ("class.zip" if "zipped" in case else case.get("at", ""))


def seen(arrival: Arrival, key: str) -> Any:
    """What downloads.yaml says of an arrival."""
    match key:
        case "time":
            return arrival.submitted_at and arrival.submitted_at.isoformat()
        case "late":
            return bool(arrival.late)
        case "about":
            return list(arrival.found.notes)
        case _:
            return getattr(arrival, key)


@pytest.mark.parametrize("name", CASES)
def test_a_download_is_read_as_described(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    path = laid_out(case, tmp_path / "class")
    roster = Roster(tuple(Person(**person) for person in case.get("roster", ())))
    options = {"expected_name": case.get("name", ""), "platform": case.get("say", "auto")}
    if "refused" in case:
        with pytest.raises(UsageError, match=case["refused"]):
            read_arrivals([path], roster=roster, timezone=BERLIN, **options)
        return
    read = read_arrivals([path], roster=roster, timezone=BERLIN, **options)
    assert read.platform == case.get("platform", read.platform)
    assert [arrival.student for arrival in read.arrivals] == case.get(
        "students", [arrival.student for arrival in read.arrivals]
    )
    assert [part for part in case.get("notes", ()) if part not in "\n".join(read.notes)] == []
    assert list(read.notes) == case.get("all_notes", list(read.notes))
    if "arrivals" not in case:
        return
    arrivals = sorted(read.arrivals, key=lambda arrival: (arrival.student, arrival.attempt))
    for arrival, expected in zip(arrivals, case["arrivals"], strict=True):
        wanted = dict(expected)
        if "error" in wanted:
            error = wanted.pop("error")
            assert error in arrival.found.error and bool(error) == bool(arrival.found.error)
        assert arrival.found.error or arrival.found.load() in (NB, LARGER)
        assert arrival.found.name.endswith(wanted.pop("graded", ""))
        assert {key: seen(arrival, key) for key in wanted} == wanted


def test_gradescope_without_readable_metadata_still_lists_every_folder(tmp_path: Path) -> None:
    folder = tmp_path / "assignment_1_export"
    for n in (1, 2):
        (folder / f"submission_{n}").mkdir(parents=True)
        (folder / f"submission_{n}/hw.ipynb").write_bytes(NB)
    for text in ("", "- 1", "a: [", "a: &x 1\nb: *x\n", "{" * 100_000, "a: 1\na: 2\n", "\0\1"):
        (folder / "submission_metadata.yml").write_text(text)
        read = arrived(tmp_path)
        assert students(tmp_path) == ["submission_1", "submission_2"]
        assert read.platform == "gradescope"
        assert "listed by their folders" in read.notes[0], text[:10]


def test_plain_is_what_find_finds(tmp_path: Path) -> None:
    write(tmp_path, "a/hw.ipynb", "b/hw.ipynb", "b/HW.py", "x.pdf", "s.ipynb")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "s.ipynb")
    for paths in ([tmp_path], [tmp_path / "s.ipynb", tmp_path / "a"]):
        for roster in (NO_ROSTER, people("nobody", "else")):
            read = read_arrivals(paths, roster=roster, timezone=BERLIN)
            assert read.platform == "plain"
            assert [a.found for a in read.arrivals] == find(paths)
    with pytest.raises(UsageError, match="no such"):
        arrived(tmp_path / "gone")
    with pytest.raises(UsageError, match="not a submission"):
        arrived(tmp_path / "x.pdf")


# ---------------------------------------------------------------- files beside a notebook


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
