"""The file system and namespaces that student code sees, built before any of it runs.

The zygote calls ``enter`` once: own user (when not root), pid, mount, network, IPC and UTS
namespaces, and a new root that holds the interpreter, its packages and our two packages that belong
inside, all read-only. Every child calls ``enter_child`` for fresh namespaces, private scratch space
and a /proc that shows only itself.

Covered: files, processes, network, IPC of the host. Not covered: descriptors that remain open (the
caller closes them), system calls (seccomp).
"""

from __future__ import annotations

import contextlib
import os
import site
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.isolation import kernel as k

HOME = "/home/student"
SCRATCH = (HOME, "/tmp", "/dev/shm")  # noqa: S108  names inside the box
KEEP = "/keep"  # second binds of folders that the scratch space would cover
EMPTY = "/empty"  # covers folders of the kernel
PROC = frozenset({"cpuinfo", "meminfo"})  # all that is left of /proc beside a process's own folder
LIBRARY = "/grader"  # where wire and runner are inside the sandbox
MODELS = "/models"
FILES = "/files"  # of the assignment; each child sees them in its home folder
SYSTEM = tuple(
    """
    /usr/lib /usr/lib64 /usr/lib32 /usr/libx32 /usr/share/fonts /usr/share/zoneinfo
    /usr/local/share/fonts /usr/share/fontconfig /etc/fonts /etc/ld.so.cache /etc/localtime
    /etc/alternatives /usr/local/lib
    """.split()
)
DEVICES = ("null", "zero", "full", "random", "urandom")
_ALL = k.CLONE_NEWNS | k.CLONE_NEWNET | k.CLONE_NEWIPC | k.CLONE_NEWUTS


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of the machine. With a private root the zygote does not learn them: a separate
    process builds the root and ends, because every child inherits what the zygote holds.

    ``hidden`` folders (assignments, solutions, submissions, results) are resolved.
    """

    root: str  # an empty folder to mount the new root on
    library: str  # a folder that holds autograder/{__init__,wire,runner} and nothing else
    models: str
    files: str
    hidden: list[str]


def interpreter_folders() -> list[str]:
    """Folders of the running interpreter and its packages, without repositories on sys.path."""
    real = os.path.realpath(sys.executable)
    folders = [str(Path(real).parent.parent / "lib"), str(Path(sys.base_prefix) / "lib")]
    folders += [str(Path(sys.prefix) / name) for name in ("lib", "lib64", "pyvenv.cfg")]
    folders += site.getsitepackages()
    folders += [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    return [f for f in dict.fromkeys(folders) if os.path.exists(f)]  # noqa: PTH110


def closed_to_others(folders: Iterable[str]) -> str:
    """The first folder on the way to one of these that other users cannot enter; "" if none."""
    for folder in folders:
        real = Path(os.path.realpath(folder))
        for way in (*reversed(real.parents), real):
            if way.is_dir() and not way.stat().st_mode & stat.S_IXOTH:
                return str(way)
    return ""


def unshare_outer() -> bool:
    """Enter new namespaces; children of this process are in a new pid namespace.

    Returns whether a user namespace was needed. Raises ``OSError`` naming the step.
    """
    if os.geteuid() == 0:
        k.unshare(_ALL | k.CLONE_NEWPID)
        return False
    enter_user_namespace(k.CLONE_NEWUSER | _ALL | k.CLONE_NEWPID)
    return True


def enter_user_namespace(flags: int) -> None:
    """Enter a new user namespace (and the others in ``flags``) as the same user.

    Raises ``OSError`` naming the step.
    """
    uid, gid = os.geteuid(), os.getegid()
    k.unshare(flags)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(text)


def build_root(places: Places, *, nodes: Iterable[str], more: Iterable[str]) -> list[str]:
    """Assemble the read-only root at ``places.root`` and move into it. Raises ``OSError``.

    Returns the folders that scratch space will cover, for ``enter_child`` to put back. Hidden
    folders are covered by an empty one wherever an allowed folder would show them. ``nodes``: files
    under /dev of accelerators; ``more``: folders that their drivers read.
    """
    root = places.root
    k.mount("none", "/", flags=k.MS_REC | k.MS_PRIVATE)
    k.mount("tmpfs", root, "tmpfs", k.MS_NOSUID | k.MS_NODEV, "size=4m,mode=755")
    base = Path(root)
    for folder in (*SCRATCH, "/proc", "/dev", "/.old", "/etc", EMPTY):
        (base / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for folder in SCRATCH:  # the zygote's own while it warms up; each child covers them
        k.mount("tmpfs", root + folder, "tmpfs", k.MS_NOSUID | k.MS_NODEV, "size=16m,mode=1777")
    shown = _outermost([*SYSTEM, *interpreter_folders(), *more])
    for source in shown:
        _show(source, root + source, shown)
    for index, source in enumerate(covered(shown)):  # the scratch space will hide them
        _show(source, f"{root}{KEEP}/{index}", shown)
    for name in ("lib", "lib64", "lib32"):
        if Path("/", name).is_symlink():
            (base / name).symlink_to(os.readlink(f"/{name}"))  # noqa: PTH115
        elif Path("/", name).is_dir():
            _bind(f"/{name}", f"{root}/{name}")
    for name in DEVICES:
        _bind(f"/dev/{name}", f"{root}/dev/{name}", devices=True)
    for node in nodes:
        _bind(node, root + node, devices=True)
    _bind(places.library, root + LIBRARY)
    if places.models:
        _bind(places.models, root + MODELS)
    if places.files:
        _bind(places.files, root + FILES)
    kept = [(source, f"{KEEP}/{index}") for index, source in enumerate(covered(shown))]
    # Hidden folders are covered in an interpreter in the scratch space.
    for source, place in [*((source, source) for source in shown), *kept]:
        # Hidden folders are covered in an interpreter that is reached by a link.
        real = os.path.realpath(source)  # ``hidden`` is resolved; an interpreter may be a link
        for folder in places.hidden:
            target = f"{root}{place}{folder.removeprefix(real)}"
            if f"{folder}/".startswith(f"{real}/") and Path(target).is_dir():
                options = "size=4k,mode=755"
                k.mount("tmpfs", target, "tmpfs", k.MS_RDONLY | k.MS_NOSUID, options)
    k.mount("proc", f"{root}/proc", "proc", k.MS_NOSUID | k.MS_NODEV | k.MS_NOEXEC)
    (base / "etc" / "passwd").write_text("student:x:1000:1000::/home/student:/bin/false\n")
    k.pivot_root(root, f"{root}/.old")
    os.chdir("/")
    k.unmount("/.old")
    Path("/.old").rmdir()
    k.mount("none", "/", flags=k.MS_REMOUNT | k.MS_BIND | k.MS_RDONLY | k.MS_NOSUID | k.MS_NODEV)
    return covered(shown)


def covered(shown: Iterable[str]) -> list[str]:
    """The folders among these that are below the scratch space (a virtual environment in /tmp)."""
    return [s for s in shown if any(s.startswith(f"{folder}/") for folder in SCRATCH)]


def enter_child(*, disk_mb: int, files: int, covered: Iterable[str], masked: bool) -> None:
    """Fresh namespaces, private scratch space and /proc for one child. Raises ``OSError``.

    ``masked``: what /proc shows of the machine is covered, as in container runtimes.
    """
    k.unshare(_ALL)
    k.mount("none", "/", flags=k.MS_REC | k.MS_PRIVATE)
    flags = k.MS_NOSUID | k.MS_NODEV
    shown = list(_entries(FILES))
    files += len(shown)  # an assignment's files take none of the student's
    for folder in SCRATCH:
        size = disk_mb if folder == HOME else max(1, disk_mb // 4)
        k.mount("tmpfs", folder, "tmpfs", flags, f"size={size}m,nr_inodes={files},mode=1777")
    for index, path in enumerate(covered):
        kept = Path(f"{KEEP}/{index}")
        if kept.is_symlink():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).symlink_to(kept.readlink())
            continue
        _make_place(str(kept), path)
        k.mount(str(kept), path, flags=k.MS_BIND | k.MS_REC)
    for name, is_folder in shown:
        if is_folder:
            Path(HOME, name).mkdir(mode=0o777)
            Path(HOME, name).chmod(0o777)
        else:
            _make_place(f"{FILES}/{name}", f"{HOME}/{name}")
            k.mount(f"{FILES}/{name}", f"{HOME}/{name}", flags=k.MS_BIND)
    k.mount("proc", "/proc", "proc", flags | k.MS_NOEXEC)
    if masked:  # what /proc says of the machine is covered
        _mask_proc()
    with contextlib.suppress(OSError):  # only the machine's name shows where it is refused
        k.set_hostname("box")


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Every folder (True) and file below a folder, by relative path, a folder before what is in
    it; none if it does not exist."""
    for root, folders, names in os.walk(folder):
        folders.sort()  # so that listings inside do not depend on this machine's disk
        for name in folders:
            yield os.path.relpath(f"{root}/{name}", folder), True
        for name in sorted(names):
            yield os.path.relpath(f"{root}/{name}", folder), False


def _mask_proc() -> None:
    """Cover every file and folder that belongs to no process. Links lead into such a folder."""
    with os.scandir("/proc") as entries:
        for entry in entries:
            if not (entry.name.isdecimal() or entry.is_symlink() or entry.name in PROC):
                source = EMPTY if entry.is_dir() else "/dev/null"
                k.mount(source, entry.path, flags=k.MS_BIND)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Existing paths, without those below another one."""
    chosen: list[str] = []
    for path in sorted({p for p in paths if os.path.exists(p)}):  # noqa: PTH110
        if not any(path.startswith(f"{outer}/") for outer in chosen):
            chosen.append(path)
    return chosen


def _show(source: str, target: str, shown: Iterable[str]) -> None:
    """Show a folder or file at its own path. A link into another folder that is shown (lib64 of a
    virtual environment) remains a link: a mount would reveal what is covered there."""
    real = os.path.realpath(source)
    others = (os.path.realpath(other) for other in shown if not Path(other).is_symlink())
    link = Path(source)
    if link.is_symlink() and link.is_dir() and any(f"{real}/".startswith(f"{o}/") for o in others):
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).symlink_to(link.readlink())
    else:
        _bind(source, target)


def _make_place(source: str, target: str) -> None:
    """Make an empty folder or file at ``target``, matching ``source``, to mount it on."""
    if stat.S_ISDIR(os.stat(source).st_mode):  # noqa: PTH116
        os.makedirs(target, exist_ok=True)  # noqa: PTH103
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).touch()


def _bind(source: str, target: str, *, devices: bool = False) -> None:
    _make_place(source, target)
    k.mount(source, target, flags=k.MS_BIND | k.MS_REC)
    k.make_read_only(target, devices=devices)
