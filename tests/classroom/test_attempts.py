"""Of several attempts the best counts: at grading, and at every regrade."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from autograder.classroom.grade_class import source_of, to_keep
from autograder.gradebook.grade import SubmittedFile
from autograder.grading.context import AttemptSet, GradedSubmission, best_of
from autograder.notebook.submission import Submission
from tests.support.class_of_sixty.klass import SOLUTION, TOML
from tests.support.in_process import command, done
from tests.support.made_standings import graded
from tests.support.tiny_course import notebook


def outcome(number: int, score: int | None, status: str = "graded") -> GradedSubmission:
    grade = msgspec.structs.replace(
        graded(), score=score, status=status, submission=SubmittedFile(f"{number}.ipynb", "")
    )
    return GradedSubmission(grade, submission=Submission(f"{number}.ipynb", "", ()))


@pytest.mark.parametrize(
    ("scores", "counts"),
    [((1, 3, 2), 1), ((3, 3, 2), 0), ((None, 0), 1), ((0, None), 0), ((None, None), 0)],
)
def test_the_best_counts_and_the_earliest_of_equals(
    scores: tuple[int | None, ...], counts: int
) -> None:
    tried = tuple(
        outcome(n, score, "graded" if score is not None else "rejected")
        for n, score in enumerate(scores)
    )
    best = best_of(tried)
    assert best.grade.submission.file == f"{counts}.ipynb"
    assert f"Attempt {counts + 1} of" in best.grade.submission.repairs[-1]
    assert best.attempts == tried


def test_where_our_fault_left_one_ungraded_a_person_must_look() -> None:
    tried = (outcome(0, 6000), outcome(1, None, "ungraded"))
    assert best_of(tried).grade.status == "ungraded"


def test_all_attempts_are_kept_in_order_for_a_regrade() -> None:
    best = best_of((outcome(0, 1), outcome(1, 2)))
    found = source_of(to_keep("1", best))
    assert isinstance(found, AttemptSet)
    assert [attempt.name for attempt in found.attempts] == ["0.ipynb", "1.ipynb"]
    assert source_of(to_keep("1", outcome(0, 1))).name == "0.ipynb"


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize(("rule", "score"), [("first", 3.25), ("best", 4.75)])
def test_the_command_takes_the_rule_and_a_regrade_keeps_to_it(
    tmp_path: Path, rule: str, score: float
) -> None:
    course = tmp_path / "assignments" / "homework"
    course.mkdir(parents=True)
    (course / "assignment.toml").write_text(TOML)
    (course / "solution.py").write_text(SOLUTION)
    sources = ("total = 6", "total = 6\ncount = 3", "count = 3")
    for number, source in enumerate(sources, 1):
        name = f"hw_ab1_attempt_2026-10-0{number}-10-00-00_a.ipynb"
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text(notebook(source))
    out = tmp_path / "out"
    done("grade", course, tmp_path / "in", "--attempts", rule, "--out", out, "--no-figures")
    assert shown(out) == [("ab1", score)]
    done("regrade", out, "--yes")
    assert shown(out) == [("ab1", score)]
    submitted = json.loads(command("gradebook", "show", out, "--json").out)["standings"][0]
    day = {"first": 1, "best": 2}[rule]
    assert submitted["submitted_at"].startswith(f"2026-10-0{day}T10:00")


def shown(out: Path) -> list[tuple[str, float]]:
    found = json.loads(command("gradebook", "show", out, "--json").out)["standings"]
    return [(one["student"], one["score"]) for one in found]
