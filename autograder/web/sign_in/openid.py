"""OpenID Connect: the authorization code flow with PKCE, as OpenID Connect Core 1.0 has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from requests import RequestException

from autograder.gradebook.people import Roster
from autograder.web.access import CourseAccess, Role
from autograder.web.sign_in.pending import PendingSignIn, SignInError
from autograder.web.sign_in.settings import OpenId
from autograder.web.sign_in.tokens import TIMEOUT_S, PublishedKeys, check_claims, fetched

NO_ANSWER = "The sign-in server does not answer. Try again later."


@dataclass
class OpenIdProvider:
    """A provider; its addresses are read when they are first needed. ``address``: ours."""

    settings: OpenId
    address: str
    access: CourseAccess
    _found: dict[str, Any] = field(default_factory=dict)
    _keys: PublishedKeys = field(init=False)

    def __post_init__(self) -> None:
        self._secret = self.settings.secret()
        self._keys = PublishedKeys(lambda: self._discovered("jwks_uri"))

    def pending(self, secret: str) -> PendingSignIn:
        """The sign-in whose secret a browser kept."""
        return PendingSignIn(secret, f"{self.settings.issuer} {self.settings.client_id}")

    def begin(self) -> tuple[PendingSignIn, str]:
        """A new sign-in, and where the browser goes for it."""
        pending = PendingSignIn.begin(self.pending("").server)
        with self._session() as session:
            url, _ = session.create_authorization_url(
                self._discovered("authorization_endpoint"),
                state=pending.state,
                nonce=pending.nonce,
                code_verifier=pending.verifier,
            )
        return pending, url

    def finish(self, pending: PendingSignIn, code: str, roster: Roster) -> tuple[str, Role]:
        """Who has signed in; raises ``SignInError``."""
        try:
            with self._session() as session:
                token = session.fetch_token(
                    self._discovered("token_endpoint"), code=code, code_verifier=pending.verifier
                )
        except AuthlibBaseError:
            raise SignInError("The sign-in was refused. Begin again.") from None
        except (RequestException, ValueError):
            raise SignInError(NO_ANSWER, 502) from None
        signed = str(token.get("id_token", ""))
        claims = self._keys.claims(signed)
        own = self.settings
        check_claims(claims, issuer=own.issuer, client_id=own.client_id, pending=pending)
        if not self.access.use(pending.nonce, expires=float(claims["exp"])):
            raise SignInError("This sign-in was used before. Begin again.")
        return self._person({**self._more(claims, token), **claims}, roster)

    def _person(self, claims: dict[str, Any], roster: Roster) -> tuple[str, Role]:
        own = self.settings
        name = claims.get(own.claim)
        if not isinstance(name, str) or not name:
            raise SignInError(f"The sign-in server does not state your {own.claim}.")
        needs_proof = own.claim == "email" and not own.unverified_email
        if needs_proof and claims.get("email_verified") not in (True, "true"):
            raise SignInError(f"The sign-in server has not verified the address {name}.")
        found = own.find(name, roster)
        if found is None:
            raise SignInError(f"{name} is not in this course. Ask your instructor.")
        return found

    def _more(self, claims: dict[str, Any], token: dict[str, Any]) -> dict[str, Any]:
        """What the provider says beside the token, where the token lacks the claim."""
        if self.settings.claim in claims or "userinfo_endpoint" not in self._document():
            return {}
        bearer = {"Authorization": f"Bearer {token.get('access_token', '')}"}
        found = fetched(self._discovered("userinfo_endpoint"), bearer)
        # What is said beside a token is about the same person.
        if not isinstance(found, dict) or found.get("sub") != claims["sub"]:
            raise SignInError("The sign-in server speaks of two people. Begin again.")
        return found

    def _discovered(self, name: str) -> str:
        try:
            return str(self._document()[name])
        except KeyError:
            raise SignInError(f"The sign-in server does not state its {name}.", 502) from None

    def _document(self) -> dict[str, Any]:
        if not self._found:
            issuer = self.settings.issuer
            found = fetched(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if not isinstance(found, dict) or found.get("issuer") != issuer:
                raise SignInError("The sign-in server has another name than its settings.", 502)
            self._found = found
        return self._found

    def _session(self) -> OAuth2Session:
        supported = self._document().get("token_endpoint_auth_methods_supported")
        basic = not supported or "client_secret_basic" in supported
        secret_by = "client_secret_basic" if basic else "client_secret_post"
        wanted = {"email": "email", "sub": ""}.get(self.settings.claim, "profile email")
        session = OAuth2Session(
            self.settings.client_id,
            self._secret or None,
            token_endpoint_auth_method=secret_by if self._secret else "none",
            scope=f"openid {wanted}".strip(),
            redirect_uri=f"{self.address}/openid/callback",
            code_challenge_method="S256",
            default_timeout=TIMEOUT_S,
        )
        session.max_redirects = 0
        return session
