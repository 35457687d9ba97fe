"""A provider of OpenID Connect on this machine's loopback: it signs real tokens and checks what a
client sends, PKCE included. What it says can be changed, to try what a client refuses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from tests.support.loopback import Request, Response, Server

Answer = tuple[int, Any]
KEY = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}, private=True)
OTHER_KEY = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}, private=True)


@dataclass
class JsonServer(Server):
    """Answers by functions; an answer is a status and what becomes JSON."""

    routes: dict[str, Callable[[dict[str, str], dict[str, str], str], Answer]] = field(
        default_factory=dict
    )

    def respond(self, request: Request) -> Response:
        parts, body = urlsplit(request.path), request.body.decode()
        form = request.headers.get("content-type", "").startswith("application/x-www-form")
        sent = {k: v[0] for k, v in parse_qs(body if form else parts.query).items()}
        answer = self.routes.get(f"{request.method} {parts.path}")
        status, said = answer(sent, request.headers, body) if answer else (404, {})
        headers = {"Content-Type": "application/json", **self.more_headers(request.path)}
        return Response(status, headers, json.dumps(said).encode())

    def more_headers(self, path: str) -> dict[str, str]:
        """Headers of an answer."""
        return {}


@dataclass
class Provider(JsonServer):
    """``says`` replaces claims of every token (None: leaves them out); ``sign`` makes the token of
    claims. ``tokens`` holds what was given out."""

    client_id: str = "course"
    secret: str = "s3cret"
    says: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[dict[str, Any]], str] = lambda claims: signed(claims)
    published: Any = None
    issuer: str = ""
    userinfo: dict[str, Any] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        super().__enter__()
        self.issuer = self.issuer or self.url
        self.routes |= {
            "GET /.well-known/openid-configuration": lambda *_: (200, self._configuration()),
            "GET /keys": lambda *_: (200, self.published or KeySet([KEY]).as_dict()),
            "POST /token": self._token,
            "GET /me": self._me,
        }
        return self

    def authorize(self, url: str) -> dict[str, str]:
        """What the browser brings back after the page at ``url``."""
        parts = urlsplit(url)
        asked = {key: value[0] for key, value in parse_qs(parts.query).items()}
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/authorize"
        assert (asked["client_id"], asked["response_type"]) == (self.client_id, "code")
        assert asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43
        assert "openid" in asked["scope"].split() and asked["nonce"]
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def _configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/me",
        }

    def _token(self, sent: dict[str, str], headers: dict[str, str], _: str) -> Answer:
        asked = self._codes.pop(sent.get("code", ""), None)
        given = base64.b64encode(f"{self.client_id}:{self.secret}".encode()).decode()
        if asked is None or headers.get("authorization") != f"Basic {given}":
            return 400, {"error": "invalid_grant"}
        if (
            challenge_of(sent) != asked["code_challenge"]
            or sent.get("redirect_uri") != asked["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": "u1", "aud": self.client_id, "iat": now}
        claims |= {"exp": now + 300, "nonce": asked["nonce"], **self.says}
        token = self.sign({key: value for key, value in claims.items() if value is not None})
        self.tokens.append(token)
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": token}

    def _me(self, _: dict[str, str], headers: dict[str, str], __: str) -> Answer:
        if headers.get("authorization") != "Bearer a":
            return 401, {}
        return 200, self.userinfo


def encoded(data: bytes) -> str:
    """As tokens have it."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def challenge_of(sent: dict[str, str]) -> str:
    """The challenge that fits the verifier that a client sends (PKCE)."""
    return encoded(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())


def signed(claims: dict[str, Any], key: Any = KEY, alg: str = "RS256") -> str:
    """A token of these claims."""
    return jwt.encode({"alg": alg, "kid": "one"}, claims, key, algorithms=[alg])


def unsigned(claims: dict[str, Any]) -> str:
    """A token by the algorithm "none"."""
    parts = [{"alg": "none", "typ": "JWT", "kid": "one"}, claims]
    return ".".join([*(encoded(json.dumps(part).encode()) for part in parts), ""])


def signed_with_public_key(claims: dict[str, Any]) -> str:
    """A token whose secret is the provider's public key: whoever confuses the two accepts it."""
    _, body, _ = unsigned(claims).split(".")
    header = encoded(b'{"alg":"HS256","typ":"JWT","kid":"one"}')
    proof = hmac.digest(KEY.as_pem(private=False), f"{header}.{body}".encode(), "sha256")
    return f"{header}.{body}.{encoded(proof)}"


# claims and signatures that nobody may accept, each with a word of the refusal
FORGED: dict[str, tuple[dict[str, Any], Callable[[dict[str, Any]], str], str]] = {
    "wrong signature": ({}, lambda claims: signed(claims, OTHER_KEY), "signature"),
    "no signature": ({}, unsigned, "signature"),
    "secret is the public key": ({}, signed_with_public_key, "signature"),
    "what is no token": ({}, lambda claims: "x", "signature"),
    "wrong issuer": ({"iss": "https://evil.example"}, signed, "iss"),
    "wrong audience": ({"aud": "another"}, signed, "aud"),
    "no audience": ({"aud": None}, signed, "aud"),
    "nobody": ({"sub": None}, signed, "sub"),
    "made for another": ({"azp": "another"}, signed, "another service"),
    "several audiences, no party": ({"aud": ["course", "another"]}, signed, "another service"),
    "expired": ({"exp": int(time.time()) - 3600}, signed, "expired"),
    "never expires": ({"exp": None}, signed, "exp"),
    "old": ({"iat": int(time.time()) - 3600}, signed, "too old"),
    "no nonce": ({"nonce": None}, signed, "another request"),
    "another nonce": ({"nonce": "0" * 64}, signed, "another request"),
}
