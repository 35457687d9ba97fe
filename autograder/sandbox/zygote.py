"""The warm parent: imports everything once, then forks one confined child per request.

Run as a program with an empty environment: ``zygote.py CONTROL_FD CONFIG_JSON``. It has one thread,
never runs student code, holds no answer, and listens on one socket. A spawn request carries a JSON
object and two descriptors: the child's channel, and a status line on which the zygote sends the
child's pid (with a pidfd) and later how it ended.

Theory of operation: launcher (waits) -> zygote (pid 1 of its own namespace, inside the new root) ->
children (pid 1 of theirs). When the control socket closes, the zygote exits, and the kernel ends
everything below it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
from dataclasses import dataclass, replace
from typing import Any

from autograder.sandbox.isolation import kernel as k
from autograder.sandbox.isolation import world
from autograder.sandbox.isolation.confine import LAYERS, Confinement, Progress, confine
from autograder.sandbox.isolation.world import Places
from autograder.sandbox.line import receive, send

_CHUNK = 1 << 16
UMASK = 0o022  # not the grader's: the root is made here, and children are other users
LOOK_MS = 20
LEAVE_MS = 2000  # for the zygote to exit by itself after the grader has closed the line
BOUNDS = ("memory_mb", "disk_mb", "files", "open_files", "processes", "cpu_s", "memfd")
NAMING = "/proc/self/task"  # sets a thread's name, which the driver of a GPU requires


@dataclass(frozen=True, slots=True)
class Config:
    """What the trusted side sends the zygote first."""

    packages: list[str]  # imported before the first fork, beyond the runner's own
    cache: str  # matplotlib's font cache: written here, before any student code
    without: list[str]  # layers to leave off
    portable: bool  # use nothing that only Linux has
    nodes: list[str]  # of an accelerator, where the children use one; so the rest:
    readable: list[str]  # what its driver reads
    groups: list[int]  # that may use it
    environment: dict[str, str]  # in which it shows: of the children, not of the zygote
    address_space: bool  # whether it is bounded


INSIDE = Places("/", world.LIBRARY, world.MODELS, world.FILES, [])


def main(control_fd: int) -> None:
    """Enter the world, warm up, serve until the control socket closes."""
    os.umask(UMASK)  # the grader's umask is not the box's
    control = socket.socket(fileno=control_fd)
    config = Config(**receive(control)[0])
    problem = ""
    inside = False
    if "namespaces" not in config.without:
        try:
            world.unshare_outer()
            inside = True
        except OSError as failed:
            problem = f"namespaces: {k.reason(failed)}"
    if inside:
        _become_init(control)
        k.prctl(k.PR_SET_PDEATHSIG, signal.SIGKILL)
    pid_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC) if inside else -1
    os.environ["MPLCONFIGDIR"] = config.cache
    importlib.import_module("matplotlib.font_manager")  # writes the font cache, still outside
    covered: list[str] = []
    places = INSIDE
    if inside:
        built = _build_apart(control, config)
        if "failed" in built:
            send(control, {"fatal": f"private root: {built['failed']}"})
            return
        covered = built["covered"]
    else:
        places = Places(**{**receive(control)[0], "hidden": []})
    sys.path[:] = [p for p in sys.path if p and (not inside or os.path.isdir(p))]  # noqa: PTH112
    _forget_package()
    sys.path.insert(0, places.library)
    warm = importlib.import_module("autograder.runner.warm")  # the package as in the sandbox

    _forget_sandbox()
    readable, writable = _rules(inside, config, places)
    closed = "" if inside else world.closed_to_others([*world.interpreter_folders()])
    base = Confinement(
        0,
        inside,
        readable,
        writable,
        tuple(covered),
        closed,
        address_space=config.address_space,
        device=bool(config.nodes),
        groups=tuple(config.groups),
    )
    serve = warm.prepare(config.packages, models=places.models, device=base.device)
    if used := importlib.import_module("autograder.runner.used_device").in_use():
        send(control, {"fatal": f"the warm process used an accelerator: {used}"})
        return
    if inside:  # the folder is on the machine; what was read from it is in memory
        os.environ["MPLCONFIGDIR"] = "/tmp/matplotlib"  # noqa: S108
    left_off = {*config.without, *(() if inside else ("namespaces",))}
    tried = [layer for layer in LAYERS if layer not in left_off]
    probe = _probe(base, tried, pid_namespace)
    if inside and "namespaces" not in probe.entered:  # children would share our scratch space
        send(control, {"fatal": f"private root: {'; '.join(probe.failed)}"})
        return
    missing = [*([problem] if problem else []), *probe.failed]
    hello = {"entered": probe.entered, "failed": missing, "capability": warm.capability()}
    send(control, hello)
    nursery = _Nursery(base, probe.entered, pid_namespace, serve, config)
    nursery.loop(control)


def _become_init(control: socket.socket) -> None:
    """Fork: the child is pid 1 of the new namespace; the parent waits and exits with it.

    If the grader is killed, both end at once, even while the child is importing and does not
    listen.
    """
    pid = os.fork()
    if pid:
        ended = os.pidfd_open(pid)
        watched = select.poll()
        # A zygote that does not listen leaves with its grader.
        watched.register(control, select.POLLHUP)  # and nothing else: the child reads
        watched.register(ended, select.POLLIN)
        if all(found != ended for found, _ in watched.poll()):
            watched.unregister(control)
            if not watched.poll(LEAVE_MS):
                os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _build_apart(control: socket.socket, config: Config) -> dict[str, Any]:
    """Let a separate process receive the folders, build the root (which then is ours too), and end.
    Returns what it covered, or why it failed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            places = Places(**receive(control)[0])
            covered = world.build_root(places, nodes=config.nodes, more=config.readable)
            os.write(writer, json.dumps({"covered": covered}).encode())
        except OSError as failed:
            os.write(writer, json.dumps({"failed": k.reason(failed)}).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    os.chdir("/")
    built: dict[str, Any] = json.loads(text) if text else {"failed": "its builder died"}
    return built


def _forget_package() -> None:
    """From now on, imports under our package's name find only what the sandbox contains.

    A folder of installed packages remains, with all that student code needs: the sandbox's copy
    comes before it, and our own package in it is hidden.
    """
    for name in [n for n in sys.modules if n.split(".")[0] == "autograder"]:
        if not name.startswith("autograder.sandbox"):
            del sys.modules[name]
    sys.path[:] = [
        p
        for p in sys.path
        if p.endswith("-packages") or not os.path.isdir(f"{p}/autograder/sandbox")  # noqa: PTH112
    ]
    named = ((getattr(f, "__name__", type(f).__name__), f) for f in list(sys.meta_path))
    for name, finder in named:
        if "editable" in name.lower():
            sys.meta_path.remove(finder)


def _forget_sandbox() -> None:
    """Remove from ``sys.modules`` what does not belong inside."""
    for name in [n for n in sys.modules if n.startswith(("autograder.sandbox", "__editable__"))]:
        del sys.modules[name]


def _rules(inside: bool, config: Config, places: Places) -> tuple[tuple[str, ...], tuple[str, ...]]:
    # Names of threads only beside a device.
    device = (*config.nodes, NAMING) if config.nodes else ()
    writable = ("/dev/null", *device, *(world.SCRATCH if inside else ()))
    if inside:
        return ("/",), writable
    readable = (
        *world.SYSTEM,
        *world.interpreter_folders(),
        "/lib",
        "/lib64",
        places.library,
        config.cache,
        "/proc/self",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/sys/devices/system/cpu",
        "/dev/urandom",
        "/dev/random",
        "/dev/zero",
        *([places.models] if places.models else []),
        *config.readable,
    )
    return readable, writable


def _fork(pid_namespace: int) -> int:
    """Fork; with namespaces the child is the first process of a new pid namespace."""
    if pid_namespace < 0:
        return os.fork()
    k.unshare(k.CLONE_NEWPID)
    try:
        pid = os.fork()
    except OSError:
        k.setns(pid_namespace, k.CLONE_NEWPID)
        raise
    if pid:  # the next unshare is refused unless we point back at our own namespace
        k.setns(pid_namespace, k.CLONE_NEWPID)
    return pid


def _probe(base: Confinement, tried: list[str], pid_namespace: int) -> Progress:
    """Try every layer in a child that runs no student code; returns what it entered."""
    reader, writer = os.pipe()
    pid = _fork(pid_namespace)
    if pid == 0:
        progress = confine(base, tried, stop_at_failure=False)
        os.write(writer, json.dumps([progress.entered, progress.failed]).encode())
        os._exit(0)
    os.close(writer)
    text = os.read(reader, _CHUNK)
    os.close(reader)
    os.waitpid(pid, 0)
    entered, failed = json.loads(text) if text else ([], ["the probe died"])
    return Progress(entered, failed)


@dataclass(frozen=True, slots=True)
class _Alive:
    """A running child, the line on which its end is reported, and what wakes us then."""

    pid: int
    line: socket.socket
    pidfd: int  # -1 if there is none: then we check at intervals


class _Nursery:
    """Makes children and reports how they ended."""

    def __init__(
        self, base: Confinement, promised: list[str], pid_namespace: int, serve: Any, config: Config
    ) -> None:
        self._base, self._promised, self._serve = base, promised, serve
        self._pid_namespace, self._pidfds = pid_namespace, not config.portable
        self._environment = config.environment
        self._alive: list[_Alive] = []
        self._poller = select.poll()

    def loop(self, control: socket.socket) -> None:
        """Serve requests until the control socket closes."""
        self._poller.register(control, select.POLLIN)
        while True:
            look = self._alive and not self._pidfds
            ready = self._poller.poll(LOOK_MS if look else None)
            self._reap()
            if any(fd == control.fileno() for fd, _ in ready):
                wish, fds = receive(control, 2)
                if not wish:
                    break
                try:
                    self._spawn(wish, fds)
                except OSError:  # no process could be made: the grader sees both ends close
                    _close_all(fds)
        for child in self._alive:
            _kill_group(child.pid)

    def _reap(self) -> None:
        for child in list(self._alive):
            pid, code, usage = os.wait4(child.pid, os.WNOHANG)
            if pid == 0:
                continue
            self._alive.remove(child)
            if self._pid_namespace < 0:
                _kill_group(pid)  # the processes that it started, where possible
            with contextlib.suppress(OSError):  # the grader may no longer be waiting
                send(
                    child.line,
                    {
                        "code": code,
                        "cpu": usage.ru_utime + usage.ru_stime,
                        "peak_kb": usage.ru_maxrss,
                    },
                )
            child.line.close()
            if child.pidfd >= 0:
                self._poller.unregister(child.pidfd)
                os.close(child.pidfd)

    def _spawn(self, wish: dict[str, Any], fds: list[int]) -> None:
        channel, status = fds
        base = self._base
        writable = base.writable if base.inside else (*base.writable, wish["scratch"])
        bounds = {name: wish[name] for name in BOUNDS}
        wanted = replace(base, slot=wish["slot"], writable=writable, **bounds)
        pid = _fork(self._pid_namespace)
        if pid == 0:
            os.environ.update(self._environment)
            home = wish.get("scratch", world.HOME)
            _be_child(channel, wanted, self._promised, home, self._serve)
        pidfd = os.pidfd_open(pid) if self._pidfds else -1
        child = _Alive(pid, socket.socket(fileno=os.dup(status)), pidfd)
        self._alive.append(child)
        if pidfd >= 0:
            self._poller.register(pidfd, select.POLLIN)
        send(child.line, {"pid": pid}, [pidfd] if pidfd >= 0 else [])
        _close_all(fds)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _close_all(fds: list[int]) -> None:
    for fd in fds:
        with contextlib.suppress(OSError):
            os.close(fd)


def _be_child(
    channel: int, wanted: Confinement, promised: list[str], home: str, serve: Any
) -> None:
    """Confine, then hand over to the runner; never returns."""
    code = 70
    try:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.dup2(channel, 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        progress = confine(wanted, promised, stop_at_failure=True)
        os.chdir(world.HOME if wanted.inside else home)
        if not wanted.inside:  # no /tmp of its own: temporary files go where it may write
            os.environ.update(HOME=home, TMPDIR=home, CUDA_CACHE_PATH=home)
            tempfile.tempdir = home
        serve(3, tuple(progress.entered), "; ".join(progress.failed))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
