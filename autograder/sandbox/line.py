"""Messages between the grader and the zygote: JSON with a length in front, and descriptors.

Both ends are ours; student code never writes here. A stream, because macOS has no other kind of
local socket that reports when its other end has closed.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from typing import Any

_HEADER = 4
_MOST = 1 << 20


def pair() -> tuple[socket.socket, socket.socket]:
    """Two connected ends."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


def send(end: socket.socket, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Send one message; raises ``OSError`` when the other end is closed."""
    body = json.dumps(message).encode()
    header = len(body).to_bytes(_HEADER, "big")
    if descriptors:
        socket.send_fds(end, [header], list(descriptors))
    else:
        end.sendall(header)
    end.sendall(body)


def receive(end: socket.socket, descriptors: int = 0) -> tuple[dict[str, Any], list[int]]:
    """One message with at most that many descriptors; an empty one when the other end has closed.
    Raises ``OSError``, ``TimeoutError`` if the socket has a time limit."""
    header, received, _, _ = socket.recv_fds(end, _HEADER, descriptors)
    header += _exactly(end, _HEADER - len(header)) if header else b""
    size = int.from_bytes(header, "big")
    if len(header) < _HEADER or size > _MOST:
        return {}, list(received)
    body = _exactly(end, size)
    return (json.loads(body) if len(body) == size else {}), list(received)


def _exactly(end: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = end.recv(size - len(parts))
        if not part:
            break
        parts += part
    return parts
