"""Sends score messages to a platform one after the other; reports which were accepted.

Covered: the token goes to the line item's host alone and stands in no message; redirects are
refused; a platform that hangs, is down or asks to wait; sending again what was not taken.
Not covered: a platform that sends its answer byte by byte; a platform that says yes and forgets.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from types import MappingProxyType
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from autograder.errors import UsageError
from autograder.gradebook.visible import one_line
from autograder.interop.lti.scores import MEDIA_TYPE, Payload, scores_url

_SHOWN = 300  # characters of a platform's answer
_READ = 4096  # bytes of it
_TOKEN = re.compile(r"[\x21-\x7e]+")
NOTHING_SENT: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MessageDelivery:
    """What became of one message.

    ``outcome``: "accepted"; "held" already, by an earlier sending; "refused" by the platform;
    "unreached": no answer; "untried": nobody answered those before. ``status`` is that of HTTP,
    0 where there was none.
    """

    student: str
    outcome: str
    status: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SentScores:
    """One delivery per payload, in their order. ``accepted``: give it to the next sending."""

    deliveries: tuple[MessageDelivery, ...]
    accepted: Mapping[str, str]

    @property
    def lost(self) -> tuple[MessageDelivery, ...]:
        """All that the platform does not have."""
        return tuple(d for d in self.deliveries if d.outcome not in ("accepted", "held"))


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to bear with a platform; times in seconds.

    ``attempts`` for one message; ``pause`` before the second, doubled each time; ``most`` is the
    longest that a platform may ask to wait. After ``silent`` messages in a row without any
    answer the rest is not tried.
    """

    timeout: float = 20.0
    attempts: int = 4
    pause: float = 1.0
    most: float = 60.0
    silent: int = 2


PATIENT = Patience()


def send(
    payloads: Sequence[Payload],
    *,
    line_item: str,
    token: str,
    accepted: Mapping[str, str] = NOTHING_SENT,
    patience: Patience = PATIENT,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> SentScores:
    """POST each message to the line item's scores; network failures are data, not errors.

    ``accepted`` is an earlier sending's: messages that it holds are not sent again, unless they
    say something new. ``token`` is an OAuth 2 access token with the scope ``ags.SCOPE``.
    Raises ``UsageError`` for an address or a token that cannot be used.
    """
    url = scores_url(line_item)
    if not _TOKEN.fullmatch(token):  # guard: a token is checked before it is sent
        raise UsageError(
            "the access token is empty or contains characters that a token cannot have"
        )
    post = _Post(url, token, patience, sleep, now)
    held = dict(accepted)
    deliveries: list[MessageDelivery] = []
    silent = 0
    for payload in payloads:
        receipt = _receipt(payload, url)
        if held.get(payload.student) == receipt:  # guard: accepted scores are not sent again
            deliveries.append(MessageDelivery(payload.student, "held"))
            continue
        if silent >= patience.silent:  # guard: a platform that hangs is given up
            reason = "not sent: the platform had stopped answering"
            deliveries.append(MessageDelivery(payload.student, "untried", 0, reason))
            continue
        delivery = post.deliver(payload)
        silent = silent + 1 if delivery.outcome == "unreached" else 0
        if delivery.outcome == "accepted":
            held[payload.student] = receipt
        deliveries.append(delivery)
    return SentScores(tuple(deliveries), MappingProxyType(held))


def _receipt(payload: Payload, url: str) -> str:
    """What was said and where, without when: equal for messages that say the same."""
    said = payload.score.model_dump(exclude={"timestamp"})
    return hashlib.sha256(json.dumps([url, said], sort_keys=True).encode()).hexdigest()


class _NoRedirect(HTTPRedirectHandler):
    """Following one would turn POST into GET, or carry the token elsewhere."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        return None


@dataclass(frozen=True, slots=True)
class _Answer:
    """A platform's answer; ``status`` 0: there was none. ``wait``: what it asks, in seconds."""

    status: int
    text: str
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class _Post:
    url: str
    token: str
    patience: Patience
    sleep: Callable[[float], None]
    now: Callable[[], datetime]

    def deliver(self, payload: Payload) -> MessageDelivery:
        """One message, tried until it is taken, refused, or patience ends."""
        pause = self.patience.pause
        for attempt in range(1, max(1, self.patience.attempts) + 1):
            answer = self._post(payload.body)
            if 200 <= answer.status < 300:
                return MessageDelivery(payload.student, "accepted", answer.status)
            passing = answer.status in (0, 429) or answer.status >= 500
            wait = pause if answer.wait is None else answer.wait
            # guard: a wait that is too long is not waited
            if not passing or attempt >= self.patience.attempts or wait > self.patience.most:
                break
            self.sleep(wait)
            pause *= 2
        outcome = "refused" if answer.status else "unreached"
        return MessageDelivery(payload.student, outcome, answer.status, self._reason(answer))

    def _post(self, body: bytes) -> _Answer:
        request = Request(  # noqa: S310 - scores_url admits https, and http on this machine
            self.url,
            data=body,
            method="POST",
            headers={"Content-Type": MEDIA_TYPE, "Authorization": f"Bearer {self.token}"},
        )
        try:
            with _opener(self.url).open(request, timeout=self.patience.timeout) as answer:
                return _Answer(answer.status, "")
        except HTTPError as refusal:
            with refusal:
                return _Answer(refusal.code, _text(refusal), self._wait(refusal.headers))
        except (URLError, OSError, HTTPException, UnicodeError) as failed:
            return _Answer(0, str(getattr(failed, "reason", "") or failed) or type(failed).__name__)

    def _wait(self, headers: Message) -> float | None:
        """Seconds that the platform asks to wait."""
        asked = str(headers.get("Retry-After") or "").strip()
        if asked.isascii() and asked.isdigit():
            return float(asked[:9])
        try:
            until = parsedate_to_datetime(asked)
        except (ValueError, TypeError, OverflowError):
            return None
        aware = until if until.tzinfo else until.replace(tzinfo=UTC)
        return max(0.0, (aware - self.now()).total_seconds())

    def _reason(self, answer: _Answer) -> str:
        """What the platform said, short, without the token."""
        words = {
            0: "no answer",
            401: "the token is not accepted",
            403: "the token lacks the permission",
        }
        known = words.get(answer.status, f"HTTP {answer.status}")
        if 300 <= answer.status < 400:
            known = f"HTTP {answer.status}: redirects are not followed"
        if answer.wait is not None and answer.wait > self.patience.most:
            known = f"{known}, asks to wait {answer.wait:.0f} s: send again later"
        # guard: the token stands in no message
        said = one_line(answer.text.replace(self.token, "(token)"))[:_SHOWN]
        return f"{known}: {said}" if said else known


def _opener(url: str) -> OpenerDirector:
    """Without redirects; without a proxy for this machine."""
    local = url.startswith("http://")
    # guard: redirects of scores are not followed
    return build_opener(_NoRedirect, *([ProxyHandler({})] if local else []))


def _text(refusal: HTTPError) -> str:
    try:
        return refusal.read(_READ).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""
