"""One list of behaviours, tried in boxes of every sort.

A behaviour holds where a layer that brings it about is in force. Elsewhere it is a known
failure: it is tried where that is harmless and certain, and must then really fail. A combination
of which neither is said is not collected; where this machine lacks a layer, it is skipped.
"""

from __future__ import annotations

import ctypes
import os
import socket
import string
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder.sandbox.box import ALL_LAYERS, LEVELS, Box, BoxContents, level_of
from autograder.sandbox.isolation import landlock
from autograder.sandbox.isolation.premises import PACKAGE
from tests.support.conformance.backends import BACKENDS, COMBINATIONS, in_force, promised
from tests.support.conformance.behaviours import BEHAVIOURS
from tests.support.conformance.kind import Behaviour, Place, Seen, run

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
        yield Surroundings(
            folder=folder,
            names={
                "open": str(folder / "open"),
                "closed": str(folder / "closed"),
                "home": str(folder / "home"),
                "unique": unique,
                "shm": f"/dev/shm/{unique}",
                "among": AMONG,
                "shared": str(key),
                "tcp": str(tcp.getsockname()[1]),
                "udp": str(udp.getsockname()[1]),
                "package": str(PACKAGE),
                "tops": " ".join(
                    Path(p).parts[1]
                    for p in (sys.prefix, sys.base_prefix, *sys.path)
                    if p.startswith("/")
                ),
            },
        )
        ctypes.CDLL(None).shmctl(segment, IPC_REMOVE, None)
        for listener in (tcp, udp, named, abstract):
            listener.close()


def level(layers: Collection[str]) -> str:
    """The word for these layers, from the table in docs/isolation.md."""
    medium = {"limits", "landlock", "seccomp"}
    strong = medium | {"namespaces", "uid"}
    reached = ["limits" in layers, medium <= set(layers), strong <= set(layers)]
    return LEVELS[sum(reached)]


class Boxes:
    """One box at a time: tests of a backend follow each other."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._backend = ""
        self._place: Place | None = None

    def place(self, backend: str) -> Place:
        """The box of a backend; another one is closed for it."""
        if self._place is None or backend != self._backend:
            self.close()
            self._backend, self._place = backend, self._opened(backend)
        return self._place

    def _opened(self, backend: str) -> Place:
        folder = self._surroundings.folder
        fill(folder / "open")
        box = Box(
            BoxContents([folder, Path(AMONG)], packages=("torch",)), without=BACKENDS[backend]
        )
        layers = box.isolation.layers
        assert box.isolation.level == level(layers)
        version = landlock.abi() if "landlock" in layers else 0
        names = {**self._surroundings.names, "boxfolder": str(box._folder)}
        return Place(box=box, names=names, layers=in_force(layers, version), kept=[])

    def close(self) -> None:
        """End the box that is open, and its child."""
        if self._place is not None:
            for child in self._place.kept:
                child.end()
            self._place.box.close()
        self._place = None


@pytest.fixture(scope="module")
def boxes(surroundings: Surroundings) -> Iterator[Boxes]:
    made = Boxes(surroundings)
    yield made
    made.close()


def tried(behaviour: Behaviour, place: Place) -> Seen:
    cells = [string.Template(source).safe_substitute(place.names) for source in behaviour.cells]
    if behaviour.question is not None:
        return behaviour.question(place, cells)
    child = place.shared() if behaviour.shared else place.spawn()
    last = Seen()
    try:
        for source in cells:
            last = run(child, source, cpu_s=behaviour.cpu_s, wall_s=behaviour.wall_s)
            if not last.alive:
                break
        return last
    finally:
        if not (behaviour.shared and last.alive):
            child.end()


@pytest.mark.parametrize(("backend", "behaviour"), COMBINATIONS)
def test_a_behaviour_holds_or_is_a_known_failure(
    boxes: Boxes, backend: str, behaviour: Behaviour
) -> None:
    place = boxes.place(backend)
    holds = promised(behaviour, place.layers)
    if not holds and not (behaviour.harmless and behaviour.sure):
        pytest.skip(f"nothing here brings it about: {' or '.join(behaviour.by)}")
    seen = tried(behaviour, place)
    if holds:
        assert behaviour.holds(seen), seen
    else:
        assert not behaviour.holds(seen), f"it holds without {behaviour.by}: {seen}"


def test_the_level_is_what_the_layers_make_it() -> None:
    """Of any layers; of the boxes that are opened here it is looked at as well."""
    for count in range(len(ALL_LAYERS) + 1):
        for layers in combinations(ALL_LAYERS, count):
            assert level_of(layers) == level(layers)


def test_no_behaviour_is_listed_twice() -> None:
    assert [n for n, count in Counter(b.name for b in BEHAVIOURS).items() if count > 1] == []


def test_every_layer_brings_something_about() -> None:
    named = {layer for b in BEHAVIOURS for way in b.by for layer in way.split("+")}
    assert {"limits", "namespaces", "uid", "landlock", "seccomp", "cgroup"} <= named
