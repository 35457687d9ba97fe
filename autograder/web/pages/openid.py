"""Signing in by OpenID Connect."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from autograder.web.pages import sign_in
from autograder.web.sign_in.openid import CALLBACK, OpenIdProvider
from autograder.web.sign_in.pending import PENDING_S, SignInError
from autograder.web.visit import NotHereError, RefusedError, Visit

COOKIE = "autograder_openid"


def start(visit: Visit) -> Response:
    """Go to the provider."""
    try:
        pending, url = _provider(visit).begin()
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    response = RedirectResponse(url, 303)
    response.set_cookie(
        COOKIE,
        pending.secret,
        max_age=PENDING_S,
        path=visit.services.prefix + CALLBACK,
        httponly=True,
        samesite="lax",
        secure=visit.request.url.scheme == "https",
    )
    return response


def finish(visit: Visit) -> Response:
    """Come back from the provider."""
    provider, query = _provider(visit), visit.request.query_params
    pending = provider.pending(visit.request.cookies.get(COOKIE, ""))
    try:
        pending.check(query.get("state", ""))
        if not query.get("code"):
            raise SignInError("The sign-in was refused. Begin again.")
        person, role = provider.finish(pending, query["code"], visit.services.store.roster())
    except SignInError as bad:
        raise RefusedError(bad.status, str(bad)) from None
    made = visit.services.access.begin(person, role, by=provider.settings.issuer)
    response = sign_in.begin(visit, made)
    response.delete_cookie(COOKIE, path=visit.services.prefix + CALLBACK)
    return response


def _provider(visit: Visit) -> OpenIdProvider:
    provider = visit.services.ways.openid
    if provider is None:
        raise NotHereError
    return provider
