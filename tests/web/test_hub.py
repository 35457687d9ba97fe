"""What JupyterHub's sign-in has of its own, against a stand-in for its API: pages below a path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.web.sign_in.settings import SignInSettings
from tests.support.hub_service import HubApi
from tests.support.served_course import script, served_course
from tests.support.sign_in_ways import ROOT, STAFF, Way, by_hub


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubApi]:
    with HubApi() as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def way(tmp_path: Path, hub: HubApi) -> Way:
    return by_hub(tmp_path, hub)


def test_the_hub_decides_who_may_use_the_service(way: Way, hub: HubApi) -> None:
    for scopes in ([], ["access:services!service=another"], ["self"]):
        hub.scopes = scopes
        assert "does not let you" in way.sign_in().text
    client = way.course.client()
    assert way.finish(client, {**way.answer(client), "code": "x"}).status_code == 502


def test_every_link_and_cookie_is_below_the_prefix(way: Way) -> None:
    client = way.course.client()
    assert "Sign in with JupyterHub" in client.get(f"{ROOT}/sign-in").text
    said = way.sign_in(client).headers.get_list("set-cookie")
    assert "path=/services/autograder;" in said[0].lower()
    place = f"{ROOT}/assignments/tiny"
    form = re.findall(r'name="csrf" value="(\w+)"', client.get(place).text)[0]
    sent = {"file": ("work.py", script("A").encode())}
    handed_in = client.post(place, data={"csrf": form}, files=sent)
    assert handed_in.headers["location"] == f"{ROOT}/attempts/1"
    visited = {
        "001": ("/assignments", "/assignments/tiny", "/attempts/1", "/sign-in"),
        "Gil": ("/grade",),
        "Ina": ("/course", "/students/tiny", "/export/tiny", "/students/tiny/of/001", "/no-such"),
    }
    for user, paths in visited.items():
        way.sign_in(client, user)
        for path in paths:
            page = client.get(ROOT + path).text
            links = re.findall(r'\b(?:href|src|action|data-events)="([^"?#]+)', page)
            assert links, path
            assert [one for one in links if not one.startswith(f"{ROOT}/")] == [], path
    assert client.get(ROOT).headers["location"] == f"{ROOT}/course"
    assert client.get("/course").status_code == 404
    assert client.get(f"{ROOT}/static/course.css").status_code == 200


def test_a_server_that_no_hub_has_started_says_so(
    tmp_path: Path, hub: HubApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SignInSettings(address="https://u.example/other", jupyterhub=STAFF)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="path must be '/services/autograder'"):
        served_course(tmp_path, settings=other)
    monkeypatch.delenv("JUPYTERHUB_API_TOKEN")
    with pytest.raises(UsageError, match="JUPYTERHUB_API_TOKEN"):
        served_course(tmp_path / "b", settings=SignInSettings(jupyterhub=STAFF))  # type: ignore[arg-type]
