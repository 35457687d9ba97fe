"""What is peculiar to each platform's download, which of several files counts, and whose it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.errors import UsageError
from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.arrival import Arrival
from autograder.notebook.formats.find import find
from tests.support.class_of_sixty.small import BERLIN, LARGER, NB, arrived, people, students, write

CASES = yaml.safe_load(Path(__file__).with_name("downloads.yaml").read_text("utf-8"))


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
