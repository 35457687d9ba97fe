"""One list of behaviours, tried in boxes of every sort.

A behaviour holds where a layer that brings it about is in force. Elsewhere it is a known
failure: it is tried when that is harmless and must then really fail, else it is not promised.
"""

from __future__ import annotations

import ctypes
import os
import socket
import string
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.sandbox import landlock
from autograder.sandbox.box import LEVELS, Box
from autograder.sandbox.premises import PACKAGE
from tests.conformance.behaviours import BEHAVIOURS
from tests.conformance.kind import Behaviour, Place, Seen, run

BACKENDS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no namespaces": ("namespaces",),
    "no cgroup": ("cgroup",),
    "no uid, no namespaces": ("uid", "namespaces"),
    "no landlock": ("landlock",),
    "no seccomp": ("seccomp",),
    "no seccomp, no namespaces": ("seccomp", "namespaces"),
    "cgroup alone": ("limits", "namespaces", "uid", "landlock", "seccomp"),
    "limits alone": ("namespaces", "uid", "landlock", "seccomp", "cgroup"),
    "nothing": ("limits", "namespaces", "uid", "landlock", "seccomp", "cgroup"),
}
FILES = ("answers.txt", "spare", "movable", "writable")
AMONG = str(Path(pytest.__file__).parent)  # a package of ours that is not for the box
IPC_CREATE, IPC_REMOVE = 0o1666, 0
SECRET = "the answers lie here"


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Files and sockets of the test's own, which student code is to find or not."""

    folder: Path
    names: dict[str, str]


def fill(folder: Path) -> None:
    """Put the files there as they are at first; a known failure may have taken some."""
    for name in ("made", "moved", "planted"):
        if (folder / name).is_dir():
            (folder / name).rmdir()
        (folder / name).unlink(missing_ok=True)
    for name in FILES:
        (folder / name).write_text(SECRET)
        (folder / name).chmod(0o666 if name == "writable" else 0o644)


@pytest.fixture(scope="module")
def surroundings() -> Iterator[Surroundings]:
    """Folders open and closed by their modes, a home, and somebody who listens."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for kind, mode in (("open", 0o777), ("closed", 0o700), ("home", 0o700)):
            (folder / kind).mkdir()
            fill(folder / kind)
            (folder / kind).chmod(mode)
        tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        unique = f"conformance-{os.getpid()}"
        named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        named.bind(str(folder / "open" / "socket"))
        (folder / "open" / "socket").chmod(0o777)
        abstract.bind(f"\0{unique}")
        for listener in (named, abstract):
            listener.listen()
        key = os.getpid() | 0x5A000000
        segment = ctypes.CDLL(None).shmget(key, 4096, IPC_CREATE)
        yield Surroundings(folder=folder, names={
            "open": str(folder / "open"), "closed": str(folder / "closed"),
            "home": str(folder / "home"), "unique": unique, "shm": f"/dev/shm/{unique}",
            "among": AMONG, "shared": str(key),
            "tcp": str(tcp.getsockname()[1]), "udp": str(udp.getsockname()[1]),
            "package": str(PACKAGE),
            "tops": " ".join(Path(p).parts[1] for p in (sys.prefix, sys.base_prefix, *sys.path)
                             if p.startswith("/")),
        })  # fmt: skip
        ctypes.CDLL(None).shmctl(segment, IPC_REMOVE, None)
        for listener in (tcp, udp, named, abstract):
            listener.close()


@pytest.fixture(scope="module", params=BACKENDS)
def place(request: pytest.FixtureRequest, surroundings: Surroundings) -> Iterator[Place]:
    fill(surroundings.folder / "open")
    hidden = [surroundings.folder, Path(AMONG)]
    with Box(hidden=hidden, without=BACKENDS[request.param]) as box:
        names = {**surroundings.names, "boxfolder": str(box._folder),
                 "backend": request.param}  # fmt: skip
        made = Place(box=box, names=names, layers=in_force(box), kept=[])
        yield made
        for child in made.kept:
            child.end()


def in_force(box: Box) -> frozenset[str]:
    """The box's layers, and in words of our own what the machine itself gives."""
    layers = {*box.isolation.layers, "always", "ordinary" if os.geteuid() else "root"}
    if "landlock" in layers:
        version = landlock.abi()
        named = {"landlock-truncate": 3, "landlock-tcp": 4, "landlock-scopes": 6}
        layers |= {name for name, since in named.items() if version >= since}
    if layers & {"uid", "ordinary", "landlock", "seccomp"}:
        layers.add("powerless")  # root without any capability, if it is root at all
    return frozenset({*layers, "watch"})


def promised(behaviour: Behaviour, place: Place) -> bool:
    """Whether one of what brings it about is in force."""
    return any(set(layer.split("+")) <= place.layers for layer in behaviour.by)


def tried(behaviour: Behaviour, place: Place) -> Seen:
    if behaviour.question is not None:
        return behaviour.question(place)
    child = place.shared() if behaviour.shared else place.spawn()
    last = Seen()
    try:
        for source in behaviour.cells:
            filled = string.Template(source).safe_substitute(place.names)
            last = run(child, filled, cpu_s=behaviour.cpu_s, wall_s=behaviour.wall_s)
            if not last.alive:
                break
        return last
    finally:
        if not (behaviour.shared and last.alive):
            child.end()


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda b: b.name)
def test_a_behaviour_holds_or_is_a_known_failure(place: Place, behaviour: Behaviour) -> None:
    if behaviour.once and place.names["backend"] != next(iter(BACKENDS)):
        return
    layered = promised(behaviour, place)
    if not layered and not behaviour.harmless:
        assert "always" not in behaviour.by
        return  # not promised, and not to be tried here
    seen = tried(behaviour, place)
    if layered:
        assert behaviour.holds(seen), seen
    elif behaviour.sure:
        assert not behaviour.holds(seen), f"it holds without {behaviour.by}: {seen}"


def test_the_level_is_what_the_layers_make_it(place: Place) -> None:
    layers = set(place.box.isolation.layers)
    medium = {"limits", "landlock", "seccomp"}
    strong = medium | {"namespaces", "uid"}
    expected = [medium - medium <= layers, "limits" in layers, medium <= layers, strong <= layers]
    assert place.box.isolation.level == LEVELS[sum(expected) - 1]


def test_no_behaviour_is_listed_twice() -> None:
    assert [n for n, count in Counter(b.name for b in BEHAVIOURS).items() if count > 1] == []


def test_every_layer_brings_something_about() -> None:
    named = {layer for b in BEHAVIOURS for way in b.by for layer in way.split("+")}
    assert {"limits", "namespaces", "uid", "landlock", "seccomp", "cgroup"} <= named
