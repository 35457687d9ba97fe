"""Regrade requests: a student asks, graders answer, and nobody else reads the thread."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from autograder.gradebook.people import Person, Roster
from autograder.gradebook.schema_serve import AUDIT
from autograder.web.regrade_requests import UNANSWERED
from tests.support.served_course import ServedCourse, read_page, send, send_as_seen

ASK, NAME = "/assignments/tiny/requests", "Ada Ångström"


@pytest.fixture(scope="module", autouse=True)
def _released(graded: ServedCourse) -> None:
    store = graded.services.store
    people = (Person("001", NAME), Person("002", "Bo"), Person("003", "Cy"))
    store.enroll(Roster(people), at=store.runs()[0].started_at)
    graded.set_state("released")


def ask(client: TestClient, exercise: str = "doubles", text: str = "Look <again>.") -> str:
    """The path of a new request."""
    answer = send(client, ASK, exercise=exercise, text=text)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_request_is_answered_with_new_points(graded: ServedCourse) -> None:
    bo, gil = graded.client("002"), graded.client("Gil")
    assert "Ask for a regrade" in read_page(bo, "/assignments/tiny")
    path = ask(bo)
    assert "waits for an answer" in read_page(bo, "/assignments/tiny")
    listed = read_page(gil, "/requests")
    assert path in listed
    assert "<td>waits</td>" in listed
    page = read_page(gil, path)
    assert "Look &lt;again&gt;." in page
    assert f'src="{path}/page#exercise-doubles"' in page
    shown = gil.get(f"{path}/page")
    assert shown.headers["content-security-policy"].startswith("sandbox;")
    assert 'id="exercise-doubles"' in shown.text

    assert send_as_seen(gil, path, text="Which line?").status_code == 303
    assert "Which line?" in read_page(bo, path)
    assert "Gil" not in read_page(bo, path)
    assert send(bo, path, text="The last.", points="2", do="close").status_code == 303
    for wrong in ({"text": " "}, {"text": "x" * 10_001}, {"text": "So.", "points": "-1"}):
        assert send_as_seen(gil, path, **wrong).status_code == 422
    assert graded.services.store.decisions("tiny") == ()  # points are a grader's

    fields = {"text": "You are right.", "points": "1,5", "do": "close"}
    assert send_as_seen(gil, path, **fields, seen="9").status_code == 409
    assert send_as_seen(gil, path, **fields).headers["location"] == "/requests"
    (made,) = graded.services.store.decisions("tiny")
    assert (made.kind, made.student, made.exercise, made.amount, made.who, made.why) == (
        *("override", "002", "doubles", 1500, "Gil"),
        f"regrade request {path.rpartition('/')[2]}",
    )
    page = read_page(bo, path)
    assert "You are right." in page
    assert "1.5 of 4 points" in page
    assert "Points for this exercise: 1.5" in page
    assert "<textarea" not in page
    for client in (bo, gil):
        assert send(client, path, text="More.").status_code == 422
    rows = graded.services.queue.database.rows(AUDIT.select())
    about = [(row.who, row.what) for row in rows if row.about.startswith("request ")]
    assert about == [
        ("002", "asked for a regrade"),
        ("Gil", "answered"),
        ("002", "wrote"),
        ("Gil", "closed a regrade request"),
    ]
    assert ask(bo) != path  # a closed one does not stand in the way


def test_one_request_for_an_exercise_is_open(graded: ServedCourse) -> None:
    client = graded.client("001")
    path = ask(client, "sums")
    assert send(client, ASK, exercise="sums", text="Again.").status_code == 409
    for wrong in ({"exercise": "no-such", "text": "Why?"}, {"exercise": "why", "text": " "}):
        assert send(client, ASK, **wrong).status_code == 422
    codes = [send(client, path, text="Please.").status_code for _ in range(UNANSWERED)]
    assert codes == [303] * (UNANSWERED - 1) + [422]


def test_a_thread_is_not_there_before_the_release(graded: ServedCourse) -> None:
    client = graded.client("001")
    path = ask(client, "why")
    graded.set_state("closed")
    try:
        assert client.get(path).status_code == 404
        assert send(client, ASK, exercise="why", text="Why?").status_code == 403
    finally:
        graded.set_state("released")
    assert client.get(path).status_code == 200


def test_requests_are_taken_or_not(graded: ServedCourse) -> None:
    ina, client = graded.client("Ina"), graded.client("002")
    assert "Students can ask for regrades" in read_page(ina, "/export/tiny")
    assert send(ina, "/course/tiny/requests", taken="").status_code == 303
    assert "No regrade requests" in read_page(ina, "/export/tiny")
    assert "Ask for a regrade" not in read_page(client, "/assignments/tiny")
    assert send(client, ASK, exercise="sums", text="Why?").status_code == 403
    send(ina, "/course/tiny/requests", taken="1")
    assert "Ask for a regrade" in read_page(client, "/assignments/tiny")


def test_hidden_names_are_hidden_here(graded: ServedCourse) -> None:
    client, gil = graded.client("001"), graded.client("Gil")
    number = next(
        one.id for one in graded.services.requests.of("tiny", "001") if one.exercise == "sums"
    )
    pages = ("/requests", f"/requests/{number}", f"/requests/{number}/page")
    assert client.get(pages[1]).status_code == 200
    assert all(NAME in gil.get(at).text or "001" in gil.get(at).text for at in pages)
    send(gil, "/grade", hide="1")
    for at in pages:
        page = gil.get(at).text
        assert NAME not in page
        assert "001" not in page
        assert "work.py" not in page
