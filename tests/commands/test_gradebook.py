"""What instructors type: overrides, points, extensions, sheets; and what they are shown."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shutil
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import openpyxl
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.assignment.read import read_assignment
from autograder.classroom.results_folder import KeptSubmission
from autograder.classroom.written_answers import written_answers
from autograder.errors import UsageError
from autograder.interop.marksheet import workbook
from autograder.interop.marksheet.answers import decisions_of
from autograder.interop.marksheet.filled import changes
from autograder.interop.marksheet.model import AnswerRow
from autograder.interop.marksheet.sheet import Marksheet, marksheet_csv, marksheet_xlsx
from autograder.notebook.submission import NotebookCell, Submission
from autograder.reports.feedback.page import BELOW
from tests.support.in_process import Lent, command, done
from tests.support.tables import rows_beside

TABLES = rows_beside(__file__)
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TOML = """
format = 1
id = "words"
title = "Words"

[late]
due = 2026-03-01T23:59:00
timezone = "Europe/Berlin"
per_day = 10

[[exercise]]
id = "number"
title = "A number"
defines = ["total"]
check = [{ id = "total", kind = "value", title = "the sum", points = 6, name = "total" }]

[[exercise]]
id = "reasons"
title = "Why"
defines = ["why"]

[[exercise.check]]
id = "why"
kind = "written"
title = "Two reasons"
points = 4
name = "why"
rubric = "Two points for each reason."
"""
SOLUTION = """# %% exercise="number"
# BEGIN SOLUTION
total = 6
# END SOLUTION

# %% exercise="reasons"
# BEGIN SOLUTION
why = "because, and also since"
# END SOLUTION
"""
IDS = ("007", "student-02", "=SUM(A1)")


def hand_in(total: int, why: str) -> str:
    cells = [new_code_cell(f"total = {total}"), new_code_cell(f"why = {why!r}")]
    return nbformat.writes(new_notebook(cells=cells))


@pytest.fixture(scope="module")
def graded(lent_box: Lent, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("words")
    course = root / "assignments" / "words"
    (root / "in").mkdir()
    course.mkdir(parents=True)
    (course / "assignment.toml").write_text(TOML)
    (course / "solution.py").write_text(SOLUTION)
    for place, name in enumerate(IDS):
        (root / "in" / f"{name}.ipynb").write_text(hand_in(6 - place % 2, "I think so"))
    people = "id,name,lti_user_id\n007,Student Seven,u7\nstudent-02,Two,u2\nabsent-1,Away,u9\n"
    (root / "roster.csv").write_text(people)
    roster = ("--roster", root / "roster.csv")
    done("grade", course, root / "in", *roster, "--out", root / "out", "--no-figures")
    return root


@pytest.fixture
def out(graded: Path, tmp_path: Path) -> Path:
    """A copy of the graded folder whose gradebook may be written to."""
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("run.json", "grades.db"):
        (folder / name).write_bytes((graded / "out" / name).read_bytes())
    shutil.copytree(graded / "out" / "submissions", folder / "submissions")
    return folder


def standing(out: Path, student: str) -> dict[str, object]:
    shown = json.loads(done("gradebook", "show", out, student, "--json").out)
    found: dict[str, object] = shown["standings"][0]
    return found


# ---------------------------------------------------------------- decisions


def test_an_override_is_kept_with_who_and_why_and_can_be_undone(out: Path) -> None:
    ran = done("gradebook", "override", out, "007", "7.5", "--why", "appeal", "--who", "ta-1")
    take_back = f'recorded as decision 1. To undo it: autograder gradebook undo {out} 1 --why "..."'
    assert take_back in ran.out and "7.5 of 10" in ran.out and ran.err == ""
    assert standing(out, "007")["score"] == 7.5
    log = done("gradebook", "log", out, "007").out
    assert "appeal" in log and "ta-1" in log and "override" in log
    done("gradebook", "undo", out, "1", "--why", "a mistake")
    assert standing(out, "007")["state"] == "open"
    more = done("gradebook", "override", out, "007", "10.5", "--why", "typed")
    assert more.err == "note: 10.5 is more than the maximum of the assignment, 10\n"


def test_every_kind_of_decision_counts_at_once_and_only_once(out: Path) -> None:
    done("gradebook", "extend", out, "007", "2026-03-08T23:59", "--why", "ill")
    assert "2026-03-08 22:59 UTC" in done("gradebook", "log", out).out
    done("gradebook", "points", out, "007", "reasons/why", "2,5", "--comment", "One is good")
    for _ in range(2):
        done("gradebook", "extra", out, "007", "0.25", "--why", "found an error")
    found = standing(out, "007")
    assert (found["state"], found["score"], found["comments"]) == ("final", 9, ["One is good"])
    for said in ("recorded as", "nothing was recorded"):
        assert said in done("gradebook", "excuse", out, "007", "--why", "ill").out
    assert standing(out, "007")["state"] == "excused"


def test_a_student_and_a_class_are_shown_with_what_was_overridden_by_whom(
    out: Path, graded: Path
) -> None:
    shutil.copytree(graded / "out" / "results", out / "results")
    words = ("--exercise", "number", "--why", "lenient", "--who", "ta-1")
    done("gradebook", "override", out, "student-02", "4.5", *words)
    shown = " ".join(done("show", out, "student-02").out.split())
    assert "number overridden by ta-1: lenient" in shown
    (row,) = (r for r in done("show", out).out.splitlines() if "student-02" in r)
    assert "4.5+ of 10" in row and "graded, overridden" in row
    found = json.loads(done("show", out, "student-02", "--json").out)
    assert (found["score"], found["standing"]["so_far"]) == (0, 4.5)


def test_points_that_an_override_hides_are_recorded_and_said_not_to_count(
    out: Path, graded: Path, tmp_path: Path
) -> None:
    shutil.copy(graded / "out" / "gradebook.csv", out)
    done("gradebook", "export-sheet", out, tmp_path / "before.csv")
    done("gradebook", "override", out, "007", "1", "--why", "x", "--exercise", "reasons")
    assert "\n007,in/007.ipynb,graded,7,10,6,1," in (out / "gradebook.csv").read_text()
    ran = done("gradebook", "export-sheet", out, tmp_path / "after.csv")
    assert "2 answers of 2 students" in ran.out and "left out: 1 answer, whose" in ran.out
    filled(tmp_path / "before.csv", lambda row: row.update({POINTS: "3"}))
    ran = done("gradebook", "import-sheet", out, tmp_path / "before.csv", "--yes")
    said = "007, reasons/why: points do not count: override 1 set reasons; they are kept, and count"
    assert f'{said} after: autograder gradebook undo {out} 1 --why "..."' in ran.err
    assert standing(out, "007")["score"] == 7
    done("gradebook", "undo", out, "1", "--why", "wrong")
    assert standing(out, "007")["score"] == 9


@pytest.mark.parametrize(("words", "said"), TABLES["refused"])
def test_what_cannot_be_done_is_said_and_nothing_is_recorded(
    out: Path, words: str, said: str
) -> None:
    ran = command(*words.format(out=out).split())
    assert ran.code == 2 and said.format(out=out) in " ".join(ran.err.split())
    assert "No decisions yet" in done("gradebook", "log", out).out
    assert not (out / "x").exists()


# ---------------------------------------------------------------- sheets


POINTS, COMMENT = "reasons/why points (0 to 4)", "reasons/why comment"


def filled(path: Path, change: Callable[[dict[str, str]], None]) -> None:
    """Fill in the sheet as a person with a spreadsheet would."""
    if path.suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))
        for row in rows:
            change(row)
        page = io.StringIO()
        writer = csv.DictWriter(page, [*rows[0]], delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(page.getvalue().encode("utf-16"))
        return
    book = openpyxl.load_workbook(path)
    sheet = book["Points"]
    header = [cell.value for cell in sheet[1]]
    for cells in sheet.iter_rows(min_row=2):
        row = {name: cell.value for name, cell in zip(header, cells, strict=True)}
        change(row)
        for name, cell in zip(header, cells, strict=True):
            cell.value = row[name]
    book.save(path)


def grade_rows(row: dict[str, str]) -> None:
    assert row["reasons/why answer"] == "I think so"
    row[POINTS], row[COMMENT] = "3,5", "Good."
    if row["student"] == "007":
        row["student"] = "7"  # as a spreadsheet would have it


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_sheet_goes_out_is_filled_in_and_comes_back(out: Path, suffix: str) -> None:
    sheet = out / f"points.{suffix}"
    said = done("gradebook", "export-sheet", out, sheet).out
    assert "3 answers of 3 students" in said
    assert f"autograder gradebook import-sheet {out} {sheet}" in said
    filled(sheet, grade_rows)
    shown = command("gradebook", "import-sheet", out, sheet)
    assert "none -> 3.5" in shown.out and "--yes" in shown.err
    assert "No decisions yet" in done("gradebook", "log", out).out
    done("gradebook", "import-sheet", out, sheet, "--yes", "--who", "ta-1")
    assert [standing(out, name)["score"] for name in IDS] == [9.5, 3.5, 9.5]
    assert standing(out, "=SUM(A1)")["comments"] == ["Good."]
    assert "changes nothing" in done("gradebook", "import-sheet", out, sheet).out
    again = out / "sub" / f"again.{suffix}"
    again.parent.mkdir()
    done("gradebook", "export-sheet", out, again)
    if suffix == "xlsx":
        book = openpyxl.load_workbook(again)
        (page,) = (c for c in book["Points"][2] if c.hyperlink)
        assert page.hyperlink.target == "../feedback/007.html#exercise-reasons"
        assert book["Comments"]["A2"].value == "Good."
        (choice,) = book["Points"].data_validations.dataValidation
        assert choice.formula1.startswith("Comments!$A$2") and not choice.showErrorMessage
    assert "changes nothing" in done("gradebook", "import-sheet", out, again).out


def test_with_one_wrong_row_nothing_is_taken_and_every_one_is_named(out: Path) -> None:
    sheet = out / "points.csv"
    done("gradebook", "export-sheet", out, sheet)
    wrong = iter(["9", "two", "1"])
    filled(sheet, lambda row: row.update({POINTS: next(wrong)}))
    ran = command("gradebook", "import-sheet", out, sheet, "--yes")
    assert ran.code == 2
    assert "row 2, reasons/why: points '9'" in ran.err
    assert "row 3, reasons/why: points 'two'" in ran.err
    assert "nothing was changed" in ran.err and "row 4" not in ran.err
    assert "No decisions yet" in done("gradebook", "log", out).out


def rows_of(*students: str) -> tuple[AnswerRow, ...]:
    return tuple(AnswerRow(s, f"name of {s}", "e", "c", 4000, None, "", "rubric") for s in students)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("write", [marksheet_csv, marksheet_xlsx])
def test_whatever_ids_and_comments_look_like_a_sheet_changes_nothing_by_itself(
    seed: int, write: Callable[[Marksheet], bytes]
) -> None:
    draw = random.Random(seed)
    signs = "=+-@0123456789 ,;\"'\t\nabcÄß学\u202e\x07"
    texts = ["".join(draw.choices(signs, k=draw.randint(1, 9))).strip() or "x" for _ in range(40)]
    rows = tuple(
        AnswerRow(s, s, "e", c, 4000, draw.choice([None, 0, 125, 4000]), s, s, answer=s)
        for s in dict.fromkeys(texts)
        for c in ("c", "d")
        if draw.random() < 0.8
    )
    assert changes(write(Marksheet(rows)), rows, name="sheet") == ()


def test_no_cell_of_a_sheet_is_a_formula() -> None:
    rows = (AnswerRow("=1+1", "=1+1", "e", "c", 4000, None, "=1+1", "=1+1", answer="=1+1"),)
    sheet = Marksheet(rows, {("e", "c"): ["=1+1"]})
    book = openpyxl.load_workbook(io.BytesIO(marksheet_xlsx(sheet)))
    cells = [cell for page in book.worksheets for line in page.iter_rows() for cell in line]
    assert all(cell.data_type != "f" and not str(cell.value).startswith("=") for cell in cells)
    body = marksheet_csv(sheet).decode("utf-8-sig").split("\r\n")[1]
    assert not any(cell.startswith("=") for cell in next(csv.reader([body])))


@pytest.mark.parametrize(("data", "said"), TABLES["refused sheets"])
def test_a_sheet_that_means_nothing_is_refused(data: str, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        changes(data.encode(), rows_of("1"), name="sheet")


_CELL = b"<c><v>1</v></c>"


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        (b"<row>" + _CELL * 1_000 + b"</row>", "too many cells"),
        ((b"<row>" + _CELL * 50 + b"</row>") * 50, "too many cells"),
        (b"<row></row>" * 5_001, "too many cells"),
        (b"<row><c><is>" + b"<r><t>a</t></r>" * 1_000 + b"</is></c></row>", "too many cells"),
        (b'<row r="1">' + _CELL + b'</row><row r="99">' + _CELL + b"</row>", "more than 50 rows"),
    ],
)
def test_a_workbook_of_too_many_cells_is_refused(
    monkeypatch: pytest.MonkeyPatch, inside: bytes, said: str
) -> None:
    for name, limit in {"MAX_PARTS": 5_000, "MAX_IN_ROW": 1_000, "MAX_ROWS": 50}.items():
        monkeypatch.setattr(workbook, name, limit)
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = b'<worksheet xmlns="%s"><sheetData>%s</sheetData></worksheet>' % (space, inside)
    page = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(marksheet_xlsx(Marksheet(())))) as book,
        zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for part in book.namelist():
            made.writestr(part, sheet if part.startswith("xl/worksheets/") else book.read(part))
    if "cells" in said:  # before it is held
        monkeypatch.setattr(openpyxl, "load_workbook", None)
    with pytest.raises(UsageError, match=said):
        changes(page.getvalue(), (), name="n.xlsx")


def test_zeros_that_a_spreadsheet_took_are_given_back_only_where_that_is_sure() -> None:
    page = b"student,e/c points\n7,1\n"
    (found,) = changes(page, rows_of("007", "8"), name="sheet")
    assert found.before.student == "007"
    with pytest.raises(UsageError, match="no answer"):
        changes(page, rows_of("007", "07"), name="sheet")
    (own,) = changes(page, rows_of("007", "7"), name="sheet")
    assert own.before.student == "7"


def test_only_what_changes_becomes_a_decision() -> None:
    page = b"student,e/c points,e/c comment\n1,4,\n2,,said\n"
    found = changes(page, rows_of("1", "2"), name="sheet")
    made = list(decisions_of(found, assignment="a", who="w", why="y", at=NOON))
    assert [(d.student, d.kind, d.amount, d.text) for d in made] == [
        ("1", "points", 4000, ""),
        ("2", "comment", None, "said"),
    ]


def test_a_roster_tells_who_is_missing(out: Path) -> None:
    assert "4 students: 3 open, 1 absent" in done("gradebook", "show", out).out
    people = out / "people.csv"
    people.write_text("id,name\n007,A\n008,B\n009,Cy Dee\n")
    ran = done("gradebook", "roster", out, people)
    assert "3 students; 2 have not submitted anything" in ran.out
    assert ran.err == "not on this roster (2): =SUM(A1), student-02\n"
    assert standing(out, "009")["state"] == "absent"
    assert re.search(r"009 +Cy Dee +.*absent", done("gradebook", "show", out).out)


def test_exports_say_who_is_not_in_the_file(out: Path) -> None:
    done("gradebook", "points", out, "007", "reasons/why", "2")
    ran = done("export", *CANVAS, out, "--out", out / "c.csv")
    assert "1 with a score" in ran.out
    assert "no score (2): " in ran.err
    assert ". Reason: manual grading is pending" in ran.err
    assert "no score (1): absent-1. Reason: nothing was submitted" in ran.err


@pytest.mark.parametrize(("words", "said"), TABLES["without grades"])
def test_a_class_without_grades_says_so(
    out: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    """Grading ended before the first submission."""
    (out / "grades.db").unlink()
    monkeypatch.setenv("AUTOGRADER_LTI_TOKEN", "t")
    ran = command(*words.format(out=out).split())
    assert ran.code == 2 and said in ran.err
    assert not (out / "x.csv").exists()


CANVAS = ("canvas", "--title", "Words", "--item-id", "7")
MOODLE = "Identifier,Full name,ID number,Status,Grade,Maximum Grade\nParticipant 1,Z,zz,,,10\n"


def test_an_export_without_a_score_says_so_and_is_not_written(out: Path) -> None:
    """Manual grading is pending for everybody; or nobody is in the sheet that is to be filled."""
    pending = ("no score (3): ", "manual grading is pending")
    (out / "m.csv").write_text(MOODLE)
    never = ["export", *CANVAS, out, "--out", out / "c.csv"]
    unknown = ["export", "moodle", out, "--sheet", out / "m.csv", "--out", out / "filled.csv"]
    for words, kept in ((never, pending), (unknown, ("m.csv",))):
        ran = command(*words)
        assert ran.code == 2 and all(part in ran.err for part in kept)
        assert "there is no score to write" in ran.err and str(words[-1]) in ran.err
        assert not Path(str(words[-1])).exists()
    assert done("export", "json", out, "--out", out / "all.json").out.endswith("0 with a score\n")


def test_pages_go_back_with_what_counts_today_and_the_rest_as_it_was(
    graded: Path, out: Path
) -> None:
    def returned(student: str) -> str:
        (out / "f.zip").unlink(missing_ok=True)
        done("return", out, "--to", "plain", "--out", out / "f.zip")
        with zipfile.ZipFile(out / "f.zip") as packed:
            return packed.read(f"{student}.html").decode()

    shutil.copytree(graded / "out" / "feedback", out / "feedback")
    done("gradebook", "points", out, "007", "reasons/why", "2", "--comment", "<!--below--> Good.")
    done("gradebook", "override", out, "student-02", "1", "--why", "told to nobody")
    page, before = returned("007"), (out / "feedback" / "007.html").read_text()
    assert "<strong>8</strong>" in page and "<strong>8</strong>" not in before
    assert "&lt;!--below--&gt; Good." in page.partition(BELOW)[2]
    by_hand = re.compile("<!--(by hand|points): .*?<!--end-->|.*<!--below-->", re.DOTALL)
    assert by_hand.sub("", page) == by_hand.sub("", before) != ""
    assert "<strong>1</strong>" in returned("student-02")
    assert "told to nobody" not in returned("student-02")
    done("gradebook", "undo", out, "1", "--why", "again")
    (out / "feedback" / "007.html").write_text(page)
    assert "Not final yet" in returned("007")
    ran = command("return", out, "--to", "canvas", "--out", out / "h.zip")
    assert ran.code == 2 and "none of them came in a download from it" in ran.err


@pytest.mark.parametrize(("answer", "text"), TABLES["answers"])
def test_answers_are_read_from_the_code(answer: str, text: str, graded: Path) -> None:
    cells = (NotebookCell(1, "code", answer), NotebookCell(2, "code", "why = ''"))
    kept = [KeptSubmission("s", "s.ipynb", Submission("s.ipynb", "", cells))]
    kept.append(KeptSubmission("t", "t.pdf", None, "a PDF"))
    spec = read_assignment(graded / "assignments" / "words")
    found = written_answers(kept, spec)
    assert found == ({("s", "reasons", "why"): text} if text else {})
