"""Signing in by JupyterHub, against a stand-in for its API, and pages below a path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import UsageError
from autograder.web.sign_in.settings import SignInSettings
from tests.support.hub_service import PREFIX, HubApi
from tests.support.served_course import ServedCourse, script, served_course

SETTINGS: dict[str, Any] = {"graders": ["Gil"], "instructors": ["Ina"]}
ROOT = PREFIX.rstrip("/")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubApi]:
    with HubApi() as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def course(tmp_path: Path, hub: HubApi) -> ServedCourse:
    return served_course(tmp_path, settings=SignInSettings(jupyterhub=SETTINGS))  # type: ignore[arg-type]


def sign_in(course: ServedCourse, hub: HubApi, client: Any = None) -> Any:
    """A whole sign-in; its last answer."""
    client = client or course.client()
    started = client.get(f"{ROOT}/jupyterhub")
    assert started.status_code == 303, started.text
    return client.get(f"{ROOT}/oauth_callback", params=hub.authorize(started.headers["location"]))


def test_people_of_the_hub_come_in(course: ServedCourse, hub: HubApi) -> None:
    assert "Sign in with JupyterHub" in course.client().get(f"{ROOT}/sign-in").text
    for user, place in (("001", "/assignments"), ("Gil", "/grade"), ("Ina", "/course")):
        hub.user = user
        client = course.client()
        answer = sign_in(course, hub, client)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ROOT}/")
        for path in (ROOT, f"{ROOT}/"):
            assert client.get(path).headers["location"] == ROOT + place


def test_others_stay_out(course: ServedCourse, hub: HubApi) -> None:
    hub.user = "eve"
    assert "is not in this course" in sign_in(course, hub).text
    hub.user = "001"
    for scopes in ([], ["access:services!service=another"], ["self"]):
        hub.scopes = scopes
        assert "does not let you" in sign_in(course, hub).text


def test_an_answer_belongs_to_the_browser_that_asked(course: ServedCourse, hub: HubApi) -> None:
    victim, attacker = course.client(), course.client()
    back = hub.authorize(attacker.get(f"{ROOT}/jupyterhub").headers["location"])
    assert victim.get(f"{ROOT}/oauth_callback", params=back).status_code == 403
    victim.get(f"{ROOT}/jupyterhub")
    assert "another sign-in" in victim.get(f"{ROOT}/oauth_callback", params=back).text
    assert attacker.get(f"{ROOT}/oauth_callback", params={**back, "code": "x"}).status_code == 502


def test_the_session_is_a_new_one(course: ServedCourse, hub: HubApi) -> None:
    client = course.client()
    sign_in(course, hub, client)
    before = client.cookies["autograder_session"]
    sign_in(course, hub, client)
    assert client.cookies["autograder_session"] != before
    assert course.services.access.visitor(before) is None


def test_every_link_and_cookie_is_below_the_prefix(course: ServedCourse, hub: HubApi) -> None:
    client = course.client()
    said = sign_in(course, hub, client).headers.get_list("set-cookie")
    assert "path=/services/autograder;" in said[0].lower()
    place = f"{ROOT}/assignments/tiny"
    form = re.findall(r'name="csrf" value="(\w+)"', client.get(place).text)[0]
    sent = {"file": ("work.py", script("A").encode())}
    handed_in = client.post(place, data={"csrf": form}, files=sent)
    assert handed_in.headers["location"] == f"{ROOT}/attempts/1"
    visited = {"001": [f"{ROOT}/assignments", place, f"{ROOT}/attempts/1", f"{ROOT}/sign-in"]}
    visited["Gil"] = [f"{ROOT}/grade"]
    visited["Ina"] = [f"{ROOT}{at}" for at in ("/course", "/students/tiny", "/export/tiny")]
    visited["Ina"] += [f"{ROOT}/students/tiny/of/001", f"{ROOT}/no-such"]
    for user, paths in visited.items():
        hub.user = user
        sign_in(course, hub, client)
        for path in paths:
            page = client.get(path).text
            links = re.findall(r'\b(?:href|src|action|data-events)="([^"?#]+)', page)
            assert links, path
            assert [one for one in links if not one.startswith(f"{ROOT}/")] == [], path
    assert client.get("/course").status_code == 404
    assert client.get(f"{ROOT}/static/course.css").status_code == 200


def test_a_server_that_no_hub_has_started_says_so(
    tmp_path: Path, hub: HubApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SignInSettings(address="https://u.example/other", jupyterhub=SETTINGS)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="path must be '/services/autograder'"):
        served_course(tmp_path, settings=other)
    monkeypatch.delenv("JUPYTERHUB_API_TOKEN")
    with pytest.raises(UsageError, match="JUPYTERHUB_API_TOKEN"):
        served_course(tmp_path / "b", settings=SignInSettings(jupyterhub=SETTINGS))  # type: ignore[arg-type]
