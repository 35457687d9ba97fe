"""Whatever people decide, in whatever order: the page, `show` and every export give the same score,
written points and answers that wait."""

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
            most = MACHINE.get(check.id, WORTH.get(check.id, 0))
            told = (exercise.id, check.id, check.kind, check.public, status, score or 0, most)
            found.append(Verdict(*told))
    return points(SPEC, file, found, None, student=student)


KINDS = {"override": 2, "points": 4, "extra": 1, "excuse": 1, "extend": 1, "comment": 1, "undo": 2}


def _decision(draw: random.Random, number: int, log: Sequence[Decision]) -> Decision:
    (kind,) = draw.choices([*KINDS], [*KINDS.values()])
    keys: dict[str, Any] = {"student": draw.choice(STUDENTS)}
    if kind == "undo":
        kept = draw.choice(log) if log else None
        keys |= {"student": kept.student, "undoes": kept.id} if kept else {"undoes": None}
    elif kind == "override":
        exercise = draw.choice(("", *(e.id for e in SPEC.exercise)))
        keys |= {"exercise": exercise, "amount": 250 * draw.randrange(13 if exercise else 70)}
    elif kind == "points":
        exercise = draw.choice(list(WRITTEN))
        task = draw.choice(WRITTEN[exercise])
        amount = draw.randrange(WORTH[task] // 250 + 1) * 250
        keys |= {"exercise": exercise, "task": task, "amount": amount}
    elif kind == "extra":
        keys["amount"] = draw.choice((-3000, -125, 500, 1005))
    elif kind == "extend":
        keys["until"] = DUE + timedelta(days=draw.randrange(1, 5))
    elif kind == "comment":
        keys["text"] = f"comment {number}"
    made: Any = kind
    return Decision("a1", kind=made, who="ta-1", why="why", at=DUE, id=number, **keys)


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
    counts = _text(page).partition("Your result")[2].partition("Overview")[0]
    scores = re.findall(r"Final score ([\d.]+) of ([\d.]+) points", counts)
    expected = [(true.total, one.max_score)] if true.final else []
    assert [(_number(a), _number(b)) for a, b in scores] == expected
    assert not re.search(r"[-\u2212]\d[\d.]* of ", counts)
    set_ = re.findall(r"\u201cAbout (\w+)\u201d were set by hand: ([\d.]+) of", counts)
    said = {name: _number(amount) for name, amount in set_}
    assert said == ({} if true.whole is not None else true.set_)
    waiting = re.findall(r"Up to ([\d.]+) more points?", counts)
    shown = [sum(true.waits.values())] if one.state == "open" else []
    assert [_number(amount) for amount in waiting] == shown
    for name, amount in re.findall(r"About (\w+) ([\d.]+) of [\d.]+(?= |$)", counts):
        assert _number(amount) == true.by_hand[name]
    if true.final and true.whole is None:  # the sum on the page explains the score
        above = page.partition("written answers<")[0]
        parts = re.findall(r'</dt><dd class="points">(\u2212?)\+?([\d.]+)</dd>', above)
        total = sum(-_number(b) if a else _number(b) for a, b in parts)
        assert abs(max(0, total) - true.total) <= 5, counts


def check_show(one: Standing, grade: Grade | None, true: Truth) -> None:
    views = [student_standing(one)] + ([student_view(grade, one)] if grade else [])
    for view in map(_printed, views):
        said = re.findall(rf"([\d.]+\+?|–) of {_short(WHOLE)}", view)[0]
        assert (said == _short(true.total)) == true.final or "+" in said, view
        assert said[-1].isdigit() == true.final
    waiting = re.findall(r"([\d.]+) points? pending manual grading", _printed(views[0]))
    expected = [sum(true.waits.values())] if true.waits else []
    assert [_number(amount) for amount in waiting] == expected


def _short(amount: int | None) -> str:
    return "" if amount is None else f"{Decimal(amount) / 1000:.2f}".rstrip("0").rstrip(".")


def exported(
    found: Sequence[Standing], grades: Sequence[Grade]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of each kind of format, by student: the score in points, or None."""
    made = json.loads(export("json", found, ROSTER).data)
    yield "json", {s["student"]: s["score"] for s in made["standings"]}
    root = ET.fromstring(export("junit", found, ROSTER).data)
    scores = ".//property[@name='score']"
    yield "junit", {str(s.get("name")): p.get("value") for s in root for p in s.findall(scores)}
    for form, key, score in (
        ("otter", "file", "total_points_earned"),
        ("nbgrader", "student_id", "score"),
    ):
        rows = csv.DictReader(io.StringIO(export(form, found, ROSTER).data.decode()))
        yield form, {row[key]: row[score] or None for row in rows if row[key] in STUDENTS}
    book = openpyxl.load_workbook(io.BytesIO(export("xlsx", found, ROSTER).data))
    yield "xlsx", {str(row[0]): row[4] for row in book["Grades"].iter_rows(2, values_only=True)}
    sent = json.loads(export("ags", found, ROSTER, Options(timestamp=DUE)).data)
    yield "ags", {m["student"]: m["score"].get("scoreGiven") for m in sent}
    told = {g.student: feedback(g, SPEC) for g in grades}
    by_student = {}
    for one in found:
        own = {one.student: told[one.student]} if one.student in told else {}
        options = Options(student=one.student, feedback=own)
        results = json.loads(export("gradescope", found, ROSTER, options).data)
        assert all(test.get("score", 0) >= 0 for test in results.get("tests", ()))
        by_student[one.student] = results.get("score")
    yield "gradescope", by_student


def check_written(found: Sequence[Standing]) -> None:
    """No platform is sent the score of somebody who still waits."""
    settled = {s.student for s in found if s.state in ("final", "excused")}
    for form in ("canvas", "moodle-import", "blackboard-csv", "brightspace"):
        options = Options(title="T", item_id="7" if form in ("canvas", "blackboard-csv") else "")
        assert {*export(form, found, ROSTER, options).written} <= settled, form


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
        for student, own in true.items():
            score = said.get(student)
            thousandths = None if score is None else round(float(score) * 1000)
            assert thousandths == (own.total if own.final else None), (form, student)
    check_written(held)
    check_gradebook(found, true)
    check_sheet(found, true)


def check_gradebook(found: History, true: dict[str, Truth]) -> None:
    grades = sorted(found.grades, key=lambda g: g.student)
    count = counter(SPEC, found.decisions, found.arrivals)
    rows = b"".join(gradebook_rows(grades, [e.id for e in SPEC.exercise], count)).decode()
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


@pytest.mark.parametrize("block", range(2))
def test_all_that_is_told_agrees_after_any_decisions(block: int) -> None:
    """Eight students each: sixty-four logs."""
    for seed in range(4 * block, 4 * block + 4):
        check_history(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(25))
def test_all_that_is_told_agrees_after_any_of_many_decisions(block: int) -> None:
    """Eight students each: two thousand logs."""
    for seed in range(1000 + 10 * block, 1010 + 10 * block):
        check_history(seed)
