"""What an LMS (LTI 1.3) has of its own: where launches lead, the roster and scores.

The platform is one of ours that signs real tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from autograder.gradebook.people import Person
from autograder.web.app import PAGES
from autograder.web.sign_in.lti import MEMBERSHIP
from tests.support.in_process import Lent
from tests.support.lti_platform import (
    ASSISTANT,
    INSTRUCTOR,
    ITEM_SCOPE,
    LEARNER,
    MEMBERS_SCOPE,
    SCORE_SCOPE,
    TOOL,
    Lms,
)
from tests.support.openid_provider import OTHER_KEY
from tests.support.served_course import (
    ServedCourse,
    hand_in,
    read_page,
    script,
    send,
    send_as_seen,
    token,
)
from tests.support.sign_in_ways import by_lti, enroll


@pytest.fixture
def lms() -> Iterator[Lms]:
    with Lms() as made:
        yield made


@pytest.fixture
def course(tmp_path: Path, lms: Lms) -> ServedCourse:
    return by_lti(tmp_path, lms).course


def test_a_launch_of_one_assignment_leads_there(course: ServedCourse, lms: Lms) -> None:
    for target, place in (
        ("/assignments/tiny", "/assignments/tiny"),
        ("/assignments/none", "/"),
        ("/assignments/tiny/../../course", "/"),
        ("//evil.example", "/"),
    ):
        answer = lms.launch(course.client(), "u1", LEARNER, target=TOOL + target)
        assert answer.headers["location"] == place
    answer = lms.launch(course.client(), "u2", INSTRUCTOR, target=f"{TOOL}/assignments/tiny")
    assert answer.headers["location"] == "/"


def test_roles_are_those_of_the_course(course: ServedCourse, lms: Lms) -> None:
    admin = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"
    elsewhere = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"
    for roles, place in (
        ([INSTRUCTOR, admin], "/course"),
        ([INSTRUCTOR, ASSISTANT], "/grade"),
        (["Instructor"], "/course"),
        ([f"{MEMBERSHIP}/Instructor#Grader"], "/grade"),
        ([LEARNER, elsewhere], "/assignments"),
        ([admin, elsewhere], None),
        ([f"{MEMBERSHIP}#Mentor"], None),
        ([], None),
    ):
        client = course.client()
        answer = lms.launch(client, "u1", *roles)
        assert answer.status_code == (303 if place else 403)
        assert client.get("/").headers["location"] == (place or "/sign-in")


def override(client: TestClient, points: str) -> None:
    form = {"kind": "override", "points": points, "why": "Oral exam."}
    assert send_as_seen(client, "/students/tiny/of/001", **form).status_code == 303


def test_only_the_cookie_of_the_launch_is_sent_across_sites(course: ServedCourse, lms: Lms) -> None:
    client = course.client()
    said = client.post("/lti/login", data=lms.initiation()).headers["set-cookie"].lower()
    assert "samesite=none" in said and "secure" in said and "httponly" in said
    assert "path=/lti/launch" in said
    session = lms.launch(client, "u1", LEARNER).headers.get_list("set-cookie")[0].lower()
    assert "samesite=lax" in session and "secure" in session and "httponly" in session


def test_forms_of_other_sites_are_taken_by_the_launch_alone(course: ServedCourse, lms: Lms) -> None:
    assert {page.path for page in PAGES if page.foreign} == {"/lti/login", "/lti/launch"}
    client = course.client()
    assert lms.launch(client, "u2", INSTRUCTOR).status_code == 303
    form, there = {"csrf": token(client, "/lti")}, {"origin": lms.url}
    assert client.post("/lti/roster", data=form, headers=there).status_code == 403


def test_a_login_of_somebody_elses_lms_is_refused(course: ServedCourse, lms: Lms) -> None:
    for key, value in (("iss", "https://evil.example"), ("client_id", "x"), ("login_hint", "")):
        form = {**lms.initiation(), key: value}
        assert course.client().post("/lti/login", data=form).status_code == 403


def test_the_roster_comes_from_the_lms(course: ServedCourse, lms: Lms) -> None:
    client = course.client("Ina")
    assert "has not offered its list" in read_page(client, "/lti")
    assert "has not said where" in send(client, "/lti/roster").text
    lms.launch(client, "u2", INSTRUCTOR)
    lms.members = [
        {"user_id": "u1", "roles": [LEARNER], "name": "Ann A", "status": "Active"},
        {"user_id": "u2", "roles": [INSTRUCTOR], "email": "ina@example.edu"},
        {"user_id": "u3", "roles": ["Learner"], "email": "Bob@example.edu", "given_name": "Bob"},
        {"user_id": "u4", "roles": [LEARNER], "lis_person_sourcedid": "077"},
        {"user_id": "u5", "roles": [LEARNER], "status": "Inactive"},
        {"user_id": "u6", "roles": [LEARNER], "lis_person_sourcedid": "001"},  # an id that is taken
        {"user_id": "u7", "roles": [LEARNER], "email": "eve@example.edu"},
    ]
    assert send(client, "/lti/roster").status_code == 303
    assert lms.granted == [MEMBERS_SCOPE]
    found = {one.id: one.keys["lti_user_id"] for one in course.services.store.roster()}
    assert found == {"001": "u1", "002": "u3", "077": "u4", "u6": "u6", "u7": "u7"}
    assert course.services.store.roster().person("001").name == "Ann A"
    assert lms.launch(course.client(), "u3", LEARNER).status_code == 303
    # whoever has the address of somebody whom the LMS knew does not become them
    lms.members[2] = {"user_id": "u8", "roles": [LEARNER], "email": "bob@example.edu"}
    del found["002"]
    assert send(client, "/lti/roster").status_code == 303
    roster = course.services.store.roster()
    assert {one.id: one.keys["lti_user_id"] for one in roster} == {**found, "u8": "u8"}
    lms.members = []
    assert "lists no students" in send(client, "/lti/roster").text
    assert course.services.store.roster() == roster


def test_the_token_goes_to_the_lms_alone(course: ServedCourse, lms: Lms) -> None:
    client = course.client()
    lms.launch(client, "u2", INSTRUCTOR)
    lms.members = [{"user_id": f"u{one}", "roles": [LEARNER]} for one in range(4)]
    with Lms() as other:
        asked: list[Any] = []
        other.routes["GET /members"] = lambda *sent: (asked.append(sent), (200, {"members": []}))[1]
        lms.elsewhere = other.url
        assert send(client, "/lti/roster").status_code in (303, 502)
    assert asked == []


def test_scores_are_sent_after_the_release(course: ServedCourse, lms: Lms, lent_box: Lent) -> None:
    enroll(course, Person("001", keys={"lti_user_id": "u1"}), Person("002"))
    student = course.client()
    lms.launch(student, "u1", LEARNER)
    assert hand_in(student, script("Because.")).status_code == 303
    course.grade()
    client = course.client()
    lms.launch(client, "u2", INSTRUCTOR)
    lms.members = [{"user_id": "u1", "roles": [LEARNER]}]
    assert "Send scores" not in read_page(client, "/export/tiny")
    assert send(client, "/lti/scores/tiny").status_code == 422
    assert lms.granted == []
    course.set_state("released")
    assert "Send scores to Example LMS" in read_page(client, "/export/tiny")
    page = send(client, "/lti/scores/tiny").text
    assert re.search(r"1 score sent, 0 were there", page), page
    assert lms.granted == [f"{ITEM_SCOPE} {SCORE_SCOPE}"]
    assert [one["resourceId"] for one in lms.items] == ["tiny"]
    assert [(one["userId"], one["gradingProgress"]) for one in lms.scores] == [
        ("u1", "PendingManual")
    ]
    assert "0 scores sent, 1 were there" in send(client, "/lti/scores/tiny").text
    # what has changed is sent, into the same column
    override(client, "1.5")
    assert "1 score sent" in send(client, "/lti/scores/tiny").text
    assert len(lms.items) == 1
    assert (lms.scores[1]["scoreGiven"], lms.scores[1]["scoreMaximum"]) == (1.5, 8)
    lms.members = []
    override(client, "2")
    page = send(client, "/lti/scores/tiny").text
    assert "no such user" in page and "1 not accepted" in page


def test_an_lms_that_does_not_trust_us_is_said(course: ServedCourse, lms: Lms) -> None:
    client = course.client()
    lms.launch(client, "u2", INSTRUCTOR)
    real = lms.tool_keys
    lms.tool_keys = lambda: {"keys": [OTHER_KEY.as_dict(private=False)]}
    answer = send(client, "/lti/roster")
    assert (answer.status_code, "does not give this server access" in answer.text) == (502, True)
    lms.tool_keys = real
    lms.routes["GET /members"] = lambda *_: (200, ["?"])
    assert send(client, "/lti/roster").status_code == 502


def test_what_the_administrator_of_the_lms_needs_is_there(course: ServedCourse, lms: Lms) -> None:
    said = course.client().get("/lti/configuration").json()
    assert said["oidc_initiation_url"] == f"{TOOL}/lti/login"
    assert said["public_jwk_url"] == f"{TOOL}/lti/keys"
    (key,) = course.client().get("/lti/keys").json()["keys"]
    assert key.keys() == {"kty", "n", "e", "kid", "use", "alg"}
    page = read_page(course.client("Ina"), "/lti")
    assert f"{TOOL}/lti/launch" in page
    assert "/lti" in read_page(course.client("Ina"), "/course")
    file = course.services.course.served / "lti-key.json"
    assert file.stat().st_mode & 0o077 == 0
