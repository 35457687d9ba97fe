"""Whatever people decide, in whatever order: the page, `show`, the class report and every export
give the same score, maximum, written points and answers that wait."""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import openpyxl
import pytest
from rich.console import Console, RenderableType

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.model import Assignment
from autograder.gradebook.decisions import Decision
from autograder.gradebook.export import gradebook_rows
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.points import points, unscored
from autograder.gradebook.rounding import rounded
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import counter, standings
from autograder.gradebook.store import ArrivalRecord
from autograder.interop.exports.model import Options
from autograder.interop.marksheet.answers import mark_rows
from autograder.interop.score_formats import export
from autograder.judging.verdict import Status, Verdict
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.terminal.grades import student_view
from autograder.reports.terminal.standings import student_standing

DUE = datetime(2026, 3, 1, 23, tzinfo=UTC)
STUDENTS = tuple(f"student-{n:02}" for n in range(1, 9))
ROSTER = Roster(tuple(Person(s, keys={"lti_user_id": s, "canvas_id": s[-2:]}) for s in STUDENTS))
WRITTEN = {"words": ("why",), "both": ("how", "when"), "more": ("extra",)}
WORTH = {"why": 4000, "how": 1500, "when": 2000, "extra": 1000}
BONUS = ("more", "top")
WHOLE = 6000 + 4000 + 3000 + 3500


def _check(id_: str, worth: Any, kind: str = "value") -> dict[str, Any]:
    own = {"rubric": "a point for each"} if kind == "written" else {}
    return {"id": id_, "kind": kind, "title": f"check {id_}", "points": worth, "name": id_, **own}


def _exercise(id_: str, *checks: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "title": f"About {id_}",
        "defines": [c["id"] for c in checks],
        "check": list(checks),
        **keys,
    }


SPEC = Assignment.model_validate(
    {
        "format": 1,
        "id": "a1",
        "title": "The first",
        "late": {"due": DUE, "per_day": 10, "most": 30, "cutoff_days": 6},
        "exercise": [
            _exercise("code", _check("x", 6)),
            _exercise("words", _check("why", 4, "written")),
            _exercise(
                "both", _check("y", 3), _check("how", 1.5, "written"), _check("when", 2, "written")
            ),
            _exercise("more", _check("extra", 1, "written"), stretch=True),
            _exercise("top", _check("z", 2), stretch=True),
        ],
    }
)
MACHINE = {"x": 6000, "y": 3000, "z": 2000}


class Truth(NamedTuple):
    """What follows from a log, reckoned here by itself: thousandths; exercises by id."""

    final: bool
    total: int
    waits: dict[str, int]
    by_hand: dict[str, int]
    set_: dict[str, int]
    whole: int | None


class History(NamedTuple):
    """A class and all that was decided about it."""

    grades: list[Grade]
    decisions: list[Decision]
    arrivals: list[ArrivalRecord]

    @property
    def standings(self) -> tuple[Standing, ...]:
        return standings(SPEC, self.grades, self.decisions, arrivals=self.arrivals, roster=ROSTER)


def _grade(draw: random.Random, student: str) -> Grade:
    file = SubmittedFile(f"{student}.ipynb", "0" * 64)
    if draw.random() < 0.08:
        status: Any = draw.choice(("rejected", "ungraded"))
        return unscored(SPEC, file, student=student, status=status, reason="R")
    found = []
    for exercise in SPEC.exercise:
        for check in exercise.check:
            if check.kind in BY_HAND:
                status, score = draw.choice([(Status.MANUAL, None)] * 4 + [(Status.MISSING, 0)])
            else:
                score = draw.choice((0, MACHINE[check.id] // 2, MACHINE[check.id]))
                status = Status.PASSED if score == MACHINE[check.id] else Status.FAILED
            found.append(
                Verdict(
                    exercise.id,
                    check.id,
                    check.kind,
                    check.public,
                    status,
                    score or 0,
                    MACHINE.get(check.id, WORTH.get(check.id, 0)),
                    "",
                    (),
                )
            )
    return points(SPEC, file, found, None, student=student)


def _decision(draw: random.Random, number: int, log: Sequence[Decision]) -> Decision:
    kind: Any = draw.choice(
        (
            "override",
            "override",
            "points",
            "points",
            "points",
            "points",
            "extra",
            "excuse",
            "extend",
            "comment",
            "undo",
            "undo",
        )
    )
    keys: dict[str, Any] = {"student": draw.choice(STUDENTS), "kind": kind}
    if kind == "undo":
        kept = draw.choice(log) if log else None
        keys = {
            "student": kept.student if kept else STUDENTS[0],
            "kind": "undo",
            "undoes": kept.id if kept else None,
        }
    elif kind == "override":
        exercise = draw.choice(("", *(e.id for e in SPEC.exercise)))
        keys |= {"exercise": exercise, "amount": 250 * draw.randrange(70 if not exercise else 13)}
    elif kind == "points":
        exercise = draw.choice(list(WRITTEN))
        task = draw.choice(WRITTEN[exercise])
        keys |= {
            "exercise": exercise,
            "task": task,
            "amount": draw.randrange(WORTH[task] // 250 + 1) * 250,
        }
    elif kind == "extra":
        keys["amount"] = draw.choice((-3000, -125, 500, 1005))
    elif kind == "extend":
        keys["until"] = DUE + timedelta(days=draw.randrange(1, 5))
    elif kind == "comment":
        keys["text"] = f"comment {number}"
    return Decision("a1", who="ta-1", why="why", at=DUE, id=number, **keys)


def history(seed: int) -> History:
    """A class of up to eight with a log of up to sixty decisions."""
    draw = random.Random(seed)
    grades = [_grade(draw, student) for student in STUDENTS if draw.random() < 0.93]
    log: list[Decision] = []
    for number in range(1, draw.randrange(60)):
        log.append(_decision(draw, number, log))
    late = [timedelta(hours=draw.choice((-5, -5, 3, 30, 100, 200))) for _ in grades]
    came = [
        ArrivalRecord("a1", g.student, "plain", g.submission.file, g.student, 1, DUE + after)
        for g, after in zip(grades, late, strict=True)
    ]
    return History(grades, log, came)


def truth(found: History, student: str) -> Truth:
    """By going through the log backwards, as a person would."""
    undone: set[int | None] = set()
    held: dict[tuple[str, str, str], Decision] = {}
    extra = 0
    for one in sorted(found.decisions, key=lambda one: -one.id):
        if one.id in undone:
            continue
        if one.kind == "undo":
            undone.add(one.undoes)
        elif one.student == student:
            extra += one.amount or 0 if one.kind == "extra" else 0
            held.setdefault((one.kind, one.exercise, one.task), one)
    grade = next((g for g in found.grades if g.student == student), None)
    whole = held.get(("override", "", ""))
    excused = ("excuse", "", "") in held
    set_ = {e: one.amount or 0 for (k, e, _), one in held.items() if k == "override" and e}
    waits, by_hand, total = {}, {}, 0
    for exercise in grade.exercises if grade else ():
        given = sum(
            one.amount or 0 for (k, e, _), one in held.items() if (k, e) == ("points", exercise.id)
        )
        open_ = sum(
            WORTH[c.id]
            for c in exercise.checks
            if c.status is Status.MANUAL and ("points", exercise.id, c.id) not in held
        )
        if exercise.id in set_:
            total += set_[exercise.id]
            continue
        if exercise.id in WRITTEN:
            by_hand[exercise.id] = given
        if open_ and not excused and whole is None:
            waits[exercise.id] = open_
        total += given + sum(c.score or 0 for c in exercise.checks if c.id in MACHINE)
    judged = grade is not None and grade.status == "graded"
    final = not excused and (whole is not None or (judged and not waits))
    came = next((a.submitted_at for a in found.arrivals if a.student == student), None)
    until = held[("extend", "", "")].until if ("extend", "", "") in held else DUE
    late = max(came - until, timedelta(0)) if came and until else timedelta(0)
    days = -(-late // timedelta(days=1))
    cost = min(total, WHOLE * min(10 * days, 30) // 100)
    cost = total if late > timedelta(days=6) else cost
    total = max(0, total - cost + extra)
    if whole is not None:
        total = whole.amount or 0
    return Truth(final, rounded(total) * 10, waits, by_hand, set_, whole.amount if whole else None)


# ---------------------------------------------------------------- what each says


def _number(text: str) -> int:
    return int(Decimal(text.replace("+", "")) * 1000)


def _printed(view: RenderableType) -> str:
    console = Console(width=200, file=io.StringIO(), color_system=None)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _text(page: str) -> str:
    body = page[page.index("<body>") :]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def check_page(page: str, one: Standing, true: Truth) -> None:
    """What a student reads on top of the returned page."""
    text = _text(page)
    counts = text[
        text.index("Your result") : text.index("Overview") if "Overview" in text else None
    ]
    scores = re.findall(r"Final score ([\d.]+) of ([\d.]+) points", counts)
    expected = [(true.total, one.max_score)] if true.final else []
    assert [(_number(a), _number(b)) for a, b in scores] == expected
    assert not re.search(r"[-\u2212]\d[\d.]* of ", counts)
    assert ("the sum of the points" in counts) == (true.whole is not None)
    if true.final:
        assert "No score was recorded" not in text and "could not be graded completely" not in text
    said = {
        name: _number(amount)
        for name, amount in re.findall(
            r"points for \u201cAbout (\w+)\u201d were set by hand: ([\d.]+) of", counts
        )
    }
    assert said == ({} if true.whole is not None else true.set_)
    waiting = re.findall(r"Up to ([\d.]+) more points?", counts)
    shown = one.state == "open"
    assert [_number(amount) for amount in waiting] == ([sum(true.waits.values())] if shown else [])
    assert bool(re.search("not graded yet|so far", counts)) <= bool(true.waits)
    for name, amount in re.findall(r"About (\w+) ([\d.]+) of [\d.]+(?= |$)", counts):
        assert _number(amount) == true.by_hand[name]
    parts = re.findall(
        r'</dt><dd class="points">(\u2212?)\+?([\d.]+)</dd>', page.partition("written answers<")[0]
    )
    if true.final and true.whole is None:  # the sum on the page explains the score
        total = sum(-_number(b) if a else _number(b) for a, b in parts)
        assert abs(max(0, total) - true.total) <= 5, counts


def check_show(one: Standing, grade: Grade | None, true: Truth) -> None:
    views = [student_standing(one)] + ([student_view(grade, one)] if grade else [])
    for view in map(_printed, views):
        said = re.findall(rf"([\d.]+\+?|–) of {_short(WHOLE)}", view)[0]
        assert (said == _short(true.total)) == true.final or "+" in said, view
        assert said[-1].isdigit() == true.final
    shown = _printed(views[0])
    waiting = re.findall(r"([\d.]+) points? pending manual grading", shown)
    assert [_number(amount) for amount in waiting] == (
        [sum(true.waits.values())] if true.waits else []
    )
    assert shown.count("set by hand") == len(true.set_)
    assert ("final, overridden" in shown) == (true.final and true.whole is not None)


def _short(amount: int | None) -> str:
    return "" if amount is None else f"{Decimal(amount) / 1000:.2f}".rstrip("0").rstrip(".")


def exported(
    found: Sequence[Standing], grades: Sequence[Grade]
) -> Iterator[tuple[str, dict[str, tuple[Any, ...]]]]:
    """Of every format, by student: the score in thousandths or None, and the maximum."""
    made = json.loads(export("json", found, ROSTER).data)
    yield "json", {s["student"]: (s["score"], s["max_score"]) for s in made["standings"]}
    root = ET.fromstring(export("junit", found, ROSTER).data)
    suites: dict[str, tuple[Any, ...]] = {}
    for suite in root:
        held = {p.get("name"): p.get("value") for p in suite.findall("./properties/property")}
        suites[str(suite.get("name"))] = (held.get("score"), held["max_score"])
    yield "junit", suites
    for form, key, score, most in (
        ("otter", "file", "total_points_earned", ""),
        ("nbgrader", "student_id", "score", "max_score"),
    ):
        rows = csv.DictReader(io.StringIO(export(form, found, ROSTER).data.decode()))
        yield (
            form,
            {
                row[key]: (row[score] or None, row.get(most, WHOLE / 1000))
                for row in rows
                if row[key] in STUDENTS
            },
        )
    book = openpyxl.load_workbook(io.BytesIO(export("xlsx", found, ROSTER).data))
    yield (
        "xlsx",
        {str(row[0]): (row[4], row[5]) for row in book["Grades"].iter_rows(2, values_only=True)},
    )
    options = Options(timestamp=DUE)
    sent = {
        m["student"]: m["score"] for m in json.loads(export("ags", found, ROSTER, options).data)
    }
    yield (
        "ags",
        {
            s.student: (
                sent.get(s.student, {}).get("scoreGiven"),
                sent.get(s.student, {}).get("scoreMaximum", s.max_score / 1000),
            )
            for s in found
        },
    )
    for form, options in (
        ("canvas", Options(title="T", item_id="7")),
        ("moodle-import", Options(title="T")),
        ("blackboard-csv", Options(title="T", item_id="7")),
        ("brightspace", Options(title="T")),
    ):
        assert set(export(form, found, ROSTER, options).written) <= {
            s.student for s in found if s.state in ("final", "excused")
        }, form
    told = {g.student: feedback(g, SPEC) for g in grades}
    for form in ("gradescope", "prairielearn"):
        by_student: dict[str, tuple[Any, ...]] = {}
        for one in found:
            own = {one.student: told[one.student]} if one.student in told else {}
            options = Options(student=one.student, feedback=own)
            results = json.loads(export(form, found, ROSTER, options).data)
            score = results.get("score")
            if form == "prairielearn":
                share = None if one.score is None else min(one.score / WHOLE, 1)
                assert (
                    score == pytest.approx(share, abs=1e-4) if share is not None else score is None
                )
                score = None if one.score is None else one.score / 1000
            check_tests(results.get("tests", ()), one, graded="score" in results and bool(own))
            by_student[one.student] = (score, WHOLE / 1000)
        yield form, by_student


def check_tests(tests: Sequence[dict[str, Any]], one: Standing, *, graded: bool) -> None:
    """Single tests of Gradescope and PrairieLearn: nothing below 0, what a person gave and set."""
    scores = {t["name"]: t.get("score", t.get("points")) for t in tests}
    assert all(score is None or score >= 0 for score in scores.values())
    if not graded or one.state != "final":
        return
    for exercise in one.exercises:
        name = f"{exercise.title}: set by hand"
        assert (name in scores) == exercise.overridden or len(tests) == 1
        if exercise.overridden and not exercise.stretch and len(tests) > 1:
            most = exercise.score if exercise.score is not None else 0
            assert scores[name] == min(most, exercise.max_score) / 1000


def check_history(seed: int) -> None:
    """One class and its log: all that is told of it agrees with the log."""
    found = history(seed)
    held = found.standings
    true = {one.student: truth(found, one.student) for one in held}
    grades = {grade.student: grade for grade in found.grades}
    for one in held:
        own = true[one.student]
        assert (one.score, one.max_score) == (own.total if own.final else None, WHOLE), one
        assert one.manual_open == sum(own.waits.values()), one
        assert {e.id: e.manual for e in one.exercises if e.manual} == {
            id_: given for id_, given in own.by_hand.items() if given
        } or one.automatic is None, one
        grade = grades.get(one.student)
        check_show(one, grade, own)
        if grade is not None:
            check_page(feedback_page(feedback(grade, SPEC), None, {}, standing=one), one, own)
    for form, said in exported(held, found.grades):
        assert {s: _pair(pair) for s, pair in said.items()} == {
            s: (t.total if t.final else None, WHOLE) for s, t in true.items()
        }, form
    check_gradebook(found, true)
    check_sheet(found, true)
    check_report(found, held)


def _pair(pair: tuple[Any, ...]) -> tuple[int | None, int]:
    return tuple(None if one is None else round(float(one) * 1000) for one in pair)  # type: ignore[return-value]


def check_gradebook(found: History, true: dict[str, Truth]) -> None:
    rows = b"".join(
        gradebook_rows(
            sorted(found.grades, key=lambda g: g.student),
            [e.id for e in SPEC.exercise],
            counter(SPEC, found.decisions, found.arrivals),
        )
    ).decode()
    for row in csv.DictReader(io.StringIO(rows)):
        own = true[row["student"]]
        assert row["score"] == (_short(own.total) if own.final else "")
        assert _number(row["max_score"]) == WHOLE
        waiting = re.findall(r"([\d.]+) points? pending", row["note"])
        assert [_number(w) for w in waiting] == ([sum(own.waits.values())] if own.waits else [])


def check_sheet(found: History, true: dict[str, Truth]) -> None:
    """The sheet asks for exactly what waits, and says whose points count nowhere."""
    asked: dict[str, int] = {}
    for row in mark_rows(SPEC, found.grades, found.decisions, ROSTER):
        own = true[row.student]
        if row.points is None and not row.hidden:
            asked[row.student] = asked.get(row.student, 0) + row.max_points
        if not row.hidden:
            assert own.whole is None and row.exercise not in own.set_
    assert asked == {s: sum(t.waits.values()) for s, t in true.items() if t.waits}


def check_report(found: History, held: Sequence[Standing]) -> None:
    text = _text(class_report("T", ClassResults(found.grades, held)))
    open_ = [one for one in held if one.state == "open"]
    scores = [one.score for one in held if one.score is not None]
    if open_:
        scores = [
            one.automatic or 0
            for one in held
            if one.state in ("open", "final") and one.automatic is not None
        ]
    said = re.search(
        r" mean (\S+) .* maximum ([\d.]+)",
        text[: text.index("Nobody") if ("Nobody" in text) else None],
    )
    assert said is not None
    assert _number(said[2]) == WHOLE
    if scores:
        assert abs(float(said[1]) * 1000 - sum(scores) / len(scores)) < 6
    else:
        assert said[1] == "–"
    assert ("Manual grading is pending for" in text) == bool(open_)
    assert ("Final scores" in text) == (not open_)


def test_a_rejected_file_with_an_override_has_a_score() -> None:
    file = SubmittedFile("student-01.ipynb", "0" * 64)
    grade = unscored(SPEC, file, student="student-01", status="rejected", reason="R")
    set_ = Decision("a1", "student-01", "override", "ta-1", "why", DUE, amount=5000, id=1)
    (one,) = standings(SPEC, [grade], [set_])
    text = _text(feedback_page(feedback(grade, SPEC), None, {}, standing=one))
    assert "5 of 16.5 points" in text and "No score was recorded" not in text


@pytest.mark.parametrize("block", range(4))
def test_all_that_is_told_agrees_after_any_decisions(block: int) -> None:
    """Eight students each: a hundred and twenty-eight logs."""
    for seed in range(4 * block, 4 * block + 4):
        check_history(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(25))
def test_all_that_is_told_agrees_after_any_of_many_decisions(block: int) -> None:
    """Eight students each: two thousand logs."""
    for seed in range(1000 + 10 * block, 1010 + 10 * block):
        check_history(seed)
