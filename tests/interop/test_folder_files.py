"""The files of an imported notebook: brought, missing, outside, or left behind with a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import SpecError
from autograder.interop.folder_files import FolderFiles, opened_files
from autograder.interop.nbgrader.source import read_course
from autograder.interop.nbgrader.write import bring
from tests.support import nbgrader_cells as nb
from tests.support.in_process import done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A notebook's folder, below one with a secret."""
    (tmp_path / "secret.csv").write_text("secret")
    made = tmp_path / "course"
    names = "x.csv data/a.csv data/deep/b.csv more.py of_helper.txt notes.txt unused/c.csv hw.ipynb"
    texts = dict.fromkeys([*names.split(), "package/__init__.py", "package/part.py"], "")
    for name, text in {**texts, "helper.py": "import more\nopen('of_helper.txt')"}.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text or f"# {name}")
    return made


def _found(folder: Path, *sources: str) -> FolderFiles:
    cells = [(f"cell {n}", source) for n, source in enumerate(sources, 1)]
    return opened_files(folder, cells, taken=["hw.ipynb"], remedy="import FOLDER")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("open('x.csv')", {"x.csv"}),
        ("open('./data/../x.csv')", {"x.csv"}),
        ("for p in ['x.csv', 'data/a.csv']: open(p)", {"x.csv", "data/a.csv"}),
        ("import helper", {"helper.py", "more.py", "of_helper.txt"}),
        ("import package", {"package/__init__.py", "package/part.py"}),
        ("os.listdir('data')", {"data/a.csv", "data/deep/b.csv"}),
        ("glob('data/*.csv')", {"data/a.csv"}),
        ("x = df['data']", set()),
        ("open('hw.ipynb')", set()),
    ],
)
def test_what_the_code_opens_is_brought(folder: Path, source: str, names: set[str]) -> None:
    found = _found(folder, source)
    assert set(found.contents) == names
    assert all(data == (folder / name).read_bytes() for name, data in found.contents.items())


def test_what_is_missing_or_left_behind_is_said(folder: Path) -> None:
    found = _found(
        folder,
        "open('x.csv'); open('data/none.csv')",
        "open('made.csv', 'w'); open('made.csv'); open('https://a.b/c.csv'); load('a model')",
    )
    text = "\n".join(found.notes)
    assert "Files that the code opens: x.csv." in text
    assert f"cell 1 opens 'data/none.csv', which is not in {folder}" in text
    assert "copy it into assignments/ID/files/ under this path" in text
    for other in ("made.csv", "https:", "a model"):
        assert other not in text
    assert "no code names them: data/, helper.py, more.py, notes.txt, of_helper.txt" in text
    assert "give the folder: import FOLDER." in text


def test_nothing_outside_the_folder_is_read(folder: Path) -> None:
    (folder / "link.csv").symlink_to("../secret.csv")
    (folder / "all").symlink_to("..")
    found = _found(
        folder,
        "open('../secret.csv'); open('link.csv'); open('all/secret.csv'); os.listdir('all')",
        f"open({str(folder.parent / 'secret.csv')!r}); glob('../*.csv')",
        "open('data/../../secret.csv')",
    )
    assert b"secret" not in found.contents.values()
    assert found.contents == {}
    text = "\n".join(found.notes)
    assert "cell 1 opens '../secret.csv', a path out of" in text
    assert "a link opens 'link.csv', which leads out of" in text
    assert text.count("out of") == 6


def test_too_much_and_a_module_named_like_the_grader_are_refused(folder: Path) -> None:
    with (folder / "x.csv").open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(SpecError, match=r"x.csv: 50,000,001 bytes"):
        _found(folder, "open('x.csv')")
    assert _found(folder, "open('data/a.csv')").contents
    (folder / "autograder.py").write_text("")
    with pytest.raises(SpecError, match="belongs to the grader"):
        _found(folder, "import autograder")


def test_one_notebook_of_nbgrader_or_a_folder_comes_with_its_files(tmp_path: Path) -> None:
    place = tmp_path / "source" / "ps1"
    nb.written(
        place / "sizes.ipynb",
        nb.answer("### BEGIN SOLUTION\nx = int(open('data/x.csv').read())\n### END SOLUTION"),
        nb.tests("assert x == 3\nimport helper\nassert helper.THREE == x"),
    )
    nb.written(place / "other.ipynb", nb.tests("1"))
    for name, text in {"data/x.csv": "3", "helper.py": "THREE = 3", "left.csv": ""}.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    ran = done("import", "nbgrader", place / "sizes.ipynb", "--into", tmp_path / "here")
    assert "no code names them: left.csv" in ran.err
    assert f"give the folder: autograder import nbgrader {place}" in " ".join(ran.err.split())
    (folder,) = (tmp_path / "here" / "assignments").iterdir()
    files = {p.relative_to(folder / "files").as_posix() for p in (folder / "files").rglob("*.*")}
    assert files == {"data/x.csv", "helper.py"}
    (place / "other.ipynb").unlink()
    (place / "data/x.csv").unlink()
    (place / "link").symlink_to("/etc/passwd")
    (made,) = bring(read_course(place))  # the whole folder
    assert {path.name for path in made.files if "files" in path.parts} == {"helper.py", "left.csv"}
    text = "\n".join(made.notes)
    assert "'data/x.csv', which is not in" in text
    assert "Links in" in text and "are left out: link." in text
