"""A course from an upload to a grade, on pages that work without scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.errors import StoreError
from autograder.gradebook.people import Person, Roster
from autograder.web.uploads import Uploads
from tests.support.in_process import done
from tests.support.served_course import (
    ServedCourse,
    hand_in,
    read_page,
    script,
    served_course,
    token,
)

TASK = "/grade/tiny/why/reason"


# ---------------------------------------------------------------- hand in


def test_what_is_handed_in_is_queued_and_its_place_is_told(course: ServedCourse) -> None:
    first, second = course.client("001"), course.client("002")
    assert "Nothing handed in yet" in read_page(first, "/assignments")
    assert hand_in(first, script("A")).headers["location"] == "/attempts/1"
    assert hand_in(second, script("B")).headers["location"] == "/attempts/2"
    page = read_page(second, "/attempts/2")
    assert "3 code cells read." in page
    assert "Waiting: number 2 in the queue" in page
    assert "9 of 10 attempts" in read_page(second, "/assignments/tiny")
    assert course.services.uploads.path(course.services.queue.attempt(2).sha256).read_text() == (  # type: ignore[union-attr]
        script("B")
    )


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("work.ipynb", b"{", "work.ipynb"),
        ("work.py", b"", "the file is empty"),
        ("work.exe", b"MZ", "hand in a notebook"),
        ("../../<b>.py", b"PK\x03\x04", "&lt;b&gt;.py: this is a zip archive"),
    ],
)
def test_what_cannot_be_read_is_no_attempt(
    course: ServedCourse, name: str, data: bytes, said: str
) -> None:
    answer = hand_in(course.client("001"), data, name)
    assert answer.status_code == 422
    assert said in answer.text
    assert course.services.queue.attempts("tiny", "001") == ()


def test_what_was_handed_in_can_be_downloaded_by_its_student_alone(course: ServedCourse) -> None:
    client = course.client("001")
    hand_in(client, script("A"), 'so "x"\n<b>.py')
    assert 'href="/attempts/1/file"' in read_page(client, "/attempts/1")
    answer = client.get("/attempts/1/file")
    assert answer.text == script("A")
    said = answer.headers["content-disposition"]
    assert said.startswith("attachment; filename") and "<" not in said
    assert answer.headers["content-type"] == "application/octet-stream"
    assert course.client("002").get("/attempts/1/file").status_code == 404
    course.services.uploads.path(course.services.queue.attempt(1).sha256).unlink()  # type: ignore[union-attr]
    assert client.get("/attempts/1/file").status_code == 404


def test_students_are_named_where_the_roster_has_names(course: ServedCourse) -> None:
    people = (Person("001", "Ada <L>"), Person("002"))
    course.services.store.enroll(Roster(people), at=datetime(2026, 3, 2, tzinfo=UTC))
    named = '<bdi>Ada &lt;L&gt;</bdi> <span class="soft"><bdi>001</bdi></span>'
    assert named in read_page(course.client("001"), "/assignments")
    assert "<bdi>002</bdi>, student" in read_page(course.client("002"), "/assignments")
    secret = course.services.access.link("001", "student")
    assert named in read_page(course.client(), f"/sign-in?link={secret}")
    course.services.store.enroll(Roster(people[1:]), at=datetime(2026, 3, 3, tzinfo=UTC))
    assert "<bdi>001</bdi>, student" in read_page(course.client("001"), "/assignments")


def test_a_full_disk_is_said_and_nothing_is_handed_in(
    course: ServedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> str:
        raise StoreError("no space left on device")

    monkeypatch.setattr(Uploads, "keep", full)
    answer = hand_in(course.client("001"), script("A"))
    assert answer.status_code == 507
    assert "nothing was handed in" in answer.text
    assert course.services.queue.attempts("tiny", "001") == ()


def test_attempts_run_out(tmp_path: Path) -> None:
    course = served_course(tmp_path, per_day=1)
    client = course.client("001")
    form = token(client, "/assignments/tiny")
    assert hand_in(client, script("A")).status_code == 303
    again = {"file": ("work.py", script("B").encode())}
    answer = client.post("/assignments/tiny", data={"csrf": form}, files=again)
    assert answer.status_code == 429
    assert "all 1 attempts" in answer.text


def test_lateness_is_said_before_the_upload(course: ServedCourse) -> None:
    path = course.folder / "assignments/tiny/assignment.toml"
    text = path.read_text()
    late = "[late]\ndue = 2026-01-01T12:00:00Z\nper_day = 10\nmost = 50\n\n[limits]"
    path.write_text(text.replace("[limits]", late, 1))
    client = course.client("001")
    assert "Handing in now costs 50 % of the assignment&#39;s points" in read_page(
        client, "/assignments/tiny"
    )
    course.set_state("closed")
    assert "Handing in now" not in read_page(client, "/assignments/tiny")
    course.set_state("open")
    path.write_text(text.replace("[limits]", late.replace("most", "cutoff_days = 1\nmost"), 1))
    form = token(client, "/assignments/tiny")
    assert 'type="file"' not in read_page(client, "/assignments/tiny")
    sent = {"file": ("work.py", script("A").encode())}
    assert client.post("/assignments/tiny", data={"csrf": form}, files=sent).status_code == 403


def test_a_draft_is_not_there_for_students(course: ServedCourse) -> None:
    course.set_state("draft")
    client = course.client("001")
    assert "There is no assignment yet" in read_page(client, "/assignments")
    assert client.get("/assignments/tiny").status_code == 404


# ---------------------------------------------------------------- results


def test_before_the_release_public_checks_alone_are_shown(graded: ServedCourse) -> None:
    graded.set_state("open")
    client = graded.client("002")
    events = client.get("/attempts/2/events").text
    assert events == "event: done\ndata: done\n\n"
    page = read_page(client, "/attempts/2")
    assert "is the sum" in page
    assert "2 of 2" in page
    for hidden in ("kept-back", "a title that nobody shall see", "Try larger numbers", "multiply"):
        assert hidden not in page
    assert client.get("/assignments/tiny/feedback").status_code == 404
    assert client.get("/attempts/1").status_code == 404  # another student's


@pytest.mark.usefixtures("lent_box")
def test_a_public_check_is_explained_before_the_release(course: ServedCourse) -> None:
    inputs = course.folder / "assignments/tiny/inputs.py"
    inputs.write_text(inputs.read_text().replace("(2,), (0,)", "(70,), (90,)"))
    wrong = script("Because.").replace("return 2 * n", "return n + 1")
    assert hand_in(course.client("003"), wrong).status_code == 303
    course.grade()
    page = read_page(course.client("003"), "/attempts/1")
    assert "A small call that goes wrong" in page and "double(2)" in page


def test_after_the_release_the_whole_page_is_shown_in_a_frame(graded: ServedCourse) -> None:
    graded.set_state("released")
    client = graded.client("002")
    page = read_page(client, "/assignments/tiny")
    assert re.search(r"<iframe [^>]*sandbox", page)
    frame = client.get("/assignments/tiny/feedback")
    assert frame.headers["content-security-policy"].startswith("sandbox;")
    assert "You multiply the number by itself" in frame.text
    assert "a title that nobody shall see" not in frame.text
    graded.set_state("open")


def test_an_attempt_is_graded_once(graded: ServedCourse) -> None:
    before = len(graded.services.store.history("001", assignment="tiny"))
    graded.grade()
    assert len(graded.services.store.history("001", assignment="tiny")) == before == 1


# ---------------------------------------------------------------- grade


def test_written_answers_are_graded_one_after_the_other(graded: ServedCourse) -> None:
    gil, gus = graded.client("Gil"), graded.client("Gus")
    assert "Say why" in read_page(gil, "/grade")
    mine, others = (client.get(TASK).headers["location"] for client in (gil, gus))
    assert mine != others  # two graders never meet the same answer
    assert gus.get(mine).status_code == 409
    assert "Gil" in gus.get(mine).text
    pages = {mine: read_page(gil, mine), others: read_page(gus, others)}
    hostile = next(page for page in pages.values() if "<strong>bold</strong>" in page)
    assert "alert(1)" not in hostile
    assert "javascript:" not in hostile
    assert "onerror" not in hostile

    form = {"csrf": token(gil, "/grade"), "seen": "None/", "points": "1", "comment": "So <so>."}
    for wrong in ("", "x", "3", "-1", "1.00001", "NaN"):
        assert gil.post(mine, data={**form, "points": wrong}).status_code == 422
    beyond = {"points": "9e999999", "adjustment": "9e999999"}
    assert gil.post(mine, data={**form, **beyond}).status_code == 422
    assert gus.post(mine, data={**form, "csrf": token(gus, "/grade")}).status_code == 409
    answer = gil.post(mine, data={**form, "adjustment": "0,5"})
    assert answer.headers["location"].startswith(f"{TASK}?after=")
    assert "1 answer left, 1 with other graders: Gus" in gil.get(answer.headers["location"]).text

    # what is recorded is what the commands record, show and export
    (student,) = (
        s
        for s in ("001", "002")
        if any(d.student == s for d in graded.services.store.decisions("tiny"))
    )
    made = graded.services.store.decisions("tiny")
    assert [(d.kind, d.who, d.amount, d.text) for d in made] == [
        ("points", "Gil", 1500, ""),
        ("comment", "Gil", None, "So <so>."),
    ]
    shown = done("gradebook", "show", graded.services.course.results("tiny").folder, student).out
    assert "So <so>." in shown

    # somebody else has decided meanwhile
    assert gil.post(mine, data=form).status_code == 409
    again = read_page(gil, mine)
    assert "graded: 1.5 points" in again
    assert 'value="0.5"' in again

    # the comment is offered for the other answer
    later = read_page(gus, others)
    assert "<option>So &lt;so&gt;.</option>" in later
    sent = {"csrf": token(gus, "/grade"), "seen": "None/", "points": "2", "earlier": "So <so>."}
    assert gus.post(others, data=sent).status_code == 303
    assert "All 2 answers have points" in read_page(gus, TASK)


def test_names_can_be_hidden(graded: ServedCourse) -> None:
    client = graded.client("Gil")
    path = re.findall(rf'href="({TASK}/\w+)"', read_page(client, TASK))[0]
    assert re.search(r"<bdi>00[12]</bdi>", read_page(client, path))
    client.post("/grade", data={"csrf": token(client, "/grade"), "hide": "1"})
    assert not re.search(r"00[12]", read_page(client, path))
    page = client.get(f"{path}/page")
    assert page.headers["content-security-policy"].startswith("sandbox;")


def test_the_course_page_tells_what_waits_and_why(course: ServedCourse) -> None:
    hand_in(course.client("001"), script("A"))
    course.services.queue.note("tiny", "the solution fails")
    broken = course.folder / "assignments/other/assignment.toml"
    broken.parent.mkdir()
    broken.write_text("format = 1")
    page = read_page(course.client("Ina"), "/course")
    assert "0 attempts graded, 1 waiting" in page
    assert "the solution fails" in page
    assert "other" in page
