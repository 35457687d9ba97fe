"""Courses to which people come by another server: OpenID Connect, an LMS (LTI 1.3), JupyterHub."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from httpx import Response
from starlette.testclient import TestClient

from autograder.gradebook.people import Person, Roster
from autograder.web.sign_in.settings import SignInSettings
from tests.support.hub_service import PREFIX, HubApi
from tests.support.lti_platform import ASSISTANT, INSTRUCTOR, LEARNER, TOOL, Lms
from tests.support.openid_provider import Provider
from tests.support.served_course import SECURE, ServedCourse, served_course

ROOT = PREFIX.rstrip("/")  # of a course behind a JupyterHub
STAFF: dict[str, Any] = {"graders": ["Gil"], "instructors": ["Ina"]}
EMAILS = {
    "001": "ann@example.edu",
    "Gil": "gil@example.edu",
    "Ina": "INA@example.edu",
    "eve": "eve@example.edu",
}
USERS = {
    "001": ("u1", LEARNER),
    "Gil": ("u2", ASSISTANT),
    "Ina": ("u2", INSTRUCTOR),
    "eve": ("u9", LEARNER),
}


@dataclass
class Way:
    """A course and how to come in: ``start`` asks it for a sign-in, ``server`` gives what the
    browser brings back from there, ``finish`` hands that in. ``be`` chooses who signs in."""

    course: ServedCourse
    start: Callable[[TestClient], Response]
    server: Callable[[str], dict[str, str]]
    finish: Callable[[TestClient, dict[str, str]], Response]
    be: Callable[[str], object]
    prefix: str = ""

    def answer(self, client: TestClient) -> dict[str, str]:
        """What a browser brings back."""
        started = self.start(client)
        assert started.status_code == 303, started.text
        return self.server(started.headers["location"])

    def sign_in(self, client: TestClient | None = None, who: str = "") -> Response:
        """A whole sign-in; its last answer."""
        if who:
            self.be(who)
        client = client or self.course.client()
        return self.finish(client, self.answer(client))


def by_openid(folder: Path, provider: Provider, **more: Any) -> Way:
    """With students whom the provider knows by their addresses, which are not all different."""
    folder.mkdir(exist_ok=True)
    (folder / "secret").write_text(provider.secret + "\n")
    openid = {
        "name": "Example University",
        "issuer": provider.issuer,
        "client_id": provider.client_id,
        "secret_file": str(folder / "secret"),
        "graders": [EMAILS["Gil"]],
        "instructors": [EMAILS["Ina"].lower()],
        **more,
    }
    made = served_course(folder, settings=SignInSettings(address=SECURE, openid=openid))  # type: ignore[arg-type]
    enroll(
        made,
        Person("001", email="Ann@example.edu"),
        Person("003", email="two@example.edu"),
        Person("004", email="two@example.edu"),
        Person("005", email="kim@u.example"),
    )
    return Way(
        made,
        lambda client: client.get("/openid"),
        provider.authorize,
        lambda client, back: client.get("/openid/callback", params=back),
        lambda who: provider.says.update(email=EMAILS[who]),
    )


def by_lti(folder: Path, lms: Lms) -> Way:
    """With a student whom the LMS knows by a number, and one by an address."""
    made = served_course(folder, settings=SignInSettings(address=TOOL, lti=lms.settings))  # type: ignore[arg-type]
    enroll(
        made,
        Person("001", keys={"lti_user_id": "u1"}),
        Person("002", email="bob@example.edu"),
    )
    lms.tool_keys = lambda: made.client().get("/lti/keys").json()
    chosen = ["001"]

    def server(url: str) -> dict[str, str]:
        user, role = USERS[chosen[-1]]
        return lms.authorize(url, user, [role])

    return Way(
        made,
        lambda client: client.post("/lti/login", data=lms.initiation()),
        server,
        lambda client, form: client.post("/lti/launch", data=form, headers={"origin": lms.url}),
        chosen.append,
    )


def by_hub(folder: Path, hub: HubApi) -> Way:
    made = served_course(folder, settings=SignInSettings(jupyterhub=STAFF))  # type: ignore[arg-type]
    return Way(
        made,
        lambda client: client.get(f"{ROOT}/jupyterhub"),
        hub.authorize,
        lambda client, back: client.get(f"{ROOT}/oauth_callback", params=back),
        lambda who: setattr(hub, "user", who),
        ROOT,
    )


def enroll(course: ServedCourse, *people: Person) -> None:
    course.services.store.enroll(Roster(people), at=datetime(2026, 3, 2, tzinfo=UTC))
