"""Programs, processes, tracing, signals, and what a child can learn about others."""

from __future__ import annotations

import platform
import time
from pathlib import Path

from tests.support.conformance.kind import WORKED, Behaviour, Place, Seen, cannot, prints, run

_ARM = platform.machine() == "aarch64"
CALL = (
    "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\nr = c.syscall($call)\n"
    "if r == 0 and $forks: os._exit(0)\n"
    "assert r != -1 or ctypes.get_errno() not in (1, 38), ctypes.get_errno()"
)
STATIC = (  # a program of nine bytes that ends with status 0, for x86_64
    "import os, struct, subprocess\ncode = bytes.fromhex('b83c00000031ff0f05')\n"
    "at, size = 0x400000, 120 + len(code)\nwith open('p', 'wb') as f:\n"
    "    f.write(b'\\x7fELF\\2\\1\\1' + bytes(9))\n"
    "    f.write(struct.pack('<HHIQQQIHHHHHH', 2, 62, 1, at + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0))\n"
    "    f.write(struct.pack('<IIQQQQQQ', 1, 5, 0, at, at, size, size, 0x1000) + code)\n"
    "os.chmod('p', 0o755)\nassert subprocess.run(['./p']).returncode == 0"
)
PARENT = "import os, signal\np = os.getppid() or 30000\n"
_APART = ("seccomp", "namespaces", "uid")


def call(
    name: str,
    x86: int,
    arm: int,
    arguments: str = "",
    *,
    by: tuple[str, ...] = ("seccomp",),
    sure: bool = True,
    harmless: bool = True,
    forks: bool = False,
    leaves: bool = False,
) -> Behaviour:
    """A raw system call with arguments that do nothing: was it refused, or taken up?"""
    words = f"{arm if _ARM else x86}, {arguments}".rstrip(", ")
    source = CALL.replace("$call", words).replace("$forks", str(forks))
    return cannot(
        f"the call {name}",
        source,
        by=by,
        sure=sure,
        harmless=harmless,
        shared=harmless and not leaves and not forks,
    )


def outlives(place: Place) -> Seen:
    """Whether a process that a child started is there once the child is gone."""
    child = place.spawn()
    said = run(
        child,
        "import os, time\npid = os.fork()\nif not pid:\n    os.setsid()\n"
        "    [os.close(fd) for fd in range(64) if fd > 2 and fd < 5 and fd != 4]\n"
        "    time.sleep(20)\n    os._exit(0)\nprint(pid)",
    )
    child.end()
    time.sleep(0.1)
    pid = said.text.strip()
    there = "namespaces" not in place.layers and pid.isdecimal() and Path(f"/proc/{pid}").exists()
    return Seen(text=WORKED if there else "OSError: it is gone")


ALL: tuple[Behaviour, ...] = (
    cannot(
        "a program",
        "import subprocess; subprocess.run(['/bin/true'])",
        by=("seccomp", "namespaces", "landlock"),
    ),
    cannot(
        "another interpreter",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
        by=("seccomp", "landlock"),
    ),
    cannot(
        "a program of its own",
        "import os, shutil, subprocess, sys\nshutil.copy(os.path.realpath(sys.executable), 'p')"
        "\nos.chmod('p', 0o755)\nsubprocess.run(['./p', '-S', '-c', ''])",
        by=("seccomp", "landlock"),
        sure=False,
    ),
    cannot("a program that needs no library", STATIC, by=("seccomp", "landlock"), sure=not _ARM),
    cannot(
        "a fork",
        "import os\npid = os.fork()\nif not pid: os._exit(0)\nos.waitpid(pid, 0)",
        by=("seccomp",),
    ),
    call("fork", 57, 1079, forks=True, sure=not _ARM),
    call("clone", 56, 220, "17, 0, 0, 0, 0", forks=True),
    call("clone3", 435, 435, "0, 0"),
    call("execve", 59, 221, "0, 0, 0"),
    call("getpid by its x32 number", 0x40000027, 0x40000027, sure=False),
    Behaviour(
        name="a process that outlives its child",
        question=outlives,
        holds=lambda seen: WORKED not in seen.text,
        by=("seccomp", "namespaces"),
    ),
    # tracing
    cannot(
        "a trace",
        "import ctypes; assert ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0) == 0",
        by=("seccomp",),
        harmless=False,
    ),
    call("ptrace", 101, 117, "2, 30000, 0, 0"),
    call("pidfd_open", 434, 434, "os.getpid(), 0"),
    cannot(
        "its dump flag",
        "import ctypes; assert ctypes.CDLL(None).prctl(4, 1, 0, 0, 0) == 0",
        by=("seccomp",),
    ),
    cannot(
        "its death signal",
        "import ctypes; assert ctypes.CDLL(None).prctl(1, 9, 0, 0, 0) == 0",
        by=("seccomp",),
    ),
    # others
    cannot("its parent", "import os; os.kill(os.getppid() or 30000, 9)", by=_APART, harmless=False),
    cannot(
        "every process", "import os; os.kill(-1, 9)", by=("seccomp", "namespaces"), harmless=False
    ),
    cannot("a signal to its parent", f"{PARENT}os.kill(p, 0)", by=(*_APART, "landlock-scopes")),
    cannot(
        "a signal to a thread of its parent",
        f"{PARENT}import ctypes; assert ctypes.CDLL(None).syscall({131 if _ARM else 234}, "
        "p, p, 0) == 0",
        by=(*_APART, "landlock-scopes"),
    ),
    cannot("a handle on its parent", f"{PARENT}os.pidfd_open(p)", by=("seccomp", "namespaces")),
    cannot(
        "the parent's affinity",
        f"{PARENT}os.sched_setaffinity(p, os.sched_getaffinity(p))",
        by=(*_APART, "root+powerless"),
    ),
    cannot(
        "the parent's niceness",
        f"{PARENT}os.setpriority(0, p, os.getpriority(0, p))",
        by=(*_APART, "root+powerless"),
    ),
    cannot("the parent's limits", f"{PARENT}import resource; resource.prlimit(p, 7)", by=_APART),
    cannot(
        "the parent's environment",
        f"{PARENT}open(f'/proc/{{p}}/environ').read()",
        by=("namespaces", "landlock", "uid"),
    ),
    cannot(
        "the parent's memory",
        f"{PARENT}open(f'/proc/{{p}}/mem', 'rb')",
        by=("namespaces", "landlock", "uid"),
    ),
    cannot(
        "the parent's maps",
        f"{PARENT}assert open(f'/proc/{{p}}/maps').read()",
        by=("namespaces", "landlock", "uid"),
    ),
    cannot(
        "a debugger's view",
        "import os; open('/proc/1/environ').read() if os.getpid() != 1 else 1/0",
        by=("namespaces", "landlock", "uid", "ordinary"),
        sure=False,
    ),
    cannot(
        "the list of other processes",
        "import os; assert [p for p in os.listdir('/proc') if p.isdigit() and "
        "p != str(os.getpid())]",
        by=("namespaces", "landlock"),
    ),
    Behaviour(
        name="it is the first process, and has no parent",
        cells=("import os; print(os.getpid(), os.getppid())",),
        holds=prints("1 0\n"),
        by=("namespaces",),
    ),
    Behaviour(
        name="the host's name is not told",
        cells=("import os; print(os.uname().nodename)",),
        holds=prints("box\n"),
        by=("namespaces",),
    ),
)
