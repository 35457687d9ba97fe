"""Signing in by the JupyterHub of which this server is a service.

Covered: people whom the hub does not let use this service; an answer to another browser.
Not covered: other servers below the hub's own domain, whose scripts a browser takes for ours.
"""

from __future__ import annotations

import os
from urllib.parse import urlencode

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from jupyterhub.services.auth import HubOAuth
from tornado.web import HTTPError

from autograder.errors import UsageError
from autograder.gradebook.people import Roster
from autograder.web.access import Role
from autograder.web.sign_in.pending import PendingSignIn, SignInError
from autograder.web.sign_in.settings import Hub

NEEDED = ("JUPYTERHUB_API_TOKEN", "JUPYTERHUB_CLIENT_ID", "JUPYTERHUB_SERVICE_PREFIX")


class HubSignIn:
    """The hub, as it describes itself to its services in environment variables."""

    def __init__(self, settings: Hub) -> None:
        """Raises ``UsageError`` where a hub has not started this process."""
        missing = [name for name in NEEDED if not os.environ.get(name)]
        if missing:
            raise UsageError(
                f"{', '.join(missing)} missing: JupyterHub sets it when it starts this server as "
                "one of its services"
            )
        self.settings = settings
        base = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
        self.prefix = base.rstrip("/")
        self._auth = HubOAuth(base_url=base, api_token=os.environ["JUPYTERHUB_API_TOKEN"])
        self._server = f"JupyterHub {self._auth.oauth_client_id}"

    def pending(self, secret: str) -> PendingSignIn:
        """The sign-in whose secret a browser kept."""
        return PendingSignIn(secret, self._server)

    def begin(self) -> tuple[PendingSignIn, str]:
        """A new sign-in, and where the browser goes for it."""
        pending = PendingSignIn.begin(self._server)
        challenge = create_s256_code_challenge(pending.verifier)
        asked = {"state": pending.state, "code_challenge": challenge}
        return (
            pending,
            f"{self._auth.login_url}&{urlencode({**asked, 'code_challenge_method': 'S256'})}",
        )

    def finish(self, pending: PendingSignIn, code: str, roster: Roster) -> tuple[str, Role]:
        """Who has signed in; raises ``SignInError``."""
        try:
            token = self._auth.token_for_code(code, code_verifier=pending.verifier)
            user = self._auth.user_for_token(token, use_cache=False)
            allowed = bool(user) and self._auth.check_scopes(self._auth.access_scopes, user)
            name = str(user["name"]) if user else ""
        except (HTTPError, KeyError, ValueError, TypeError):
            raise SignInError(f"{self.settings.name} does not confirm this sign-in.", 502) from None
        # The hub decides who may use this service.
        if not allowed:
            raise SignInError(f"{self.settings.name} does not let you use this service.")
        found = self.settings.find(name, roster)
        if found is None:
            raise SignInError(f"{name} is not in this course. Ask your instructor.")
        return found
