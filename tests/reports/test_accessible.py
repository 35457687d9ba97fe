"""Feedback pages, the class report and the panel in a notebook can be read by everybody: our own
check, and axe-core."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.judging.verdict import Picture, ShownRow, Status, TablePicture, TableView
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.reports.feedback.arrangement import END_OF_FOLD
from autograder.reports.feedback.checked import Checked
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.feedback.page_body import in_order
from autograder.reports.feedback.panel import (
    TEMPLATES,
    checked_panel,
    progress_panel,
    table_panel,
    told_panel,
)
from autograder.wire.tensors import to_wire
from tests.support.accessibility import AXE, NO_AXE, axe_findings, palette
from tests.support.browser import CHROMIUM, NO_CHROMIUM, Page, browser
from tests.support.elements import Elements
from tests.support.made_class_report import grade as class_grade
from tests.support.made_class_report import hostile_page
from tests.support.made_feedback import CAUSE, SPEC, grade, notebook, wrong_shape

with_axe = pytest.mark.skipif(
    AXE is None or not CHROMIUM,
    reason=NO_CHROMIUM if not CHROMIUM else NO_AXE,
)
LOOKS = ((1280, "light"), (390, "dark"))
VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"


def standing(**keys: Any) -> Standing:
    exercises = (ExerciseStanding("choice", "C", 1500, 3000, manual=1500),)
    given: dict[str, Any] = {
        "automatic": 2000,
        "manual": 1500,
        "extra": 500,
        "penalty": 250,
        "late_s": 100_000,
        "exercises": exercises,
        "comments": ("Well done.\nSee me <b>about</b> it.",),
        "note": "PRIVATE",
        **keys,
    }
    return Standing("a1", "student-01", "final", 3750, 5000, **given)


def feedback_with_all() -> str:
    """A page with everything that a page may hold, headings that jump among it."""
    rows = "".join(f"<td>{'wide' * 9}{n}</td>" for n in range(40))
    outputs = [
        new_output("stream", text="long line " * 200 + "\n" * 90),
        new_output("error", ename="E", evalue="e", traceback=["Traceback " + "x" * 900]),
        new_output("display_data", data={"text/html": f"<table><tr><th>a</th>{rows}</tr></table>"}),
        new_output("display_data", data={"text/html": "<style></style>", "text/plain": "p" * 999}),
        new_output("display_data", data={"text/plain": "q" * 2_000}),
    ]
    cells = [
        new_markdown_cell("# One\n\n### Three\n\n|a|b|\n|-|-|\n|1|2|\n\n    " + 99 * "c"),
        new_code_cell("x = 1  # " + "long " * 90, outputs=outputs),
        new_markdown_cell("### Three again\n\n###### Six\n\n[a link](https://example.org)"),
        new_code_cell("y = 'text' + f(2)"),
        new_markdown_cell("#### Given"),
        new_code_cell("z = " + "3" * 300, outputs=outputs[2:3]),
    ]
    wrong = to_wire(np.eye(4, dtype=np.float32)), to_wire(np.ones((4, 4), dtype=np.float32))
    verdict = wrong_shape(picture=Picture("x", *wrong), diagnosis=CAUSE, message="`x` is off")  # type: ignore[arg-type]
    told = feedback(grade(public=verdict, choice=Status.FAILED), SPEC)
    places = {"encoding": 2, "choice": 4}
    return feedback_page(told, notebook(*cells), places, standing=standing(), given={5, 6})


def rejected() -> str:
    graded = msgspec.structs.replace(
        grade(), status="rejected", reason="It breaks off.", score=None, exercises=()
    )
    return feedback_page(feedback(graded, SPEC), None, {})


def page_with_tables() -> str:
    side = TableView(
        ("city", "price"), (False, True), (ShownRow("0", ("Rome", "2"), (False, True)),), ""
    )
    verdict = wrong_shape(picture=TablePicture("x", side, side), message="`x` is off")
    return feedback_page(feedback(grade(public=verdict), SPEC), None, {})


def class_page() -> str:
    scores = [(1000, 0), (0, 1000), (1000, 1000), (0, 0)] * 4
    return class_report(
        "A class",
        ClassResults([class_grade(f"s{at}", one) for at, one in enumerate(scores)]),
    )


def notebook_panels() -> str:
    """What a notebook shows of exercises that are worked on, in a page of its own."""
    shown = feedback(grade(public=wrong_shape(message="`x` is off")), SPEC)  # type: ignore[arg-type]
    checked = [Checked(one.id, one.title, feedback=one, hidden=1) for one in shown.exercises]
    checked.append(Checked("later", "An essay", answers=1, answer_points=1000))
    panels = [*map(checked_panel, checked), table_panel(checked), progress_panel(checked)]
    panels.append(told_panel("A title", ["A sentence with `code`."]))
    head = f'<!DOCTYPE html><html lang="en"><head><title>A notebook</title>{VIEWPORT}</head>'
    return f"{head}<body><main><h1>One</h1><h2>Two</h2>{''.join(panels)}</main></body></html>"


PAGES = {
    "feedback": feedback_with_all,
    "tables": page_with_tables,
    "rejected": rejected,
    "class": class_page,
    "hostile class": hostile_page,
}


# ---------------------------------------------------------------- without a browser


CODE = ("keyword", "text", "remark", "number", "defined", "builtin")


def test_every_colour_is_one_of_the_palettes() -> None:
    style = (TEMPLATES / "style.css").read_text()
    light, dark = palette(style), palette(style, "prefers-color-scheme: dark")
    assert light.keys() == dark.keys()
    assert set(re.findall(r"\.source [^{]*\{ color: ([^;}]+)", style)) == {
        f"var(--{name})" for name in CODE
    }
    rules = style[style.index("* { box-sizing") :]
    others = re.findall(r"(?<!-)color: *(#\w+)|background: *(#\w+)", rules)
    assert others == [("", "#fff")]  # what is printed


def test_headings_skip_no_level_and_keep_their_looks() -> None:
    body = '<h5>a</h5><h3 id="title-e">p</h3><h4 class="why">w</h4><h5>b</h5><h6>c</h6><h3>d</h3>'
    assert in_order(body) == body.replace("<h5>a", '<h5 aria-level="3">a')
    fold = f'<details class="fold"><h3>a</h3><h4>b</h4></details>{END_OF_FOLD}'
    assert in_order(fold + "<h6>c</h6>") == f'{fold}<h6 aria-level="3">c</h6>'
    assert in_order(f"<h3>a</h3><h4>b</h4>{fold}<h6>c</h6>").endswith('<h6 aria-level="5">c</h6>')


def test_wide_parts_can_be_reached_by_key() -> None:
    page = feedback_with_all()
    body = page[page.index('<div class="notebook">') :]
    assert body.count("<table>") == body.count('<div tabindex="0"><table>') == 3
    words = body[body.index('<div class="cell words">') : body.index('<div class="cell code">')]
    assert '<pre tabindex="0"><code>' in words


# ---------------------------------------------------------------- what counts


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "Graded by hand +1.5 Extra +0.5 Late by 1 day 3 hours −0.25"),
        ({}, "Your written answers The <choice> 1.5 of 2"),
        ({}, "See me <b>about</b> it."),
        (
            {"state": "open", "score": None, "so_far": 2000, "manual_open": 1500},
            "Up to 1.5 more points: your written answers are waiting to be graded. You have 2 "
            "points so far.",
        ),
        ({"state": "excused", "score": None}, "Excused: not counted in any total"),
        ({"overridden": True}, "This score was set by hand."),
        ({"penalty": 0, "late_s": 59}, "Submitted 1 minute late; no points were deducted."),
        ({"extra": -1500}, "−1.5"),
        ({"comments": ("\u202e" + "x" * 9_000, " ")}, "\\u202exxx"),
    ],
)
def test_a_standing_is_told_without_the_instructors_note(keys: dict[str, Any], said: str) -> None:
    held = msgspec.structs.replace(standing(), **keys)
    page = feedback_page(feedback(grade(), SPEC), None, {}, standing=held)
    assert said in Elements(page).words
    assert "PRIVATE" not in page and "\u202e" not in page and "x" * 4_001 not in page


# ---------------------------------------------------------------- with axe-core


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser") / "one") as page:
        yield page


def show(tab: Page, file: Path, width: int, scheme: str) -> None:
    tab.looks(width, scheme)
    tab.open(file.as_uri())
    tab.wait_for(
        f"location.href == {json.dumps(file.as_uri())} && document.readyState == 'complete'"
    )


@pytest.mark.slow
@with_axe
@pytest.mark.parametrize("name", [*PAGES, "panels"])
def test_axe_finds_nothing(tab: Page, tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.html".replace(" ", "-")
    file.write_text((PAGES | {"panels": notebook_panels})[name](), encoding="utf-8")
    for width, scheme in LOOKS:
        show(tab, file, width, scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out
        assert axe_findings(tab) == []
        tab.evaluate(UNFOLD)
        assert axe_findings(tab) == []


@pytest.mark.slow
@with_axe
def test_axe_can_fail(tab: Page, tmp_path: Path) -> None:
    file = tmp_path / "broken.html"
    page = feedback_with_all().replace('<div tabindex="0"><table>', "<div><table>")
    page = page.replace("div[tabindex]", ".rich div")  # it scrolls still
    file.write_text(re.sub(r' alt="[^"]*"', "", page), encoding="utf-8")
    show(tab, file, 390, "light")
    tab.evaluate(UNFOLD)
    found = " ".join(axe_findings(tab))
    assert "image-alt" in found and "scrollable-region-focusable" in found
