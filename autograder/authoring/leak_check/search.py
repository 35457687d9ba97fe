"""Searches files that students get for secrets, wherever these come from.

Covered: notebooks (every text in them), public evidence, programs; byte for byte.
Not covered: secrets in other words or in another form (compressed, base64).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Sort = Literal["notebook", "evidence", "program"]
_WINDOW = 8  # bytes
_AT_ONCE = 1 << 20  # places of a large file that are looked at together
EVERYWHERE: frozenset[Sort] = frozenset(("notebook", "evidence", "program"))


@dataclass(frozen=True, slots=True)
class Secret:
    """``needle`` must not appear in files of these sorts. With ``lines`` it is compared with a
    text's lines in order, without blank lines and without whitespace around a line."""

    what: str
    needle: bytes
    sorts: frozenset[Sort] = EVERYWHERE
    lines: bool = False


def sort_of(name: str) -> Sort:
    """What a file is, by its name; a template in light format counts as a notebook."""
    if name.endswith(".agw"):
        return "evidence"
    inside_package = name.startswith("autograder/") or ".dist-info/" in name
    return "program" if inside_package else "notebook"


def found(files: Mapping[str, bytes], secrets: Iterable[Secret]) -> Iterator[str]:
    """A sentence for each secret in a file, once for equal secrets. ``files``: contents by name."""
    known = tuple(secrets)
    for name, data in files.items():
        sort, text = sort_of(name), searched(name, data)
        wanted = [secret for secret in known if sort in secret.sorts]
        whole = [secret.needle for secret in wanted if not secret.lines]
        held = holding(text, whole)
        by_lines = [secret.needle for secret in wanted if secret.lines]
        held_lines = holding(stripped(text), by_lines) if by_lines else frozenset()
        said: set[bytes] = set()
        for secret in wanted:
            if secret.needle not in said and secret.needle in (
                held_lines if secret.lines else held
            ):
                said.add(secret.needle)
                yield f"{name}: contains {secret.what}"


def holding(data: bytes, needles: Iterable[bytes]) -> frozenset[bytes]:
    """The needles that occur in the data.

    Most are ruled out together: the eight bytes in a needle's middle are nowhere in the data.
    """
    every = frozenset(needles)
    long = [needle for needle in every if len(needle) >= _WINDOW]
    rest = every.difference(long)
    if long and len(data) >= _WINDOW:
        middles = b"".join(
            needle[at : at + _WINDOW] for needle in long for at in (_middle(needle),)
        )
        wanted = np.frombuffer(middles, np.uint64)
        likely = np.zeros(len(long), bool)
        for start in range(0, len(data) - _WINDOW + 1, _AT_ONCE):
            part = np.frombuffer(data[start : start + _AT_ONCE + _WINDOW - 1], np.uint8)
            windows = np.lib.stride_tricks.sliding_window_view(part, _WINDOW)
            likely |= np.isin(wanted, np.unique(np.ascontiguousarray(windows).view(np.uint64)))
        rest |= {needle for needle, maybe in zip(long, likely.tolist(), strict=True) if maybe}
    return frozenset(needle for needle in rest if needle in data)


def _middle(needle: bytes) -> int:
    return (len(needle) - _WINDOW) // 2


def searched(name: str, data: bytes) -> bytes:
    """What is searched: the texts of a notebook without JSON's syntax, any other file as it is."""
    if not name.endswith(".ipynb"):  # texts of a notebook are searched as they are read
        return data
    try:
        return "\n".join(_texts(json.loads(data))).encode()
    except (ValueError, RecursionError):  # a file of an assignment that is only named like one
        return data


def stripped(text: bytes) -> bytes:
    """The lines that are not blank, stripped, with a newline before and after each."""
    lines = (line.strip() for line in text.split(b"\n"))
    return b"\n" + b"\n".join(line for line in lines if line) + b"\n"


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        if node and all(isinstance(item, str) for item in node):
            yield "".join(node)
        else:
            for item in node:
                yield from _texts(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from _texts(value)
    else:
        yield str(node)
