"""Types that bytes are decoded into, prepared for several threads."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from threading import Lock
from typing import TypeVar, cast

import msgspec

T = TypeVar("T")

_ONE_AT_A_TIME = Lock()


def resolved(kind: type[T]) -> type[T]:
    """``kind`` itself, once its annotations and those of all types in it have been resolved.

    msgspec resolves them when a type is first used. If two threads do so at the same time, the
    process ends with a segmentation fault.
    """
    _resolve(cast(Hashable, kind))
    return kind


@cache
def _resolve(kind: Hashable) -> None:
    with _ONE_AT_A_TIME:  # types are resolved by one thread at a time
        msgspec.msgpack.Decoder(kind)
