"""Rubric items on digit keys, a change of their points, and equal answers graded together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from autograder.assignment.kinds import WrittenCheck
from autograder.gradebook.decisions import Decision, in_words
from autograder.interop.marksheet.filled import changes
from autograder.interop.marksheet.sheet import Marksheet, marksheet_csv, marksheet_xlsx
from autograder.web.answers import normalized
from tests.support.in_process import Lent, done
from tests.support.served_course import (
    RUBRIC,
    RUBRIC_ITEMS,
    ServedCourse,
    hand_in,
    read_page,
    script,
    send,
    send_as_seen,
    served_course,
)

TASK = "/grade/tiny/why/reason"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Iterator[ServedCourse]:
    """Three answers, two of which are equal but for blanks and case."""
    made = served_course(tmp_path_factory.mktemp("course"))
    toml = made.folder / "assignments/tiny/assignment.toml"
    toml.write_text(toml.read_text().replace(RUBRIC, RUBRIC_ITEMS))
    answers = {"001": "Because  of this.", "002": "because of\n THIS.", "003": "For no reason."}
    for student, text in answers.items():
        assert hand_in(made.client(student), script(text)).status_code == 303
    made.grade()
    yield made


@pytest.fixture
def fresh(graded: ServedCourse) -> Iterator[ServedCourse]:
    """The course without points, and with its first rubric."""
    toml = graded.folder / "assignments/tiny/assignment.toml"
    given = toml.read_text()
    yield graded
    toml.write_text(given)
    made = graded.services.store.decisions("tiny")
    undo = [
        Decision("tiny", d.student, "undo", "Ina", "So.", datetime.now(UTC), undoes=d.id)
        for d in made
        if d.kind != "undo"
    ]
    graded.services.store.decide(undo)


def answer_of(course: ServedCourse, student: str) -> str:
    """The address of a student's answer."""
    assignment = course.services.course.assignments()["tiny"]
    rows = course.services.answers.rows(assignment, ())
    return next(f"{TASK}/{key}" for key, row in rows.items() if row.student == student)


def grade(course: ServedCourse, student: str, *items: str, who: str = "Gil", **more: str):  # type: ignore[no-untyped-def]
    """Choose items for an answer, as the page is now."""
    chosen = {f"item-{item}": "1" for item in items}
    return send_as_seen(course.client(who), answer_of(course, student), **{**chosen, **more})


def given(course: ServedCourse) -> dict[str, tuple[int | None, tuple[str, ...]]]:
    """Points and items by student."""
    assignment = course.services.course.assignments()["tiny"]
    decisions = course.services.store.decisions("tiny")
    rows = course.services.answers.rows(assignment, decisions).values()
    return {
        row.student: (row.points, tuple(item for item, _ in row.chosen))
        for row in rows
        if row.points is not None
    }


def test_the_points_are_the_sum_of_the_items(fresh: ServedCourse) -> None:
    page = read_page(fresh.client("Gil"), answer_of(fresh, "003"))
    assert "names &lt;the&gt; cause" in page
    assert 'name="item-wrong" value="1" data-key="3"' in page
    assert 'name="points"' not in page
    for wrong in ([], ["none", "cause"]):
        assert grade(fresh, "003", *wrong).status_code == 422
    assert grade(fresh, "003", "cause", "example", adjustment="1").status_code == 422
    assert given(fresh) == {}
    assert grade(fresh, "003", "cause", "wrong", adjustment="0,25").status_code == 303
    assert given(fresh) == {"003": (750, ("cause", "wrong"))}
    page = read_page(fresh.client("Gil"), answer_of(fresh, "003"))
    assert page.count(" checked") == 2
    assert 'value="0.25"' in page
    made = fresh.services.store.decisions("tiny")[-1]
    assert in_words(made) == "points why/reason 0.75 (cause, wrong)"
    assert grade(fresh, "003", "wrong").status_code == 303  # never below 0
    assert given(fresh) == {"003": (0, ("wrong",))}
    assert grade(fresh, "003", "none").status_code == 303
    assert given(fresh) == {"003": (0, ())}


def test_equal_answers_are_graded_together_if_wanted(fresh: ServedCourse) -> None:
    assert "1 other student who gave this answer" in read_page(
        fresh.client("Gil"), answer_of(fresh, "001")
    )
    assert "gave this answer" not in read_page(fresh.client("Gil"), answer_of(fresh, "003"))
    gus = fresh.client("Gus")
    path = answer_of(fresh, "002")
    assert gus.get(path).status_code == 200  # it is with Gus
    assert grade(fresh, "001", "cause", alike="1").status_code == 303
    assert given(fresh) == {"001": (1500, ("cause",))}
    fresh.services.claims.release("tiny", ("002", "why", "reason"), "Gus")
    assert grade(fresh, "002", "example", alike="1").status_code == 303  # 001 keeps its points
    assert given(fresh) == {"001": (1500, ("cause",)), "002": (500, ("example",))}


def test_each_of_the_equal_answers_has_its_own_decision(fresh: ServedCourse) -> None:
    assert grade(fresh, "001", "cause", alike="1", comment="Well.").status_code == 303
    made = fresh.services.store.decisions("tiny")[-4:]
    assert [(d.student, d.kind, d.amount) for d in made] == [
        *(("001", "points", 1500), ("001", "comment", None)),
        *(("002", "points", 1500), ("002", "comment", None)),
    ]


def test_new_points_of_an_item_change_everyone_who_has_it(fresh: ServedCourse) -> None:
    grade(fresh, "001", "cause", alike="1", adjustment="-0.5")
    grade(fresh, "003", "example")
    gil, toml = fresh.client("Gil"), fresh.folder / "assignments/tiny/assignment.toml"
    assert "points of today" in read_page(gil, f"{TASK}/rubric")
    toml.write_text(toml.read_text().replace("points = 1.5", "points = 1.75"))
    assert "rubric changed: 2 answers" in read_page(gil, "/grade")
    page = read_page(gil, f"{TASK}/rubric")
    assert page.count('<td class="points">1</td><td class="points">1.25</td>') == 2
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    grade(fresh, "003", "cause", "example")
    toml.write_text(toml.read_text().replace("points = 1.75", "points = 1.6"))
    assert send(gil, f"{TASK}/rubric", seen=seen).status_code == 409  # others than were shown
    page = read_page(gil, f"{TASK}/rubric")
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    assert send(gil, f"{TASK}/rubric", seen=seen).status_code == 303
    assert given(fresh) == {
        "001": (1100, ("cause",)),
        "002": (1100, ("cause",)),
        "003": (2000, ("cause", "example")),
    }
    assert "points of today" in read_page(gil, f"{TASK}/rubric")


@pytest.mark.parametrize("name", ["points.csv", "points.xlsx"])
def test_the_sheet_has_the_items(fresh: ServedCourse, tmp_path: Path, name: str) -> None:
    grade(fresh, "003", "cause", "wrong")
    assignment, store = fresh.services.course.assignments()["tiny"], fresh.services.store
    rows = tuple(fresh.services.answers.rows(assignment, store.decisions("tiny")).values())
    made = marksheet_xlsx if name.endswith("xlsx") else marksheet_csv
    data = made(Marksheet(rows))
    assert changes(data, rows, name=name) == ()
    text = marksheet_csv(Marksheet(rows)).decode("utf-8-sig")
    assert "why/reason items (digits 1 to 3, 0 for none)" in text
    assert "1. 1.5: names <the> cause" in text
    header = "student,why/reason items,why/reason points\n"

    def filled(line: str) -> list[tuple[str, int | None, tuple[str, ...]]]:
        found = changes((header + line + "\n").encode(), rows, name="a.csv")
        return [(c.before.student, c.points, tuple(i for i, _ in c.chosen)) for c in found]

    assert filled("001,12,") == [("001", 2000, ("cause", "example"))]
    assert filled('001,"1, 2",1.5') == [("001", 1500, ("cause", "example"))]
    assert filled("001,1.2,") == [("001", 2000, ("cause", "example"))]  # of a spreadsheet
    assert filled("001,0,") == [("001", 0, ())]
    assert filled("003,13,0.5") == []
    assert filled("003,2,0.5") == [("003", 500, ("example",))]
    assert filled("003,13,1") == [("003", 1000, ("cause", "wrong"))]
    for wrong in ("4", "11", "x", "01"):
        with pytest.raises(Exception, match="write the digits of items"):
            filled(f"001,{wrong},")


def test_the_command_takes_the_items_of_a_sheet(fresh: ServedCourse, tmp_path: Path) -> None:
    folder, sheet = fresh.services.course.results("tiny").folder, tmp_path / "points.csv"
    done("gradebook", "export-sheet", folder, sheet)
    sheet.write_text("student,why/reason items\n002,12\n")
    done("gradebook", "import-sheet", folder, sheet, "--yes")
    assert given(fresh) == {"002": (2000, ("cause", "example"))}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "rubric_items"),
        ({"rubric": "short"}, "rubric_items"),
        ({"rubric_items": [{"id": "a", "points": 1, "text": "one"}]}, "add up to 1"),
        ({"rubric_items": [{"id": "a", "points": 1, "text": "one"}] * 2}, "same id"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_refused(more: dict[str, object], said: str) -> None:
    own = {"id": "a", "kind": "written", "title": "t", "points": 2, "name": "x"}
    with pytest.raises(ValidationError, match=said):
        WrittenCheck.model_validate({**own, **more})


def test_blanks_and_case_do_not_tell_answers_apart() -> None:
    assert normalized(" A\tb\n") == normalized("a B")
    assert normalized("ab") != normalized("a b")
