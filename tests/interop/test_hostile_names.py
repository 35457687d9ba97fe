"""Names, messages and comments made to attack whoever opens the results: every writer."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from rich.console import Console, RenderableType

from autograder.assignment.model import Assignment
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import points, unscored
from autograder.gradebook.result import read_result, result_json
from autograder.gradebook.store import GradeStore
from autograder.gradebook.visible import visible
from autograder.judging.verdict import Mismatch, Status, Verdict
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.terminal.grades import class_table, student_view
from tests.support.made_grades import gradebook_csv, summary_json

CHECK = {"id": "c", "title": "About c", "points": 1, "kind": "value", "name": "x", "public": True}
EXERCISE = {"id": "e", "title": "About e", "defines": ["x"], "check": [CHECK]}
SPEC = Assignment.model_validate(
    {"format": 1, "id": "a1", "title": "First", "exercise": [EXERCISE]}
)
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
FORMULAS = [
    *(f"{blank}{sign}1+1" for sign in SIGNS for blank in ("", " ", "\t", "\xa0", "\u3000", "\r\n")),
    *(f"x{split}{sign}1" for sign in SIGNS for split in (";", "; ", ';"', ',"', "\n", "\t", ";\t")),
]
OTHERS = json.loads(Path(__file__).with_name("hostile_texts.json").read_text("utf-8"))
_RANGES = ((0, 0x20), (0x7F, 0xA0), (0x200E, 0x2010), (0x2028, 0x202F), (0x2066, 0x206A))
FORBIDDEN = {chr(n) for begin, end in _RANGES for n in range(begin, end)} - {"\n"}
FORBIDDEN |= set("\u061c\ufeff\u3164")


@cache
def hostile(text: str) -> tuple[Grade, ...]:
    """The text wherever a grade can hold what a student wrote: rejected, and graded."""
    hand_in = SubmittedFile(text, "0", (text,))
    differs = Mismatch(text, "value", text, text, (text, 1))
    verdict = Verdict(
        "e", "c", "value", True, Status.RAISED, 0, 1000, text, (differs,), diagnosis=text
    )
    return (
        unscored(SPEC, hand_in, student=text, status="rejected", reason=text),
        points(SPEC, hand_in, [verdict], None, student=f"{text} 2"),
        points(SPEC, hand_in, [], None, student=f"{text} 3"),
    )


def runs(cell: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula."""
    return cell.strip().startswith(tuple(SIGNS))


def test_no_cell_of_the_gradebook_is_a_formula_however_it_is_split() -> None:
    for text in (*FORMULAS, *OTHERS):
        data = gradebook_csv(hostile(text)).decode("utf-8")
        rows = list(csv.reader(io.StringIO(data)))
        assert [len(row) for row in rows] == [7] * 4, repr(text)
        assert data.count("\n") == 4, repr(text)
        assert not set(data) & FORBIDDEN, repr(text)
        assert not any(runs(cell) for row in rows for cell in row), repr(text)
        for line in data.splitlines():  # a program that splits at semicolons, quoted or not
            assert not any(runs(cell.replace('"', "")) for cell in line.split(";")), repr(text)
            split = csv.reader([line], delimiter=";")
            assert not any(runs(cell) for row in split for cell in row), repr(text)


def shown(view: RenderableType) -> str:
    console = Console(width=200, file=io.StringIO(), force_terminal=True, color_system=None)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_nothing_reaches_the_terminal_but_what_can_be_seen() -> None:
    for text in OTHERS:
        grades = hostile(text)
        said = [shown(class_table(grades)), *(shown(student_view(grade)) for grade in grades)]
        for part in said:
            assert not set(part) & FORBIDDEN, part
            part.encode()
        if text.startswith(("[", ":", "{", "%")):
            assert all(text in part for part in said[1:]), text  # as it is, and not as a style


def test_json_and_the_database_keep_the_text_as_it_was(tmp_path: Path) -> None:
    escaped = {sign for sign in FORBIDDEN if sign < "\x7f"}
    when = datetime(2025, 1, 1, tzinfo=UTC)
    grades = {text: hostile(text) for text in OTHERS}
    with GradeStore(tmp_path / "grades.db") as store:
        for text, several in grades.items():
            run = store.begin_run(
                command=visible(text), started_at=when, assignment="a1", seed=1, versions={}
            )
            store.record_all(run, several)
            json.loads(summary_json(several))
            for grade in several:
                data = result_json(grade)
                assert json.loads(data)["student"] == grade.student
                assert result_json(read_result(data)) == data
                assert not set(data.decode("utf-8")) & escaped
        kept = [grade.student for grade in store.latest("a1")]
    assert sorted(kept) == sorted(grade.student for several in grades.values() for grade in several)


def test_the_page_shows_the_text_and_is_not_written_by_it() -> None:
    for grade in (grade for text in OTHERS for grade in hostile(text)):
        page = feedback_page(feedback(grade, SPEC), None, {})
        page.encode()
        assert not set(page) & (FORBIDDEN - {"\t", "\r"})
        assert "<script" not in page
        assert "<b onclick" not in page
        assert "49" not in page.partition("<body>")[2]
