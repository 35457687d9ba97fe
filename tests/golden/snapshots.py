"""One snapshot for each kind of content that people or platforms get, of classes made by hand."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path

import msgspec
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from rich.console import Console, RenderableType

from autograder.assignment.late import LateSpec
from autograder.gradebook.decisions import Decision
from autograder.gradebook.overview import overview
from autograder.gradebook.result import result_json
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import standings
from autograder.gradebook.store import ArrivalRecord
from autograder.interop.exports.model import Exported, Options
from autograder.interop.score_formats import FORMATS, export
from autograder.judging.verdict import (
    Cause,
    DeviceOutcome,
    Mismatch,
    Mistake,
    Numbers,
    Picture,
    RanLine,
    Repair,
    SmallestCall,
    Status,
)
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.reports.feedback.checked import Checked
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page
from autograder.reports.feedback.panel import checked_panel
from autograder.reports.feedback.plain import checked_text, progress_text, table_text
from autograder.reports.terminal.grades import class_table, student_view
from autograder.reports.terminal.standings import standings_table, student_standing
from autograder.reports.validation.page import validation_page
from autograder.reports.validation.terminal import validation_json, validation_view
from autograder.similarity.model import CodeCell, HandInCode
from tests.support import made_class_report as made_class
from tests.support import made_feedback as one
from tests.support.made_grades import gradebook_csv
from tests.support.made_validation import made as made_validation
from tests.support.strict_readers import workbook
from tests.support.strict_readers.hostile_class import ROSTER, STANDINGS, TITLE
from tests.support.strict_readers.sheets import moodle_sheet

HERE = Path(__file__).resolve().parent / "snapshots"
NOON = datetime(2026, 10, 25, 12, 0, tzinfo=UTC)
WIDTH = 100
DRAWN = re.compile(r"(data:[a-z/+]+;base64),[A-Za-z0-9+/=]+")
STYLE = re.compile(r"(<style>).*?(?=</style>)", re.DOTALL)
CONTROL = re.compile(
    r"[^\n\x20-\x7e\xa1-\U0010ffff]|[\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def made() -> Iterator[tuple[Path, str]]:
    """Every snapshot as it is today, with its file."""
    for texts in (_student(), _graders(), _authors(), _exports()):
        for name, text in texts.items():
            shown = CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)
            yield HERE / name, shown.rstrip("\n") + "\n"


# ------------------------------------------------------------------ what a student sees

_SHAPE = one.wrong_shape(
    message="`x` has other values.",
    diagnosis=one.CAUSE,
    mismatches=(
        Mismatch("x", "value", "[3, 4]", "[4, 3]", (1,), Numbers(7, 12, 1, 0.5, 2.0, (1,))),
    ),
    picture=Picture("x", one.ARRAY, one.OTHER),
    cause=Cause("named", (Mistake("swapped", "sine and cosine swapped"),)),
    devices=(DeviceOutcome("cpu", "real", "right"), DeviceOutcome("cuda", "simulated", "wrong")),
    smallest=SmallestCall("f(1, 2)\n# in float32", "3", "4", (RanLine(2, 3, "    return a - b"),)),
    repair=Repair(3, "the operator", "    return a - b", "    return a + b"),
)
_GRADE = one.grade(public=_SHAPE, hidden=(Status.FAILED, Status.RAISED, Status.STOPPED))


def _standing() -> Standing:
    """Two days late, a decision of each kind that adds up, and halves to round."""
    late = LateSpec(due=NOON - timedelta(hours=30), per_day=Decimal(10))
    decided = partial(Decision, "a1", "student-01", who="a tutor", why="asked for", at=NOON)
    decisions = (
        decided("override", exercise="encoding", amount=2_335, id=1),
        decided("extra", amount=500, id=2),
        decided("comment", exercise="encoding", text="Good & short", id=3),
        decided("comment", text="See me <soon>.", id=4),
    )
    file = _GRADE.submission.file
    came = ArrivalRecord("a1", "student-01", "canvas", file, file, submitted_at=NOON)
    spec = one.SPEC.model_copy(update={"late": late})
    (standing,) = standings(spec, [_GRADE], decisions, arrivals=[came])
    return standing


def _student() -> Mapping[str, str]:
    shown = feedback(_GRADE, one.SPEC)
    cells = one.notebook(
        new_markdown_cell("# Given\n\n$x^2$"),
        new_code_cell("x = f(1)\nx", outputs=[new_output("stream", text="summed\n")]),
        new_code_cell(
            "raise ValueError('no')", outputs=[new_output("error", traceback=["ValueError: no"])]
        ),
    )
    after = {"encoding": 2, "choice": 3}
    rejected = msgspec.structs.replace(
        _GRADE,
        status="rejected",
        reason="This is no notebook.",
        score=None,
        bonus=None,
        exercises=(),
    )
    ungraded = msgspec.structs.replace(rejected, status="ungraded", reason="canary: a disk is full")
    now = [
        Checked(
            told.id, told.title, feedback=told, hidden=2, hidden_points=1500, notes=("A note.",)
        )
        for told in shown.exercises
    ]
    return {
        "feedback.html": _page(feedback_page(shown, cells, after, given={1})),
        "feedback-after-decisions.html": _page(
            feedback_page(shown, cells, after, standing=_standing())
        ),
        "feedback-rejected.html": _page(feedback_page(feedback(rejected, one.SPEC), None, {})),
        "feedback-ungraded.html": _page(feedback_page(feedback(ungraded, one.SPEC), None, {})),
        "student-checks.txt": "\n\n".join(
            [*map(checked_text, now), table_text(now), progress_text(now)]
        ),
        "student-checks.html": _page(checked_panel(now[0])),
    }


# ------------------------------------------------------------------ what graders see


def _graders() -> Mapping[str, str]:
    named = Cause("named", (Mistake("swapped", "sine and cosine swapped"),))
    either = Cause("ambiguous", (*named.mistakes, Mistake("transposed", "transposed")))
    grades = [
        made_class.grade("ada", (1000, 1000)),
        made_class.grade("ben", (1000, 0), message="`x` is [4, 3].", cause=named),
        made_class.grade("cem", (0, 0), message="`x` is [4, 3].", cause=either),
        made_class.grade("dot", (500, 1000), message="NameError: y", cause=Cause("nothing")),
        made_class.without("eve", "rejected", "This is no notebook."),
        made_class.without("fay", "ungraded", "the sandbox was lost"),
    ]
    code = [
        HandInCode(s, (CodeCell(1, "x = [4, 3]\nimport ctypes\n", ("e0",)),))
        for s in ("ben", "cem")
    ]
    pairs = [made_class.pair(0.9, "ben", "cem")]
    pages = {"ben": "feedback/ben.html"}
    results = ClassResults(grades, STANDINGS, ROSTER, pages)
    automatic = class_report(
        "A class", ClassResults(grades), code=code, pairs=pairs, notes=["A note."]
    )
    return {
        "class-report.html": _page(automatic),
        "class-report-standings.html": _page(class_report("A class", results)),
        "class.txt": _terminal(class_table([*grades, _GRADE])),
        "student.txt": _terminal(student_view(_GRADE)),
        "student-decided.txt": _terminal(student_view(_GRADE, _standing())),
        "standings.txt": _terminal(standings_table(STANDINGS, ROSTER)),
        "standing.txt": _terminal(student_standing(_standing())),
        "result.json": result_json(_GRADE).decode(),
        "gradebook.csv": gradebook_csv([*grades, _GRADE]).decode(),
        "summary.json": overview([*grades, _GRADE]).summary.json().decode(),
    }


def _authors() -> Mapping[str, str]:
    found = made_validation()
    few = msgspec.structs.replace(found, problems=found.problems[::8], rows=found.rows[::60])
    return {
        "validation.html": _page(validation_page(few)),
        "validation.txt": _terminal(validation_view(few)),
        "validation.json": validation_json(few),
    }


# ------------------------------------------------------------------ what platforms get


def _exports() -> Mapping[str, str]:
    student = STANDINGS[1].student
    given = {
        "title": TITLE,
        "item_id": "7",
        "student": student,
        "timestamp": NOON,
        "sheet": moodle_sheet(ROSTER),
        "due": NOON,
        "comments": True,
        "feedback": {student: feedback(_GRADE, one.SPEC)},
    }
    texts: dict[str, str] = {}
    for name, form in FORMATS.items():
        wanted = {*form.needs, *form.instead, *form.takes}
        wanted -= {"sheet"} - {*form.needs}  # where it is not needed, a fresh file is written
        options = Options(**{key: value for key, value in given.items() if key in wanted})
        made = export(name, STANDINGS, ROSTER, options)
        texts[f"export-{name}.txt"] = f"{_text(name, made.data)}\n\n{_told(made)}"
    return texts


def _text(name: str, data: bytes) -> str:
    if name == "xlsx":
        sheets = workbook.read(data)
        rows = [(title, *row) for title, sheet in sheets.items() for row in sheet.rows]
        return "\n".join(" | ".join("" if c is None else str(c) for c in row) for row in rows)
    return data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-8")


def _told(made: Exported) -> str:
    """Who is in an exported file, and what the user is told."""
    left = [
        f"{kind} {who.student}: {who.reason}"
        for kind in ("left_blank", "unmatched")
        for who in getattr(made, kind)
    ]
    return "\n".join([f"written: {', '.join(made.written)}", *left, *made.notes])


def _page(html: str) -> str:
    """A page with a tag in each line, without what the style sheets and the pictures are."""
    bare = STYLE.sub(r"\1", DRAWN.sub(r"\1,...", html))
    return re.sub(r">(?=<)", ">\n", bare)


def _terminal(view: RenderableType) -> str:
    console = Console(width=WIDTH, file=io.StringIO(), color_system=None, record=True)
    console.print(view)
    return "\n".join(line.rstrip() for line in console.export_text().split("\n"))
