"""LTI 1.3: an LMS begins a sign-in here and says, in a signed token, who comes with which role.

Covered: what ``tokens`` covers; a launch of another deployment, of another course of the same LMS,
of another message or version, or that was meant for another tool; people without a role in the
course. Not covered: an LMS whose administrator gives wrong roles.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from joserfc.jwk import RSAKey

from autograder.errors import StoreError
from autograder.files import write_atomic
from autograder.gradebook.people import Roster
from autograder.web.access import CourseAccess, Role
from autograder.web.sign_in.pending import PendingSignIn, SignInError
from autograder.web.sign_in.settings import Lti
from autograder.web.sign_in.tokens import PublishedKeys, check_claims
from autograder.wire.types import resolved

LAUNCH = "/lti/launch"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
ASSISTANTS = ("TeachingAssistant", "Grader")
NOT_US = "This LMS is not the one that this server knows."


class Launch(msgspec.Struct, frozen=True):
    """Who comes, and to which of our addresses (a path)."""

    person: str
    role: Role
    path: str


class LmsAddresses(msgspec.Struct, frozen=True):
    """Where the LMS has its lists of people and of grades; "" where it offers none."""

    members: str = ""
    line_items: str = ""


@dataclass
class LtiTool:
    """This server as a tool of an LMS. ``address``: ours; ``folder``: of our key."""

    settings: Lti
    address: str
    folder: Path
    access: CourseAccess
    _keys: PublishedKeys = field(init=False)

    def __post_init__(self) -> None:
        self._keys = PublishedKeys(lambda: self.settings.keys_url)

    def pending(self, secret: str) -> PendingSignIn:
        """The sign-in whose secret a browser kept."""
        return PendingSignIn(secret, f"{self.settings.issuer} {self.settings.client_id}")

    def begin(self, sent: Mapping[str, str]) -> tuple[PendingSignIn, str]:
        """Answer a login that the LMS has initiated: where the browser goes with it."""
        own = self.settings
        if sent.get("iss") != own.issuer or sent.get("client_id", own.client_id) != own.client_id:
            raise SignInError(NOT_US)
        if not sent.get("login_hint"):
            raise SignInError("The LMS does not say who comes.")
        pending = PendingSignIn.begin(self.pending("").server)
        asked = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": own.client_id,
            "redirect_uri": self.address + LAUNCH,
            "login_hint": sent["login_hint"],
            "state": pending.state,
            "nonce": pending.nonce,
        }
        if sent.get("lti_message_hint"):
            asked["lti_message_hint"] = sent["lti_message_hint"]
        mark = "&" if "?" in own.authorization_url else "?"
        return pending, f"{own.authorization_url}{mark}{urlencode(asked)}"

    def launch(self, pending: PendingSignIn, token: str, roster: Roster) -> Launch:
        """Who has been sent by the LMS; raises ``SignInError``."""
        own = self.settings
        claims = self._keys.claims(token)
        check_claims(claims, issuer=own.issuer, client_id=own.client_id, pending=pending)
        if not self.access.use(pending.nonce, expires=float(claims["exp"])):
            raise SignInError("This launch was used before. Begin again in the LMS.")
        self._check_message(claims)
        self._remember(claims)
        role = role_of(claims.get(CLAIM + "roles"))
        person = _person(claims, role, roster)
        return Launch(person, role, str(claims[CLAIM + "target_link_uri"])[len(self.address) :])

    def _check_message(self, claims: Mapping[str, Any]) -> None:
        if claims.get(CLAIM + "deployment_id") not in self.settings.deployment_ids:
            raise SignInError(NOT_US)
        if claims.get(CLAIM + "message_type") != "LtiResourceLinkRequest":
            raise SignInError("The LMS sent something else than a launch.")
        if claims.get(CLAIM + "version") != "1.3.0":
            raise SignInError("The LMS speaks another version of LTI than 1.3.")
        target = claims.get(CLAIM + "target_link_uri")
        if not isinstance(target, str) or not f"{target}/".startswith(f"{self.address}/"):
            raise SignInError("This launch is meant for another tool.")
        context = _table(claims, CLAIM + "context").get("id")
        if not context or context != self.settings.context:
            raise SignInError(
                f"This launch comes from the course {context!r} of the LMS, which is not the one "
                "of the settings (`context`)."
            )

    # ------------------------------------------------------------ what is kept

    @cached_property
    def key(self) -> RSAKey:
        """Our key, by which the LMS recognizes us; made when it is first needed."""
        path = self.folder / "lti-key.json"
        if not path.exists():
            made = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, private=True)
            made.ensure_kid()
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomic(path, json.dumps(made.as_dict(private=True)).encode(), private=True)
        try:
            return RSAKey.import_key(json.loads(path.read_bytes()))
        except (OSError, ValueError) as bad:
            raise StoreError(f"{path}: cannot be read ({bad})") from None

    def addresses(self) -> LmsAddresses:
        """What the last launch said."""
        try:
            data = self._file.read_bytes() if self._file.is_file() else b"{}"
            return msgspec.json.decode(data, type=resolved(LmsAddresses))
        except (OSError, msgspec.MsgspecError) as bad:
            raise StoreError(f"{self._file}: cannot be read ({bad})") from None

    def _remember(self, claims: Mapping[str, Any]) -> None:
        members = _table(claims, NRPS).get("context_memberships_url")
        line_items = _table(claims, AGS).get("lineitems")
        now = LmsAddresses(*(one if isinstance(one, str) else "" for one in (members, line_items)))
        if now != self.addresses():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self._file, msgspec.json.encode(now))

    @property
    def _file(self) -> Path:
        return self.folder / "lti.json"


def role_of(roles: object) -> Role:
    """The role of somebody with these roles in the course; raises ``SignInError`` without one.

    The vocabulary is that of LTI 1.3, appendix A.2; roles in the institution or system do not
    count. An assistant also has the role of an instructor there, and is a grader here.
    """
    held = [one for one in roles if isinstance(one, str)] if isinstance(roles, list) else []
    if _has(held, "/Instructor#", ASSISTANTS) or set(held) & set(ASSISTANTS):
        return "grader"
    if _has(held, "#", ("Instructor",)) or "Instructor" in held:
        return "instructor"
    # Only people with a role in the course are launched.
    if not (_has(held, "#", ("Learner",)) or "Learner" in held):
        raise SignInError("The LMS gives you no role in this course.")
    return "student"


def _has(held: Collection[str], sign: str, names: tuple[str, ...]) -> bool:
    return any(one.startswith(tuple(f"{MEMBERSHIP}{sign}{name}" for name in names)) for one in held)


def _person(claims: Mapping[str, Any], role: Role, roster: Roster) -> str:
    sub = str(claims["sub"])
    if role != "student":
        email = claims.get("email")
        return email if isinstance(email, str) and email else sub
    known = [one.id for one in roster if one.keys.get("lti_user_id") == sub]
    if len(known) != 1:
        raise SignInError(
            "You are not in the roster of this course yet. Ask your instructor to update it."
        )
    return known[0]


def _table(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}
