"""A resource that several workers share: each takes a part, in the order of asking."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Shares:
    """``total`` units, served in the order of asking, so that a large part is never kept waiting by
    small ones; a part beyond the total is the whole."""

    def __init__(self, total: int) -> None:
        if total < 1:
            raise ValueError(f"a resource of {total} units cannot be shared")
        self.total = total
        self._free = total
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def take(self, amount: int) -> Iterator[None]:
        """Wait for ``amount`` units, hold them, give them back however the block ends."""
        part = min(max(amount, 0), self.total)
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            try:
                # A shared resource is served in order.
                self._changed.wait_for(lambda: self._waiting[0] is ticket and self._free >= part)
                self._free -= part
            finally:  # also if an interrupt ends the wait, so that nobody waits behind it
                self._waiting.remove(ticket)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += part
                self._changed.notify_all()
