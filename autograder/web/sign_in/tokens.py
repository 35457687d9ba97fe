"""Tokens that another server has signed for us.

Covered: a token that is not signed by one of the server's published keys, by an algorithm with a
secret key or without one; of another issuer, for another client, expired, old, or the answer to
another request. Not covered: a server whose keys were stolen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import requests
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry

from autograder.web.sign_in.pending import PendingSignIn, SignInError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
LEEWAY_S = 60  # between clocks
OLDEST_S = 600  # of a token that answers a request
TIMEOUT_S = 10.0
KEYS_AGAIN_S = 60.0  # before keys are fetched again for one that is not among them
KEYS_S = 3600.0


@dataclass
class PublishedKeys:
    """The public keys of a server, fetched when they are needed. ``url``: where they are."""

    url: Callable[[], str]
    clock: Callable[[], float] = time.monotonic
    _keys: KeySet | None = None
    _since: float = field(default=0.0)

    def claims(self, token: str) -> dict[str, Any]:
        """What a token says, if one of the keys has signed it; raises ``SignInError``."""
        try:
            try:
                return self._verified(token, self._current(KEYS_S))
            except InvalidKeyIdError:  # a new key
                return self._verified(token, self._current(KEYS_AGAIN_S))
        except (JoseError, ValueError) as bad:
            raise SignInError(f"The signature of this sign-in is not valid ({bad}).") from None

    def _verified(self, token: str, keys: KeySet) -> dict[str, Any]:
        return jwt.decode(
            token,
            keys,
            algorithms=ALGORITHMS,  # tokens are signed with a key that is public
        ).claims

    def _current(self, oldest_s: float) -> KeySet:
        if self._keys is None or self.clock() > self._since + oldest_s:
            found = fetched(self.url())
            try:
                self._keys = KeySet.import_key_set(found)
            except (JoseError, ValueError, KeyError, TypeError, AttributeError):
                raise SignInError("The sign-in server publishes no usable keys.", 502) from None
            self._since = self.clock()
        return self._keys


def check_claims(
    claims: Mapping[str, Any], *, issuer: str, client_id: str, pending: PendingSignIn
) -> None:
    """Refuse a token that is not the answer to this request; raises ``SignInError``."""
    registry = JWTClaimsRegistry(
        leeway=LEEWAY_S,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": client_id},
        exp={"essential": True},
        iat={"essential": True},
        sub={"essential": True},
    )
    try:
        registry.validate(dict(claims))
    except JoseError as bad:
        raise SignInError(f"This sign-in is not valid ({bad}).") from None
    audience = claims["aud"]
    several = isinstance(audience, list) and len(audience) > 1
    # Tokens that were made for another party.
    if claims.get("azp", "" if several else client_id) != client_id:
        raise SignInError("This sign-in was made for another service.")
    if not claims["iat"] >= time.time() - OLDEST_S - LEEWAY_S:
        raise SignInError("This sign-in is too old. Begin again.")
    if claims.get("nonce") != pending.nonce:
        raise SignInError("This sign-in answers another request. Begin again.")


def fetched(url: str, headers: Mapping[str, str] | None = None) -> Any:
    """A JSON document of a sign-in server; raises ``SignInError``."""
    try:
        answer = requests.get(
            url, timeout=TIMEOUT_S, headers=dict(headers or {}), allow_redirects=False
        )
        answer.raise_for_status()
        return answer.json()
    except (requests.RequestException, ValueError):
        raise SignInError("The sign-in server does not answer. Try again later.", 502) from None
