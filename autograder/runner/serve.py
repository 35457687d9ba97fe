"""The child's main loop: read a frame, carry out the request, write one answer."""

from __future__ import annotations

import os
import signal

from autograder.runner.session import Session
from autograder.wire.messages import (
    HEADER,
    MAX_FRAME,
    Answer,
    Ask,
    Ready,
    Reply,
    decode_ours,
    encode,
    frame,
)

_read, _write, _Ask, _Reply = os.read, os.write, Ask, Reply
_decode, _encode, _frame = decode_ours, encode, frame
_SMALL = 1 << 16  # above this a copy costs more than a second write


def serve(fd: int, session: Session, layers: tuple[str, ...], failed: str) -> None:
    """Say hello, then answer until the channel closes. No student code has run before."""
    send(fd, 0, Ready(layers, failed))
    if failed:
        return

    def interrupt(signum: int, stack: object) -> None:
        if session.busy:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    while True:
        header = receive(fd, HEADER)
        if not header:
            return
        size = int.from_bytes(header, "big")
        if size > MAX_FRAME:
            return
        ask = _decode(receive(fd, size), _Ask)
        send(fd, ask.nonce, session.answer(ask.request))


def send(fd: int, nonce: int, answer: Answer) -> None:
    """Write one complete answer."""
    body = _encode(_Reply(nonce, answer))
    parts = [_frame(body)] if len(body) < _SMALL else [len(body).to_bytes(HEADER, "big"), body]
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[_write(fd, rest) :]


def receive(fd: int, size: int) -> bytes:
    """Exactly ``size`` bytes, or none at the end of the channel."""
    parts, left = [], size
    while left:
        part = _read(fd, min(left, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
