"""Two data frames side by side: which part is shown, what is marked, and that nothing escapes."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell

from autograder.assignment.kinds import FrameRules
from autograder.gradebook.result import read_result, result_json
from autograder.judging.checks.frame_picture import table_picture
from autograder.judging.verdict import TablePicture
from autograder.reports.feedback.checked import Checked
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.panel import checked_panel
from autograder.reports.feedback.plain import checked_text
from autograder.reports.feedback.side_by_side import tables_tag, tables_text
from autograder.wire.tensors import to_wire
from tests.reports.test_feedback import page
from tests.support.made_feedback import CANARY, SPEC, grade, wrong_shape

TABLE = pd.DataFrame({"city": list("abcdefghij"), "price": np.arange(10) / 2, "n": range(10)})
WRONG = TABLE.assign(price=TABLE["price"].where(TABLE["n"] != 7, 99.0))


def picture(actual: Any, expected: Any, **rules: Any) -> TablePicture:
    made = table_picture(to_wire(actual), to_wire(expected), "df", FrameRules(**rules), None)
    assert made is not None
    return made


def marked(view: Any) -> list[tuple[str, str]]:
    """Row label and text of each marked cell."""
    return [
        (row.label, text)
        for row in view.rows
        for text, wrong in zip(row.cells, row.wrong, strict=True)
        if wrong
    ]


def test_rows_around_the_first_difference_are_shown() -> None:
    shown = picture(WRONG, TABLE)
    assert [row.label for row in shown.expected.rows] == ["5", "6", "7", "8", "9"]
    assert marked(shown.expected) == [("7", "3.5")] and marked(shown.actual) == [("7", "99")]
    assert shown.expected.size == "rows 6 to 10 of 10"
    assert tables_text(shown, 88) == [
        "expected (rows 6 to 10 of 10)    yours (rows 6 to 10 of 10)",
        "   city  price  n                   city  price  n",
        "5     f    2.5  5                5     f    2.5  5",
        "6     g      3  6                6     g      3  6",
        "7     h   *3.5  7                7     h    *99  7",
        "8     i      4  8                8     i      4  8",
        "9     j    4.5  9                9     j    4.5  9",
    ]
    stacked = tables_text(shown, 40)
    assert stacked[7:9] == ["", "yours (rows 6 to 10 of 10)"] and len(stacked) == 15


def test_rows_and_columns_that_are_missing_are_marked_whole() -> None:
    rows = picture(TABLE.drop(index=7), TABLE)
    assert marked(rows.expected) == [("7", "h"), ("7", "3.5"), ("7", "7")]
    assert marked(rows.actual) == []
    columns = picture(TABLE.rename(columns={"n": "N"}), TABLE)
    assert columns.expected.unknown == (False, False, True)
    assert columns.actual.columns == ("city", "price", "N")
    dtype = picture(TABLE.astype({"n": str}), TABLE)
    assert len(marked(dtype.expected)) == 5
    label = picture(TABLE.set_index("city").rename({"c": "C"}), TABLE.set_index("city"))
    assert {row for row, _ in marked(label.actual)} == {"C"}


def test_a_wide_table_is_cut_to_the_columns_that_differ() -> None:
    wide = pd.DataFrame(np.zeros((3, 40)))
    other = wide.copy()
    other.iloc[1, 30] = 1
    shown = picture(other, wide)
    assert "30" in shown.expected.columns and len(shown.expected.columns) == 6
    assert shown.actual.size == "6 of 40 columns"


@pytest.mark.parametrize(
    ("actual", "expected"), [(TABLE, 3), (TABLE["n"], TABLE), (WRONG.head(1), TABLE.head(1))]
)
def test_what_is_no_pair_of_tables_is_not_shown(actual: Any, expected: Any) -> None:
    assert table_picture(to_wire(actual), to_wire(expected), "df", FrameRules(), None) is None


def test_the_page_the_panel_and_the_terminal_show_both() -> None:
    graded = grade(public=wrong_shape(message="`df` is off.", picture=picture(WRONG, TABLE)))
    (exercise, _) = feedback(graded, SPEC).exercises
    for html in (
        page(new_code_cell("x"), graded=graded),
        checked_panel(Checked("e", "E", feedback=exercise)),
    ):
        assert "<mark>3.5</mark>" in html and "<mark>99</mark>" in html
    assert "7     h   *3.5  7" in checked_text(Checked("e", "E", feedback=exercise))
    assert b"3.5" not in result_json(graded) and read_result(result_json(graded))


def test_texts_of_submissions_are_escaped_and_stay_on_their_line() -> None:
    hostile = "<script>\n\u202e`x`\x1b[31m"
    shown = picture(WRONG.rename(columns={"city": hostile}).replace("h", hostile), TABLE)
    html, lines = tables_tag(shown), tables_text(shown, 300)
    for text in (html, *lines):
        assert "<script>" not in html and "\u202e" not in text and "\x1b" not in text
    assert len(lines) == 7


def test_a_hidden_check_shows_no_table() -> None:
    shown = picture(WRONG.assign(city=CANARY), TABLE)
    graded = grade()
    (first, *others) = graded.exercises
    checks = tuple(msgspec.structs.replace(c, picture=shown) for c in first.checks)
    first = msgspec.structs.replace(first, checks=checks)
    graded = msgspec.structs.replace(graded, exercises=(first, *others))
    assert CANARY not in page(new_code_cell("x"), graded=graded)
