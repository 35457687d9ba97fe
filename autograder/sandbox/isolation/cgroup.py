"""A control group for each child: memory and number of tasks, counted by the kernel.

The trusted side makes the group and puts the child into it before the child is asked anything;
nothing in this module runs in the sandbox. Covered: all memory of a child together, its scratch
space included; threads and processes together. Not covered: processor time, disk speed. Sources:
Documentation/admin-guide/cgroup-v1/{memory,pids}.rst and cgroup-v2.rst.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NAME = "autograder-"
CONTROLLERS = ("memory", "pids")
_TRIES, _PAUSE_S = 50, 0.002  # a group is busy for a moment after its last process has died


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted hierarchy: of version 1 with its controllers, or of version 2 with none."""

    version: int
    root: str
    point: Path
    controllers: frozenset[str]


def mounts(text: str) -> list[Mount]:
    """The control group file systems in the text of /proc/self/mountinfo."""
    found = []
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, _, options = after.split(maxsplit=2)
        if kind in ("cgroup", "cgroup2"):
            version = 2 if kind == "cgroup2" else 1
            own = set(options.split(",")) - {"rw", "ro"} if version == 1 else set[str]()
            found.append(Mount(version, root, Path(point), frozenset(own)))
    return found


def memberships(text: str) -> dict[str, str]:
    """Controller (or "" for version 2) to our group's path, from the text of /proc/self/cgroup."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        found |= dict.fromkeys(names.split(","), path)
    return found


def own_folder(mount: Mount, path: str) -> Path:
    """The folder of our own group; the mount itself if the group is not shown there."""
    inside = os.path.relpath(path, mount.root)
    folder = mount.point / inside
    return folder if not inside.startswith("..") and folder.is_dir() else mount.point


def _present() -> tuple[list[Mount], dict[str, str]]:
    """The mounted hierarchies, and our groups in them; raises ``OSError``."""
    shown = mounts(Path("/proc/self/mountinfo").read_text())
    return shown, memberships(Path("/proc/self/cgroup").read_text())


def own_group(controller: str) -> Path:
    """The folder of the group that we are in; raises ``OSError``."""
    shown, own = _present()
    for mount in shown:
        if controller in mount.controllers or (mount.version == 2 and controller not in own):
            return own_folder(mount, own.get(controller, own.get("", "/")))
    raise OSError(2, f"no control groups with {controller} are mounted")


class Groups:
    """Makes groups for children below a writable folder; safe from any thread.

    Raises ``OSError`` with the step when there is no such folder.
    """

    def __init__(self) -> None:
        self._parents = find_parents()
        self._own = own_group("pids")
        self._left: list[Path] = []
        self._numbers = itertools.count(1)
        self._sweep()

    def expect(self) -> None:
        """Announce that a process will enter soon; returns at once.

        Changing groups waits for the kernel's readers of all groups, some milliseconds on a quiet
        machine; changes that follow closely do not wait again. Moving ourselves into the group that
        we are already in begins that wait while the child is still being forked.
        """
        threading.Thread(target=self._stay, daemon=True).start()

    def _stay(self) -> None:
        with contextlib.suppress(OSError):
            (self._own / "cgroup.procs").write_text(str(os.getpid()))

    def enter(self, pid: int, *, memory_mb: int, processes: int) -> Group:
        """Put a process into a new group with these bounds; raises ``OSError``."""
        name = f"{NAME}{os.getpid()}-{pid}-{next(self._numbers)}"
        group = Group(self, {c: parent / name for c, parent in self._parents.items()})
        try:
            group.bound(memory_mb=memory_mb, processes=processes)
            group.adopt(pid)
        except OSError:
            group.close()
            raise
        return group

    def remove(self, folder: Path) -> None:
        """Remove a group whose processes are gone; one that stays busy is tried again later."""
        for _ in range(_TRIES):
            try:
                folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(_PAUSE_S)
            else:
                return
        self._left.append(folder)

    def close(self) -> None:
        """Remove what is left of our groups."""
        left, self._left = self._left, []
        for folder in left:
            self.remove(folder)

    def _sweep(self) -> None:
        """Remove the groups of graders that were killed: those named after a pid that is gone."""
        for parent in set(self._parents.values()):
            for folder in parent.glob(f"{NAME}*"):
                pid = folder.name.removeprefix(NAME).split("-")[0]
                if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
                    with contextlib.suppress(OSError):
                        folder.rmdir()


@dataclass(slots=True)
class Group:
    """The folders of one child's group, by controller; with version 2 both are the same."""

    _groups: Groups
    _folders: Mapping[str, Path]
    _made: list[Path] = field(default_factory=list)

    def bound(self, *, memory_mb: int, processes: int) -> None:
        """Make the folders and write the bounds; raises ``OSError``."""
        for folder in dict.fromkeys(self._folders.values()):
            folder.mkdir()
            self._made.append(folder)
        memory, pids = self._folders["memory"], self._folders["pids"]
        (pids / "pids.max").write_text(str(processes))
        size = str(memory_mb * 1024**2)
        if (memory / "memory.max").exists():
            (memory / "memory.max").write_text(size)
            _write_if_there(memory / "memory.swap.max", "0")
        else:
            (memory / "memory.limit_in_bytes").write_text(size)
            _write_if_there(memory / "memory.memsw.limit_in_bytes", size)

    def adopt(self, pid: int) -> None:
        """Move a process into the group; raises ``OSError``."""
        for folder in self._made:
            (folder / "cgroup.procs").write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended a process of the group because memory ran out."""
        folder = self._folders["memory"]
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError):
                for line in (folder / name).read_text().splitlines():
                    if line.startswith("oom_kill "):
                        return int(line.split()[1]) > 0
        return False

    def close(self) -> None:
        """Remove the group; its processes are gone."""
        for folder in self._made:
            self._groups.remove(folder)


def find_parents() -> dict[str, Path]:
    """For each controller a folder in which groups with it can be made; raises ``OSError``."""
    shown, own = _present()
    problem: OSError | None = None
    for candidate in _candidates(shown, own):
        try:
            _try(candidate)
        except OSError as failed:
            problem = problem or failed
        else:
            return candidate
    raise problem or OSError(2, "no control groups with memory and pids are mounted")


def _candidates(shown: list[Mount], own: Mapping[str, str]) -> Iterator[dict[str, Path]]:
    first = {
        c: own_folder(mount, own.get(c, "/"))
        for mount in shown
        for c in CONTROLLERS
        if c in mount.controllers
    }
    if len(first) == len(CONTROLLERS):
        yield first
    for mount in shown:
        if mount.version == 2:
            folder = own_folder(mount, own.get("", "/"))
            for place in (folder, *folder.parents):
                if place.is_relative_to(mount.point):
                    yield dict.fromkeys(CONTROLLERS, place)


def _try(parents: Mapping[str, Path]) -> None:
    """Make a bounded group, and remove it. Raises ``OSError`` naming the step."""
    for parent in dict.fromkeys(parents.values()):
        control = parent / "cgroup.subtree_control"
        if control.exists() and not set(CONTROLLERS) <= set(control.read_text().split()):
            control.write_text(" ".join(f"+{name}" for name in CONTROLLERS))
    name = f"{NAME}{os.getpid()}-probe"
    folders = {c: parent / name for c, parent in parents.items()}
    made: list[Path] = []
    try:
        for folder in dict.fromkeys(folders.values()):
            folder.mkdir()
            made.append(folder)
        for path in (folders["memory"], folders["pids"]):
            if not any(
                (path / f).exists() for f in ("memory.max", "memory.limit_in_bytes", "pids.max")
            ):
                raise OSError(2, f"no controller in {path}")
    finally:
        for folder in made:
            folder.rmdir()


def _write_if_there(path: Path, text: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        path.write_text(text)
