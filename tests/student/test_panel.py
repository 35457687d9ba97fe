"""The panel in a notebook: what it says, that nothing in it runs, that it stays in its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.judging.verdict import Picture, Status
from autograder.reports.feedback.checked import Checked, said_of, standing
from autograder.reports.feedback.feedback import ExerciseFeedback, PublicCheck
from autograder.reports.feedback.panel import (
    STYLE,
    TEMPLATES,
    checked_panel,
    progress_panel,
    table_panel,
    told_panel,
)
from autograder.reports.feedback.plain import (
    WIDTH,
    checked_text,
    progress_text,
    table_text,
    told_text,
)
from autograder.student.card import Card
from autograder.wire.values import Array

EVIL = '<script>alert(1)</script><img src=x onerror="alert(2)">\x1b[31m</div>'
TENSOR = Array("float64", (2,), bytes(16), "ndarray")


def public(status: Status = Status.FAILED, **more: object) -> PublicCheck:
    usual = {"title": "a title", "score": 0, "max_score": 1000, "message": "`x` is wrong."}
    return PublicCheck(status=status, **(usual | more))  # type: ignore[arg-type]


def exercise(*checks: PublicCheck, title: str = "An exercise", **more: int) -> Checked:
    score = sum(check.score or 0 for check in checks)
    possible = sum(check.max_score for check in checks)
    status = next((c.status for c in checks if c.status is not Status.PASSED), Status.PASSED)
    feedback = ExerciseFeedback(
        "one", title, status, score, possible, False, False, checks, None, (), 0, 0, 0
    )
    return Checked("one", title, feedback=feedback if checks else None, **more)  # type: ignore[arg-type]


WRONG = exercise(
    public(
        differences=("row 3 differs",),
        hint="Look at row 3.",
        picture=Picture("x", TENSOR, Array("float64", (2,), b"\x01" * 16, "ndarray")),
    ),
    public(Status.PASSED, score=1000, message=""),
    hidden=3,
    hidden_points=4000,
    answers=1,
    answer_points=2000,
)


def test_a_panel_says_what_passed_what_differs_and_what_is_left() -> None:
    page = checked_panel(WRONG)
    for words in (
        "Partly right",
        "public checks 1 of 2 points",
        "Not right yet",
        "<code>x</code> is wrong.",
        "row 3 differs",
        "Look at row 3.",
        "Correct",
        "3 more checks (4 points) run after you submit",
        "1 answer (up to 2 points) is graded by hand after you submit.",
    ):
        assert words in page
    assert '<img src="data:image/png;base64,' in page and 'alt="Lines of x' in page
    text = " ".join(checked_text(WRONG).split())
    assert "row 3 differs" in text and "Hint: Look at row 3." in text and "3 more checks" in text


def test_what_has_no_public_check_is_announced() -> None:
    later = exercise(title="An essay", answers=2, answer_points=500)
    assert "2 answers (up to 0.5 points) are graded by hand" in checked_panel(later)
    assert "After you submit" in checked_panel(later)
    assert checked_text(later).startswith("– An essay: After you submit\n")


def test_points_are_added_up_without_the_bonus() -> None:
    bonus = Checked(
        "two", "Bonus", stretch=True, feedback=WRONG.feedback, hidden=1, hidden_points=7000
    )
    found = standing((WRONG, bonus, exercise(title="Essay", hidden=1, hidden_points=500)))
    assert (found.earned, found.missing, found.hidden, found.by_hand, found.bonus, found.total) == (
        1000,
        1000,
        4500,
        2000,
        1000,
        8500,
    )
    assert said_of(found)[:2] == (
        "You have earned 1 of 2 points from public checks so far.",
        "Bonus exercises add 1 point.",
    )
    assert "width: 11.76%" in progress_panel([WRONG, bonus, exercise(hidden=1, hidden_points=500)])
    assert progress_text([]).startswith("[]")


PAGES = [
    checked_panel(
        exercise(public(title=EVIL, message=EVIL, differences=(EVIL,), hint=EVIL), title=EVIL)
    ),
    checked_panel(exercise(title=EVIL, answers=1)),
    checked_panel(Checked("one", EVIL, notes=(EVIL,))),
    table_panel([exercise(public(), title=EVIL)]),
    progress_panel([WRONG]),
    told_panel(EVIL, [EVIL]),
]


@pytest.mark.parametrize("page", PAGES, ids=range(len(PAGES)))
def test_no_text_of_a_student_is_markup(page: str) -> None:
    body = page.replace(Path(TEMPLATES, STYLE).read_text(), "")
    assert "<script" not in body and "onerror=" not in body.replace("onerror=&#34;", "")
    assert body.count("<div") == body.count("</div>") and body.count("<img") in (0, 1)
    assert page.startswith('<div class="autograder"') and page.rstrip().endswith("</div>")
    assert " id=" not in page and "javascript:" not in page and "http" not in body


def test_terminals_get_no_control_characters() -> None:
    evil = exercise(public(title=EVIL, message=EVIL, hint=EVIL), title=EVIL)
    for text in (checked_text(evil), table_text([evil]), told_text(EVIL, [EVIL])):
        assert "\x1b" not in text
    assert max(map(len, checked_text(exercise(public(message="word " * 99))).split("\n"))) <= WIDTH


def test_the_rules_hold_inside_the_panel_alone_and_on_any_ground() -> None:
    style = Path(TEMPLATES, STYLE).read_text()
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", style)
    selectors = [one.strip() for names, _ in rules for one in names.split(",")]
    assert len(selectors) > 40
    assert [selector for selector in selectors if not selector.startswith(".autograder")] == []
    for _, body in rules:  # text has the notebook's own colour
        for value in re.findall(r"(?<![-\w])color:\s*([^;]+)", body):
            assert re.match(r"(inherit|var\(--|rgb\(var\(--tone\)\))", value), value
    assert "@import" not in style and "url(" not in style


def test_a_card_is_html_in_a_notebook_and_text_in_a_terminal() -> None:
    card = Card("as text", "<p>as html</p>")
    assert repr(card) == "as text"
    assert card._repr_mimebundle_(include=None) == {
        "text/plain": "as text",
        "text/html": "<p>as html</p>",
    }
