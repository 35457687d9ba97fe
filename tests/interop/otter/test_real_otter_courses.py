"""The assignments that come with the grader, exported: the real otter-grader gives our scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import load
from tests.interop.otter.export_comparison import compare, count
from tests.support.course_submissions import course_answers, fill
from tests.support.real_programs import OTTER

pytestmark = [OTTER.required(), pytest.mark.slow, pytest.mark.nightly]

ROOT = Path(__file__).resolve().parents[3]
REJECTED = ("student-11", "student-17")  # a file that is cut off, and a Julia notebook
COURSES = ("embedding-fundamentals", "embedding-layer", "rotary-and-unembedding")


def test_the_sample_class_earns_there_what_it_earns_here(tmp_path: Path) -> None:
    assignment = ROOT / "assignments/embeddings-and-position"
    scores = compare(assignment, assignment / "examples", tmp_path)
    assert len(scores) == 17
    assert [student for student, points in scores.items() if not points] == [*REJECTED]
    assert count(scores) == 15 * 11


@pytest.mark.parametrize("name", COURSES)
def test_every_assignment_earns_there_what_it_earns_here(tmp_path: Path, name: str) -> None:
    assignment = ROOT / "assignments" / name
    template = (ROOT / f"student_templates/{name}.ipynb").read_text()
    (tmp_path / "in").mkdir()
    for student, answers in course_answers(load(assignment)).items():
        (tmp_path / "in" / f"{student}.ipynb").write_text(fill(template, answers))
    scores = compare(assignment, tmp_path / "in", tmp_path)
    assert len(scores) == 4
    totals = {student: sum(points.values()) for student, points in scores.items()}
    assert totals["blank"] < totals["mistakes"] < totals["some-mistakes"] < totals["solution"]
