"""Who may come in: links, sessions, and every route with every role."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.gradebook.schema_serve import AUDIT, LINKS, SESSIONS
from autograder.web.access import (
    FAILURES,
    FAILURES_S,
    WRONG_LINKS,
    FailedSignIns,
    Visitor,
)
from autograder.web.app import PAGES, application
from autograder.web.services import MAX_FORM
from autograder.web.visit import POLICY
from tests.support.served_course import BASE, ServedCourse, token

VISITORS = ("", "001", "Gil", "Ina")
FORMS = {"001": "/assignments/tiny", "Gil": "/grade", "Ina": "/course"}


def routes_and_answers() -> dict[tuple[str, str], tuple[int, ...]]:
    """The table of routes: method and address, and the answer to each of the visitors."""
    lines = Path(__file__).with_name("routes.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {(method, path): tuple(map(int, codes)) for *codes, method, path in rows}


def test_every_route_answers_every_role_as_the_table_says(course: ServedCourse) -> None:
    table = routes_and_answers()
    routes = {(page.method, page.path) for page in PAGES}
    app = application(course.services)
    assert {(next(iter(r.methods - {"HEAD"})), r.path) for r in app.routes} == routes  # type: ignore[attr-defined]
    assert routes == table.keys()  # a new route needs a row
    others = course.services.queue.accept(
        assignment="tiny", student="002", file="a.py", sha256="0", notes=(), per_day=9
    )
    course.set_state("released")
    request = course.services.requests.ask("tiny", Visitor("002", "student", ""), "sums", "Why?")
    clients = {person: course.client(person) for person in VISITORS}
    answers = {}
    for method, path in table:
        at = path.replace("{attempt:number}", str(others)).replace("{student:path}", "001")
        at = at.replace("{request:number}", str(request))
        for name in ("assignment", "exercise", "task", "answer", "name"):
            at = at.replace(f"{{{name}}}", "no-such")
        answers[method, path] = []
        for person in VISITORS:
            client = course.client(person) if path == "/sign-out" else clients[person]
            form = {"csrf": token(client, FORMS[person])} if person and method == "POST" else None
            answer = client.request(method, at, data=form)
            answers[method, path].append(answer.status_code)
            assert answer.headers["content-security-policy"] == POLICY
    assert {route: tuple(found) for route, found in answers.items()} == table


@pytest.mark.slow
def test_the_web_process_loads_nothing_that_runs_code() -> None:
    code = (
        "import sys, autograder.web.app, autograder.commands.serve; "
        "print({'torch', 'IPython', 'autograder.sandbox.box'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


def test_a_kill_while_signing_in_does_not_cost_the_link(
    course: ServedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends when the link is used up and the session is not there yet."""
    access = course.services.access
    secret = access.link("Ina", "instructor", once=True)

    def killed(_: int) -> str:
        raise SystemExit

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr("autograder.web.access.secrets.token_urlsafe", killed)
        access.sign_in(secret)
    assert access.sign_in(secret) is not None


def test_a_personal_link_works_until_new_ones_are_made(course: ServedCourse) -> None:
    secret = course.services.access.link("001", "student")
    clients = [course.client(), course.client()]
    for client in clients:
        assert client.post("/sign-in", data={"link": secret}).status_code == 303
    course.services.access.revoke()
    assert clients[0].get("/assignments").headers["location"] == "/sign-in"
    assert clients[0].post("/sign-in", data={"link": secret}).status_code == 403


def test_the_database_holds_no_secret(course: ServedCourse) -> None:
    secret = course.services.access.link("001", "student")
    client = course.client("001")
    session = client.cookies["autograder_session"]
    rows = course.services.queue.database.rows
    held = {row.digest for table in (LINKS, SESSIONS) for row in rows(table.select())}
    assert len(held) == 2
    assert not held & {secret, session}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_session_is_out_of_reach_of_scripts(course: ServedCourse, scheme: str) -> None:
    client = course.client()
    client.base_url = BASE.replace("http", scheme)  # type: ignore[assignment]
    secret = course.services.access.link("Gil", "grader", once=True)
    said = client.post("/sign-in", data={"link": secret}).headers["set-cookie"]
    assert "HttpOnly" in said and "SameSite=lax" in said
    assert ("Secure" in said) is (scheme == "https")


def test_guessing_is_slowed_down(course: ServedCourse) -> None:
    client = course.client()
    codes = [
        client.post("/sign-in", data={"link": "guess"}).status_code for _ in range(FAILURES + 1)
    ]
    assert codes == [403] * FAILURES + [429]
    right = course.services.access.link("001", "student")  # a neighbour at the same address
    assert client.post("/sign-in", data={"link": right}).status_code == 303


def test_many_guesses_of_one_address_are_slowed_down(course: ServedCourse) -> None:
    client = course.client()
    links = [f"guess {number}" for number in range(WRONG_LINKS + 1)]
    codes = [client.get("/sign-in", params={"link": link}).status_code for link in links]
    assert codes == [403] * WRONG_LINKS + [429]


def test_failures_are_forgotten_after_a_minute_and_are_not_held_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autograder.web.access.REMEMBERED", 100)
    now = [0.0]
    failed = FailedSignIns(lambda: now[0])
    for number in range(200):
        failed.add(f"address {number}", "guess")
    assert len(failed._tries) == 100
    for _ in range(FAILURES):
        failed.add("here", "guess")
    assert failed.too_many("here", "guess")
    now[0] += FAILURES_S + 1
    assert not failed.too_many("here", "guess")


def test_a_form_of_our_own_is_read_to_its_limit(course: ServedCourse) -> None:
    client = course.client("Gil")
    form = f"csrf={token(client, '/grade')}&hide=".encode()
    headers = {"content-type": "application/x-www-form-urlencoded", "origin": BASE}
    for size, code in ((1, 303), (MAX_FORM, 413)):
        parts = iter([form, b"1" * size])  # sent without a length
        assert client.post("/grade", content=parts, headers=headers).status_code == code


def test_the_audit_log_names_who_did_what(course: ServedCourse) -> None:
    client = course.client("Ina")
    form = {"csrf": token(client, "/course"), "state": "closed"}
    assert client.post("/course/tiny", data=form).status_code == 303
    lines = [(r.who, r.what, r.about) for r in course.services.queue.database.rows(AUDIT.select())]
    assert lines == [("Ina", "signed in", ""), ("Ina", "set to closed", "tiny")]
    assert course.services.states.of("tiny") == "closed"
