"""The files of an assignment: which are read, and which are refused with a remedy."""

from __future__ import annotations

import random
import socket
from pathlib import Path

import pytest

from autograder.assignment import data_files
from autograder.assignment.data_files import DataFiles, collides, read_data_files, refused
from autograder.assignment.load import load
from autograder.errors import SpecError
from tests.support import tiny_course

LETTERS = "abcXYZ019._- äß漢"


def _names(rng: random.Random) -> dict[str, bytes]:
    """Files in folders, none of which is a file and a folder at once."""
    made: dict[str, bytes] = {}
    for _ in range(rng.randrange(1, 12)):
        parts = [
            "n" + "".join(rng.choices(LETTERS, k=rng.randrange(1, 9))) + "n"
            for _ in range(rng.randrange(1, 4))
        ]
        name = "/".join(parts)
        if not collides(name, made):
            made[name] = rng.randbytes(rng.randrange(20))
    return made


def _read(folder: Path) -> tuple[DataFiles, list[str]]:
    problems: list[str] = []
    return read_data_files(folder, {"hw.ipynb"}, problems), problems


@pytest.mark.parametrize("seed", range(8))
def test_what_is_in_the_folder_is_read_and_every_change_changes_the_digest(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    files = _names(rng)
    for name, data in files.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    found, problems = _read(tmp_path / "files")
    assert (dict(found.contents), problems) == (files, [])
    path = tmp_path / "files" / rng.choice([*files])
    other = path.with_name("other")
    changes = (
        lambda: path.write_bytes(path.read_bytes() + b"0"),
        lambda: path.rename(other),
        other.unlink,
    )
    digests = [found.digest]
    for change in changes:
        change()
        digests.append(_read(tmp_path / "files")[0].digest)
    assert len(set(digests)) == len(digests)


def test_names_and_contents_do_not_run_into_one_another() -> None:
    made = [{"a": b"bc"}, {"ab": b"c"}, {"a": b"b", "c": b""}, {"abc": b""}, {}]
    assert len({data_files.data_files(files).digest for files in made}) == len(made)


@pytest.mark.parametrize(
    ("why", "names"),
    [
        ("leads out", ["../x.csv", "data/../../x", "/etc/passwd", "a\\b", ""]),
        ("too long", ["x" * 256, "/".join(["é" * 100] * 6)]),
        ("shown", ["a\nb.csv", "a\0b", "b\ud800"]),
        ("notebook itself", ["hw.ipynb", "HW.ipynb"]),
        ("grader", ["autograder", "autograder.py", "Autograder/__init__.py", "data/public.agw"]),
        ("", ["data/hw.ipynb", "data/autograder.csv", "my autograder.csv", "...", "größe.csv"]),
        ("", ["Screenshot 3.01\u202fPM.png"]),
    ],
)
def test_a_name_that_cannot_be_beside_a_notebook_is_refused(why: str, names: list[str]) -> None:
    for name in names:
        said = refused(name, {"hw.ipynb"})
        assert (why in said) if why else (said == "")


def test_links_pipes_and_what_editors_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    (folder / "__pycache__").mkdir(parents=True)
    for name in ("a.csv", ".DS_Store", "__pycache__/a.pyc"):
        (folder / name).write_text("1")
    (tmp_path / "secret").write_text("2")
    (folder / "inside.csv").symlink_to("a.csv")
    found, problems = _read(folder)
    assert (set(found.contents), problems) == ({"a.csv", "inside.csv"}, [])
    (folder / "out.csv").symlink_to("../secret")
    (folder / "all").symlink_to(tmp_path)
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("pipe")
    found, problems = _read(folder)
    assert set(found.contents) == {"a.csv", "inside.csv"}
    assert sorted(problem.partition("files/")[2] for problem in problems) == [
        "all: a link to a folder. Copy the folder itself",
        "out.csv: this link leads out of files/. Copy the file itself",
        "pipe: this is not a regular file. Remove it",
    ]


def test_too_much_names_the_largest_file_its_size_and_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.csv").write_text("1")
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(50_000_000)
    _, (problem,) = _read(tmp_path)
    assert "large.bin: 50,000,000 bytes; all files" in problem
    assert "have 50,000,001, and at most 50,000,000 are allowed" in problem
    assert "Reduce it" in problem
    (tmp_path / "small.csv").unlink()
    assert _read(tmp_path)[1] == []
    monkeypatch.setattr(data_files, "MAX_FILES", 3)
    for number in range(3):
        (tmp_path / f"{number}").write_text("")
    assert "4 files; at most 3" in _read(tmp_path)[1][0]


def test_an_assignment_has_its_files_and_all_problems_at_once(tmp_path: Path) -> None:
    folder = tiny_course.write_assignment(tmp_path)
    plain = load(folder)
    assert (plain.files.contents, plain.files.digest) == ({}, "")
    (folder / "files").mkdir()
    (folder / "files" / "a.csv").write_text("1")
    loaded = load(folder)
    assert loaded.files.contents == {"a.csv": b"1"}
    assert loaded.digest != plain.digest
    (folder / "files" / "tiny.ipynb").write_text("{}")
    (folder / "files" / "autograder.py").write_text("")
    with pytest.raises(SpecError) as bad:
        load(folder)
    assert len(bad.value.problems) == 2


def test_a_file_collides_with_itself_and_with_a_folder_of_its_name() -> None:
    assert collides("a", {"a"})
    assert collides("a", {"a/b"})
    assert collides("a/b", {"a"})
    assert not collides("a", {"ab", "b/a"})
