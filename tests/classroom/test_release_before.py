"""What the release before wrote is read: courses, public evidence, results, evidence, databases."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from autograder.evidence.store import EvidenceFolder
from autograder.sandbox.lazy import LazyBox
from tests.support.in_process import command, lending

BEFORE = Path(__file__).resolve().parents[1] / "support/release_before.zip"
# of a result: what depends on who made it, and words, which may be better today
OF_A_VERSION = ("versions", "timing", "isolation", "reason", "message")
EXPLAINED = ("cause", "diagnosis", "smallest", "repair")  # of which there may be more today


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with a class that it graded, and what it printed of that; made by 0.1.0 at 9f51abf
    with: release, grade --seed 7, gradebook points, override and extend, export json, show."""
    with zipfile.ZipFile(BEFORE) as archive:
        archive.extractall(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def same(value: object) -> object:
    """A result file's content without what depends on a version."""
    if isinstance(value, dict):
        return {
            key: same(item) for key, item in value.items() if key not in OF_A_VERSION + EXPLAINED
        }
    return [same(item) for item in value] if isinstance(value, list) else value


def results(folder: Path) -> dict[str, object]:
    """The result files by name, without what depends on a version."""
    files = (folder / "results").iterdir()
    return {path.name: same(json.loads(path.read_bytes())) for path in files}


def test_results_and_decisions_are_shown_and_exported_as_before(before: Path) -> None:
    shown = command("show", "out", "--json")
    assert shown.code == 0
    assert json.loads(shown.out) == json.loads((before / "show.json").read_bytes())
    assert command("export", "json", "out", "--out", "again.json").code == 0
    again = json.loads((before / "again.json").read_bytes())
    for standing in again["standings"]:
        for exercise in standing["exercises"]:
            assert set(exercise.pop("comments")) <= {*standing["comments"]}  # new since then
    assert again == json.loads((before / "scores.json").read_bytes())
    log = command("gradebook", "log", "out")
    assert log.code == 0 and "agreed" in log.out and "grader-01" in log.out


def test_every_stored_run_is_read(before: Path) -> None:
    store = EvidenceFolder(before / "out/evidence")
    keys = [path.stem for path in (before / "out/evidence").rglob("*.evidence")]
    assert len(keys) == 4  # the solution, a mistake, two submissions
    for key in keys:
        run = store.load(key)
        assert run is not None and run.cells and store.stamp(key) is not None


def test_the_class_is_graded_as_before(before: Path, warm_box: LazyBox) -> None:
    """The course's own code, which imports what has moved since, its template and its notebooks."""
    with lending(warm_box.box()):
        graded = command("grade", "tiny", "class", "--out", "new", "--seed", "7")
    assert graded.code == 0, graded.err
    assert results(before / "new") == results(before / "out")


def test_public_evidence_checks_a_notebook(before: Path) -> None:
    agw = "assignments/tiny/public.agw"
    right = command("check", "class/student-01.ipynb", "--public", agw)
    assert right.code == 0, right.err
    wrong = command("check", "class/student-02.ipynb", "--public", agw)
    assert wrong.code == 1 and "`total` should be about 0.3." in wrong.out


def test_a_regrade_says_that_the_evidence_is_of_another_version(
    before: Path, warm_box: LazyBox
) -> None:
    written = results(before / "out")
    with lending(warm_box.box()):
        again = command("regrade", "out", "--yes")
    assert again.code == 2 and "the grader's version have changed" in again.err
    assert results(before / "out") == written
