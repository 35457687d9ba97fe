"""How much memory a message will take, determined from its bytes before anything is built.

A byte on the wire can become forty in memory (a small negative number is one byte, and an object of
32 bytes behind a pointer), so a bound on a frame's bytes alone bounds nothing. Covered: any bytes;
what is not MessagePack is left to the decoder to refuse. Not covered: what the decoder itself needs
in addition.
"""

from __future__ import annotations

TOKEN = 64  # bytes of memory for each value, in addition to its content
SLOT = 8  # for each place in a list, allocated as soon as the list's length is known


def _widths() -> tuple[tuple[int, int, int, int], ...]:
    """For each first byte: number of length bytes after it, other fixed bytes, places, content."""
    table = [(0, 0, 0, 0)] * 256
    for n in range(16):
        table[0x80 + n], table[0x90 + n] = (0, 0, 2 * n, 0), (0, 0, n, 0)
    for n in range(32):
        table[0xA0 + n] = (0, n, 0, 0)
    for first, size in zip(range(0xCA, 0xD4), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8), strict=True):
        table[first] = (0, size, 0, 0)
    for n in range(3):
        table[0xC4 + n] = table[0xD9 + n] = (1 << n, 0, 0, 1)
        table[0xC7 + n] = (1 << n, 1, 0, 1)
    for n in range(5):
        table[0xD4 + n] = (0, 1 + (1 << n), 0, 0)
    for n in range(2):
        table[0xDC + n], table[0xDE + n] = (2 << n, 0, 1, 0), (2 << n, 0, 2, 0)
    return tuple(table)


_WIDTHS = _widths()


def weigh(body: bytes | bytearray | memoryview, limit: int) -> int:
    """Approximate bytes of memory that the values of ``body`` take; stops counting above
    ``limit``."""
    size, at, weight = len(body), 0, len(body)
    while at < size and weight <= limit:
        length, fixed, places, content = _WIDTHS[body[at]]
        at += 1
        if length:
            count = int.from_bytes(body[at : at + length], "big")
            places *= count
            at += length + content * count
        at += fixed
        weight += TOKEN + SLOT * places
    return weight
