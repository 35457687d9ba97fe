"""What the instructor learns of mistakes: per check, per class, in files and on screen."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import msgspec
import pytest
from rich.console import Console

from autograder.gradebook.grade import Grade
from autograder.gradebook.mistake_counts import made_mistakes
from autograder.gradebook.result import read_result, result_json
from autograder.judging.verdict import Cause, Mistake, Repair, SmallestCall, Status, Sure
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.reports.terminal.grades import class_table, student_view
from tests.support.made_grades import check, exercise, summary_json
from tests.support.made_grades import grade as graded

CHANGED = "the right result: transposed"
SWAPPED, SHIFTED = Mistake("swapped", "sine and cosine swapped"), Mistake("shifted", "from one")


def grade(student: str, **causes: list[Cause | None]) -> Grade:
    """Exercises by id, each with one failed check for each cause."""
    return graded(
        student,
        *(
            exercise(id_, *(check(f"c{n}", Status.FAILED, 0, cause=c) for n, c in enumerate(found)))
            for id_, found in causes.items()
        ),
    )


def cause(sure: Sure, *mistakes: Mistake, transform: str = "") -> Cause:
    return Cause(sure, mistakes, transform)


CLASS = [
    grade("student-01", e=[cause("named", SWAPPED), cause("named", SWAPPED)], f=[None]),
    grade("student-02", e=[cause("named", SWAPPED), cause("nothing")]),
    grade("student-03", e=[cause("ambiguous", SHIFTED, SWAPPED)], f=[cause("nothing")]),
    grade("student-04", e=[cause("nothing"), cause("nothing")]),
    grade("student-05", e=[cause("named", transform="transposed")]),
]


def printed(renderable: Any, width: int = 120) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_mistake_is_counted_once_for_each_student_and_the_possible_apart() -> None:
    found = [(m.name, m.title, m.students, m.perhaps) for m in made_mistakes(CLASS)]
    assert found == [
        ("swapped", SWAPPED.title, 2, 1),
        (CHANGED, CHANGED, 1, 0),
        ("shifted", SHIFTED.title, 0, 1),
    ]
    both = grade("student-06", e=[cause("named", SWAPPED), cause("ambiguous", SWAPPED, SHIFTED)])
    assert {m.name: m.perhaps for m in made_mistakes([both])} == {"swapped": 0, "shifted": 1}
    two = grade("student-01", e=[cause("named", SWAPPED)], f=[cause("named", SWAPPED)])
    assert [(m.exercise, m.students) for m in made_mistakes([two])] == [("e", 1), ("f", 1)]


def test_students_are_grouped_by_whatever_explains_their_results() -> None:
    others = [
        Cause("named", mutant="as if the mean were a sum"),
        Cause("nothing", property="an id is repeated"),
        Cause("named", (SWAPPED, SHIFTED)),
    ]
    made = made_mistakes([grade(f"s{n}", e=[cause]) for n in range(2) for cause in others])
    assert {(mistake.title, mistake.students) for mistake in made} == {
        ("as if the mean were a sum", 2),
        ("wrong where an id is repeated", 2),
        (SWAPPED.title, 2),
        (SHIFTED.title, 2),
    }


def test_the_summary_counts_what_nothing_explains() -> None:
    told = json.loads(summary_json(CLASS))
    assert [m["name"] for m in told["mistakes"]] == ["swapped", CHANGED, "shifted"]
    assert told["unexplained"] == [
        {"exercise": "e", "students": 1},
        {"exercise": "f", "students": 1},
    ]
    assert summary_json(CLASS) == summary_json(CLASS[::-1])


def test_an_edit_explains_what_nothing_else_does() -> None:
    repair = Repair(3, "the axis", "x.sum(0)", "x.sum(1)")
    found = []
    for student, why in (("s1", cause("nothing")), ("s2", cause("named", SWAPPED))):
        one = grade(student, e=[why])
        edited = (msgspec.structs.replace(one.exercises[0], repair=repair),)
        found.append(msgspec.structs.replace(one, exercises=edited))
    told = json.loads(summary_json(found))
    assert told["unexplained"] == []
    titles = [(one["title"], one["students"]) for one in told["mistakes"]]
    assert titles == [("one edit away from right: the axis", 1), (SWAPPED.title, 1)]
    page = class_report("A", ClassResults(found, {}))
    assert "1 student</strong>: one edit away from right: the axis" in page
    assert "not explained" not in page


def test_a_result_file_keeps_how_sure_the_diagnosis_is() -> None:
    for one in CLASS:
        assert read_result(result_json(one)) == one
    shown = json.loads(result_json(CLASS[0]))
    for held in shown["exercises"]:
        for one in held["checks"]:
            del one["cause"]  # as files from before have it
    old = read_result(json.dumps(shown).encode())
    assert {c.cause for e in old.exercises for c in e.checks} == {None}


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_class_table_is_followed_by_the_mistakes_that_were_made(width: int) -> None:
    text = printed(class_table(CLASS), width)
    assert max(map(len, text.splitlines())) <= width
    table, made = re.split(r"students +mistake", text)
    assert "student-05" in table and "student-05" not in made
    assert "2 (+1)" in made and "swapped" in made and "shifted" in made
    assert not re.search(r"students +mistake", printed(class_table([CLASS[3]])))


def test_a_students_view_says_how_each_failure_is_known() -> None:
    said = ("Known mistake: swapped", "no known mistake", "Possibly: shifted", "", "transposed")
    for one, words in zip(CLASS, said, strict=True):
        assert words in printed(student_view(one))


@pytest.mark.parametrize("width", [40, 100])
def test_a_students_view_has_the_small_call_below_the_explanation(width: int) -> None:
    small = SmallestCall("f([0, 0])", "[1.]", "[2.]")
    why = Cause("nothing", property="an id is repeated")
    keys = {"cause": why, "diagnosis": "Wrong in all 9 calls.", "smallest": small}
    wrong = graded("student-01", exercise("e", check("c", Status.FAILED, 0, **keys)))
    text = printed(student_view(wrong), width)
    lines = [line.strip() for line in text.splitlines()]
    first = lines.index("Wrong in all 9 calls.") + 1
    assert lines[first : first + 3] == list(small.lines)
    assert "Matches no known mistake." not in text
