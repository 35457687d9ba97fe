"""One class of 60 as each platform lets it be downloaded: the same grades, byte for byte."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.gradebook.store import GradeStore
from tests.support.class_of_sixty.klass import DUE, SOLUTION, TOML, Klass, klass
from tests.support.class_of_sixty.layouts import PLATFORMS, lay_out
from tests.support.in_process import Lent, done
from tests.support.tiny_course import notebook

LATE = f"""
[late]
due = {DUE:%Y-%m-%dT%H:%M:%S}Z
timezone = "Europe/Berlin"
grace_minutes = 10
per_day = 10
cutoff_days = 3
"""
TIMED = ("moodle", "gradescope", "blackboard", "brightspace", "nbgrader", "otter")


def hand_in(student: str, attempt: int) -> bytes:
    """Right, half right or wrong, so that attempts of one student differ."""
    place = (sum(map(ord, student)) + attempt) % 4
    sources = ("total = 6\ncount = 3", "total = 6", "count = 3\ntotal = 7", "raise ValueError(1)")
    return notebook(f"# {attempt}\n{sources[place]}").encode()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course") / "assignments" / "homework"
    folder.mkdir(parents=True)
    (folder / "assignment.toml").write_text(TOML)
    (folder / "solution.py").write_text(SOLUTION)
    return folder


@pytest.fixture(scope="module")
def sixty() -> Klass:
    return klass(notebook=hand_in)


@pytest.fixture(scope="module")
def graded(
    course: Path, sixty: Klass, lent_box: Lent, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Path]:
    """The class graded from each download, by platform. Evidence is shared: the code is the same,
    and is run once."""
    evidence = tmp_path_factory.mktemp("evidence")
    folders = {}
    for platform in PLATFORMS:
        base = tmp_path_factory.mktemp(platform)
        paths, roster = lay_out(sixty, platform, base / "download", zipped=platform != "nbgrader")
        out = base / "out"
        out.mkdir()
        (out / "evidence").symlink_to(evidence)
        zone = ("--timezone", "Europe/Berlin")
        fixed = ("--seed", 1, "--no-figures", "--out", out)
        ran = done("grade", course, *paths, "--roster", roster, *zone, *fixed)
        assert "2 did not submit" in ran.err
        folders[platform] = out
    return folders


def exported(folder: Path, form: str, *options: object) -> bytes:
    file = folder / f"exported-{form}"
    done("export", form, folder, "--out", file, *options)
    return file.read_bytes()


def by_student(folder: Path) -> dict[str, tuple[object, ...]]:
    shown = json.loads(exported(folder, "json"))
    return {
        one["student"]: (one["state"], one["score"], one["max_score"], one["exercises"])
        for one in shown["standings"]
    }


@pytest.mark.slow
def test_every_download_gives_the_same_grades(graded: Mapping[str, Path], sixty: Klass) -> None:
    expected = by_student(graded["plain"])
    assert len(expected) == 62
    assert {state for state, *_ in expected.values()} == {"final", "absent"}
    assert len({score for _, score, *_ in expected.values()}) >= 4
    last = {s.id: len(s.attempts) for s in sixty.students}
    for student, (_, score, *_) in expected.items():
        place = (sum(map(ord, student)) + last[student]) % 4
        assert score == (None if not last[student] else [4.75, 3.25, 1.5, 0][place])
    for platform, folder in graded.items():
        assert by_student(folder) == expected, platform


def test_what_is_exported_is_the_same_byte_for_byte(graded: Mapping[str, Path]) -> None:
    assert len({exported(folder, "otter") for folder in graded.values()}) == 1
    for form in ("junit", "xlsx"):  # these name the students, whom each platform spells its own way
        assert exported(graded["canvas"], form) == exported(graded["canvas"], form)


def test_lateness_is_charged_alike_wherever_a_download_tells_times(
    graded: Mapping[str, Path], course: Path, sixty: Klass
) -> None:
    before = by_student(graded["nbgrader"])
    (course / "assignment.toml").write_text(TOML.replace("\n[[", LATE + "\n[[", 1))
    try:
        files = {platform: exported(graded[platform], "otter") for platform in TIMED}
        plain = exported(graded["canvas"], "otter")
        after = by_student(graded["nbgrader"])
    finally:
        (course / "assignment.toml").write_text(TOML)
    assert len(set(files.values())) == 1
    assert set(files.values()) != {plain}  # Canvas tells no times: nothing is taken off
    late = {s.id for s in sixty.students if s.attempts and s.attempts[-1].late}
    lower = {s for s in after if after[s][1] != before[s][1]}
    assert lower and lower <= late


def test_feedback_goes_back_to_the_place_that_each_platform_looks_for(
    graded: Mapping[str, Path], tmp_path: Path
) -> None:
    for platform, folder in graded.items():
        ran = done("return", folder, "--to", platform, "--out", tmp_path / f"{platform}.zip")
        assert "60 pages" in ran.out, (platform, ran)


def test_points_go_through_the_sheet_of_canvas_and_back(graded: Mapping[str, Path]) -> None:
    data = exported(graded["canvas"], "canvas", "--title", "Sums", "--item-id", 7)
    _, _, *rows = csv.reader(io.StringIO(data.decode()))
    with GradeStore(graded["canvas"] / "grades.db") as store:
        ids = {p.keys["canvas_id"]: p.id for p in store.roster()}
    scores = {ids[row[1]]: row[-1] for row in rows}
    expected = by_student(graded["canvas"])
    assert {student: float(score) for student, score in scores.items()} == {
        s: score for s, (_, score, *_) in expected.items() if score is not None
    }
