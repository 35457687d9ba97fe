"""A sign-in that was begun here and is decided by another server.

Covered: an answer that was meant for another browser (the secret is in this browser's cookie), or
that another server gives.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Self

PENDING_S = 600  # how long a browser keeps the secret


class SignInError(Exception):
    """Somebody could not sign in; the text is for them. ``status``: 502 if a server failed."""

    def __init__(self, text: str, status: int = 403) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """What the other server receives follows from ``secret`` and ``server``, its name."""

    secret: str
    server: str

    @classmethod
    def begin(cls, server: str) -> Self:
        """A new one."""
        return cls(secrets.token_urlsafe(32), server)

    @property
    def state(self) -> str:
        """Comes back with the answer."""
        return self._derived("state")

    @property
    def nonce(self) -> str:
        """Comes back inside the token."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """Proves that whoever exchanges the code has asked for it (PKCE, RFC 7636)."""
        return self._derived("verifier")

    def check(self, state: str) -> None:
        """Refuse an answer to another browser; raises ``SignInError``."""
        if not self.secret:
            raise SignInError(
                "Your browser did not keep the cookie of this sign-in, or it took too long. Open "
                "the course in a window of its own and begin again."
            )
        if not hmac.compare_digest(state.encode(), self.state.encode()):
            raise SignInError("This answer belongs to another sign-in. Begin again.")

    def _derived(self, purpose: str) -> str:
        about = f"{purpose} {self.server}".encode()
        return hmac.digest(self.secret.encode("utf-8", "surrogatepass"), about, "sha256").hex()
