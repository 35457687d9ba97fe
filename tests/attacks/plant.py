"""What the red team plants beside the grader, and how it notices that something was reached.

Covered: fresh random words in the environment, in files of four kinds and as a sign of
success; a folder for marks; listeners on loopback and local sockets; signals, nice value and
processors of the grader; notes in shared memory. Not covered: reading without leaving a trace.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import selectors
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from autograder.assignment.load import Loaded
from tests.attacks.attack import Attack

VARIABLE = "AUTOGRADER_PLANTED"
SIGNAL = signal.SIGURG  # a process that does not expect it ignores it
SHARED = Path("/dev/shm")
NEIGHBOUR = "neighbour"
SUCCESS = "success"
_NAME = re.compile(r"\{([a-z_]+)\}")


class Listener:
    """Takes whatever arrives on five sockets of this machine, and remembers it."""

    def __init__(self, folder: Path, word: str) -> None:
        self.contacts: list[str] = []
        self.abstract, self.path = f"autograder-{word}", folder / "socket"
        self.datagrams = folder / "datagrams"
        inet, local = socket.AF_INET, socket.AF_UNIX
        self._sockets = [
            _open(inet, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            _open(inet, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            _open(local, socket.SOCK_STREAM, f"\0{self.abstract}"),
            _open(local, socket.SOCK_STREAM, str(self.path)),
            _open(local, socket.SOCK_DGRAM, str(self.datagrams)),
        ]
        self.path.chmod(0o777)
        self.datagrams.chmod(0o777)
        self.tcp, self.udp = (s.getsockname()[1] for s in self._sockets[:2])
        self._reader, self._writer = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._writer.close()
        self._thread.join(10)
        for one in (*self._sockets, self._reader):
            one.close()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            for one in (*self._sockets, self._reader):
                selector.register(one, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._reader:
                        return
                    with contextlib.suppress(OSError):
                        self.contacts.append(self._take(key.fileobj))  # type: ignore[arg-type]

    def _take(self, one: socket.socket) -> str:
        if one.type == socket.SOCK_DGRAM:
            return one.recv(200).decode(errors="replace")
        connection, _ = one.accept()
        with connection:
            connection.settimeout(0.5)
            try:
                return connection.recv(200).decode(errors="replace")
            except OSError:
                return ""


def _open(family: int, kind: int, address: object) -> socket.socket:
    made = socket.socket(family, kind)
    made.bind(address)  # type: ignore[arg-type]
    if kind == socket.SOCK_STREAM:
        made.listen()
    made.setblocking(False)
    return made


@dataclass(frozen=True, slots=True)
class Plant:
    """All that is planted for one run. ``words`` maps a place to the word planted there."""

    folder: Path
    results: Path
    words: Mapping[str, str]
    listener: Listener
    signals: list[int]
    solution: Path
    word: str

    def marker(self, attack: Attack) -> Path:
        return self.folder / "marks" / f"{attack.kind}-{attack.stem}"

    def note(self, attack: Attack) -> str:
        """A file name for this attack's notes."""
        return f"{self.word}-{attack.kind}-{attack.stem}"

    def filled(self, attack: Attack, source: str) -> str:
        """The code with the names in braces replaced; other braces stay as they are."""
        values = {
            "success": self.words[SUCCESS][::-1],  # reversed: the code itself is on the page
            "secret": str(self.folder / "secret.txt"),
            "answers": str(self.folder / "course" / "solutions" / "answers.txt"),
            "neighbour": str(self.folder / "hand-ins" / "neighbour.py"),
            "results": str(self.results),
            "solution": str(self.solution),
            "planted": str(self.folder),
            "marker": str(self.marker(attack)),
            "note": self.note(attack),
            "name": attack.name,
            "variable": VARIABLE,
            "tcp": str(self.listener.tcp),
            "udp": str(self.listener.udp),
            "abstract": self.listener.abstract,
            "socket": str(self.listener.path),
            "datagrams": str(self.listener.datagrams),
            "grader": str(os.getpid()),
        }
        return _NAME.sub(lambda found: values.get(found[1], found[0]), source)

    def left(self, attack: Attack) -> tuple[str, ...]:
        """Notes of the attack that are still on the machine."""
        places = (SHARED, Path(tempfile.gettempdir()))
        return tuple(
            str(path)
            for place in places
            for path in (place.glob(f"{self.note(attack)}*") if place.is_dir() else ())
        )


@contextmanager
def planted(loaded: Loaded, results: Path) -> Iterator[Plant]:
    """Plant everything, and take it away again. Must be entered in the main thread."""
    word = secrets.token_hex(8)
    places = ("environment", "secret file", "course", NEIGHBOUR, "results", SUCCESS)
    words = {place: secrets.token_hex(16) for place in places}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="autograder-red-")))
        folder.chmod(0o755)  # kept closed by the box, not by its mode
        files = {
            folder / "secret.txt": "secret file",
            folder / "course" / "solutions" / "answers.txt": "course",
            folder / "hand-ins" / "neighbour.py": NEIGHBOUR,
            results / "notes.txt": "results",
        }
        for path, place in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {words[place]}\n")
            path.chmod(0o666)
        marks = folder / "marks"
        marks.mkdir()
        marks.chmod(0o777)
        stack.enter_context(_variable(words["environment"]))
        listener = Listener(folder, word)
        stack.callback(listener.close)
        signals: list[int] = []
        stack.enter_context(_counted(signals))
        stack.callback(_sweep, word)
        yield Plant(folder, results, words, listener, signals, loaded.solution, word)


@contextmanager
def _variable(value: str) -> Iterator[None]:
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = value
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


@contextmanager
def _counted(signals: list[int]) -> Iterator[None]:
    def count(number: int, frame: FrameType | None) -> None:
        signals.append(number)

    before = signal.signal(SIGNAL, count)
    try:
        yield
    finally:
        signal.signal(SIGNAL, before)


def _sweep(word: str) -> None:
    """Remove notes that attacks left where they could."""
    for place in (SHARED, Path(tempfile.gettempdir())):
        for path in place.glob(f"{word}-*") if place.is_dir() else ():
            with contextlib.suppress(OSError):
                path.unlink()
