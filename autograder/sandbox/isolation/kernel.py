"""The few kernel calls that Python does not offer, through ctypes. Linux only; x86_64 and
aarch64."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from functools import cache

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
AT_FDCWD, AT_RECURSIVE = -100, 0x8000

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38

SYS_MOUNT_SETATTR = 442
SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD, SYS_LANDLOCK_RESTRICT = 444, 445, 446
_NUMBERS = {  # those of the calls below that differ between the machines
    "x86_64": {"pivot_root": 155, "seccomp": 317, "capset": 126},
    "aarch64": {"pivot_root": 41, "seccomp": 277, "capset": 91},
}
MACHINE = platform.machine()


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def number(name: str) -> int:
    """The system call's number on this machine; raises ``OSError`` on an unknown machine."""
    if MACHINE not in _NUMBERS:
        raise OSError(errno.ENOSYS, f"no system call table for {MACHINE}")
    return _NUMBERS[MACHINE][name]


def syscall(nr: int, *args: int | bytes | ctypes.Array[ctypes.c_char] | None, step: str) -> int:
    """A raw system call; raises ``OSError`` with the kernel's errno and the step's name."""
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = int(_library().syscall(ctypes.c_long(nr), *words))
    if result < 0:
        raise _error(step)
    return result


def reason(problem: Exception) -> str:
    """A failed step as text, with the name of its errno: ``unshare: ... (EPERM)``."""
    if not isinstance(problem, OSError) or problem.errno is None:
        return f"{type(problem).__name__}: {problem}"
    where = f"{problem.filename}: " if problem.filename else ""
    return f"{where}{problem.strerror} ({errno.errorcode.get(problem.errno, problem.errno)})"


def _error(step: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{step}: {os.strerror(number)}")


def _check(result: int, what: str) -> None:
    if result != 0:
        raise _error(what)


def unshare(flags: int) -> None:
    _check(_library().unshare(flags), "unshare")


def setns(fd: int, kind: int) -> None:
    _check(_library().setns(fd, kind), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    result = _library().mount(
        source.encode(),
        target.encode(),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        options.encode() or None,
    )
    _check(result, f"mount {target}")


def unmount(target: str) -> None:
    _check(_library().umount2(target.encode(), MNT_DETACH), f"umount {target}")


def make_read_only(target: str, *, devices: bool = False) -> None:
    """Make a mount and everything below it read-only, without setuid and device files."""
    attributes = ATTR_RDONLY | ATTR_NOSUID | (0 if devices else ATTR_NODEV)
    block = ctypes.create_string_buffer(struct.pack("=QQQQ", attributes, 0, 0, 0), 32)
    syscall(
        SYS_MOUNT_SETATTR,
        AT_FDCWD,
        target.encode() + b"\0",
        AT_RECURSIVE,
        block,
        32,
        step=f"mount_setattr {target}",
    )


def pivot_root(new: str, old: str) -> None:
    syscall(number("pivot_root"), new.encode() + b"\0", old.encode() + b"\0", step="pivot_root")


def prctl(option: int, value: int) -> None:
    _check(_library().prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


def set_hostname(name: str) -> None:
    _check(_library().sethostname(name.encode(), len(name)), "sethostname")


def drop_bounding_set() -> None:
    """Give up every capability for good, even through programs; needs CAP_SETPCAP."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # EINVAL above the last one; EPERM when there is nothing to drop
            break


def drop_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
    nothing = ctypes.create_string_buffer(24)
    syscall(number("capset"), header, nothing, step="capset")
