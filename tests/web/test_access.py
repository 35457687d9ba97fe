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
    REMEMBERED,
    WRONG_LINKS,
    FailedSignIns,
    Visitor,
)
from autograder.web.app import PAGES, application
from autograder.web.services import MAX_FORM
from autograder.web.visit import FRAME_POLICY, POLICY, framed
from autograder.web.visit import page as made_page
from tests.support.accessibility import findings
from tests.support.served_course import BASE, ServedCourse, served_course, token

NOBODY = ""
# (method, path) -> the answers to: nobody, a student, a grader, an instructor. The addresses name
# what is another student's or is not there; 422 and 303 are what a page says to an empty form.
SIGN_IN, NO, NOT_THERE = 303, 403, 404
ROUTES: dict[tuple[str, str], tuple[int, int, int, int]] = {
    ("GET", "/healthz"): (200, 200, 200, 200),
    ("GET", "/readyz"): (200, 200, 200, 200),
    ("GET", "/metrics"): (404, 404, 404, 404),
    ("GET", "/static/{name}"): (404, 404, 404, 404),
    ("GET", "/sign-in"): (200, 200, 200, 200),
    ("POST", "/sign-in"): (403, 403, 403, 403),
    ("GET", "/openid"): (404, 404, 404, 404),
    ("GET", "/openid/callback"): (404, 404, 404, 404),
    ("GET", "/lti/login"): (404, 404, 404, 404),
    ("POST", "/lti/login"): (404, 404, 404, 404),
    ("POST", "/lti/launch"): (404, 404, 404, 404),
    ("GET", "/lti/keys"): (404, 404, 404, 404),
    ("GET", "/lti/configuration"): (404, 404, 404, 404),
    ("GET", "/lti"): (SIGN_IN, NO, NO, NOT_THERE),
    ("POST", "/lti/roster"): (401, NO, NO, NOT_THERE),
    ("POST", "/lti/scores/{assignment}"): (401, NO, NO, NOT_THERE),
    ("GET", "/jupyterhub"): (404, 404, 404, 404),
    ("GET", "/oauth_callback"): (404, 404, 404, 404),
    ("POST", "/sign-out"): (401, 303, 303, 303),
    ("GET", "/"): (SIGN_IN, 303, 303, 303),
    ("GET", "/assignments"): (SIGN_IN, 200, NO, NO),
    ("GET", "/assignments/{assignment}"): (SIGN_IN, NOT_THERE, NO, NO),
    ("POST", "/assignments/{assignment}"): (401, NOT_THERE, NO, NO),
    ("GET", "/assignments/{assignment}/feedback"): (SIGN_IN, NOT_THERE, NO, NO),
    ("GET", "/attempts/{attempt:number}"): (SIGN_IN, NOT_THERE, NO, NO),
    ("GET", "/attempts/{attempt:number}/events"): (SIGN_IN, NOT_THERE, NO, NO),
    ("GET", "/attempts/{attempt:number}/file"): (SIGN_IN, NOT_THERE, NO, NO),
    ("POST", "/assignments/{assignment}/requests"): (401, NOT_THERE, NO, NO),
    ("GET", "/requests"): (SIGN_IN, NO, 200, 200),
    ("GET", "/requests/{request:number}"): (SIGN_IN, NOT_THERE, 200, 200),
    ("POST", "/requests/{request:number}"): (401, NOT_THERE, 422, 422),
    ("GET", "/requests/{request:number}/page"): (SIGN_IN, NO, NOT_THERE, NOT_THERE),
    ("GET", "/course/{assignment}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("GET", "/course/{assignment}/files/{name}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("POST", "/course/{assignment}/tasks"): (401, NO, NO, NOT_THERE),
    ("GET", "/course/{assignment}/report"): (SIGN_IN, NO, NO, NOT_THERE),
    ("POST", "/course/{assignment}/requests"): (401, NO, NO, NOT_THERE),
    ("GET", "/grade"): (SIGN_IN, NO, 200, 200),
    ("POST", "/grade"): (401, NO, 303, 303),
    ("GET", "/grade/{assignment}/{exercise}/{task}"): (SIGN_IN, NO, NOT_THERE, NOT_THERE),
    ("GET", "/grade/{assignment}/{exercise}/{task}/rubric"): (SIGN_IN, NO, NOT_THERE, NOT_THERE),
    ("POST", "/grade/{assignment}/{exercise}/{task}/rubric"): (401, NO, NOT_THERE, NOT_THERE),
    ("GET", "/grade/{assignment}/{exercise}/{task}/{answer}"): (SIGN_IN, NO, NOT_THERE, NOT_THERE),
    ("POST", "/grade/{assignment}/{exercise}/{task}/{answer}"): (401, NO, NOT_THERE, NOT_THERE),
    ("GET", "/grade/{assignment}/{exercise}/{task}/{answer}/page"): (
        *(SIGN_IN, NO, NOT_THERE, NOT_THERE),
    ),
    ("GET", "/course"): (SIGN_IN, NO, NO, 200),
    ("POST", "/course/{assignment}"): (401, NO, NO, NOT_THERE),
    ("POST", "/course/attempts/{attempt:number}"): (401, NO, NO, NOT_THERE),
    ("GET", "/students/{assignment}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("GET", "/students/{assignment}/of/{student:path}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("POST", "/students/{assignment}/of/{student:path}"): (401, NO, NO, NOT_THERE),
    ("GET", "/students/{assignment}/page/{student:path}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("GET", "/export/{assignment}"): (SIGN_IN, NO, NO, NOT_THERE),
    ("POST", "/export/{assignment}"): (401, NO, NO, NOT_THERE),
    ("POST", "/export/{assignment}/feedback"): (401, NO, NO, NOT_THERE),
}
VISITORS = (NOBODY, "001", "Gil", "Ina")
FORMS = {"001": "/assignments/tiny", "Gil": "/grade", "Ina": "/course"}


@pytest.fixture
def course(tmp_path: Path) -> ServedCourse:
    return served_course(tmp_path)


def test_every_route_answers_every_role_as_the_table_says(course: ServedCourse) -> None:
    routes = {(page.method, page.path) for page in PAGES}
    app = application(course.services)
    assert {(next(iter(r.methods - {"HEAD"})), r.path) for r in app.routes} == routes  # type: ignore[attr-defined]
    assert routes == ROUTES.keys()  # a new route needs a row
    others = course.services.queue.accept(
        assignment="tiny", student="002", file="a.py", sha256="0", notes=(), per_day=9
    )
    course.set_state("released")
    request = course.services.requests.ask("tiny", Visitor("002", "student", ""), "sums", "Why?")
    answers = {}
    for method, path in ROUTES:
        at = path.replace("{attempt:number}", str(others)).replace("{student:path}", "001")
        at = at.replace("{request:number}", str(request))
        for name in ("assignment", "exercise", "task", "answer", "name"):
            at = at.replace(f"{{{name}}}", "no-such")
        answers[method, path] = []
        for person in VISITORS:
            client = course.client(person)
            form = {"csrf": token(client, FORMS[person])} if person and method == "POST" else None
            answer = client.request(method, at, data=form)
            answers[method, path].append(answer.status_code)
            assert answer.headers["content-security-policy"] == POLICY
            if "text/html" in answer.headers.get("content-type", ""):
                assert findings(answer.text) == [], (path, person)
    assert {route: tuple(found) for route, found in answers.items()} == ROUTES


def test_the_web_process_loads_nothing_that_runs_code() -> None:
    code = (
        "import sys, autograder.web.app, autograder.commands.serve; "
        "print({'torch', 'IPython', 'autograder.sandbox.box'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


def test_a_one_time_link_works_once(course: ServedCourse) -> None:
    secret = course.services.access.link("Ina", "instructor", once=True)
    client = course.client()
    assert "Ina" in client.get("/sign-in", params={"link": secret}).text  # opening is no use of it
    assert client.post("/sign-in", data={"link": secret}).status_code == 303
    assert course.client().post("/sign-in", data={"link": secret}).status_code == 403


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


def test_signing_in_ends_the_session_before_it(course: ServedCourse) -> None:
    client = course.client("001")
    before, form = client.cookies["autograder_session"], token(client, "/assignments/tiny")
    secret = course.services.access.link("002", "student")
    assert client.post("/sign-in", data={"link": secret, "csrf": form}).status_code == 303
    assert client.cookies["autograder_session"] != before
    assert course.services.access.visitor(before) is None


def test_a_session_is_out_of_reach_of_scripts_and_ends_at_once(course: ServedCourse) -> None:
    client = course.client()
    secret = course.services.access.link("Gil", "grader", once=True)
    said = client.post("/sign-in", data={"link": secret}).headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=lax" in said
    assert "Secure" not in said
    client.post("/sign-out", data={"csrf": token(client, "/grade")})
    client.cookies.set("autograder_session", said.partition("=")[2].partition(";")[0])
    assert client.get("/grade").headers["location"] == "/sign-in"


def test_over_https_the_cookie_is_secure(course: ServedCourse) -> None:
    client = course.client()
    client.base_url = BASE.replace("http:", "https:")  # type: ignore[assignment]
    secret = course.services.access.link("Gil", "grader", once=True)
    assert "Secure" in client.post("/sign-in", data={"link": secret}).headers["set-cookie"]


def test_a_form_needs_the_token_of_its_session(course: ServedCourse) -> None:
    client, other = course.client("Gil"), course.client("Gus")
    for sent in ({}, {"csrf": ""}, {"csrf": token(other, "/grade")}):
        assert client.post("/grade", data={**sent, "hide": "1"}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_form_of_another_site_is_refused(course: ServedCourse, origin: str) -> None:
    client = course.client("Gil")
    form = {"csrf": token(client, "/grade")}
    assert client.post("/grade", data=form, headers={"origin": origin}).status_code == 403
    assert client.post("/grade", data=form, headers={"origin": BASE}).status_code == 303


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


def test_failures_are_forgotten_after_a_minute_and_are_not_held_without_end() -> None:
    now = [0.0]
    failed = FailedSignIns(lambda: now[0])
    for number in range(2 * REMEMBERED):
        failed.add(f"address {number}", "guess")
    assert len(failed._tries) == REMEMBERED
    for _ in range(FAILURES):
        failed.add("here", "guess")
    assert failed.too_many("here", "guess")
    now[0] += FAILURES_S + 1
    assert not failed.too_many("here", "guess")


def test_a_form_is_read_to_its_limit(course: ServedCourse) -> None:
    client = course.client("Gil")
    form = f"csrf={token(client, '/grade')}&hide=".encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for size, code in ((1, 303), (MAX_FORM, 413)):
        parts = iter([form, b"1" * size])  # sent without a length
        assert client.post("/grade", content=parts, headers=kind).status_code == code


def test_names_are_text_on_every_page() -> None:
    said = made_page("refused.html.j2", None, text="<b>&\u202e").body.decode()  # type: ignore[union-attr]
    assert "&lt;b&gt;&amp;\\u202e" in said


def test_a_framed_page_has_no_origin() -> None:
    assert framed("").headers["content-security-policy"] == FRAME_POLICY


def test_the_audit_log_names_who_did_what(course: ServedCourse) -> None:
    client = course.client("Ina")
    form = {"csrf": token(client, "/course"), "state": "closed"}
    assert client.post("/course/tiny", data=form).status_code == 303
    lines = [(r.who, r.what, r.about) for r in course.services.queue.database.rows(AUDIT.select())]
    assert lines == [("Ina", "signed in", ""), ("Ina", "set to closed", "tiny")]
    assert course.services.states.of("tiny") == "closed"
