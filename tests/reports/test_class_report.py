"""The instructor's page of a class: its numbers, what it must not tell, and hostile hand-ins."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from autograder.gradebook.grade import (
    GradeTiming,
)
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Cause, Mistake, Status
from autograder.reports.class_report import numbers
from autograder.reports.class_report.excerpt import MAX_LINES, anonymous
from autograder.reports.class_report.page import SIGNS, class_report, flags
from autograder.reports.class_report.results import ClassResults
from autograder.similarity.model import CodeCell, CodeLines, HandInCode
from autograder.similarity.reaching import GRADER, REPLACED, STACK, SYSTEM, reaches
from tests.support.made_class_report import grade, hostile_page, pair, without

PACKAGE = Path(__file__).resolve().parents[2] / "autograder"
ORDINARY = HandInCode("s", (CodeCell(1, "import torch\n", given=True),))


class Seen(HTMLParser):
    """The text, the tags and the attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def text_of(page: str) -> str:
    return Seen(page).text


# ---------------------------------------------------------------- the numbers


def test_headline_lists_and_places() -> None:
    grades = [
        grade("s1"),
        grade("s2", (1000, 1000)),
        without("s3", "rejected", "a PDF"),
        without("s4", "ungraded", "the box died"),
    ]
    roster = Roster((Person("s1"), Person("s3", "Ada Case"), Person("0042", "Bo")))
    text = text_of(class_report("T", ClassResults(grades, roster=roster), notes=["Run twice."]))
    assert "submitted 4 graded 2 ungraded 1 rejected 1 mean 1.5 median 1.5" in text
    assert "Rejected: 1 s3 Ada Case s3.ipynb a PDF" in text
    assert "Ungraded: 1 s4 s4.ipynb the box died" in text
    assert "Absent: 1 0042 Bo" in text
    assert "Run twice." in text


def test_final_scores_stand_there_once_nobody_waits_for_a_person() -> None:
    done = Standing("a", "s1", "final", 3500, 4000, automatic=1000)
    others = [Standing("a", "s2", "absent", None, 4000), Standing("a", "s3", "excused", None, 4000)]
    text = text_of(class_report("T", ClassResults([grade("s1")], [done, *others])))
    assert "absent 1 excused 1 mean 3.5 median 3.5" in text
    assert "Final scores of 1 student: no manual grading is pending." in text
    assert "Absent: 1 s2" in text and "rejected" not in text


def test_automatic_points_of_everybody_stand_there_until_then() -> None:
    standings = [
        Standing("a", "s1", "final", 3500, 4000, automatic=1000),
        Standing("a", "s4", "open", None, 4000, so_far=2000, automatic=2000, manual_open=2000),
    ]
    text = text_of(class_report("T", ClassResults([grade("s1"), grade("s4")], standings)))
    assert "waiting for manual grading 1 mean 1.5 median 1.5 lowest, highest 1, 2 maximum 4" in (
        text
    )
    said = "Automatic points of 2 students; the maximum is 4, of which 2 are given by hand."
    assert said in text and "Manual grading is pending for 1 of them" in text


def test_an_empty_class_makes_a_page() -> None:
    text = text_of(class_report("T", ClassResults([])))
    assert "Nobody has a score yet." in text and "Nothing was run." in text


def test_every_score_lies_in_one_step() -> None:
    found = numbers.bins([0, 999, 1000, 58_000, 62_000, -5], 58_000)
    assert [one.count for one in found] == [4, 0, 0, 0, 0, 1, 1]
    assert [one.low for one in found] == [10_000 * at for at in range(7)]
    assert sum(one.count for one in numbers.bins([0, 0], 0)) == 2


def test_difficulty_and_discrimination_by_hand() -> None:
    scored = [
        (1000, 0),
        (0, 0),
        (1000, 1000),
        (0, 0),
        (1000, 1000),
        (1000, 1000),
        (0, 1000),
        (1000, 1000),
        (1000, 0),
        (1000, 1000),
    ] * 3
    every = numbers.items([grade(f"s{at}", one) for at, one in enumerate(scored)])
    own, checks = every[0]
    assert (own.judged, own.passed, own.pass_rate) == (30, 21, 0.7)
    assert (own.share, own.mean) == (pytest.approx(0.7), pytest.approx(700))
    # point-biserial of item 0 with item 1 alone: (M1 - M0) / s * sqrt(p q), not with the total
    mean_right, mean_wrong, spread = 5 / 7, 1 / 3, (0.6 * 0.4) ** 0.5
    assert own.r == pytest.approx((mean_right - mean_wrong) / spread * (0.7 * 0.3) ** 0.5)
    assert own.low is not None and own.high is not None and own.low < own.r < own.high
    assert checks[0].r is None  # discrimination is of exercises
    few = [grade(f"s{at}", scored[at]) for at in range(29)]
    assert numbers.items(few)[0][0].r is None
    assert "discrimination" not in text_of(class_report("T", ClassResults(few)))
    assert "discrimination" in text_of(
        class_report("T", ClassResults([*few, grade("s29", scored[29])]))
    )
    assert numbers.items([grade(f"s{at}", (1000, 0)) for at in range(40)])[0][0].r is None


def test_what_a_person_or_nobody_judged_is_in_no_rate() -> None:
    lost = grade("s2")
    spoiled = [
        msgspec.structs.replace(exercise, status=Status.UNGRADED, score=None)
        for exercise in lost.exercises
    ]
    lost = msgspec.structs.replace(lost, exercises=tuple(spoiled))
    left = [msgspec.structs.replace(exercise, left_out=True) for exercise in grade("s3").exercises]
    other = msgspec.structs.replace(grade("s3"), exercises=tuple(left))
    own, _ = numbers.items([grade("s1"), lost, other])[0]
    assert (own.judged, own.passed) == (1, 1)


def test_percentiles_are_values_that_were_measured() -> None:
    assert [numbers.percentile([4, 1, 3, 2], share) for share in (0.0, 0.5, 0.9, 1.0)] == [
        1,
        2,
        4,
        4,
    ]
    timings = [GradeTiming(0, at, 0, peak_mb=512.4 * (at == 7)) for at in range(8)]
    grades = [grade(f"s{at}", fields={"timing": one}) for at, one in enumerate(timings)]
    assert [one.student for one in numbers.slowest(grades)] == ["s7", "s6", "s5", "s4", "s3"]
    page = text_of(class_report("T", ClassResults(grades)))
    assert "Peak memory 512 MB 512 MB 512 MB" in page
    assert "s7 7.00 s 512 MB s6 6.00 s –" in page


# ---------------------------------------------------------------- examples

SECRET = '''
def lookup(ids):
    """By Jana Example, jana@example.org"""
    # student-07 wrote this in /home/jana
    path = "/home/jana/notes.txt"
    janaTable = ids + 1234567
    return janaTable, f"{path} of Jana", b"jana"
'''
NAMES = ("student-07", "Jana Example", "1234567")


def test_an_example_does_not_tell_whose_it_is() -> None:
    shown = anonymous(SECRET, NAMES)
    assert "return (name_1, " in shown and "def lookup(ids):" in shown
    assert not re.search("jana|example|07|home|#|1234567", shown, re.IGNORECASE)


@pytest.mark.parametrize(
    "source",
    [
        "def f(:\n",
        "x = '''",
        "\0",
        "(" * 500 + ")" * 500,
        "a." * 5_000 + "b",
        "x" * 30_000,
        "f = " + "-" * 19_000 + "1",
        "if x:\n    'only a text'\n",
    ],
)
def test_what_cannot_be_made_nameless_is_not_shown(source: str) -> None:
    assert "only a text" not in anonymous(source, ()) and len(anonymous(source, ())) < 5_000


def test_an_example_is_bounded() -> None:
    assert anonymous("x = 1\n" * 5_000, ()) == ""
    shown = anonymous("x = 1\n" * 100 + f"y = [{'1, ' * 300}]\n", ())
    assert shown.count("\n") == MAX_LINES and shown.endswith(f"... {101 - MAX_LINES} more lines")


def test_the_commonest_mistakes_have_a_nameless_example() -> None:
    cause = Cause("named", (Mistake("swapped", "rows and columns swapped"),))
    grades = [grade(f"student-0{at}", (0, 0), cause=cause) for at in (7, 8)]
    code = [HandInCode("student-07", (CodeCell(1, SECRET, ("e0",)),))]
    roster = Roster((Person("student-07", "Jana Example", email="jana@example.org"),))
    page = class_report("T", ClassResults(grades, roster=roster), code=code)
    section = page[page.index('id="mistakes"') : page.index('id="time"')]
    assert "rows and columns swapped" in section and "2 students" in section
    assert "def lookup(ids):" in section and "You swapped them." in section
    assert not re.search("student-07|jana", section, re.IGNORECASE)


def test_students_with_one_explanation_are_a_line_that_leads_to_an_example() -> None:
    groups = {
        Cause("nothing", property="an `id` is repeated"): 3,
        Cause("named", mutant="as if the mean were a sum"): 4,
        Cause("named", transform="transposed"): 2,
        Cause("nothing"): 5,
    }
    causes = [cause for cause, students in groups.items() for _ in range(students)]
    secret = "`f([7531])`: expected 7531, got 0."
    grades = [
        grade(f"s{n:02}", (0,), cause=cause, message=secret) for n, cause in enumerate(causes)
    ]
    pages = {one.student: f"feedback/{one.student}.html" for one in grades}
    page = class_report("T", ClassResults(grades, pages=pages))
    section = page[page.index('<h2 id="mistakes"') : page.index('id="look"')]
    lines = [text_of(line) for line in re.findall("<summary>.*?</summary>", section)]
    assert [line.partition(" e0")[0] for line in lines] == [
        "4 students : as if the mean were a sum",
        "3 students : wrong where an id is repeated",
        "2 students : the right result: transposed",
    ]
    links = re.findall('href="([^"]*)"', section)
    assert links == [f"feedback/{student}.html#exercise-e0" for student in ("s03", "s00", "s07")]
    assert "5 students: not explained" in text_of(page)
    assert "7531" not in page


# ---------------------------------------------------------------- look at these


@pytest.mark.parametrize("sign", SIGNS)
def test_every_sign_is_one_that_the_grader_writes(sign: str) -> None:
    sources = [
        p
        for part in ("sandbox", "evidence", "judging/checks")
        for p in (PACKAGE / part).glob("*.py")
    ]
    assert any(sign in path.read_text() for path in sources)
    found = flags([grade("s", message=f"Stopped: {sign}.")], ())
    assert [(one.student, one.what) for one in found] == [("s", SIGNS[sign])]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("import sys; f = sys._getframe(1)", STACK),
        ("g = test.__globals__", STACK),
        ("torch.allclose = lambda *a, **k: True", REPLACED),
        ("setattr(torch, 'equal', min)", REPLACED),
        ("import autograder.runner", GRADER),
        ("from autograder.runner import calls", GRADER),
        ("import ctypes", SYSTEM),
        ("from socket import socket", SYSTEM),
    ],
)
def test_lines_that_reach_out_are_shown(line: str, what: str) -> None:
    code = msgspec.structs.replace(ORDINARY, cells=(*ORDINARY.cells, CodeCell(2, f"x = 1\n{line}")))
    assert [(reach.what, reach.place, reach.line) for reach in reaches(code)] == [
        (what, CodeLines(2, 2, 2), line)
    ]
    assert line.replace("'", "&#39;") in class_report("T", ClassResults([grade("s")]), code=[code])


@pytest.mark.parametrize(
    "line",
    [
        "torch.backends.cudnn.deterministic = True",
        "plt.rcParams['x'] = f()",
        "x.weight = f()",
        "import math, torch",
        "class A:\n    def __init__(self):\n        self.a = f()",
        "def f(:",
    ],
)
def test_ordinary_lines_are_not(line: str) -> None:
    code = msgspec.structs.replace(ORDINARY, cells=(*ORDINARY.cells, CodeCell(2, line)))
    assert reaches(code) == ()


def test_given_cells_are_the_templates() -> None:
    given = CodeCell(2, "from autograder.student import Grader", given=True)
    assert reaches(msgspec.structs.replace(ORDINARY, cells=(given,))) == ()


def test_like_pairs_stand_side_by_side_without_a_verdict() -> None:
    code = [
        HandInCode("s1", (CodeCell(1, "# a\nleft = 1\nmore = 2\nend"),)),
        HandInCode("s2", (CodeCell(1, "right = 1\nother = 2\nend"),)),
    ]
    text = text_of(
        class_report(
            "T",
            ClassResults([grade("s1"), grade("s2")]),
            code=code,
            pairs=[pair(0.9), pair(0.2, "s3", "s4")],
        )
    )
    assert "s1 , cell 1, lines 2 to 3 left = 1 more = 2 s2 , cell 1, lines 1 to 2 right = 1" in text
    assert "not proof of copying" in text and "No pair has" not in text
    assert "s3 s4 0.20" in text and "score 0.90 " in text and "evidence" not in text
    assert "1 pair of very similar submissions" in text
    assert not re.search("plagiar|cheat|fraud|copied|guilty|suspect", text, re.IGNORECASE)


# ---------------------------------------------------------------- hostile hand-ins


TAGS = frozenset(
    {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "strong",
        "body",
        "header",
        "p",
        "h1",
        "nav",
        "ul",
        "li",
        "a",
        "main",
        "section",
        "h2",
        "h3",
        "h4",
        "dl",
        "div",
        "dt",
        "dd",
        "figure",
        "svg",
        "rect",
        "line",
        "text",
        "details",
        "summary",
        "ol",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "span",
        "bdi",
        "code",
        "article",
        "pre",
        "figcaption",
    }
)


def test_nothing_of_a_hand_in_becomes_markup() -> None:
    page = hostile_page()
    seen = Seen(page)
    assert set(seen.tags) <= TAGS
    assert not {name for name, _ in seen.attributes if name.startswith("on") or name == "src"}
    assert not re.search("[\u202e\x1b\ud800]", page)
    page.encode("utf-8")
    assert len(max(page.split("\n"), key=len)) < 6_000


def test_the_overview_and_the_rows_name_the_commonest_mistakes() -> None:
    cause = Cause("named", (Mistake("sums", "adds the *rows*"),))
    grades = [grade(f"s{at}", (0, 1000), cause=cause) for at in range(3)]
    grades += [grade("s8", (0, 1000), cause=Cause("nothing", ())), grade("s9", (1000, 1000))]
    text = text_of(class_report("T", ClassResults(grades)))
    overview, _, rest = text.partition("Points: the mean.")
    lost = "Exercise 0 : 0.8 of 1 points lost, the mean over 5 students"
    assert f"Where checks took points {lost} Most common mistakes" in overview
    assert "3 students: adds the *rows*" in overview
    row = rest[rest.index("Exercise 0 e0") : rest.index("Exercise 1 e1")]
    assert "20 % 1 of 5 0.2 of 1" in row
    assert "3 students: adds the *rows* 1 student: not explained" in row


def test_the_page_is_self_contained() -> None:
    page = hostile_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy and policy[1].startswith("default-src 'none'") and "script" not in policy[1]
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style and "@import" not in style
    attributes = Seen(page).attributes
    targets = {f"#{value}" for name, value in attributes if name == "id"}
    links = {value for name, value in attributes if name == "href"}
    assert {"#exercises", "#mistakes", "#time", "#look", "#without", "#mistake-1"} <= links
    assert links <= targets


SAME = """
import json, sys
from tests.support.made_class_report import grade, hostile_page, pair
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
ordinary = ClassResults([grade(f"s{n}") for n in range(12)])
print(json.dumps([hostile_page(), class_report("T", ordinary)]))
"""


def made_elsewhere(seed: str) -> Iterator[str]:
    ran = subprocess.run(
        [sys.executable, "-c", SAME],
        capture_output=True,
        check=True,
        cwd=PACKAGE.parent,
        env={"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1", "PATH": ""},
        timeout=120,
    )
    yield from json.loads(ran.stdout)


def test_the_same_grades_give_the_same_bytes() -> None:
    assert list(made_elsewhere("1")) == list(made_elsewhere("2"))
    grades = [grade(f"s{at}") for at in range(12)]
    assert class_report("T", ClassResults(grades)) == class_report(
        "T", ClassResults(list(reversed(grades)))
    )
