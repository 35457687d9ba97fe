"""What an operator's tools ask: whether the server lives, whether it can take work, its metrics."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from hmac import compare_digest

from starlette.responses import PlainTextResponse, Response

from autograder.errors import StoreError
from autograder.web.services import MAX_UPLOAD
from autograder.web.visit import NotHereError, Visit

METRICS_TOKEN = "AUTOGRADER_METRICS_TOKEN"  # noqa: S105  the name of an environment variable
ROOM = 10 * MAX_UPLOAD  # bytes that are left on the disk, at least


def alive(_: Visit) -> Response:
    """Answers while the process does."""
    return PlainTextResponse("ok\n")


def ready(visit: Visit) -> Response:
    """Whether an upload would be acknowledged now: 503 and the reason if it would not."""
    services = visit.services
    try:
        services.queue.counts()
        free = shutil.disk_usage(services.course.folder).free
    except (StoreError, OSError):
        return PlainTextResponse("the database or the disk does not answer\n", 503)
    if free < ROOM:
        return PlainTextResponse("the disk is almost full\n", 503)
    return PlainTextResponse("ready\n")


def metrics(visit: Visit) -> Response:
    """Counts and times in Prometheus' text format, for whoever has the token. No names."""
    wanted = os.environ.get(METRICS_TOKEN, "")
    sent = visit.request.headers.get("authorization", "").removeprefix("Bearer ")
    # Metrics are for whoever has their token.
    if not wanted or not compare_digest(sent.encode(), wanted.encode()):
        raise NotHereError
    queue = visit.services.queue
    oldest = queue.oldest()
    waits = (datetime.now(UTC) - oldest).total_seconds() if oldest is not None else 0.0
    text = visit.services.log.text(queue.counts(), max(waits, 0.0))
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
