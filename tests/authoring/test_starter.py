"""`autograder new`: courses and small assignments that work as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.authoring.starter.place import Starter
from autograder.authoring.validation import equivalent_trials
from tests.support.in_process import command, done
from tests.support.selection import rarely
from tests.support.tiny_course import scores

COURSE = "mein kürs"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of a user, with blanks and umlauts in its path."""
    folder = tmp_path / "ein ordner ü"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize("kind", rarely(Starter, keep=1))
def test_a_new_assignment_can_be_validated_released_and_graded_as_it_is(
    here: Path, kind: Starter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is said to do next; a few equivalents are made here, and all of them below."""
    monkeypatch.setattr(equivalent_trials, "SAMPLE", 4)
    said = done("new", f"{COURSE}/first", "--like", kind).out
    shown = [line.strip() for line in said.partition("Next:\n")[2].splitlines()]
    assert shown[0] == f"cd '{COURSE}'"
    monkeypatch.chdir(here / COURSE)
    validate, *others = (line.split()[1:] for line in shown[1:])
    assert "Valid" in done(*validate, "--quick").out
    release, _, show = (done(*words) for words in others)
    assert "wrote" in release.out and (here / COURSE / "student_templates/first.ipynb").is_file()
    full, less = scores(here / COURSE / "out/first").values()
    assert isinstance(full, float) and less == full - 1
    (mistake,) = (here / COURSE / "assignments/first/mistakes").iterdir()
    explanation = mistake.read_text("utf-8").split("\n")[1].removeprefix("# ")
    assert explanation[:30] in " ".join(show.out.split())  # the mistake is named


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize("kind", list(Starter))
def test_nothing_is_left_to_do_in_a_new_assignment(here: Path, kind: Starter) -> None:
    done("new", f"{COURSE}/first", "--like", kind)
    done("validate", here / COURSE / "assignments/first")


def test_a_course_takes_assignments_by_their_ids_alone(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "autograder new first --like numpy" in done("new", COURSE).out
    made = {path.name for path in (here / COURSE).iterdir()}
    assert made == {".gitignore", "README.md", "assignments"}
    assert COURSE in (here / COURSE / "README.md").read_text("utf-8")
    monkeypatch.chdir(here / COURSE)
    assert "cd " not in done("new", "second", "--like", "plain").out
    assert (here / COURSE / "assignments/second/solution.py").is_file()
    assert "a course folder already" in command("new", "kurs/first").err
    (here / "work").mkdir()
    (here / "work/notes.txt").write_text("mine")
    done("new", here / "work" / "kurs")
    assert (here / "work/kurs/README.md").is_file()
    (here / "empty").mkdir()
    done("new", here / "empty" / "third")
    assert (here / "empty/assignments/third/solution.py").is_file()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["course"], "is a course folder already"),
        (["course/first"], "first already exists"),
        (["course/released"], "released.ipynb already exists"),
        (["course/solved"], "solutions/solved already exists"),
        (["course/zwei-ä"], "not a valid assignment id"),
        (["course/two words"], "not a valid assignment id"),
        (["other/first", "--like", "plain"], "is not a course folder"),
        (["other"], "other already exists"),
        ([".."], "already exists"),
        (["./other/x.txt/first"], "is not a course folder"),
        (["another", "--like", "plain"], "another/first"),
        (["another/x", "--like", "plain", "--from", "x.ipynb"], "choose one"),
        (["another/x", "--from", "x.ipynb"], "there is no such file"),
    ],
)
def test_what_exists_is_left_alone(here: Path, arguments: list[str], reason: str) -> None:
    for name in (
        "course/assignments/first/notes.txt",
        "course/solutions/solved/solution.py",
        "course/student_templates/released.ipynb",
        "other/notes.txt",
        "other/x.txt",
    ):
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    before = set(here.rglob("*"))
    ran = command("new", *arguments)
    assert ran.code == 2 and reason in ran.err
    assert set(here.rglob("*")) == before
