"""Sockets, shared memory, privileges, and the kernel's other doors."""

from __future__ import annotations

import json
import platform

from autograder.sandbox.isolation.premises import HIDING, clean_environment
from autograder.sandbox.isolation.seccomp import DENIED
from autograder.sandbox.processor import VARIABLES
from tests.support.conformance.kind import ALWAYS, Behaviour, Seen, cannot, prints
from tests.support.conformance.processes import call

_NET = "import socket\ns = socket.socket($kind)\ns.settimeout(2)\n"
_COLUMN = int(platform.machine() == "aarch64")
_NUMBERS = {name: numbers[_COLUMN] for name, numbers in DENIED.items() if numbers[_COLUMN]}
_PRIVILEGED = ("seccomp", "powerless")
_OWN = {
    "HF_HUB_OFFLINE",
    "TRANSFORMERS_OFFLINE",
    "HF_HOME",
    "MPLCONFIGDIR",
    "MPLBACKEND",
    *HIDING,
    "CUDA_CACHE_PATH",
}


def clean(seen: Seen) -> bool:
    """No name but ours, what matplotlib and torch set by themselves, and what holds numeric
    libraries to a processor's capability."""
    names = set(seen.text.strip("[]\n").replace("'", "").split(", "))
    extra = names - set(clean_environment()) - set(VARIABLES) - _OWN
    return not {n for n in extra if not n.startswith(("KMP_", "TORCH", "LC_"))}


def empty(seen: Seen) -> bool:
    """At least four sets of capabilities, all of them empty."""
    words = seen.text.split()
    return len(words) >= 8 and set(words[1::2]) == {"0" * 16}


def net(name: str, kind: str, act: str, *, by: tuple[str, ...], sure: bool = True) -> Behaviour:
    return cannot(name, _NET.replace("$kind", kind) + act, by=by, sure=sure)


def ask_all(numbers: dict[str, int | None]) -> str:
    return (
        f"import ctypes, json\nc = ctypes.CDLL(None, use_errno=True)\nopen_ = []\n"
        f"for name, nr in json.loads({json.dumps(numbers)!r}).items():\n"
        "    if c.syscall(nr, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != 1:\n"
        "        open_.append(name)\nprint(open_)"
    )


_STATUS = "print(*[l.strip() for l in open('/proc/self/status') if l.startswith($what)])"

ALL: tuple[Behaviour, ...] = (
    # network
    net("a socket", "", "", by=("seccomp",)),
    net("a datagram socket", "2, 2", "", by=("seccomp",)),
    net("a unix socket", "socket.AF_UNIX", "", by=("seccomp",)),
    net("a netlink socket", "socket.AF_NETLINK, 3", "", by=("seccomp",), sure=False),
    net("a socket to the machine's host", "socket.AF_VSOCK", "", by=("seccomp",), sure=False),
    net("a raw socket", "2, 3, 1", "", by=_PRIVILEGED),
    net(
        "a TCP connection",
        "",
        "s.connect(('127.0.0.1', $tcp))",
        by=("seccomp", "namespaces", "landlock-tcp"),
    ),
    net(
        "a TCP port",
        "",
        "s.bind(('127.0.0.1', 0)); s.listen()",
        by=("seccomp", "namespaces", "landlock-tcp"),
    ),
    net("a datagram", "2, 2", "s.sendto(b'x', ('127.0.0.1', $udp))", by=("seccomp", "namespaces")),
    net(
        "a socket with an abstract name",
        "1",
        "s.connect('\\0$unique')",
        by=("seccomp", "namespaces", "landlock-scopes"),
    ),
    net("a socket with a path", "1", "s.connect('$open/socket')", by=("seccomp", "namespaces")),
    cannot(
        "a descriptor sent through a pair of sockets",
        "import os, socket\na, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [0])",
        by=("seccomp",),
    ),
    call("socket", 41, 198, "-1, 0, 0"),
    call("sendmsg", 46, 211, "-1, 0, 0"),
    # shared memory and messages
    cannot("a memory file", "import os; os.memfd_create('x')", by=("seccomp",)),
    cannot(
        "shared memory of the machine",
        "import ctypes\nassert ctypes.CDLL(None).syscall("
        f"{194 if _COLUMN else 29}, $shared, 0, 0) != -1",
        by=("seccomp", "namespaces"),
    ),
    # namespaces, mounts, other users
    cannot(
        "a mount",
        "import ctypes; assert not ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, 0)",
        by=_PRIVILEGED,
        harmless=False,
    ),
    call("mount", 165, 40, "b'x', b'.', b'nosuch', 0, 0", by=_PRIVILEGED),
    call("a namespace of users", 272, 97, "0x10000000", sure=False, leaves=True),
    cannot("another root", "import os; os.chroot('.')", by=_PRIVILEGED),
    cannot("another user", "import os; os.setuid(0)", by=("uid", "ordinary")),
    cannot("another group", "import os; os.setgid(0)", by=("uid", "ordinary")),
    cannot(
        "more processor time",
        "import resource; resource.setrlimit(0, (9**9, 9**9))",
        by=("limits+uid", "limits+ordinary"),
        sure=False,
    ),
    cannot(
        "more memory",
        "import resource; resource.setrlimit(9, (2**50, 2**50))",
        by=("limits+uid", "limits+ordinary"),
        sure=False,
    ),
    # the kernel's other doors
    cannot(
        "a key",
        f"import ctypes; assert ctypes.CDLL(None).syscall({219 if _COLUMN else 250}, 0, 0) >= 0",
        by=("seccomp",),
        sure=False,
    ),
    call("seccomp by prctl", 157, 167, "22, 99, 0, 0, 0"),
    call("the owner of a descriptor", 72, 25, "0, 8, os.getpid()"),
    call("the signal of a descriptor", 72, 25, "0, 10, 0"),
    # by ALWAYS: what a child has as its standard input is no terminal anyway
    cannot(
        "the terminal", "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')", by=ALWAYS
    ),
    call("ioctl to type into a terminal", 16, 29, "0, 0x5412, b'x'"),
    call("ioctl to paste into a terminal", 16, 29, "0, 0x541c, b'x'"),
    Behaviour(
        name="every call on the list is refused by the filter",
        cells=(ask_all(_NUMBERS),),
        holds=prints("[]\n"),
        by=("seccomp",),
        harmless=False,
    ),
    # what a child is
    Behaviour(
        name="no capability is left",
        cells=(
            "print(*[l.strip() for l in open('/proc/self/status') if l.startswith('Cap') "
            "and not l.startswith('CapBnd')])",
        ),
        holds=empty,
        by=("powerless",),
    ),
    Behaviour(
        name="no capability can come back through a program",
        cells=(
            "print(*4 * [l.strip() for l in open('/proc/self/status') if l.startswith('CapBnd')])",
        ),
        holds=empty,
        by=("uid", "root+powerless"),
    ),
    Behaviour(
        name="no new privileges",
        cells=(_STATUS.replace("$what", "'NoNewPrivs'"),),
        holds=prints("NoNewPrivs:\t1\n"),
        by=("landlock", "seccomp"),
    ),
    Behaviour(
        name="its calls are filtered",
        cells=(_STATUS.replace("$what", "'Seccomp:'"),),
        holds=prints("Seccomp:\t2\n"),
        by=("seccomp",),
    ),
    Behaviour(
        name="it belongs to no group",
        cells=("import os; print(os.getgroups())",),
        holds=prints("[]\n"),
        by=("uid+root",),
        sure=False,
    ),
    Behaviour(
        name="the environment is the clean one",
        cells=("import os; print(sorted(os.environ))",),
        holds=clean,
    ),
    Behaviour(
        name="no descriptor but the channel is open",
        cells=(
            "import os\nfound = []\nfor fd in range(300):\n"
            "    try: os.fstat(fd); found.append(fd)\n"
            "    except OSError: pass\nprint(found)",
        ),
        holds=prints("[0, 1, 2, 3]\n"),
    ),
)
