"""Sends score messages to a platform one after the other; reports which were accepted.

Covered: the token goes to the line item's host only and appears in no message; redirects are
refused; a platform that hangs, is down or asks to wait; resending what was not accepted.
Not covered: a platform that sends its answer byte by byte; a platform that accepts a score and
loses it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager, Retry
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import HTTPError, MaxRetryError, ResponseError

from autograder.errors import UsageError
from autograder.gradebook.visible import one_line
from autograder.interop.lti.scores import MEDIA_TYPE, Payload, scores_url

LONGEST_WAIT_S = 60  # that a platform may ask for
_PASSING = (429, *range(500, 600))  # statuses after which it is worth trying again
_SHOWN = 300  # characters of a platform's answer
_READ = 4096  # bytes of it
_TOKEN = re.compile(r"[\x21-\x7e]+")
NOTHING_SENT: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MessageDelivery:
    """What became of one message.

    ``outcome``: "accepted"; "held": accepted by an earlier call; "refused" by the platform;
    "unreached": no answer; "untried": earlier messages got no answer. ``status`` is the HTTP
    status, 0 if there was no answer.
    """

    student: str
    outcome: str
    status: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SentScores:
    """One delivery per payload, in their order. ``accepted``: pass it to the next call."""

    deliveries: tuple[MessageDelivery, ...]
    accepted: Mapping[str, str]

    @property
    def lost(self) -> tuple[MessageDelivery, ...]:
        """The messages that the platform does not have."""
        return tuple(d for d in self.deliveries if d.outcome not in ("accepted", "held"))


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a platform; times in seconds.

    ``attempts`` for one message, the second at once, then after twice ``pause``, doubled each
    time. After ``silent`` messages in a row without any answer the rest is not tried.
    """

    timeout: float = 20.0
    attempts: int = 4
    pause: float = 1.0
    silent: int = 2


PATIENT = Patience()


def send(
    payloads: Sequence[Payload],
    *,
    line_item: str,
    token: str,
    accepted: Mapping[str, str] = NOTHING_SENT,
    patience: Patience = PATIENT,
) -> SentScores:
    """POST each message to the line item's scores; network failures are data, not errors.

    ``accepted`` is from an earlier call: messages in it are not sent again unless they changed.
    ``token`` is an OAuth 2 access token with the scope ``ags.SCOPE``. Raises ``UsageError`` for an
    address or a token that cannot be used.
    """
    url = scores_url(line_item)
    if not _TOKEN.fullmatch(token):  # a token is checked before it is sent
        raise UsageError(
            "the access token is empty or contains characters that a token cannot have"
        )
    connections = _connections(url, patience)
    held = dict(accepted)
    deliveries: list[MessageDelivery] = []
    silent = 0
    for payload in payloads:
        receipt = _receipt(payload, url)
        if held.get(payload.student) == receipt:
            deliveries.append(MessageDelivery(payload.student, "held"))
            continue
        if silent >= patience.silent:  # a platform that hangs is given up
            reason = "not sent: the platform had stopped answering"
            deliveries.append(MessageDelivery(payload.student, "untried", 0, reason))
            continue
        delivery = _deliver(payload, url, token, connections)
        silent = silent + 1 if delivery.outcome == "unreached" else 0
        if delivery.outcome == "accepted":
            held[payload.student] = receipt
        deliveries.append(delivery)
    return SentScores(tuple(deliveries), MappingProxyType(held))


def _receipt(payload: Payload, url: str) -> str:
    """A digest of the URL and the score without its timestamp: equal for equal messages."""
    said = payload.score.model_dump(exclude={"timestamp"})
    return hashlib.sha256(json.dumps([url, said], sort_keys=True).encode()).hexdigest()


class _Retries(Retry):
    """Retries that end when a platform asks for too long a wait."""

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        try:
            return super().get_retry_after(response)
        except (HTTPError, ValueError, OverflowError):  # no time is stated
            return None

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        wait = self.get_retry_after(response) if response is not None else None
        # A wait that is too long is not waited.
        if _pool is not None and wait is not None and wait > LONGEST_WAIT_S:
            raise MaxRetryError(_pool, url or "", ResponseError("asks to wait"))
        return super().increment(method, url, response, error, _pool, _stacktrace)


def _connections(url: str, patience: Patience) -> PoolManager:
    """Connections through the proxy of the environment; without one for this machine."""
    retries = _Retries(
        max(0, patience.attempts - 1),
        allowed_methods=None,
        status_forcelist=_PASSING,
        backoff_factor=patience.pause,
        raise_on_status=False,
    )
    address = urlsplit(url)
    proxy = "" if proxy_bypass(address.netloc) else getproxies().get("https", "")
    if address.scheme == "https" and proxy:
        return ProxyManager(proxy, retries=retries, timeout=patience.timeout)
    return PoolManager(retries=retries, timeout=patience.timeout)


def _deliver(payload: Payload, url: str, token: str, connections: PoolManager) -> MessageDelivery:
    """One message, tried until it is accepted, refused, or patience ends."""
    headers = {"Content-Type": MEDIA_TYPE, "Authorization": f"Bearer {token}"}
    try:
        answer = connections.request(
            "POST",
            url,
            body=payload.body,
            headers=headers,
            redirect=False,
            preload_content=False,
        )
    except (HTTPError, OSError, UnicodeError) as failed:
        reason = _reason(0, str(getattr(failed, "reason", "") or failed), token)
        return MessageDelivery(payload.student, "unreached", 0, reason)
    try:
        text = answer.read(_READ).decode("utf-8", "replace")
    except (HTTPError, OSError):
        text = ""
    finally:
        answer.close()
    if 200 <= answer.status < 300:
        return MessageDelivery(payload.student, "accepted", answer.status)
    asked = str(answer.headers.get("Retry-After") or "")
    reason = _reason(answer.status, text, token, asked)
    return MessageDelivery(payload.student, "refused", answer.status, reason)


def _reason(status: int, text: str, token: str, asked: str = "") -> str:
    """What the platform answered, shortened and without the token; ``asked``: how long to wait."""
    words = {
        0: "no answer",
        401: "the token is not accepted",
        403: "the token lacks the permission",
    }
    known = words.get(status, f"HTTP {status}")
    if 300 <= status < 400:
        known = f"HTTP {status}: redirects are not followed"
    if asked and status in _PASSING:
        known = f"{known}, asks to wait ({one_line(asked)[:40]}): send again later"
    said = one_line(text.replace(token, "(token)"))[:_SHOWN]
    return f"{known}: {said}" if said else known
