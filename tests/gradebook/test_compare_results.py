"""Two gradings of the same hand-ins, compared by the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.gradebook.differences import Difference, differences
from autograder.gradebook.grade import Grade, GradeTiming, Isolation
from autograder.gradebook.result import result_json
from autograder.judging.verdict import Status
from tests.support.in_process import command
from tests.support.made_grades import check, exercise, grade

CHECK = check("a", Status.PASSED, 1000)
GRADE = grade("ada", exercise("one", CHECK))


def changed(**fields: object) -> Grade:
    """The grade with another check."""
    return replace(
        GRADE, exercises=(replace(GRADE.exercises[0], checks=(replace(CHECK, **fields),)),)
    )


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (changed(status=Status.FAILED), ("one/a", "status", "passed", "failed")),
        (changed(score=500), ("one/a", "score", "1", "0.5")),
        (changed(message="No."), ("one/a", "message", "", "No.")),
        (changed(diagnosis="Sum, not mean."), ("one/a", "diagnosis", "", "Sum, not mean.")),
        (changed(id="b"), ("one/b", "check", "not there", "there")),
        (replace(GRADE, status="ungraded"), ("", "status", "graded", "ungraded")),
        (replace(GRADE, score=None), ("", "score", "1", "null")),
        (replace(GRADE, timing=GradeTiming(run=9.0), isolation=Isolation("weak")), None),
    ],
)
def test_whatever_a_grade_says_is_compared_and_nothing_beside(
    after: Grade, said: tuple[str, ...] | None
) -> None:
    found = list(differences({"ada": GRADE}, {"ada": after}))
    wanted = [] if said is None else [Difference("ada", *said)]
    assert found[-1:] == wanted


def test_the_command_names_each_difference_and_counts_results(tmp_path: Path) -> None:
    for name, grades in {
        "a": (GRADE, replace(GRADE, student="bob")),
        "b": (changed(score=0),),
    }.items():
        (tmp_path / name / "results").mkdir(parents=True)
        for one in grades:
            (tmp_path / name / "results" / f"{one.student}.json").write_bytes(result_json(one))
    ran = command("compare", tmp_path / "a", tmp_path / "b")
    assert ran.code == 1 and "2 of 2 results differ" in ran.out and "ada  one/a  score" in ran.out
    found = json.loads(command("compare", tmp_path / "a", tmp_path / "b", "--json").out)
    assert [one["student"] for one in found] == ["ada", "bob"]
    same = command("compare", tmp_path / "a", tmp_path / "a")
    assert (same.code, same.out.strip()) == (0, "0 of 2 results differ")
    assert command("compare", tmp_path / "a", tmp_path).code == 2
