"""What students see: the redaction of hidden checks, and pages that student text cannot break."""

from __future__ import annotations

import base64
import html as html_
import re
from collections.abc import Mapping
from typing import Any

import nbformat
import numpy as np
import pytest
from msgspec.structs import replace
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.assignment.model import Assignment
from autograder.errors import UsageError
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import points
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.interop.exports.lines import lines_of
from autograder.judging.checks.explain import sentences
from autograder.judging.verdict import (
    ONLY_WHEN_WRONG,
    Cause,
    DeviceOutcome,
    Mismatch,
    Numbers,
    Picture,
    RanLine,
    Repair,
    SmallestCall,
    Status,
    Verdict,
)
from autograder.reports.feedback import cells, page_body
from autograder.reports.feedback.cleaning import Cleaning, plain_text
from autograder.reports.feedback.feedback import SMALL_CALL, Feedback, feedback
from autograder.reports.feedback.page import BELOW, feedback_page, restated
from autograder.reports.feedback.panel import ticked
from autograder.reports.feedback.picture import draw
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array
from tests.support.effort import costs_at_most
from tests.support.elements import Elements
from tests.support.hostile_html import REFRESH, payloads
from tests.support.made_feedback import (
    CANARY,
    CAUSE,
    SPEC,
    check,
    grade,
    notebook,
    verdict,
    wrong_shape,
)
from tests.support.selection import rarely
from tests.support.tables import table_beside

TABLES = table_beside(__file__)
PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (5).to_bytes(4, "big") + (5).to_bytes(4, "big") + b"\0" * 40
).decode()


def seen(graded: Grade) -> Feedback:
    return feedback(graded, SPEC)


def with_first(graded: Grade, **fields: Any) -> Grade:
    """The grade with another first exercise."""
    first, *others = graded.exercises
    return replace(graded, exercises=(replace(first, **fields), *others))


def page(
    *cells_: nbformat.NotebookNode,
    graded: Grade | None = None,
    after: Mapping[str, int] | None = None,
) -> str:
    return feedback_page(seen(graded or grade()), notebook(*cells_), after or {})


def shown(output: nbformat.NotebookNode) -> str:
    """The page's notebook part, with one output."""
    return page(new_code_cell("x", outputs=[output])).split("Your notebook, as it ran")[1]


def display(mime: str, content: str) -> nbformat.NotebookNode:
    return new_output("display_data", data={mime: content})


def notebook_frame(html: str) -> str:
    """What stands inside the page's frame for the notebook."""
    inner = html.partition('<div class="notebook">')[2]
    return inner.rpartition("</div>\n</section>\n</main>")[0]


NONE = Standing("a1", "student-01", "final", 2, 4)


# ---------------------------------------------------------------- redaction


@pytest.mark.parametrize("status", list(Status))
def test_nothing_of_a_hidden_check_reaches_the_student(status: Status) -> None:
    graded = grade(hidden=(status,) * 3, choice=Status.RAISED)
    told = seen(graded)
    html = feedback_page(told, notebook(new_code_cell("x")), {"encoding": 1})
    assert CANARY in repr(graded)
    for text in (repr(told), html):
        assert CANARY not in text
        assert "7531" not in text


def test_a_check_is_shown_only_when_grade_and_assignment_call_it_public() -> None:
    graded = grade()
    for public, titles in ((True, ["title of shape"]), (False, [])):
        checks = tuple(replace(one, public=public) for one in graded.exercises[0].checks)
        told = seen(with_first(graded, checks=checks))
        assert [c.title for c in told.exercises[0].public] == titles
        assert CANARY not in repr(told)


def test_hidden_checks_are_told_as_one_result_and_a_known_mistake_once() -> None:
    told = seen(grade()).exercises[0]
    hidden = told.hidden
    assert hidden is not None and told.causes == (CAUSE,)
    assert (hidden.passed, hidden.total, hidden.score, hidden.max_score) == (1, 3, 500, 2000)
    assert hidden.problems == ("1 gave wrong values", "1 ended with an exception")
    assert hidden.hints == ("HINT-HIDDEN",)
    html = page(new_code_cell("x"))
    assert html.count("HINT-") == html.count(CAUSE) == 1
    assert seen(grade(hidden=(Status.PASSED,) * 3)).exercises[0].causes == ()


def test_what_wrong_calls_have_in_common_is_told_once_and_keeps_the_hint() -> None:
    """With numbers of its own at each check; the small call follows once, in full."""
    ran = (RanLine(3, 4, "    if a < b:"),)
    small = SmallestCall("f(torch.tensor([0, 0]))", "[[1., 2.]]", "[[1., <2>]]", ran)
    cause = Cause("nothing", property="an id is repeated")
    texts = [f"Wrong in all {n} calls in which an id is repeated." for n in (9, 5)]
    public = wrong_shape(cause=cause, diagnosis=texts[0], smallest=small)
    graded = grade(public=public)
    first, second, *others = graded.exercises[0].checks
    second = replace(second, cause=cause, diagnosis=texts[1])
    told = seen(with_first(graded, checks=(first, second, *others)))
    assert told.exercises[0].patterns == (texts[1],) and told.exercises[0].causes == ()
    assert told.exercises[0].public[0].hint == "HINT-SHAPE"
    assert told.exercises[0].hidden is not None
    assert told.exercises[0].hidden.hints == ("HINT-BESIDE-A-CAUSE", "HINT-HIDDEN")
    html = feedback_page(told, notebook(new_code_cell("x")), {})
    assert html.count("When it goes wrong") == html.count(texts[1]) == 1
    assert html.count("A small call that goes wrong") == html.count("if a &lt; b:") == 1
    (line,) = [line for line in lines_of(told) if "small call" in line.output]
    assert line.output.endswith("\n".join((SMALL_CALL, *small.lines)))
    assert small.lines[-3:] == (ONLY_WHEN_WRONG, "cell 3, line 4:", "    if a < b:")


ANGLE = "row 0 was changed. It has the angle 0, always."
ANGLES = [Mismatch("relation", "other", "", "", text=f"For size {n}: {ANGLE}") for n in (2, 3)]


VALUES = [
    Mismatch("result of call 1", "value", "0.2955", "0.03"),
    Mismatch("result of call 2", "value", "0.7", "0.1"),
    Mismatch("relation", "other", "", "", text="Rows are equal."),
]
MISSING = [Mismatch("result of call 1", "missing", "1", "nothing", (key,)) for key in "abcd"]


@pytest.mark.parametrize(
    ("differs", "said", "left"),
    [
        (
            VALUES,
            "2 calls are wrong. The first: expected 0.2955, got 0.03. Rows are equal.",
            ("Result of call 2: expected 0.7, got 0.1.",),
        ),
        (ANGLES, sentences(ANGLES), ()),
        (
            MISSING,
            "`f('a b')`['a']: 1 is missing; ['b']: 1 is missing; ['c']: 1 is missing.",
            ("Result of call 1['d']: 1 is missing.",),
        ),
    ],
)
def test_what_the_message_tells_is_not_told_twice(
    differs: list[Mismatch], said: str, left: tuple[str, ...]
) -> None:
    graded = grade(public=wrong_shape(message=said, mismatches=tuple(differs)))
    told = seen(graded).exercises[0].public[0]
    assert told.differences == left and told.message.count("the angle 0, always.") <= 1


@pytest.mark.parametrize(
    ("status", "waiting", "unanswered", "pending"),
    [(Status.MANUAL, 1, 0, 2000), (Status.MISSING, 0, 1, 0)],
)
def test_a_written_answer_waits_or_was_not_found(
    status: Status, waiting: int, unanswered: int, pending: int
) -> None:
    answer = check(CANARY, "2", title=CANARY, kind="written", rubric=f"mentions {CANARY}")
    content = {"id": "p", "title": "Predict", "defines": ["x"], "check": [answer]}
    spec = Assignment.model_validate(
        {"format": 1, "id": "a1", "title": "Embeddings", "exercise": [content]}
    )
    found = Verdict("p", CANARY, "written", False, status, 0, 2000, message=CANARY)
    graded = points(spec, SubmittedFile("s.ipynb", "0"), [found], None, student="student-01")
    told = feedback(graded, spec)
    one = told.exercises[0]
    assert (one.by_hand, one.unanswered, one.manual_max) == (waiting, unanswered, pending)
    assert one.hidden is None
    html = feedback_page(told, notebook(new_code_cell("x")), {})
    assert CANARY not in html + repr(told)
    assert ("was not found" in html) is bool(unanswered)


def test_a_hint_is_for_who_has_tried() -> None:
    assert seen(grade()).exercises[0].public[0].hint == ""
    for status, hinted in (
        (Status.FAILED, True),
        (Status.BLANK, False),
        (Status.BROKEN, False),
    ):
        shape = replace(wrong_shape(), status=status)
        told = seen(grade(public=shape, hidden=(status,) * 3)).exercises[0]
        assert bool(told.public[0].hint) is hinted
        assert hinted or (told.hidden is not None and told.hidden.hints == ())


def test_no_hint_stands_beside_an_edit_that_makes_the_exercise_right() -> None:
    repair = Repair(3, "the axis", "x.sum(0)", "x.sum(1)")
    graded = with_first(grade(public=wrong_shape()), repair=repair)
    for level, shown in (("none", True), ("line", False), ("edit", False)):
        spec = SPEC.model_copy(update={"repairs": level})
        told = feedback(graded, spec).exercises[0]
        assert told.hidden is not None and bool(told.hidden.hints) is shown
        assert bool(told.public[0].hint) is shown and bool(told.repair) is not shown


def test_a_hint_about_devices_is_for_who_is_right_on_the_cpu() -> None:
    for result, hints in (("right", 1), ("wrong", 0)):
        devices = (
            DeviceOutcome("cpu", "real", result),  # type: ignore[arg-type]
            DeviceOutcome("cpu", "beside", "wrong"),
            DeviceOutcome("cuda", "real", "wrong"),
        )
        told = seen(grade(public=wrong_shape(devices=devices))).exercises[0].public[0]
        assert bool(told.hint) == hints and told.devices


def test_a_cell_that_raised_is_named_on_top_and_in_its_panel() -> None:
    raised = "`f` is not defined. Cell 4 raised SyntaxError: '(' was never closed (line 3: `f(`)."
    broken = replace(wrong_shape(message=raised), status=Status.BROKEN)
    graded = unnamed(grade(public=broken, hidden=(Status.BROKEN,) * 3))
    html = page(new_code_cell("x"), graded=graded)
    assert "✗ Your cell did not run" in look(html)
    assert html.count("(line 3: <code>f(</code>)") == 1
    assert "3 not run because your cell raised an error." in html and "Hint." not in html


def test_long_and_many_messages_are_bounded() -> None:
    many = tuple(Mismatch(f"v{i}", "other", "", "", text=f"Difference {i}.") for i in range(30))
    told = seen(grade(public=wrong_shape(message="x" * 10_000, mismatches=many)))
    public = told.exercises[0].public[0]
    assert len(public.message) < 2_100
    assert public.differences[-1] == "and 22 more differences"
    assert len(public.differences) == 9


def test_an_ungraded_check_shows_no_zero_and_none_of_our_trouble() -> None:
    broken = verdict("shape", Status.UNGRADED, 0, 1000, public=True, message=f"box {CANARY}")
    told = seen(grade(public=broken))
    assert told.score is None
    assert told.exercises[0].public[0].score is None
    assert CANARY not in repr(told)
    assert "no fault of yours" in told.reason
    mixed = seen(grade(hidden=(Status.PASSED, Status.UNGRADED, Status.PASSED))).exercises[0].hidden
    assert mixed is not None
    assert mixed.score is None


# ---------------------------------------------------------------- what is read


def look(html: str) -> str:
    """The list on top, as text."""
    part = html.partition('<h2 id="look">')[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def test_what_is_wrong_is_listed_on_top_with_links() -> None:
    html = page(new_code_cell("x"), graded=grade(choice=Status.BLANK))
    assert "The encoding ◐ Partly right 1.5 of 3" in look(html)
    assert "– Not attempted: The &lt;choice&gt;" in look(html)
    found = Elements(html).found
    links = {(a["href"] or "")[1:] for tag, a in found if tag == "a"}
    assert links and links <= {a["id"] for _, a in found if "id" in a}
    right = page(new_code_cell("x"), graded=grade(hidden=(Status.PASSED,) * 3))
    assert look(right) == "What to look at Nothing: every check passed."


def test_what_is_wrong_with_the_file_comes_first() -> None:
    """It may explain everything below."""
    file = SubmittedFile("a.ipynb", "0", ("The last cell is cut off.",))
    graded = replace(grade(choice=Status.BLANK), submission=file)
    text = look(page(new_code_cell("x"), graded=graded))
    assert text.startswith("What to look at About your file: The last cell is cut off. The encod")


def test_who_has_attempted_nothing_reads_so_and_sees_no_red_mark() -> None:
    blank = replace(wrong_shape(message="Nothing is filled in yet."), status=Status.BLANK)
    hidden = (Status.BLANK, Status.BLANK, Status.SKIPPED)
    graded = unnamed(grade(public=blank, hidden=hidden, choice=Status.BLANK))
    html = page(new_code_cell("x"), graded=graded, after={"encoding": 1})
    assert seen(graded).blank
    assert "<strong>Not attempted</strong> <span>0 of 4 points" in html
    assert "this file is the assignment without answers" in look(html)
    assert html.count("Not attempted</strong>") == 3  # on top, and one for each exercise
    assert "filled in yet" not in html and 'class="checks"' not in html
    assert not re.search(r'class="(mark|panel) (bad|part)', html)


def unnamed(graded: Grade) -> Grade:
    """The grade without causes, which a blank answer has not."""
    first = graded.exercises[0]
    return with_first(graded, checks=tuple(replace(c, diagnosis="") for c in first.checks))


def test_what_is_as_in_the_template_is_folded_and_answers_are_open() -> None:
    figure = new_output("display_data", data={"image/png": PNG})
    made = notebook(
        new_markdown_cell("# Part 1\n\n## The `pe` *table*"),
        new_code_cell("SET_UP"),
        new_code_cell("ANSWER"),
        new_markdown_cell("my own note"),
        new_code_cell("GIVEN", outputs=[figure]),
        new_code_cell("BLANK = ..."),
    )
    places = {"encoding": 3, "choice": 6}
    html = feedback_page(seen(grade()), made, places, given={1, 2, 5, 6})
    folds = re.findall(r'<details class="fold">(.*?)</details>', html, re.DOTALL)
    lines = [re.sub(r"<[^>]+>", "", fold.partition("</summary>")[0]) for fold in folds]
    assert lines == ["Part 1 · The pe table cell 2", "Given cells 5 and 6, with a figure"]
    assert "SET_UP" in folds[0] and "GIVEN" in folds[1] and "BLANK" in folds[1]
    assert not any(word in "".join(folds) for word in ("ANSWER", "my own note", "exercise-"))
    assert html.index("BLANK") < html.index('id="exercise-choice"')
    assert "<span" not in folds[1].partition("<pre")[2]  # folded code has one colour


def test_code_in_a_message_may_be_long_and_of_several_lines() -> None:
    code = "for word in words:\n    print(word)  # " + "x" * 300
    shown_ = ticked(f"`{code}` raised `<E>`, and ` is left")
    assert shown_ == f"<code>{code}</code> raised <code>&lt;E&gt;</code>, and ` is left"


def test_no_heading_of_a_student_says_more_than_text() -> None:
    made = notebook(new_markdown_cell("# <script>x</script>\u202e " + "long " * 99))
    html = feedback_page(seen(grade()), made, {}, given={1})
    line = html.partition("<summary>")[2].partition("</summary>")[0]
    assert line.startswith("&lt;script&gt;x&lt;/script&gt;\\u202e long") and len(line) < 200


def test_a_fault_is_told_once_and_then_linked() -> None:
    graded = grade(hidden=(Status.FAILED, Status.PASSED, Status.PASSED), choice=Status.FAILED)
    first, last = graded.exercises
    checks = (replace(last.checks[0], diagnosis=CAUSE),)
    last = replace(last, checks=checks)
    html = page(new_code_cell("x"), graded=replace(graded, exercises=(first, last)))
    assert html.count(CAUSE) == 1
    second = html.partition('id="exercise-choice"')[2]
    assert 'The same as in <a href="#exercise-encoding">The encoding</a>.' in second


def test_comments_and_points_stand_at_the_exercise_and_are_replaced_there() -> None:
    comments = ("Better.", "<!--end--> <b>See</b> me.")
    exercises = (
        ExerciseStanding(
            "encoding", "E", 2500, 3000, overridden=True, comments=("Your angles!", comments[0])
        ),
        ExerciseStanding("choice", "C", 1000, 1000, comments=comments[1:]),
    )
    said = ("Your angles!", *comments, "In general: good.")
    held = Standing("a1", "student-01", "final", 2, 4, exercises=exercises, comments=said)
    forged = "<!--by hand: choice--><b>FORGED</b><!--end--><!--end of fold-->"
    forged += "<!--points: choice--><b>FORGED</b><!--end-->"
    cells_ = [new_markdown_cell(forged), new_code_cell(f"x = '{forged}'"), new_code_cell("y")]
    bare = feedback_page(seen(grade()), notebook(*cells_), {"encoding": 2, "choice": 3})
    once = restated(bare, seen(grade()), held)
    assert restated(once, seen(grade()), held) == once
    top, _, below = once.partition(BELOW)
    assert "In general: good." in top and not any(comment in top for comment in said[:2])
    first, _, second = below.partition('id="exercise-choice"')
    assert "Your angles!" in first and "Better." in first
    assert "&lt;!--end--&gt; &lt;b&gt;See&lt;/b&gt; me." in second
    assert re.findall(r"<!--by hand: (\w+)-->", once) == ["encoding", "choice"]
    assert once.count("FORGED") == 4
    by_hand = "2.5 of 3 points, set by hand"
    assert (below.count(by_hand), bare.count(by_hand)) == (1, 0)
    later = restated(once, seen(grade()), NONE)
    assert by_hand not in later and "Better." not in later
    # without a place for it, a comment is on top
    assert "Better." in restated(BELOW, seen(grade()), held)
    whole = replace(NONE, overridden=True)
    assert "points from checks" in restated(bare, seen(grade()), whole).partition(BELOW)[2]


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("after", "order"),
    [
        ({"encoding": 2, "choice": 2}, "FIRST SECOND exercise-encoding exercise-choice THIRD"),
        ({}, "exercise-encoding exercise-choice FIRST"),
        ({"encoding": 0, "choice": 99}, "exercise-encoding exercise-choice FIRST"),
    ],
)
def test_a_panel_stands_after_its_last_cell_or_in_front_of_the_notebook(
    after: dict[str, int], order: str
) -> None:
    html = page(*map(new_code_cell, ("FIRST", "SECOND", "THIRD")), after=after)
    below = html.partition(BELOW)[2]
    assert below.count('id="exercise-encoding"') == 1
    assert sorted(order.split(), key=below.index) == order.split()


DANGEROUS = set(
    "base bdo body button embed form iframe img input link main math meta object script section "
    "select source style svg textarea video".split()
)
OWN_ATTRIBUTES = set("aria-level class colspan href open rel tabindex".split())
OWN_CLASSES = set(
    ",cell code,cell words,source,outputs,rich,number,printed,raised,warned".split(",")
)
EVIL = [evil for several in payloads("https://x.y").values() for evil in several]


@pytest.mark.parametrize("evil", [*EVIL, REFRESH], ids=lambda evil: evil[:25])
def test_student_html_is_inert_wherever_it_stands(evil: str) -> None:
    outputs = [
        new_output("stream", name="stdout", text=evil),
        new_output("error", ename="E", evalue=evil, traceback=[evil]),
        *(
            display(kind, evil)
            for kind in "text/html text/markdown text/plain text/latex image/svg+xml".split()
        ),
    ]
    html = page(new_markdown_cell(f"words\n\n{evil}\n\nmore"), new_code_cell(evil, outputs=outputs))
    frame = re.sub("<math display=.*?</math>", "", notebook_frame(html))  # ours: test_formulas.py
    tags = Elements(frame).found
    assert not {tag for tag, _ in tags} & DANGEROUS
    for tag, attributes in tags:
        assert attributes.keys() <= OWN_ATTRIBUTES, tag
        words = attributes.get("class") or ""
        assert words in OWN_CLASSES or (tag == "span" and len(words) <= 3), words
        target = attributes.get("href") or "#"
        assert target.startswith(("http", "mailto:", "#")), target
        assert attributes.get("colspan", "1") in ("1", "2")
    assert [tag for tag, _ in tags].count("div") == frame.count("</div>")


def test_ordinary_html_and_markdown_survive() -> None:
    html = page(
        new_markdown_cell(
            "# Head\n\n**bold** `code` [link](https://x.y) $a_b<c$\n\n| a |\n|---|\n| 1 |"
        )
    )
    for part in ("<h3>Head</h3>", "<strong>bold</strong>", "<code>code</code>", "<td>1</td>"):
        assert part in html
    assert 'href="https://x.y" rel="noopener noreferrer nofollow"' in html
    assert "<msub><mi>a</mi><mi>b</mi></msub><mo>&lt;</mo><mi>c</mi>" in html
    frame = shown(display("text/html", "<table><tr><td colspan='2'>cat</td></tr></table>"))
    assert '<td colspan="2">cat</td>' in frame
    emptied = {"text/html": "<script>draw()</script>", "text/plain": "<Chart 3>"}
    assert "<pre>&lt;Chart 3&gt;</pre>" in shown(new_output("display_data", data=emptied))
    assert plain_text("\x1b[31;1mred\x1b[0m\n 10%\r 50%\r100%\r\nend") == "red\n100%\nend"


@pytest.mark.parametrize(("evil", "times"), rarely(map(tuple, TABLES["slow markup"]), keep=4))
def test_markup_that_is_slow_to_parse_is_shown_as_text(evil: str, times: int) -> None:
    whole = evil * times
    with costs_at_most(3):
        assert Cleaning().clean(whole) is None
        page(new_markdown_cell(whole[:15_000]))


@pytest.mark.parametrize(("start", "evil"), rarely(map(tuple, TABLES["slow code"]), keep=5))
def test_code_that_is_slow_to_colour_costs_little(start: str, evil: str) -> None:
    with costs_at_most(4):  # 0.6 s on a quiet core; "\\N{" took 1.6 s a cell
        page(*(new_code_cell(f"{n};{start}{evil * (29_000 // len(evil))}") for n in range(12)))


@pytest.mark.parametrize("evil", rarely(TABLES["slow markdown"], keep=7))
def test_markdown_that_is_slow_to_draw_costs_little(evil: str) -> None:
    whole = evil * (19_900 // len(evil))
    with costs_at_most(5, evil):  # 1.1 s at most on a quiet core; formulas took half a second each
        page(*(new_markdown_cell(f"{n} {whole}") for n in range(4)))


@pytest.mark.parametrize(
    "text", ["\u202eevil", "a\u2066b", "\x1b]8;;http://x\x07", "x\x00\x08y", "\x9b"]
)
def test_hidden_characters_never_reach_the_page(text: str) -> None:
    entities = "".join(f"&#x{ord(c):x};" for c in text)
    named = "&rlm;&lrm;&ZeroWidthSpace;"
    html = page(
        new_markdown_cell(text + " " + entities + named),
        new_code_cell(
            f"x = '{text}'",
            outputs=[
                new_output("stream", name="stdout", text=text),
                new_output("error", ename="E", evalue=text, traceback=[text]),
                display("text/html", f"<p>{text}{entities}<img alt='{entities}' src=''></p>"),
                display("text/plain", text),
            ],
        ),
        graded=replace(
            grade(public=wrong_shape(message=text)),
            student=text,
            submission=SubmittedFile(text, "0", (text,)),
        ),
    )
    bad = set("\u202e\u2066\x1b\x00\x08\x07\x9b\u200f\u200e\u200b")
    assert not set(html) & bad
    assert not set(Elements(html).text) & bad
    for _, attributes in Elements(html).found:
        assert not set("".join(value or "" for value in attributes.values())) & bad


def test_only_png_and_jpeg_of_a_fair_size_are_embedded() -> None:
    assert f"data:image/png;base64,{PNG}" in shown(display("image/png", PNG))
    assert 'alt="Figure shown by cell 1"' in shown(display("image/png", PNG))
    huge = base64.b64encode(
        base64.b64decode(PNG)[:16] + (50_000).to_bytes(4, "big") * 2 + b"\0" * 20
    ).decode()
    heavy = base64.b64encode(base64.b64decode(PNG) + b"\0" * cells.IMAGE_BYTES_LIMIT).decode()
    gif = base64.b64encode(b"GIF89a" + b"\0" * 40).decode()
    for bad in (huge, heavy, gif, "not base64!", '"><script>alert(1)</script>', ""):
        html = shown(display("image/png", bad))
        assert "<img" not in html
        assert "image" in html
    assert "<img" not in shown(display("image/jpeg", PNG))


def test_many_images_are_cut_at_a_page_limit() -> None:
    one = base64.b64encode(base64.b64decode(PNG) + b"\0" * 1_500_000).decode()
    html = page(*(new_code_cell("x", outputs=[display("image/png", one)]) for _ in range(12)))
    assert 1 <= html.count("<img") <= cells.PAGE_IMAGES_LIMIT // 1_500_000
    assert "bytes removed" in html


def test_large_outputs_sources_and_notebooks_are_cut_and_say_so() -> None:
    million = "".join(f"line {n}\n" for n in range(30_000))
    stream = [new_output("stream", name="stdout", text=million) for _ in range(60)]
    html = page(
        new_code_cell("y = 1\n" * 20_000, outputs=stream),
        new_markdown_cell("word " * 100_000),
        *(new_code_cell(f"x{n}") for n in range(1_100)),
    )
    assert len(html) < 3_000_000
    assert "line 0\n" in html
    assert "line 29999" in html
    assert "characters cut" in html
    assert "20 outputs cut" in html
    assert "102 cells cut" in html
    assert html.count('class="printed"') == cells.OUTPUTS_LIMIT + 1
    assert html.count('class="cell ') == cells.CELLS_LIMIT + 1
    printed = re.findall(r'<pre class="printed">(.*?)</pre>', html, re.DOTALL)
    assert cells.TEXT_LIMIT <= len(printed[0]) < cells.TEXT_LIMIT + 100
    assert sum(map(len, printed)) < cells.PAGE_TEXT_LIMIT + 50_000


def test_rich_outputs_beyond_the_pages_limit_are_shown_as_text() -> None:
    both = {"text/html": f"<p>{'rich ' * 9_000}</p>", "text/plain": "PLAIN"}
    one = new_output("display_data", data=both)
    html = page(*(new_code_cell("x", outputs=[one]) for _ in range(12)))
    assert html.count("<p>rich") == cells.PAGE_TEXT_LIMIT // 45_000
    assert "PLAIN" in html


def test_odd_notebooks_make_pages_too() -> None:
    html = feedback_page(seen(grade()), {"cells": TABLES["odd cells"]}, {})
    assert "&lt;raw&gt;" in html
    assert "[image removed: a]" in html


def test_code_without_end_is_coloured_only_so_far() -> None:
    html = page(*(new_code_cell(f"n{n} = 1\n" * 2_000) for n in range(20)))
    first, *_, last = re.findall(r'<pre class="source"[^>]*><code>(.*?)</code>', html, re.DOTALL)
    assert "<span" in first and "<span" not in last and "n19 = 1" in last


def test_a_cell_with_a_long_line_has_one_colour_and_is_shown_whole() -> None:
    lines = ("import a", "b = '" + "c" * cells.COLOURED_LINE + "'")
    long = page(new_code_cell("\n".join(lines)))
    assert all(html_.escape(line, quote=False) in long.replace("&#39;", "'") for line in lines)
    assert 'class="k"' not in long  # the colour of "import"
    assert 'class="k"' in page(new_code_cell("import a\nb = '" + "c" * 100 + "'"))


def test_some_formulas_leave_a_text_drawn_and_too_many_leave_it_whole() -> None:
    formula = r"\\begin{a} x < y \\end{a} "
    assert "<strong>b</strong>" in page(new_markdown_cell("**b** " + formula * 20))
    many = page(new_markdown_cell("**b** " + formula * 200))
    assert many.count("x &lt; y") == 200 and "<pre>**b** " in many


# ---------------------------------------------------------------- pictures


def wire(values: Any) -> Array:
    made = to_wire(np.asarray(values))
    assert isinstance(made, Array)
    return made


@pytest.mark.parametrize(("numbers", "drawn"), [(11, False), (12, True)])
def test_few_numbers_are_not_drawn(numbers: int, drawn: bool) -> None:
    picture = Picture("pe", wire(np.zeros(numbers)), wire(np.ones(numbers)))
    differs = (Mismatch("pe", "value", "0", "1", (), Numbers(1, 11, 0, 1.0, 1.0, (0,))),)
    wrong = wrong_shape(message="", mismatches=differs, picture=picture)
    html = page(new_code_cell("x"), graded=grade(public=wrong))
    assert ("<img" in html) is drawn
    assert "expected 0, got 1" in html


DRAWN = [np.ones(shape) for shape in ((1,), (600,), (1, 1), (4, 1000), (2000, 3), (2, 3, 4))]
DRAWN += [np.ones(5, kind) for kind in ("int64", "bool", "float16")]
ODD = ([np.nan] * 4, [np.inf, -np.inf, 0, 1], [1e308, -1e308, 0, 1], [0.0] * 4, [1e-320, 0, 0, 0])
DRAWN += [np.reshape(numbers, shape) for numbers in ODD for shape in ((4,), (2, 2))]
LEFT_OUT = [np.ones(()), np.ones((2, 0, 3)), np.ones(3, complex)]


def test_any_shape_dtype_and_number_can_be_drawn_or_is_left_out() -> None:
    for actual in (*DRAWN, *LEFT_OUT):
        drawing = draw(Picture("x", wire(np.zeros_like(actual)), wire(actual)))
        if any(actual is one for one in LEFT_OUT):
            assert drawing is None
        else:
            assert drawing is not None and drawing.png.startswith(b"\x89PNG")
            assert len(drawing.png) < 40_000
    assert draw(Picture("x", wire(np.zeros(3)), wire(np.ones(4)))) is None


def test_a_large_array_is_drawn_around_its_largest_difference() -> None:
    actual = np.zeros((1000, 64))
    actual[900, 7] = 3
    drawing = draw(Picture("x", wire(np.zeros((1000, 64))), wire(actual)))
    assert drawing is not None
    assert "at [900, 7]" in drawing.alt and "around the largest difference" in drawing.alt


def test_an_installation_without_nbconverts_templates_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nowhere(*args: object, **kwargs: object) -> str:
        raise ValueError("No template sub-directory with name 'basic'")

    monkeypatch.setattr(page_body.Body, "body", nowhere)
    with pytest.raises(UsageError, match="reinstall nbconvert"):
        page_body.body_of_notebooks()
