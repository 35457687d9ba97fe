"""Signing in by OpenID Connect, against a provider of ours that signs real tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import KeySet

from autograder.errors import SpecError, UsageError
from autograder.gradebook.people import Person, Roster
from autograder.web.sign_in.settings import SignInSettings, read_settings
from tests.support.openid_provider import (
    KEY,
    OTHER_KEY,
    Provider,
    signed,
    signed_with_public_key,
    unsigned,
)
from tests.support.served_course import SECURE, ServedCourse, read_page, served_course

ANN = {"email": "ann@example.edu", "email_verified": True}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(says=dict(ANN)) as made:
        yield made


@pytest.fixture
def course(tmp_path: Path, provider: Provider) -> ServedCourse:
    return at_provider(tmp_path, provider)


def at_provider(folder: Path, provider: Provider, **more: Any) -> ServedCourse:
    folder.mkdir(exist_ok=True)
    (folder / "secret").write_text(provider.secret + "\n")
    openid = {
        "name": "Example University",
        "issuer": provider.issuer,
        "client_id": provider.client_id,
        "secret_file": str(folder / "secret"),
        "graders": ["gil@example.edu"],
        "instructors": ["ina@example.edu"],
        **more,
    }
    made = served_course(folder, settings=SignInSettings(address=SECURE, openid=openid))  # type: ignore[arg-type]
    people = [Person("001", email="Ann@example.edu"), Person("002", email="bob@example.edu")]
    people += [
        Person("003", email="two@example.edu"),
        Person("004", email="two@example.edu"),
        Person("005", email="kim@u.example"),
    ]
    made.services.store.enroll(Roster(tuple(people)), at=datetime(2026, 3, 1, tzinfo=UTC))
    return made


def sign_in(course: ServedCourse, provider: Provider, client: Any = None) -> Any:
    """A whole sign-in; its last answer."""
    client = client or course.client()
    started = client.get("/openid")
    assert started.status_code == 303, started.text
    back = provider.authorize(started.headers["location"])
    return client.get("/openid/callback", params=back)


def test_a_student_of_the_roster_comes_in(course: ServedCourse, provider: Provider) -> None:
    client = course.client()
    assert 'href="/openid">Sign in with Example University' in read_page(client, "/sign-in")
    answer = sign_in(course, provider, client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "001, student" in client.get("/assignments").text.replace("</bdi>", "").replace(
        "<bdi>", ""
    )


def test_everybody_has_their_role(course: ServedCourse, provider: Provider) -> None:
    for email, place in (
        ("gil@example.edu", "/grade"),
        ("INA@example.edu", "/course"),
        ("bob@example.edu", "/assignments"),
    ):
        provider.says["email"] = email
        client = course.client()
        assert sign_in(course, provider, client).status_code == 303
        assert client.get("/").headers["location"] == place


def test_others_stay_out(course: ServedCourse, provider: Provider) -> None:
    nobody, two_students, looks_like_kim = (
        "eve@example.edu",
        "two@example.edu",
        "\u212aim@u.example",
    )
    for email in (nobody, two_students, looks_like_kim, "", None, ["ann@example.edu"]):
        provider.says["email"] = email
        client = course.client()
        assert sign_in(course, provider, client).status_code == 403
        assert client.get("/").headers["location"] == "/sign-in"


def test_an_address_must_be_verified(tmp_path: Path, provider: Provider) -> None:
    strict = at_provider(tmp_path, provider)
    for verified in (False, None):
        provider.says["email_verified"] = verified
        assert "has not verified" in sign_in(strict, provider).text
    trusting = at_provider(tmp_path / "b", provider, unverified_email=True)
    assert sign_in(trusting, provider).status_code == 303


def said(**claims: Any) -> Callable[[Provider], None]:
    return lambda provider: provider.says.update(claims)


def by(sign: Callable[[dict[str, Any]], str]) -> Callable[[Provider], None]:
    return lambda provider: setattr(provider, "sign", sign)


FORGED = {
    "wrong signature": (by(lambda claims: signed(claims, OTHER_KEY)), "signature"),
    "no signature": (by(unsigned), "signature"),
    "secret is the public key": (by(signed_with_public_key), "signature"),
    "no token": (by(lambda _: ""), "signature"),
    "wrong issuer": (said(iss="https://evil.example"), "iss"),
    "wrong audience": (said(aud="another"), "aud"),
    "no audience": (said(aud=None), "aud"),
    "made for another": (said(azp="another"), "another service"),
    "several audiences, no party": (said(aud=["course", "another"]), "another service"),
    "expired": (said(exp=int(time.time()) - 3600), "expired"),
    "never expires": (said(exp=None), "exp"),
    "old": (said(iat=int(time.time()) - 3600), "too old"),
    "no nonce": (said(nonce=None), "another request"),
    "another nonce": (said(nonce="0" * 64), "another request"),
}


def test_a_forged_token_is_refused(course: ServedCourse, provider: Provider) -> None:
    client = course.client()
    answers = {}
    for kind, (forge, word) in FORGED.items():
        provider.says, provider.sign = dict(ANN), signed
        forge(provider)
        answer = sign_in(course, provider, client)
        answers[kind] = answer.status_code, word in answer.text
        assert client.get("/").headers["location"] == "/sign-in", kind
    assert answers == dict.fromkeys(FORGED, (403, True))


def test_several_audiences_with_us_as_the_party(course: ServedCourse, provider: Provider) -> None:
    provider.says |= {"aud": ["course", "another"], "azp": "course"}
    assert sign_in(course, provider).status_code == 303


def test_a_token_is_not_replayed(course: ServedCourse, provider: Provider) -> None:
    client = course.client()
    started = client.get("/openid")
    secret = client.cookies["autograder_signing_in"]
    assert (
        client.get(
            "/openid/callback", params=provider.authorize(started.headers["location"])
        ).status_code
        == 303
    )
    first = provider.tokens[0]
    # in the same browser with the cookie put back, and in another one
    provider.sign = lambda _: first
    client.cookies.set("autograder_signing_in", secret, path="/openid/callback")
    back = provider.authorize(started.headers["location"])
    assert "used before" in client.get("/openid/callback", params=back).text
    assert "another request" in sign_in(course, provider).text


def test_an_answer_belongs_to_the_browser_that_asked(
    course: ServedCourse, provider: Provider
) -> None:
    victim, attacker = course.client(), course.client()
    back = provider.authorize(attacker.get("/openid").headers["location"])
    assert "did not keep the cookie" in victim.get("/openid/callback", params=back).text
    victim.get("/openid")
    assert "another sign-in" in victim.get("/openid/callback", params=back).text
    assert victim.get("/openid/callback", params={**back, "state": ""}).status_code == 403
    assert victim.get("/").headers["location"] == "/sign-in"


def test_the_session_is_a_new_one(course: ServedCourse, provider: Provider) -> None:
    client = course.client("Gil")
    before = client.cookies["autograder_session"]
    assert sign_in(course, provider, client).status_code == 303
    assert client.cookies["autograder_session"] != before
    assert course.services.access.visitor(before) is None


def test_what_is_said_beside_the_token_is_about_the_same_person(
    course: ServedCourse, provider: Provider
) -> None:
    provider.says["email"] = None
    provider.userinfo = {"sub": "u1", **ANN}
    assert sign_in(course, provider).status_code == 303
    provider.userinfo["sub"] = "u2"
    assert "two people" in sign_in(course, provider).text


def test_new_keys_are_fetched(course: ServedCourse, provider: Provider) -> None:
    assert sign_in(course, provider).status_code == 303
    new = KEY.generate_key(2048, {"kid": "two"}, private=True)
    provider.published = KeySet([KEY, new]).as_dict()
    from joserfc import jwt

    provider.sign = lambda claims: jwt.encode({"alg": "RS256", "kid": "two"}, claims, new)
    answer = sign_in(course, provider)
    assert answer.status_code == 403  # not at every request
    course.services.ways.openid._keys.clock = lambda: time.monotonic() + 61  # type: ignore[union-attr]
    assert sign_in(course, provider).status_code == 303


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
def test_a_provider_that_fails_is_said(course: ServedCourse, provider: Provider, path: str) -> None:
    client = course.client()
    if path.startswith("/."):
        del provider.routes[f"GET {path}"]
        assert client.get("/openid").status_code == 502
        return
    back = provider.authorize(client.get("/openid").headers["location"])
    provider.routes |= {f"{verb} {path}": lambda *_: (500, "no") for verb in ("GET", "POST")}
    answer = client.get("/openid/callback", params=back)
    assert answer.status_code in (403, 502)
    assert client.get("/").headers["location"] == "/sign-in"


def test_discovery_is_the_issuers_own(course: ServedCourse, provider: Provider) -> None:
    provider.issuer = "https://evil.example"
    assert "another name" in course.client().get("/openid").text


def test_settings_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sign-in.toml"
    good = '[openid]\nname = "U"\nissuer = "https://u.example"\nclient_id = "c"\n'
    for text, word in (
        (good, "address"),
        ('address = "http://u.example"\n' + good, "https://"),
        ('address = "https://u.example"\n' + good.replace("https", "http"), "https://"),
        ('address = "https://u.example"\n' + good + 'column = "x"', "lti_user_id"),
        ('address = "https://u.example"\n' + good + 'secret = "x"', "secret"),
    ):
        file.write_text(text)
        with pytest.raises(SpecError, match=word):
            read_settings(file)
    file.write_text('address = "https://u.example"\n' + good + 'secret_env = "SECRET_OF_TEST"')
    settings = read_settings(file)
    assert settings.openid is not None
    with pytest.raises(UsageError, match="SECRET_OF_TEST"):
        settings.openid.secret()
    monkeypatch.setenv("SECRET_OF_TEST", "x")
    assert settings.openid.secret() == "x"
