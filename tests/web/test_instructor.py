"""Students, release and export: an instructor's pages, which work without scripts."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from autograder.gradebook.decisions import in_force
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.schema_serve import AUDIT
from autograder.gradebook.standing import Standing
from autograder.interop.score_formats import FORMATS
from autograder.web.student_table import AT_ONCE, StudentTable
from tests.support.in_process import done
from tests.support.served_course import (
    ServedCourse,
    hand_in,
    read_page,
    script,
    send,
    send_as_seen,
    token,
)

STUDENTS, EXPORT = "/students/tiny", "/export/tiny"
NAMES = {"001": "Ada Ångström", "002": "<b>Bo</b>", "003": "Cy Young"}


@pytest.fixture(scope="module", autouse=True)
def _named(graded: ServedCourse) -> None:
    people = (
        Person(student, name, keys={"lti_user_id": f"u{student}"})
        for student, name in NAMES.items()
    )
    graded.services.store.enroll(
        Roster(tuple(people)), at=graded.services.store.runs()[0].started_at
    )


@pytest.fixture
def ina(graded: ServedCourse) -> TestClient:
    return graded.client("Ina")


def decide(client: TestClient, student: str, kind: str, **fields: str):  # type: ignore[no-untyped-def]
    """Send a form of a student's page as the browser does."""
    return send_as_seen(
        client, f"{STUDENTS}/of/{student}", **{"kind": kind, "why": "So.", **fields}
    )


def export(client: TestClient, name: str, do: str = "look", **fields: str):  # type: ignore[no-untyped-def]
    return send(client, EXPORT, format=name, do=do, **fields)


def listed(page: str) -> list[str]:
    """The students of a table, in order."""
    return re.findall(r'/of/(\w+)"', page)


# ---------------------------------------------------------------- students


def test_the_table_is_filtered_and_sorted_by_its_address(ina: TestClient) -> None:
    page = read_page(ina, STUDENTS)
    assert listed(page) == ["002", "001", "003"]  # by name
    assert "&lt;b&gt;Bo&lt;/b&gt;" in page
    assert "2 points by hand" in page
    assert "nothing handed in" in page
    assert listed(read_page(ina, f"{STUDENTS}?sort=points")) == ["003", "002", "001"]
    down = read_page(ina, f"{STUDENTS}?sort=points&order=down")
    assert listed(down) == ["001", "002", "003"]
    assert 'aria-sort="descending"' in down
    assert listed(read_page(ina, f"{STUDENTS}?show=waiting")) == ["002", "001"]
    assert listed(read_page(ina, f"{STUDENTS}?show=absent&q=YOUNG")) == ["003"]
    assert "No student matches" in read_page(ina, f"{STUDENTS}?q=nobody")
    for odd in ("sort=x&show=y&from=z", "from=-1", "q=%00%ff&order=up"):
        read_page(ina, f"{STUDENTS}?{odd}")


def test_a_large_class_is_shown_in_parts() -> None:
    some = [Standing("tiny", f"{n:03}", "absent", None, 0) for n in range(2 * AT_ONCE + 1)]
    first = StudentTable("tiny", some, {}, (), {})
    assert (len(first.rows), first.earlier) == (AT_ONCE, "")
    last = StudentTable("tiny", some, {}, (), {"from": str(2 * AT_ONCE)})
    assert (len(last.rows), last.later) == (1, "")
    assert last.earlier.endswith(f"from={AT_ONCE}")


def test_an_attempt_that_waits_is_told(graded: ServedCourse, ina: TestClient) -> None:
    assert "an attempt to grade" not in read_page(ina, STUDENTS)
    hand_in(graded.client("001"), script("Better."))
    assert "an attempt to grade" in read_page(ina, STUDENTS)
    assert "handed in attempt 2: work.py" in read_page(ina, f"{STUDENTS}/of/001")


def test_decisions_are_those_of_the_commands_and_can_be_undone(
    graded: ServedCourse, ina: TestClient
) -> None:
    store, folder = graded.services.store, graded.services.course.results("tiny").folder
    assert decide(ina, "002", "override", points="1,5", exercise="sums").status_code == 303
    assert decide(ina, "002", "override", points="1.5", exercise="sums").status_code == 303
    assert decide(ina, "002", "comment", text="So <so>.", why="").status_code == 303
    assert decide(ina, "002", "extend", until="2026-11-03T23:59").status_code == 303
    assert decide(ina, "003", "excuse", why="Ill.").status_code == 303
    made = store.decisions("tiny")
    assert [(d.student, d.kind, d.exercise, d.amount, d.text, d.who, d.why) for d in made] == [
        ("002", "override", "sums", 1500, "", "Ina", "So."),
        ("002", "comment", "", None, "So <so>.", "Ina", ""),
        ("002", "extend", "", None, "", "Ina", "So."),
        ("003", "excuse", "", None, "", "Ina", "Ill."),
    ]
    assert f"{made[2].until:%Y-%m-%dT%H:%M%z}" == "2026-11-03T23:59+0000"
    shown = done("gradebook", "show", folder, "002").out
    assert "set by hand" in shown
    page = read_page(ina, f"{STUDENTS}/of/002")
    assert "comment So &lt;so&gt;." in page
    assert "set by hand" in page
    assert listed(read_page(ina, f"{STUDENTS}?show=excused")) == ["003"]
    preview = ina.get(f"{STUDENTS}/page/002")
    assert preview.headers["content-security-policy"].startswith("sandbox;")
    assert "So &lt;so&gt;." in preview.text
    assert f'sandbox src="{STUDENTS}/page/002"' in page
    assert ina.get(f"{STUDENTS}/page/003").status_code == 404

    for one in made:
        assert decide(ina, one.student, "undo", undoes=str(one.id)).status_code == 303
    assert in_force(store.decisions("tiny")) == ()
    undo = store.decisions("tiny")[-1]
    assert f"Undo number {undo.id}" in read_page(ina, f"{STUDENTS}/of/003")
    assert decide(ina, "003", "undo", undoes=str(undo.id)).status_code == 303  # it holds again
    assert [d.kind for d in in_force(store.decisions("tiny"))] == ["excuse"]
    assert decide(ina, "003", "undo", undoes=str(made[3].id)).status_code == 303


def test_extra_points_add_up_and_a_form_that_is_sent_twice_counts_once(
    graded: ServedCourse, ina: TestClient
) -> None:
    for points in ("1", "1", "-0,5"):
        assert decide(ina, "002", "extra", points=points).status_code == 303
    made = graded.services.store.decisions("tiny")
    assert [d.amount for d in made if d.kind == "extra"] == [1000, 1000, -500]
    seen = str(made[-2].id)
    assert decide(ina, "002", "extra", points="-0.5", seen=seen).status_code == 409
    for one in made[-3:]:
        decide(ina, "002", "undo", undoes=str(one.id))


def test_a_comment_is_shown_before_it_is_recorded(graded: ServedCourse, ina: TestClient) -> None:
    before = graded.services.store.decisions("tiny")
    page = decide(ina, "002", "comment", text="So <so>.", do="preview").text
    assert '<blockquote class="text">So &lt;so&gt;.</blockquote>' in page
    assert "So &lt;so&gt;.</textarea>" in page
    assert decide(ina, "002", "comment", text=" ", do="preview").status_code == 422
    assert graded.services.store.decisions("tiny") == before


WRONG = (
    ("override", {"points": "x"}),
    ("override", {"points": "-1"}),
    ("override", {"points": "1", "exercise": "no-such"}),
    ("override", {"points": "1", "why": " "}),
    ("extra", {"points": "x"}),
    ("extend", {"until": "soon"}),
    ("comment", {"text": " "}),
    ("comment", {"text": "x" * 10_001}),
    ("points", {}),
    ("undo", {"undoes": "9" * 5000}),
)


def test_what_cannot_be_decided_is_not(graded: ServedCourse, ina: TestClient) -> None:
    decide(ina, "001", "comment", text="Well done.")
    before = graded.services.store.decisions("tiny")
    for kind, fields in WRONG:
        assert decide(ina, "001", kind, **fields).status_code == 422, (kind, fields)
    # about another student, and without having seen what somebody has decided
    assert decide(ina, "002", "undo", undoes=str(before[-1].id)).status_code == 422
    answer = decide(ina, "001", "override", points="4", seen="0")
    assert answer.status_code == 409 and "Somebody has decided" in answer.text
    assert graded.services.store.decisions("tiny") == before
    page = decide(ina, "001", "override", points="x", why="Because <b>").text
    assert 'value="Because &lt;b&gt;"' in page  # what was typed is kept
    assert ina.get(f"{STUDENTS}/of/no/such").status_code == 404


# ---------------------------------------------------------------- release and export


def test_the_page_asks_for_what_each_format_takes(ina: TestClient) -> None:
    page = read_page(ina, EXPORT)
    for name in FORMATS:
        assert f'href="?format={name}#export"' in page
        read_page(ina, f"{EXPORT}?format={name}")
    moodle = read_page(ina, f"{EXPORT}?format=moodle")
    assert re.search(r'<input type="file"[^>]* required', moodle)
    answer = export(ina, "moodle")
    assert answer.status_code == 422
    assert "Fill in: The file that the platform lets you download" in answer.text
    assert "(or: The assignment&#39;s title" in export(ina, "canvas").text
    assert export(ina, "no-such").status_code == 422


def test_a_release_is_one_button(graded: ServedCourse, ina: TestClient) -> None:
    page = read_page(ina, EXPORT)
    assert "2 with answers to grade by hand" in page
    assert send(ina, "/course/tiny", state="released").status_code == 303
    assert "are <strong>released</strong>" in read_page(ina, EXPORT)
    graded.set_state("open")


def test_a_dry_run_names_the_rows_that_differ_from_the_last_download(
    graded: ServedCourse, ina: TestClient
) -> None:
    none = export(ina, "canvas", title="Tiny", item_id="7")
    assert none.status_code == 422
    assert "There is no score to write" in none.text
    for student, points in (("001", "4"), ("002", "2")):
        decide(ina, student, "override", points=points)
    page = export(ina, "canvas", title="Tiny", item_id="7").text
    assert "2 rows to write" in page
    assert "Nothing was downloaded in this format before" in page
    assert re.search("nothing was submitted: <bdi>[^<]*</bdi> <span class=.soft.><bdi>003<", page)
    file = export(ina, "canvas", "download", title="Tiny", item_id="7")
    assert file.headers["content-disposition"] == 'attachment; filename="tiny-canvas.csv"'
    rows = list(csv.reader(io.StringIO(file.text)))
    assert [row[-1] for row in rows if row[0] in NAMES.values()] == ["4", "2"]
    assert "0 changed since the last download" in export(ina, "canvas", title="T", item_id="7").text

    decide(ina, "002", "override", points="3")
    page = export(ina, "canvas", title="Tiny", item_id="7").text
    assert "1 changed since the last download by <bdi>Ina</bdi>" in page
    assert "<bdi>002</bdi></span>: 2 → 3" in page
    about = [row.what for row in graded.services.queue.database.rows(AUDIT.select())]
    assert about.count("exported canvas") == 1


def test_a_sheet_is_filled_in_as_by_the_command(
    graded: ServedCourse, ina: TestClient, tmp_path: Path
) -> None:
    decide(ina, "001", "override", points="4")
    folder = graded.services.course.results("tiny").folder
    done("export", "canvas", folder, "--title", "Tiny", "--item-id", "7", "--out", tmp_path / "a")
    sheet = (tmp_path / "a").read_bytes().replace(b",4\r\n", b",1\r\n").replace(b",4\n", b",1\n")
    sent = {"csrf": token(ina, EXPORT), "format": "canvas", "do": "download"}
    sent["title"] = "Tiny"
    answer = ina.post(EXPORT, data=sent, files={"sheet": ("grades.csv", sheet)})
    assert answer.status_code == 200, answer.text
    assert answer.content == (tmp_path / "a").read_bytes()
    odd = ina.post(EXPORT, data=sent, files={"sheet": ("<b>.csv", b"\x00\x01")})
    assert odd.status_code == 422
    assert "<b>.csv" not in odd.text


def test_every_format_can_be_downloaded(ina: TestClient) -> None:
    decide(ina, "001", "override", points="4")
    for name in sorted({*FORMATS} - {"moodle"}):
        answer = export(ina, name, "download", title="Tiny", item_id="7", student="001")
        assert answer.status_code == 200, re.findall(r'role="alert">(.*)<', answer.text)
        place = answer.headers["content-disposition"]
        assert place.endswith(f'tiny-{name}{FORMATS[name].suffix}"')


def test_feedback_is_a_zip_of_the_pages_of_today(graded: ServedCourse, ina: TestClient) -> None:
    decide(ina, "001", "comment", text="Come and see me.")
    answer = send(ina, f"{EXPORT}/feedback")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.namelist() == ["001.html", "002.html"]
        assert b"Come and see me." in packed.read("001.html")
