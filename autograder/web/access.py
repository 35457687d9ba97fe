"""Who may come in: sign-in links, sessions, tokens that were used, and the audit log.

Covered: a database that leaks (it holds digests of 256-bit secrets only); a session that was set
before the sign-in (signing in always makes a new one); a link or session of an earlier list of
people. Not covered: a link that its owner passes on.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Connection, Insert, delete, insert, select, text

from autograder.gradebook.database import Database
from autograder.gradebook.schema_serve import AUDIT, LINKS, SESSIONS, USED_TOKENS

Role = Literal["student", "grader", "instructor"]

SESSION_S = 12 * 3600.0
ONCE_S = 24 * 3600.0
LINK_S = 200 * 24 * 3600.0  # a term
# in a time: tries of one wrong link, and wrong links from one address, which a class may share
FAILURES_S, FAILURES, WRONG_LINKS = 60.0, 10, 100
REMEMBERED = 10_000  # wrong links of all addresses
_USE = text(
    "INSERT INTO used_tokens (digest, expires) VALUES (:digest, :expires) "
    "ON CONFLICT (digest) DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has signed in; ``secret`` is that of the session."""

    person: str
    role: Role
    secret: str

    @property
    def csrf(self) -> str:
        """What every form of this session carries."""
        return hmac.digest(self.secret.encode(), b"form", "sha256").hex()


@dataclass(frozen=True)
class CourseAccess:
    """Links, sessions and the audit log of a course. ``clock``: seconds since 1970."""

    database: Database
    clock: Callable[[], float] = time.time

    def link(self, person: str, role: Role, *, once: bool = False) -> str:
        """The secret of a new link. One for ``once`` ends when it is used, or after a day."""
        return self.links([(person, role)], once=once)[0]

    def links(self, people: Iterable[tuple[str, Role]], *, once: bool = False) -> list[str]:
        """The secrets of new links, in order, all or none."""
        every = [(secrets.token_urlsafe(32), *one) for one in people]
        expires = self.clock() + (ONCE_S if once else LINK_S)
        rows = [
            {"digest": _digest(s), "person": p, "role": r, "once": once, "expires": expires}
            for s, p, r in every
        ]
        with self.database.begin() as connection:
            if rows:
                connection.execute(insert(LINKS), rows)
        return [secret for secret, *_ in every]

    def revoke(self) -> None:
        """End every link for more than one use, and every session."""
        with self.database.begin() as connection:
            connection.execute(delete(LINKS).where(LINKS.c.once.is_(False)))
            connection.execute(delete(SESSIONS))

    def known(self, secret: str) -> tuple[str, Role] | None:
        """Whose link this is."""
        digest = _digest(secret)
        rows = self.database.rows(
            select(LINKS).where(LINKS.c.digest == digest, LINKS.c.expires > self.clock())
        )
        return (rows[0].person, rows[0].role) if rows else None

    def sign_in(self, secret: str) -> Visitor | None:
        """A new session for the owner of a link."""
        with self.database.begin() as connection:
            here = LINKS.c.digest == _digest(secret)
            row = connection.execute(
                select(LINKS).where(here, LINKS.c.expires > self.clock())
            ).first()
            if row is None:
                return None
            if row.once and not connection.execute(delete(LINKS).where(here)).rowcount:
                return None
            # A link is used up with the session that it gives.
            return self._begin(connection, row.person, row.role)

    def begin(self, person: str, role: Role, *, by: str = "") -> Visitor:
        """A new session for somebody who has proved who they are; ``by``: to whom, if not us."""
        with self.database.begin() as connection:
            return self._begin(connection, person, role, by)

    def _begin(self, connection: Connection, person: str, role: Role, by: str = "") -> Visitor:
        session = secrets.token_urlsafe(32)
        values = {"digest": _digest(session), "person": person, "role": role}
        connection.execute(delete(SESSIONS).where(SESSIONS.c.expires < self.clock()))
        expires = self.clock() + SESSION_S
        connection.execute(insert(SESSIONS).values(**values, expires=expires))
        connection.execute(self._audit(person, role, "signed in", by))
        return Visitor(person, role, session)

    def use(self, token: str, *, expires: float) -> bool:
        """Whether this token is used for the first time. ``expires``: when it is refused anyway."""
        with self.database.begin() as connection:
            connection.execute(delete(USED_TOKENS).where(USED_TOKENS.c.expires < self.clock()))
            values = {"digest": _digest(token), "expires": expires}
            return bool(connection.execute(_USE, values).rowcount)

    def visitor(self, secret: str) -> Visitor | None:
        """The owner of a session that has not ended."""
        if not secret:
            return None
        digest = _digest(secret)
        rows = self.database.rows(
            select(SESSIONS).where(SESSIONS.c.digest == digest, SESSIONS.c.expires > self.clock())
        )
        return Visitor(rows[0].person, rows[0].role, secret) if rows else None

    def sign_out(self, visitor: Visitor) -> None:
        """End a session."""
        with self.database.begin() as connection:
            digest = _digest(visitor.secret)
            connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == digest))
        self.audit(visitor.person, visitor.role, "signed out", "")

    def audit(self, who: str, role: str, what: str, about: str) -> None:
        """Append a line to the audit log."""
        with self.database.begin() as connection:
            connection.execute(self._audit(who, role, what, about))

    def _audit(self, who: str, role: str, what: str, about: str) -> Insert:
        at = datetime.fromtimestamp(self.clock(), UTC).isoformat()
        return insert(AUDIT).values(at=at, who=who, role=role, what=what, about=about)


@dataclass
class FailedSignIns:
    """Counts wrong links by address; in memory, since it only slows guessing down.

    Somebody who tries one link again and again is stopped alone: others at the same address wait
    only if many different links were wrong there.
    """

    clock: Callable[[], float] = time.monotonic
    _tries: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # by address and digest

    def too_many(self, address: str, secret: str) -> bool:
        """Whether this address has to wait before it tries this link."""
        tries = self._recent(address)
        return len(tries) >= WRONG_LINKS or len(tries.get(_digest(secret), ())) >= FAILURES

    def add(self, address: str, secret: str) -> None:
        """This link was wrong."""
        if sum(map(len, self._tries.values())) >= REMEMBERED:
            self._tries.clear()
        self._tries.setdefault(address, {}).setdefault(_digest(secret), []).append(self.clock())

    def _recent(self, address: str) -> dict[str, list[float]]:
        since = self.clock() - FAILURES_S
        found = {
            digest: [moment for moment in moments if moment > since]
            for digest, moments in self._tries.pop(address, {}).items()
        }
        recent = {digest: moments for digest, moments in found.items() if moments}
        if recent:
            self._tries[address] = recent
        return recent


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
