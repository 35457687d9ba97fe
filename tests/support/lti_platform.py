"""An LMS on this machine's loopback, as LTI 1.3 has it: it signs real launches, checks the tool's
requests and the proofs of who it is, and keeps a list of people and columns of scores."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from httpx import Response
from joserfc import jwt
from joserfc.jwk import KeySet
from starlette.testclient import TestClient

from autograder.web.sign_in.lti import AGS, CLAIM, MEMBERSHIP, NRPS
from tests.support.openid_provider import KEY, Answer, JsonServer, signed
from tests.support.strict_readers.ags import check

TOOL = "https://testserver"
LEARNER, INSTRUCTOR = f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Instructor"
ASSISTANT = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"
MEMBERS_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ITEM_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
SCORE_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"


@dataclass
class Lms(JsonServer):
    """``says`` replaces claims of every launch (None: leaves them out); ``sign`` signs them.
    ``tool_keys`` reads the tool's public keys. ``scores`` holds what columns were sent."""

    client_id: str = "course"
    says: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[dict[str, Any]], str] = signed
    tool_keys: Callable[[], Any] = dict
    members: list[dict[str, Any]] = field(default_factory=list)
    pages: int = 2
    elsewhere: str = ""  # the next page of the list, if it is on another host
    items: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    granted: list[str] = field(default_factory=list)
    _proofs: set[str] = field(default_factory=set)

    def __enter__(self) -> Self:
        super().__enter__()
        self.routes |= {
            "GET /keys": lambda *_: (200, KeySet([KEY]).as_dict()),
            "POST /token": self._token,
            "GET /members": self._members,
            "GET /items": self._items,
            "POST /items": self._new_item,
        }
        return self

    def launch(
        self, client: TestClient, user: str, *roles: str, target: str = f"{TOOL}/"
    ) -> Response:
        """A whole launch, as a browser sends it from the LMS's site; its last answer."""
        there = {"origin": self.url}
        began = client.post("/lti/login", data=self.initiation(target), headers=there)
        assert began.status_code == 303, began.text
        form = self.authorize(began.headers["location"], user, list(roles), target)
        return client.post("/lti/launch", data=form, headers=there)

    @property
    def settings(self) -> dict[str, Any]:
        """What the tool's administrator writes down."""
        urls = {"authorize": "authorization_url", "token": "token_url", "keys": "keys_url"}
        about = {"name": "Example LMS", "issuer": self.url, "client_id": self.client_id}
        places = {key: f"{self.url}/{name}" for name, key in urls.items()}
        return {**about, "deployment_ids": ["1"], "context": "course-9", **places}

    def initiation(self, target: str = f"{TOOL}/") -> dict[str, str]:
        """The form that begins a launch."""
        hints = {"login_hint": "user-7", "lti_message_hint": "link-3", "lti_deployment_id": "1"}
        about = {"iss": self.url, "client_id": self.client_id, "target_link_uri": target}
        return {**about, **hints}

    def authorize(
        self, url: str, user: str, roles: list[str], target: str = f"{TOOL}/"
    ) -> dict[str, str]:
        """The form that the browser sends to the tool after the page at ``url``."""
        parts = urlsplit(url)
        asked = {key: value[0] for key, value in parse_qs(parts.query).items()}
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/authorize"
        assert asked.pop("nonce") and asked["state"]
        fixed = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post"}
        hints = {"prompt": "none", "login_hint": "user-7", "lti_message_hint": "link-3"}
        own = {"client_id": self.client_id, "redirect_uri": f"{TOOL}/lti/launch"}
        assert asked == {**fixed, **hints, **own, "state": asked["state"]}
        nonce = parse_qs(parts.query)["nonce"][0]
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": self.client_id,
            "sub": user,
            "iat": now,
            "exp": now + 3600,
            "nonce": nonce,
            "email": f"{user}@example.edu",
            CLAIM + "message_type": "LtiResourceLinkRequest",
            CLAIM + "version": "1.3.0",
            CLAIM + "deployment_id": "1",
            CLAIM + "target_link_uri": target,
            CLAIM + "resource_link": {"id": "link-3"},
            CLAIM + "roles": roles,
            CLAIM + "context": {"id": "course-9", "title": "Learning machines"},
            NRPS: {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]},
            AGS: {"lineitems": f"{self.url}/items?type=all", "scope": [ITEM_SCOPE, SCORE_SCOPE]},
            **self.says,
        }
        token = self.sign({key: value for key, value in claims.items() if value is not None})
        return {"state": asked["state"], "id_token": token}

    def _token(self, sent: dict[str, str], _: dict[str, str], __: str) -> Answer:
        kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        if sent.get("client_assertion_type") != kind or sent["grant_type"] != "client_credentials":
            return 400, {"error": "invalid_request"}
        keys = KeySet.import_key_set(self.tool_keys())
        try:
            proof = jwt.decode(sent["client_assertion"], keys, algorithms=["RS256"])
        except Exception:
            return 401, {"error": "invalid_client"}
        said, now = proof.claims, time.time()
        right = said["iss"] == said["sub"] == self.client_id and said["aud"] == f"{self.url}/token"
        fresh = (
            said["iat"] - 60 <= now < said["exp"] <= now + 3600 and said["jti"] not in self._proofs
        )
        if not right or not fresh or "kid" not in proof.header:
            return 401, {"error": "invalid_client"}
        self._proofs.add(said["jti"])
        token = f"token-{len(self._proofs)}-for-{sent['scope'].replace(' ', '+')}"
        self.granted.append(sent["scope"])
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": 3600}
        return 200, {**answer, "scope": sent["scope"]}

    def _may(self, headers: dict[str, str], scope: str) -> bool:
        token = headers.get("authorization", "").removeprefix("Bearer token-")
        return scope in token.partition("-for-")[2].split("+")

    def _members(self, sent: dict[str, str], headers: dict[str, str], _: str) -> Answer:
        if not self._may(headers, MEMBERS_SCOPE):
            return 403, {}
        assert headers["accept"] == "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
        page = int(sent.get("page", "0"))
        return 200, {"context": {"id": "course-9"}, "members": self.members[page :: self.pages]}

    def more_headers(self, path: str) -> dict[str, str]:
        """The address of the next page of the list."""
        page = int(parse_qs(urlsplit(path).query).get("page", ["0"])[0]) + 1
        if not path.startswith("/members") or page >= self.pages:
            return {}
        return {"Link": f'<{self.elsewhere or self.url}/members?page={page}>; rel="next"'}

    def _items(self, sent: dict[str, str], headers: dict[str, str], _: str) -> Answer:
        if not self._may(headers, ITEM_SCOPE) or sent.get("type") != "all":
            return 403, {}
        wanted = sent.get("resource_id")
        return 200, [one for one in self.items if one["resourceId"] == wanted]

    def _new_item(self, _: dict[str, str], headers: dict[str, str], body: str) -> Answer:
        if not self._may(headers, ITEM_SCOPE):
            return 403, {}
        assert headers["content-type"] == "application/vnd.ims.lis.v2.lineitem+json"
        item = json.loads(body)
        assert item["scoreMaximum"] > 0 and item["label"]
        path = f"/items/{len(self.items)}"
        self.items.append({**item, "id": f"{self.url}{path}?type=all"})
        self.routes[f"POST {path}/scores"] = self._score
        return 201, self.items[-1]

    def _score(self, _: dict[str, str], headers: dict[str, str], body: str) -> Answer:
        if not self._may(headers, SCORE_SCOPE):
            return 403, {}
        score = json.loads(body, parse_float=Decimal)
        check(score)
        if score["userId"] not in [one["user_id"] for one in self.members]:
            return 404, {"error": "no such user"}
        self.scores.append(score)
        return 204, {}
