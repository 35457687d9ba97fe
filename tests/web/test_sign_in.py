"""What holds however another server signs people in: roles, the browser that asked, one session,
and tokens of which nothing may be forged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from autograder.web.sign_in.lti import CLAIM
from tests.support.hub_service import HubApi
from tests.support.lti_platform import TOOL, Lms
from tests.support.openid_provider import FORGED, Provider, signed
from tests.support.sign_in_ways import Way, by_hub, by_lti, by_openid

HOMES = {"001": "/assignments", "Gil": "/grade", "Ina": "/course", "eve": "/sign-in"}
LAUNCHES: dict[str, tuple[dict[str, Any], Any, str]] = {
    "no token": ({}, lambda claims: "", "refused"),
} | {
    name: ({CLAIM + claim: value}, signed, word)
    for name, claim, value, word in (
        ("another deployment", "deployment_id", "2", "not the one"),
        ("no deployment", "deployment_id", None, "not the one"),
        ("another message", "message_type", "LtiDeepLinkingRequest", "something else"),
        ("another version", "version", "1.1", "another version"),
        ("another tool", "target_link_uri", "https://evil.example/", "another tool"),
        ("a tool of a like name", "target_link_uri", f"{TOOL}.evil.example/", "another tool"),
        ("another course", "context", {"id": "course-8"}, "&#39;course-8&#39;"),
        ("no course", "context", None, "not the one"),
    )
}


@dataclass
class Tried:
    """A way in, the server behind it, and what that server must not be believed."""

    way: Way
    server: Any
    forged: dict[str, tuple[dict[str, Any], Any, str]] = field(default_factory=dict)


@pytest.fixture(params=["openid", "lti", "hub"])
def tried(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Tried]:
    if request.param == "openid":
        with Provider(says={"email_verified": True}) as provider:
            yield Tried(by_openid(tmp_path, provider), provider, FORGED)
    elif request.param == "lti":
        with Lms() as lms:
            yield Tried(by_lti(tmp_path, lms), lms, FORGED | LAUNCHES)
    else:
        with HubApi() as hub:
            for name, value in hub.environment.items():
                monkeypatch.setenv(name, value)
            yield Tried(by_hub(tmp_path, hub), hub)


def test_people_of_the_course_come_in_and_others_stay_out(tried: Tried) -> None:
    way = tried.way
    for who, home in HOMES.items():
        client = way.course.client()
        answer = way.sign_in(client, who)
        if home == "/sign-in":
            assert answer.status_code == 403
        else:
            assert (answer.status_code, answer.headers["location"]) == (303, f"{way.prefix}/")
        assert client.get(f"{way.prefix}/").headers["location"] == way.prefix + home
        assert who != "001" or "001" in client.get(f"{way.prefix}/assignments").text


def test_an_answer_belongs_to_the_browser_that_asked(tried: Tried) -> None:
    way = tried.way
    victim, attacker = way.course.client(), way.course.client()
    way.be("001")
    back = way.answer(attacker)
    assert "did not keep the cookie" in way.finish(victim, back).text
    way.start(victim)
    assert "another sign-in" in way.finish(victim, back).text
    assert way.finish(victim, {**back, "state": ""}).status_code == 403
    assert victim.get(f"{way.prefix}/").headers["location"] == f"{way.prefix}/sign-in"
    assert way.finish(attacker, back).status_code == 303


def test_the_session_is_a_new_one(tried: Tried) -> None:
    way = tried.way
    client = way.course.client()
    assert way.sign_in(client, "001").status_code == 303
    before = client.cookies["autograder_session"]
    assert way.sign_in(client, "001").status_code == 303
    assert client.cookies["autograder_session"] != before
    assert way.course.services.access.visitor(before) is None


@pytest.mark.parametrize("tried", ["openid", "lti"], indirect=True)
def test_an_answer_is_taken_once(tried: Tried) -> None:
    """In the same browser with the cookie put back."""
    way = tried.way
    client = way.course.client()
    way.be("001")
    url = way.start(client).headers["location"]
    back = way.server(url)
    (cookie,) = client.cookies.jar
    assert way.finish(client, back).status_code == 303
    if isinstance(tried.server, Provider):  # its code is good for once; the token comes again
        token = tried.server.tokens[0]
        tried.server.sign = lambda claims: token
        back = way.server(url)
    client.cookies.set(cookie.name, cookie.value or "", path=cookie.path)
    assert "used before" in way.finish(client, back).text


@pytest.mark.parametrize("tried", ["openid", "lti"], indirect=True)
def test_a_forged_token_is_refused(tried: Tried) -> None:
    client = tried.way.course.client()
    tried.way.be("001")
    usual, answers = dict(tried.server.says), {}
    for kind, (says, sign, word) in tried.forged.items():
        tried.server.says, tried.server.sign = usual | says, sign
        answer = tried.way.sign_in(client)
        answers[kind] = answer.status_code, word in answer.text
        assert client.get("/").headers["location"] == "/sign-in", kind
    assert answers == dict.fromkeys(tried.forged, (403, True))
