"""The instructor's page of a class: its numbers, what it must not tell, and hostile hand-ins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.gradebook.grade import Grade, GradeTiming
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.judging.verdict import Cause, Mistake, Status
from autograder.reports.class_report import numbers
from autograder.reports.class_report.excerpt import MAX_LINES, anonymous
from autograder.reports.class_report.page import SIGNS, class_report, flags
from autograder.reports.class_report.results import ClassResults
from autograder.similarity.model import CodeCell, CodeLines, HandInCode
from autograder.similarity.reaching import GRADER, REPLACED, STACK, SYSTEM, reaches
from tests.support.elements import Elements
from tests.support.made_class_report import grade, hostile_page, pair, without

PACKAGE = Path(__file__).resolve().parents[2] / "autograder"
ORDINARY = HandInCode("s", (CodeCell(1, "import torch\n", given=True),))


def text_of(page: str) -> str:
    return Elements(page).words


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
    for said in (
        "submitted 4 graded 2 ungraded 1 rejected 1 mean 1.5 median 1.5",
        "Rejected: 1 s3 Ada Case s3.ipynb a PDF",
        "Ungraded: 1 s4 s4.ipynb the box died",
        "Absent: 1 0042 Bo",
        "Run twice.",
    ):
        assert said in text
    assert "Nothing was run." in text_of(class_report("T", ClassResults([])))


FINAL = Standing("a", "s1", "final", 3500, 4000, automatic=1000)


WAITS = Standing("a", "s4", "open", None, 4000, so_far=2000, automatic=2000, manual_open=2000)


AWAY = [Standing("a", "s2", "absent", None, 4000), Standing("a", "s3", "excused", None, 4000)]


@pytest.mark.parametrize(
    ("standings", "headline", "said"),
    [
        (
            [FINAL, *AWAY],
            "absent 1 excused 1 mean 3.5 median 3.5",
            "Final scores of 1 student: no manual grading is pending.",
        ),
        (
            [FINAL, WAITS],
            "waiting for manual grading 1 mean 1.5 median 1.5 lowest, highest 1, 2 maximum 4",
            "Automatic points of 2 students; the maximum is 4, of which 2 are given by hand.",
        ),
    ],
)
def test_final_scores_stand_there_once_nobody_waits_for_a_person(
    standings: list[Standing], headline: str, said: str
) -> None:
    grades = [grade(one.student) for one in standings if one not in AWAY]
    text = text_of(class_report("T", ClassResults(grades, standings)))
    assert headline in text and said in text


def test_every_score_lies_in_one_step() -> None:
    found = numbers.bins([0, 999, 1000, 58_000, 62_000, -5], 58_000)
    assert [one.count for one in found] == [4, 0, 0, 0, 0, 1, 1]
    assert [one.low for one in found] == [10_000 * at for at in range(7)]
    assert sum(one.count for one in numbers.bins([0, 0], 0)) == 2


PASSED = [(1, 0), (0, 0), (1, 1), (0, 0), (1, 1), (1, 1), (0, 1), (1, 1), (1, 0), (1, 1)]


def test_difficulty_and_discrimination_by_hand() -> None:
    scored = [(1000 * first, 1000 * second) for first, second in PASSED] * 3
    every = [grade(f"s{at}", one) for at, one in enumerate(scored)]
    own, checks = numbers.items(every)[0]
    assert (own.judged, own.passed, own.pass_rate) == (30, 21, 0.7)
    assert (own.share, own.mean) == (pytest.approx(0.7), pytest.approx(700))
    # point-biserial of item 0 with item 1 alone: (M1 - M0) / s * sqrt(p q), not with the total
    mean_right, mean_wrong, spread = 5 / 7, 1 / 3, (0.6 * 0.4) ** 0.5
    assert own.r == pytest.approx((mean_right - mean_wrong) / spread * (0.7 * 0.3) ** 0.5)
    assert own.low is not None and own.high is not None and own.low < own.r < own.high
    assert checks[0].r is None  # discrimination is of exercises
    for class_, told in ((every[:29], False), (every, True)):
        assert ("discrimination" in text_of(class_report("T", ClassResults(class_)))) is told
    assert numbers.items(every[:29])[0][0].r is None
    assert numbers.items([grade(f"s{at}", (1000, 0)) for at in range(40)])[0][0].r is None


def test_what_a_person_or_nobody_judged_is_in_no_rate() -> None:
    def changed(student: str, **fields: Any) -> Grade:
        made = grade(student)
        exercises = tuple(msgspec.structs.replace(one, **fields) for one in made.exercises)
        return msgspec.structs.replace(made, exercises=exercises)

    lost = changed("s2", status=Status.UNGRADED, score=None)
    own, _ = numbers.items([grade("s1"), lost, changed("s3", left_out=True)])[0]
    assert (own.judged, own.passed) == (1, 1)


def test_percentiles_are_values_that_were_measured() -> None:
    shares = [numbers.percentile([4, 1, 3, 2], share) for share in (0.0, 0.5, 0.9, 1.0)]
    assert shares == [1, 2, 4, 4]
    timings = [GradeTiming(0, at, 0, peak_mb=512.4 * (at == 7)) for at in range(8)]
    grades = [grade(f"s{at}", fields={"timing": one}) for at, one in enumerate(timings)]
    assert [one.student for one in numbers.slowest(grades)] == ["s7", "s6", "s5", "s4", "s3"]
    page = text_of(class_report("T", ClassResults(grades)))
    assert "Peak memory 512 MB 512 MB 512 MB" in page
    assert "s7 7.00 s 512 MB s6 6.00 s –" in page


def test_the_order_of_the_grades_changes_nothing() -> None:
    grades = [grade(f"s{at}") for at in range(12)]
    assert class_report("T", ClassResults(grades)) == class_report("T", ClassResults(grades[::-1]))


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
        "x = 1\n" * 5_000,
        "f = " + "-" * 19_000 + "1",
        "if x:\n    'only a text'\n",
    ],
    ids=lambda source: repr(source[:9]),
)
def test_what_cannot_be_made_nameless_is_not_shown(source: str) -> None:
    assert "only a text" not in anonymous(source, ()) and len(anonymous(source, ())) < 5_000


def test_a_long_example_is_cut() -> None:
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


REACHING = {
    "import sys; f = sys._getframe(1)": STACK,
    "g = test.__globals__": STACK,
    "torch.allclose = lambda *a, **k: True": REPLACED,
    "setattr(torch, 'equal', min)": REPLACED,
    "import autograder.runner": GRADER,
    "from autograder.runner import calls": GRADER,
    "import ctypes": SYSTEM,
    "from socket import socket": SYSTEM,
    "torch.backends.cudnn.deterministic = True": "",
    "plt.rcParams['x'] = f()": "",
    "x.weight = f()": "",
    "import math, torch": "",
    "class A:\n    def __init__(self):\n        self.a = f()": "",
    "def f(:": "",
}


@pytest.mark.parametrize(("line", "what"), REACHING.items())
def test_lines_that_reach_out_are_shown_and_ordinary_ones_are_not(line: str, what: str) -> None:
    code = msgspec.structs.replace(ORDINARY, cells=(*ORDINARY.cells, CodeCell(2, f"x = 1\n{line}")))
    found = [(reach.what, reach.place, reach.line) for reach in reaches(code)]
    assert found == ([(what, CodeLines(2, 2, 2), line)] if what else [])
    page = class_report("T", ClassResults([grade("s")]), code=[code])
    assert (line.replace("'", "&#39;") in page) is bool(what)
    given = CodeCell(2, line, given=True)  # a cell of the template
    assert reaches(msgspec.structs.replace(ORDINARY, cells=(given,))) == ()


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


TAGS = set(
    "html head meta title style strong body header p h1 nav ul li a main section h2 h3 h4 dl div "
    "dt dd figure svg rect line text details summary ol table caption thead tbody tr th td span "
    "bdi code article pre figcaption".split()
)


def test_nothing_of_a_hand_in_becomes_markup() -> None:
    page = hostile_page()
    seen = Elements(page)
    assert set(seen.tags) <= TAGS
    assert not {name for name, _ in seen.attributes if name.startswith("on") or name == "src"}
    assert not re.search("[\u202e\x1b\ud800]", page)
    page.encode("utf-8")
    assert len(max(page.split("\n"), key=len)) < 6_000


def test_the_page_is_self_contained() -> None:
    page = hostile_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy and policy[1].startswith("default-src 'none'") and "script" not in policy[1]
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style and "@import" not in style
    attributes = Elements(page).attributes
    targets = {f"#{value}" for name, value in attributes if name == "id"}
    links = {value for name, value in attributes if name == "href"}
    assert {"#exercises", "#mistakes", "#time", "#look", "#without", "#mistake-1"} <= links
    assert links <= targets
