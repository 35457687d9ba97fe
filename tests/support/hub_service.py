"""The part of JupyterHub's API that a service uses to sign people in, on this machine's loopback:
the code, the token and the user. It is no JupyterHub."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.support.openid_provider import Answer, JsonServer, challenge_of

SERVICE, TOKEN = "service-autograder", "t0ken"
PREFIX = "/services/autograder/"
ACCESS = "access:services!service=autograder"


@dataclass
class HubApi(JsonServer):
    """``user``: who signs in; ``scopes``: what they may."""

    user: str = "001"
    scopes: list[str] = field(default_factory=lambda: [ACCESS, "read:users:name!user=001"])
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        super().__enter__()
        self.routes |= {
            "POST /hub/api/oauth2/token": self._token,
            "GET /hub/api/user": self._user,
        }
        return self

    @property
    def environment(self) -> dict[str, str]:
        """What the hub gives to the process of a service."""
        return {
            "JUPYTERHUB_API_TOKEN": TOKEN,
            "JUPYTERHUB_API_URL": f"{self.url}/hub/api",
            "JUPYTERHUB_BASE_URL": "/",
            "JUPYTERHUB_CLIENT_ID": SERVICE,
            "JUPYTERHUB_HOST": "",
            "JUPYTERHUB_OAUTH_ACCESS_SCOPES": f'["{ACCESS}"]',
            "JUPYTERHUB_OAUTH_CALLBACK_URL": f"{PREFIX}oauth_callback",
            "JUPYTERHUB_SERVICE_NAME": "autograder",
            "JUPYTERHUB_SERVICE_PREFIX": PREFIX,
        }

    def authorize(self, url: str) -> dict[str, str]:
        """What the browser brings back after the page at ``url``."""
        parts = urlsplit(url)
        asked = {key: value[0] for key, value in parse_qs(parts.query).items()}
        assert (parts.netloc, parts.path) == ("", "/hub/api/oauth2/authorize")
        assert asked["client_id"] == SERVICE and asked["response_type"] == "code"
        assert asked["redirect_uri"] == f"{PREFIX}oauth_callback"
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def _token(self, sent: dict[str, str], _: dict[str, str], __: str) -> Answer:
        asked = self._codes.pop(sent.get("code", ""), None)
        known = sent.get("client_id") == SERVICE and sent.get("client_secret") == TOKEN
        if asked is None or not known or challenge_of(sent) != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "user-token", "token_type": "Bearer"}

    def _user(self, _: dict[str, str], headers: dict[str, str], __: str) -> Answer:
        if headers.get("authorization") != "token user-token":
            return 403, {"message": "no"}
        user: dict[str, Any] = {"name": self.user, "kind": "user", "admin": True}
        return 200, {**user, "scopes": self.scopes}
