"""Signing in by a link, signing out, and where each role begins."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from autograder.web.access import Visitor
from autograder.web.sign_in.pending import PENDING_S, PendingSignIn
from autograder.web.visit import RefusedError, Visit, go_to

COOKIE = "autograder_session"
FIRST = {"student": "/assignments", "grader": "/grade", "instructor": "/course"}


def show(visit: Visit) -> Response:
    """Who is about to sign in. Opening a link does not use it up: mail programs open links."""
    secret = visit.request.query_params.get("link", "")
    if secret and visit.services.failed_sign_ins.too_many(_address(visit), secret):
        raise RefusedError(429, "Too many wrong links. Wait for a minute and try again.")
    known = visit.services.access.known(secret) if secret else None
    if secret and known is None:
        visit.services.failed_sign_ins.add(_address(visit), secret)
    return visit.page(
        "sign_in.html.j2",
        secret=secret,
        known=known,
        ways=visit.services.ways.names,
        status=200 if known or not secret else 403,
    )


def enter(visit: Visit) -> Response:
    """Begin a new session."""
    services, address, secret = visit.services, _address(visit), visit.sent("link")
    if services.failed_sign_ins.too_many(address, secret):
        raise RefusedError(429, "Too many wrong links. Wait for a minute and try again.")
    made = services.access.sign_in(secret)
    if made is None:
        services.failed_sign_ins.add(address, secret)
        raise RefusedError(403, "This link does not work any more. Ask for a new one.")
    return begin(visit, made)


def begin(visit: Visit, made: Visitor, path: str = "/") -> Response:
    """Give a session to this browser, and go to a page."""
    if visit.visitor is not None:
        # A session before the sign-in ends with it.
        visit.services.access.sign_out(visit.visitor)
    response = go_to(path)
    response.set_cookie(
        COOKIE,
        made.secret,
        path=visit.services.prefix or "/",
        httponly=True,
        samesite="lax",
        secure=visit.request.url.scheme == "https",
    )
    return response


def go_elsewhere(
    visit: Visit,
    url: str,
    cookie: str,
    pending: PendingSignIn,
    callback: str,
    *,
    posted: bool = False,
) -> Response:
    """Go to another server to sign in; this browser keeps the secret of that until ``callback``.

    ``posted``: the other server's site sends a form there; browsers send no other cookie with it.
    """
    response = RedirectResponse(url, 303)
    response.set_cookie(
        cookie,
        pending.secret,
        max_age=PENDING_S,
        path=visit.services.prefix + callback,
        httponly=True,
        samesite="none" if posted else "lax",
        secure=posted or visit.request.url.scheme == "https",
    )
    return response


def leave(visit: Visit) -> Response:
    """End the session."""
    visit.services.access.sign_out(visit.who)
    response = go_to("/sign-in")
    response.delete_cookie(COOKIE, path=visit.services.prefix or "/")
    return response


def first_page(visit: Visit) -> Response:
    """Where this role begins."""
    return go_to(FIRST[visit.who.role])


def _address(visit: Visit) -> str:
    return visit.request.client.host if visit.request.client else ""
