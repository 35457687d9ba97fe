"""File, TCP and signal rules that a process applies to itself (Landlock).

Covered: opening, listing, creating and running files outside the allowed folders; TCP; abstract
sockets and signals to the outside where the kernel supports that. Not covered: stat, chmod of what
DAC allows, UDP and named sockets (seccomp refuses all sockets), descriptors that are already open.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from autograder.sandbox.isolation import kernel

_EXECUTE, _WRITE, _READ, _READ_DIR = 1, 2, 4, 8
_BASE, _REFER, _TRUNCATE, _IOCTL = (1 << 13) - 1, 1 << 13, 1 << 14, 1 << 15
_FILE_ONLY = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL
_TCP = 1 | 2
_SCOPES = 1 | 2  # abstract sockets, signals


def abi() -> int:
    """The kernel's Landlock version; raises ``OSError`` when it has none."""
    return kernel.syscall(kernel.SYS_LANDLOCK_CREATE, None, 0, 1, step="landlock version")


def _handled(version: int) -> int:
    access = _BASE
    if version >= 2:
        access |= _REFER
    if version >= 3:
        access |= _TRUNCATE
    if version >= 5:
        access |= _IOCTL
    return access


def restrict(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Allow reading below ``readable``, everything below ``writable``; returns the ABI.

    Paths that do not exist are skipped. Raises ``OSError``. Needs no_new_privs.
    """
    version = abi()
    handled = _handled(version)
    words = [handled] + ([_TCP] if version >= 4 else []) + ([_SCOPES] if version >= 6 else [])
    attributes = ctypes.create_string_buffer(struct.pack(f"={len(words)}Q", *words), 8 * len(words))
    ruleset = kernel.syscall(
        kernel.SYS_LANDLOCK_CREATE, attributes, 8 * len(words), 0, step="landlock_create_ruleset"
    )
    try:
        for path in readable:
            _allow(ruleset, path, _READ | _READ_DIR)
        for path in writable:
            _allow(ruleset, path, handled & ~_EXECUTE)
        kernel.syscall(kernel.SYS_LANDLOCK_RESTRICT, ruleset, 0, step="landlock_restrict_self")
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            access &= _FILE_ONLY
        rule = ctypes.create_string_buffer(struct.pack("=Qi", access, fd), 12)
        kernel.syscall(kernel.SYS_LANDLOCK_ADD, ruleset, 1, rule, 0, step="landlock_add_rule")
    finally:
        os.close(fd)
