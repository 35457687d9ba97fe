"""What is remembered of a hand-in that was judged: what each check found, what was told of it,
and of what these were functions.

One file per student beside the evidence. It only saves time: one that is missing, damaged,
moved or of another version is as if nothing were remembered.
Not covered: somebody who may write in the folder and wants to deceive.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import zlib
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from autograder.checks.finding import Finding
from autograder.notebook.locate import Located
from autograder.notebook.students import safe_name
from autograder.shelf import FileMark, Shelf
from autograder.verdict import Verdict
from autograder.wire.types import resolved
from autograder.workspace import Workspace

T = TypeVar("T", bound=msgspec.Struct)

FORMAT: Literal["autograder-memory/1"] = "autograder-memory/1"
_SUM = 4  # bytes in front: a checksum of all that follows


class Found(msgspec.Struct, frozen=True, array_like=True):
    """What a check found, and the digest of what that is a function of."""

    basis: bytes
    finding: Finding


class Told(msgspec.Struct, frozen=True, array_like=True):
    """An exercise's verdicts with their diagnoses, and the digest as above."""

    basis: bytes
    verdicts: tuple[Verdict, ...]


class Try(msgspec.Struct, frozen=True):
    """One run of a hand-in. ``told`` has the exercises in which something is wrong."""

    located: Located
    shelves: tuple[Shelf, ...]
    found: Mapping[str, Found]
    told: Mapping[str, Told]


class Part(msgspec.Struct, frozen=True):
    """One attempt. ``failed``: with these cells failing, no given cell is put before one."""

    failed: frozenset[int]
    tries: tuple[Try, ...]


class Memory(msgspec.Struct, frozen=True):
    """A student's attempts, None for one that could not be read; ``hand_in`` is a digest of what
    is kept, ``asked`` and ``titles`` as in ``Basis`` (``titles`` is empty where none is told)."""

    format: Literal["autograder-memory/1"]
    student: str
    hand_in: bytes
    asked: bytes
    titles: bytes
    parts: tuple[Part | None, ...]


class Written(msgspec.Struct, frozen=True, array_like=True):
    """A student's files as they were written: digest of the grade, and the two files; ``row`` is
    the digest that the gradebook has of the grade."""

    grade: bytes
    result: FileMark
    feedback: FileMark
    row: str


WRITTEN: Literal["autograder-written/1"] = "autograder-written/1"


class ClassWritten(msgspec.Struct, frozen=True):
    """A whole class as it was written, and the digests of its exercises then."""

    format: Literal["autograder-written/1"]
    page: bytes
    exercises: Mapping[str, bytes]
    students: Mapping[str, Written]


NOTHING_WRITTEN = ClassWritten(WRITTEN, b"", {}, {})


def read_memory(workspace: Workspace, student: str) -> Memory | None:
    """What is remembered of this student; None when it is nothing that can be used."""
    return _read(_memory(workspace, student), Memory)


def keep_memory(workspace: Workspace, memory: Memory) -> None:
    """Remember it from now on. A disk that takes no more is no error here."""
    _write(_memory(workspace, memory.student), [_encoded(memory)])


def forget(workspace: Workspace, student: str) -> None:
    """Remember nothing of this student."""
    with contextlib.suppress(OSError):
        _memory(workspace, student).unlink(missing_ok=True)


def read_written(workspace: Workspace) -> ClassWritten:
    """What the class was when it was written last; nothing where that is not known."""
    return _read(_class(workspace), ClassWritten) or NOTHING_WRITTEN


def keep_written(workspace: Workspace, written: ClassWritten) -> None:
    """Keep it for the next time."""
    _write(_class(workspace), [_encoded(written)])


def keep_students(
    workspace: Workspace, page: bytes, exercises: Mapping[str, bytes],
    students: Iterable[tuple[str, Written]], *, count: int,
) -> None:  # fmt: skip
    """The same of ``count`` students who come one by one; of two of one name the later counts."""
    head = {"format": WRITTEN, "page": page, "exercises": exercises}
    encode = msgspec.msgpack.Encoder().encode
    parts = chain(
        [_map_head(len(head) + 1)],
        (encode(key) + encode(value) for key, value in head.items()),
        [encode("students"), _map_head(count)],
        (encode(student) + encode(written) for student, written in students),
    )
    _write(_class(workspace), parts)


def _map_head(count: int) -> bytes:
    """How a map of so many begins in MessagePack."""
    return b"\xdf" + count.to_bytes(4, "big")


def _memory(workspace: Workspace, student: str) -> Path:
    return workspace.evidence / "judged" / f"{safe_name(student)}.judged"


def _class(workspace: Workspace) -> Path:
    return workspace.evidence / "judged" / "class.written"


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        data = memoryview(path.read_bytes())
        if data[:_SUM] != zlib.crc32(data[_SUM:]).to_bytes(_SUM, "big"):
            return None
        return msgspec.msgpack.decode(data[_SUM:], type=resolved(kind))
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _encoded(what: msgspec.Struct) -> bytes:
    try:
        return msgspec.msgpack.encode(what)
    except (ValueError, msgspec.MsgspecError):  # a text that UTF-8 cannot hold
        return b""  # reads as nothing


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """All or nothing, but not at once on the disk: what a crash takes is only judged again."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(temporary, flags, 0o644), "wb") as file:
            file.write(bytes(_SUM))
            total = 0
            for part in parts:
                total = zlib.crc32(part, total)
                file.write(part)
            file.seek(0)
            file.write(total.to_bytes(_SUM, "big"))
        temporary.replace(path)
    except (OSError, ValueError, msgspec.MsgspecError):  # a text that UTF-8 cannot hold
        for useless in (temporary, path):
            with contextlib.suppress(OSError):
                useless.unlink(missing_ok=True)
