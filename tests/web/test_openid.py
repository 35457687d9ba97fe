"""What OpenID Connect has of its own, against a provider of ours that signs real tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from autograder.errors import SpecError, UsageError
from autograder.web.sign_in.settings import read_settings
from tests.support.openid_provider import KEY, Provider
from tests.support.served_course import read_page
from tests.support.sign_in_ways import Way, by_openid

ANN = {"email": "ann@example.edu", "email_verified": True}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(says=dict(ANN)) as made:
        yield made


@pytest.fixture
def way(tmp_path: Path, provider: Provider) -> Way:
    return by_openid(tmp_path, provider)


def test_an_address_is_of_one_student_and_is_compared_sign_by_sign(
    way: Way, provider: Provider
) -> None:
    assert 'href="/openid">Sign in with Example University' in read_page(
        way.course.client(), "/sign-in"
    )
    two_students, looks_like_kim = "two@example.edu", "\u212aim@u.example"
    for email in (two_students, looks_like_kim, "", None, ["ann@example.edu"]):
        provider.says["email"] = email
        client = way.course.client()
        assert way.sign_in(client).status_code == 403
        assert client.get("/").headers["location"] == "/sign-in"


def test_an_address_must_be_verified(way: Way, provider: Provider, tmp_path: Path) -> None:
    for verified in (False, None):
        provider.says["email_verified"] = verified
        assert "has not verified" in way.sign_in().text
    trusting = by_openid(tmp_path / "b", provider, unverified_email=True)
    assert trusting.sign_in().status_code == 303


def test_several_audiences_with_us_as_the_party(way: Way, provider: Provider) -> None:
    provider.says |= {"aud": ["course", "another"], "azp": "course"}
    assert way.sign_in().status_code == 303


def test_what_is_said_beside_the_token_is_about_the_same_person(
    way: Way, provider: Provider
) -> None:
    provider.says["email"] = None
    provider.userinfo = {"sub": "u1", **ANN}
    assert way.sign_in().status_code == 303
    provider.userinfo["sub"] = "u2"
    assert "two people" in way.sign_in().text


def test_new_keys_are_fetched(way: Way, provider: Provider) -> None:
    assert way.sign_in().status_code == 303
    new = KEY.generate_key(2048, {"kid": "two"}, private=True)
    provider.published = KeySet([KEY, new]).as_dict()
    provider.sign = lambda claims: jwt.encode({"alg": "RS256", "kid": "two"}, claims, new)
    assert way.sign_in().status_code == 403  # not at every request
    way.course.services.ways.openid._keys.clock = lambda: time.monotonic() + 61  # type: ignore[union-attr]
    assert way.sign_in().status_code == 303


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
def test_a_provider_that_fails_is_said(way: Way, provider: Provider, path: str) -> None:
    client = way.course.client()
    if path.startswith("/."):
        del provider.routes[f"GET {path}"]
        assert client.get("/openid").status_code == 502
        return
    back = way.answer(client)
    provider.routes |= {f"{verb} {path}": lambda *_: (500, "no") for verb in ("GET", "POST")}
    assert way.finish(client, back).status_code in (403, 502)
    assert client.get("/").headers["location"] == "/sign-in"


def test_discovery_is_the_issuers_own(way: Way, provider: Provider) -> None:
    provider.issuer = "https://evil.example"
    assert "another name" in way.course.client().get("/openid").text


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
