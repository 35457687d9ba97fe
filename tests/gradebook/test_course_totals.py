"""What the assignments of a course come to together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.course import CourseSpec, load_course
from autograder.errors import SpecError
from autograder.gradebook.course import CourseTotal, course_totals
from autograder.gradebook.standing import Standing
from autograder.reports.terminal.standings import course_csv


def course(*extra: str, drop: int = 0, weights: tuple[float, ...] = (1, 1, 1)) -> CourseSpec:
    return CourseSpec.model_validate(
        {
            "format": 1,
            "drop_lowest": drop,
            "assignment": [
                {
                    "id": f"a{n}",
                    "results": f"out/{n}",
                    "weight": weight,
                    "extra_credit": f"a{n}" in extra,
                }
                for n, weight in enumerate(weights, 1)
            ],
        }
    )


def total(spec: CourseSpec, *scores: Any) -> CourseTotal:
    """One student's total; a number is a score out of 10, a word a state."""
    found = {}
    for place, score in enumerate(scores, 1):
        state = score if isinstance(score, str) else "final"
        amount = None if isinstance(score, str) else int(score * 1000)
        found[f"a{place}"] = [Standing(f"a{place}", "1", state, amount, 10000)]
    (one,) = course_totals(spec, found)
    return one


@pytest.mark.parametrize(
    ("spec", "scores", "percent"),
    [
        (course(), (10, 5, 0), 5000),
        (course(weights=(2, 1, 1)), (10, 0, 0), 5000),
        (course(weights=(0.5, 0.25, 0.25)), (10, 0, 0), 5000),
        (course(drop=1), (10, 5, 0), 7500),
        (course(drop=2), (10, 5, 0), 10000),
        (course(), (10, 5, "excused"), 7500),
        (course(), (10, 5, "absent"), 5000),
        (course(drop=1), (10, 5, "absent"), 7500),
        (course(drop=1), (10, "excused", "excused"), 10000),  # the last one is never dropped
        (course("a3"), (10, 5, 10), 12500),
        (course("a3", drop=1), (10, 5, 0), 10000),
        (course("a3"), (10, 5, "absent"), 7500),
        (course(weights=(1, 1, 4)), (10, 10, 0), 3333),
        (course(weights=(1, 1, 4)), (10, 10, 5), 6667),
        (course(weights=(1, 1)), (0, 0.001), 1),  # 0.005 %: a half goes up
        (course(), ("excused", "excused", "excused"), None),
    ],
)
def test_totals(spec: CourseSpec, scores: tuple[Any, ...], percent: int | None) -> None:
    assert total(spec, *scores).total == percent


@pytest.mark.parametrize("state", ["open", "ungraded", "rejected"])
def test_there_is_no_total_while_a_score_is_not_final(state: str) -> None:
    found = total(course(drop=1), 10, state, 5)
    assert (found.total, found.open) == (None, ("a2",))


def test_of_equal_parts_the_earlier_one_is_dropped_and_it_is_told() -> None:
    assert total(course(drop=1), 5, 5, 10).dropped == ("a1",)


def test_whom_an_assignment_does_not_know_handed_nothing_in() -> None:
    one = Standing("a1", "1", "final", 10000, 10000)
    (found,) = course_totals(course(), {"a1": [one], "a2": [], "a3": []})
    assert found.total == 3333


def test_the_table_is_written_with_blanks_for_what_is_not_there() -> None:
    spec = course(drop=1)
    rows = course_csv(spec, [total(spec, 10, 5, 0), total(spec, 10, "open", 5)]).decode()
    assert rows.splitlines() == [
        "student,a1,a2,a3,total_percent,dropped,open",
        "1,10,5,0,75,a3,",
        "1,10,open,5,,,a2",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = 1", "assignment"),
        (
            "format = 1\n[[assignment]]\nid = 'a'\nresults = 'x'\n" * 2,
            "assignment 'a', format: unknown key",
        ),
        (
            "format = 1\ndrop_lowest = 1\n[[assignment]]\nid = 'a'\nresults = 'x'",
            "drop every",
        ),
        ("format = 1\n[[assignment]]\nid = 'a'\nresults = 'x'\nweight = 0", "'a', weight: write"),
        (
            "format = 1\n[[assignment]]\nid = 'a'\nresults = 'x'\n[[assignment]]\nid = 'a'\n"
            "results = 'y'",
            "the same id",
        ),
    ],
)
def test_a_plan_that_means_nothing_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(SpecError, match=said):
        load_course(tmp_path / "course.toml")
    with pytest.raises(SpecError, match=r"none\.toml: cannot be read"):
        load_course(tmp_path / "none.toml")
