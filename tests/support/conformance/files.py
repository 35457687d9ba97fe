"""Files, folders and names of the machine: what is closed to student code."""

from __future__ import annotations

from tests.support.conformance.kind import Behaviour, Place, Seen, cannot, prints, refused, run

CLOSED = ("namespaces", "landlock")
_OWNED = (*CLOSED, "uid")  # closed to another user by its mode alone
_SYSTEM = (*_OWNED, "ordinary")


def between(place: Place, leave: str, look: str) -> Seen:
    """One child leaves something, the next one looks for it; both alive at the same time."""
    first, second = place.spawn(), place.spawn()
    try:
        left = run(first, leave).text.strip()
        return run(second, look.replace("$left", left))
    finally:
        first.end()
        second.end()


def shared_memory_notes(place: Place) -> Seen:
    try:
        return between(
            place,
            f"open('/dev/shm/{place.names['unique']}', 'w').write('x'); print('left')",
            f"open('/dev/shm/{place.names['unique']}').read(); print('it worked')",
        )
    finally:
        place.path("shm").unlink(missing_ok=True)


def neighbours_scratch(place: Place) -> Seen:
    return between(
        place,
        "import os; open('note', 'w').write('x'); print(os.path.abspath('note'))",
        "open('$left').read(); print('it worked')",
    )


def lock_on_a_shared_file(place: Place) -> Seen:
    lock = "import fcntl, os; file = open(os.__file__); fcntl.flock(file, fcntl.LOCK_EX"
    return between(
        place,
        f"{lock})",
        f"{lock} | fcntl.LOCK_NB); print('nobody else holds it')",
    )


def planted_in_torch(place: Place) -> Seen:
    return between(
        place,
        "import torch; torch.planted = 1",
        "import torch; print(hasattr(torch, 'planted'))",
    )


ALL: tuple[Behaviour, ...] = (
    cannot(
        "read a hidden folder that is open by its mode",
        "open('$open/answers.txt').read()",
        by=CLOSED,
    ),
    cannot("list a hidden folder", "import os; assert os.listdir('$open')", by=CLOSED),
    cannot(
        "read a hidden folder through a link",
        "import os; os.symlink('$open', 'way'); open('way/answers.txt').read()",
        by=CLOSED,
    ),
    cannot(
        "read a hidden folder through /proc/self/root",
        "open('/proc/self/root$open/answers.txt').read()",
        by=CLOSED,
    ),
    cannot(
        "read a folder that is closed by its mode", "open('$closed/answers.txt').read()", by=_OWNED
    ),
    cannot("read the grader's own package", "open('$package/judging/judge.py').read()", by=CLOSED),
    cannot("read the log of the zygote", "open('$boxfolder/zygote.log').read()", by=CLOSED),
    cannot(
        "list a hidden folder among the packages",
        "import os; assert os.listdir('$among')",
        by=("namespaces",),
    ),
    cannot(
        "ask whether a path exists", "import os; os.stat('$open/answers.txt')", by=("namespaces",)
    ),
    cannot("the host's users", "open('/etc/shadow').read()", by=_SYSTEM),
    cannot("the host's homes", "open('/root/.bashrc').read()", by=_SYSTEM, sure=False),
    cannot("another home", "import os; assert os.listdir('$home')", by=_OWNED),
    cannot("the system's files", "open('/usr/lib/planted', 'w')", by=_SYSTEM, harmless=False),
    cannot("write at the root", "open('/planted', 'w')", by=_SYSTEM, harmless=False),
    cannot(
        "open the standard library for writing", "import os; open(os.__file__, 'r+')", by=_SYSTEM
    ),
    cannot(
        "open torch for writing", "import torch; open(torch.__file__, 'r+')", by=_SYSTEM, sure=False
    ),
    cannot("make a file in an open folder", "open('$open/planted', 'w')", by=CLOSED),
    cannot("make a folder in an open folder", "import os; os.mkdir('$open/made')", by=CLOSED),
    cannot("remove a file in an open folder", "import os; os.unlink('$open/spare')", by=CLOSED),
    cannot(
        "move a file out of an open folder",
        "import os; os.rename('$open/movable', '$open/moved')",
        by=CLOSED,
    ),
    cannot(
        "empty an open file",
        "import os; os.truncate('$open/writable', 0)",
        by=("namespaces", "landlock-truncate"),
    ),
    cannot(
        "change the mode of a file of yours",
        "import os; os.chmod('$open/answers.txt', 0o644)",
        by=("namespaces", "uid", "seccomp"),
    ),
    cannot(
        "a file of the kernel",
        "open('/proc/sys/kernel/core_pattern', 'r+')",
        by=("namespaces", "landlock", "uid", "ordinary"),
    ),
    cannot("the kernel's log", "open('/dev/kmsg').read(1)", by=_SYSTEM, sure=False),
    cannot(
        "a device",
        "import os, stat; os.mknod('x', stat.S_IFCHR | 0o600, os.makedev(1, 3))",
        by=("seccomp", "powerless"),
    ),
    cannot("a pipe with a name", "import os; os.mkfifo('pipe')", by=("seccomp",)),
    Behaviour(
        name="every mount but scratch is read-only",
        cells=(
            "lines = [l.split() for l in open('/proc/self/mountinfo')]\n"
            "free = ('/tmp', '/dev/shm', '/home/student', '/proc')\n"
            "print([l[4] for l in lines if 'rw' in l[5].split(',') and l[4] not in free])",
        ),
        holds=prints("[]\n"),
        by=("namespaces",),
    ),
    Behaviour(
        name="every mount is without set-user-id programs",
        cells=(
            "lines = [l.split() for l in open('/proc/self/mountinfo')]\n"
            "print([l[4] for l in lines if 'nosuid' not in l[5].split(',')])",
        ),
        holds=prints("[]\n"),
        by=("namespaces",),
    ),
    Behaviour(
        name="the root holds what it must and no more",
        cells=(
            "import os\n"
            "allowed = 'dev empty etc grader home keep lib lib32 lib64 models proc tmp usr'\n"
            "allowed = allowed.split()\n"
            "print(set(os.listdir('/')) - set(allowed) - set('$tops'.split()))",
        ),
        holds=prints("set()\n"),
        by=("namespaces",),
    ),
    Behaviour(
        name="a child finds no note of its neighbour in /dev/shm",
        question=shared_memory_notes,
        holds=refused,
        by=CLOSED,
    ),
    Behaviour(
        name="a child does not see its neighbour's scratch files",
        question=neighbours_scratch,
        holds=refused,
        by=CLOSED,
    ),
    Behaviour(
        name="a lock on a file that all can read tells nobody",
        question=lock_on_a_shared_file,
        holds=prints("nobody else holds it\n"),
        by=("seccomp",),
    ),
    Behaviour(
        name="a child finds no change of its neighbour in a library",
        question=planted_in_torch,
        holds=prints("False\n"),
    ),
    Behaviour(
        name="scratch space is empty at the start",
        cells=(
            "import os, sys, tempfile\n"  # but for the way to an interpreter that lies in /tmp
            "print([[n for n in os.listdir(f) if not sys.prefix.startswith(f'{f}/{n}')]"
            " for f in ('.', os.path.expanduser('~'), tempfile.gettempdir())])",
        ),
        holds=prints("[[], [], []]\n"),
    ),
    Behaviour(
        name="only wire and runner of ours are there",
        cells=(
            "import autograder, os, sys\n"
            "here = os.listdir(autograder.__path__[0])\n"
            "print(sorted(n for n in here if not n.startswith('__')))\n"
            "ours = [m for m in sys.modules if m.startswith('autograder.')]\n"
            "print(sorted({m.split('.')[1] for m in ours}))\n",
        ),
        holds=prints("['runner', 'wire']\n['runner', 'wire']\n"),
    ),
)
