"""Signing in with an account of another server: OpenID Connect, JupyterHub."""

from __future__ import annotations

from typing import Protocol

from starlette.responses import Response

from autograder.gradebook.people import Roster
from autograder.web.access import Role
from autograder.web.pages import sign_in
from autograder.web.sign_in.pending import PendingSignIn, SignInError
from autograder.web.visit import NotHereError, RefusedError, Visit

COOKIE = "autograder_signing_in"
OPENID_CALLBACK = "/openid/callback"
HUB_CALLBACK = "/oauth_callback"


class Server(Protocol):
    """A server that vouches for people by the authorization code flow."""

    def pending(self, secret: str) -> PendingSignIn:
        """The sign-in whose secret a browser kept."""

    def begin(self) -> tuple[PendingSignIn, str]:
        """A new sign-in, and where the browser goes for it."""

    def finish(self, pending: PendingSignIn, code: str, roster: Roster) -> tuple[str, Role]:
        """Who has signed in; raises ``SignInError``."""


def to_openid(visit: Visit) -> Response:
    """Go to the OpenID provider."""
    return _start(visit, visit.services.ways.openid, OPENID_CALLBACK)


def from_openid(visit: Visit) -> Response:
    """Come back from it."""
    return _finish(visit, visit.services.ways.openid, OPENID_CALLBACK)


def to_hub(visit: Visit) -> Response:
    """Go to JupyterHub."""
    return _start(visit, visit.services.ways.hub, HUB_CALLBACK)


def from_hub(visit: Visit) -> Response:
    """Come back from it."""
    return _finish(visit, visit.services.ways.hub, HUB_CALLBACK)


def _start(visit: Visit, server: Server | None, callback: str) -> Response:
    if server is None:
        raise NotHereError
    try:
        pending, url = server.begin()
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    return sign_in.go_elsewhere(visit, url, COOKIE, pending, callback)


def _finish(visit: Visit, server: Server | None, callback: str) -> Response:
    if server is None:
        raise NotHereError
    query = visit.request.query_params
    pending = server.pending(visit.request.cookies.get(COOKIE, ""))
    try:
        pending.check(query.get("state", ""))
        if not query.get("code"):
            raise SignInError("The sign-in was refused. Begin again.")
        person, role = server.finish(pending, query["code"], visit.services.store.roster())
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    made = visit.services.access.begin(person, role, by=pending.server)
    response = sign_in.begin(visit, made)
    response.delete_cookie(COOKIE, path=visit.services.prefix + callback)
    return response
