"""Ten attacks on this machine's own sandbox: the self-test of `autograder doctor --attacks`.

Covered: what depends on the machine, its kernel and its container: words planted in files and in
the environment, files outside, sockets, signals, new processes, memory, processor time, forged
answers, notes for later submissions. Not covered: what is the same on every machine, that is how
submissions are read, judged and reported; the project's tests attack that.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from autograder.evidence.records import Run
from autograder.files import scratch_folder
from autograder.sandbox.box import Box, BoxContents
from autograder.sandbox.driver import run
from autograder.sandbox.leftovers import left_since, traces
from autograder.wire.messages import Cell, Job, Limits, Probe, Read

LIMITS = Limits(cell_cpu_s=2, memory_mb=500, disk_mb=8, processes=16)
SLACK_MB = 300  # of memory that counts, though it is shared
SHARED = Path("/dev/shm")  # noqa: S108  a note there would be found by later submissions
VARIABLE = "AUTOGRADER_PLANTED"
PLACES = ("file", "environment", "success", "notes")
_BEGIN = "import glob, os, signal, socket, subprocess\nx = 1"
_END = "print('tried')"
# Each sees the paths ``secret``, ``mark`` and ``note``, the addresses ``listening``, the process
# ``grader``, and ``got``, a word that it prints when it notices that it got through.
ATTACKS = {
    "forge/answers_to_later_questions": """
from autograder.wire import messages
for number in range(40):
    reply = messages.Reply(number, messages.Outcome("returned", 2))
    for descriptor in range(3, 10):
        try: os.write(descriptor, messages.frame(messages.encode(reply)))
        except OSError: pass""",
    "leak/files_of_the_grader": """
for root in ("", "/proc/self/root", "/proc/1/root", f"/proc/{grader}/root"):
    try: print(open(root + secret).read())
    except OSError: pass""",
    "leak/environment_of_the_grader": """
print(dict(os.environ))
for path in glob.glob("/proc/[0-9]*/environ"):
    try: print(open(path).read())
    except OSError: pass""",
    "escape/files_outside": """
for change in (lambda: os.truncate(secret, 0), lambda: os.rename(secret, secret + "x")):
    try: change(); print(got)
    except OSError: pass
for root in ("", "/proc/self/root", "/proc/1/root"):
    for make in (os.mkdir, os.mknod, lambda path: os.symlink("/tmp", path)):
        try: make(root + mark)
        except OSError: pass""",
    "escape/sockets_of_the_machine": """
for family, address in listening:
    try: socket.socket(family).connect(address); print(got)
    except OSError: pass""",
    "escape/signals_to_the_grader": """
try: os.kill(grader, signal.SIGURG)
except OSError: pass""",
    "exhaust/processes": """
for make in (os.fork, lambda: subprocess.Popen(["/bin/sleep", "9"])):
    try:
        if make() == 0: os._exit(0)
        print(got)
    except (OSError, RuntimeError): pass""",
    "exhaust/memory": """
held = []
try:
    while True: held.append(b"x" * 10**7)
except MemoryError: held.clear()""",
    "exhaust/processor": """
while True: pass""",
    "persist/notes_for_later_submissions": """
for path in (note, "/dev/shm/" + os.path.basename(note), "/tmp/" + os.path.basename(note)):
    if os.path.exists(path): print(got)
    try: open(path, "w").close()
    except OSError: pass""",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """What the attacks reach for. ``words``: by the place where each is; ``signals``: received."""

    secret: Path
    marks: Path
    words: Mapping[str, str]
    listeners: tuple[socket.socket, ...]
    signals: list[int] = field(default_factory=list)

    def cell(self, attack: str) -> str:
        """The code of an attack with everything that it is told."""
        told = {
            "secret": str(self.secret),
            "mark": str(self.marks / "mark"),
            "note": str(self.marks / self.words["notes"]),
            "listening": [(int(one.family), one.getsockname()) for one in self.listeners],
            "grader": os.getpid(),
        }
        names = "\n".join(f"{name} = {value!r}" for name, value in told.items())
        got = f"got = {self.words['success'][::-1]!r}[::-1]"  # the code itself may be quoted
        return f"{_BEGIN}\n{names}\n{got}\n{ATTACKS[attack].lstrip()}\n{_END}\n"

    def reached(self) -> Iterator[str]:
        """What was reached outside the box."""
        if not self.secret.is_file() or self.words["file"] not in self.secret.read_text():
            yield "it changed a file outside"
        if any(self.marks.iterdir()) or (SHARED / self.words["notes"]).exists():
            yield "it left files on the machine"
        if select.select(self.listeners, (), (), 0)[0]:
            yield "it reached a socket"
        if self.signals:
            yield "it sent a signal to the grader"


def attack_machine(without: Collection[str] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each attack, with why it was not contained. ``without``: layers to leave out, as for ``Box``.

    Must be called in the main thread. Raises ``SandboxError``.
    """
    words = {place: secrets.token_hex(16) for place in PLACES}
    with ExitStack() as stack:
        os.environ[VARIABLE] = words["environment"]
        stack.callback(os.environ.pop, VARIABLE)
        folder = stack.enter_context(scratch_folder("autograder-attacks-"))
        folder.chmod(0o755)
        box = stack.enter_context(Box(BoxContents([folder]), without=without))
        for name in ATTACKS:
            before = traces()
            with _planted(folder, words) as planted:
                job = _job(planted.cell(name))
                runs = [run(job, box) for _ in range(1 + name.startswith("persist"))]
                problems = [problem for made in runs for problem in _shown(made, words)]
                problems += planted.reached()
            problems += [f"left behind: {one}" for one in left_since(before)]
            yield name, tuple(dict.fromkeys(problems))


def _job(code: str) -> Job:
    read = Probe("x", "attack", Read("attack", "x"))
    return Job((Cell(1, code, "attack"),), (("attack", 1),), (read,), 1, LIMITS, draw=False)


def _shown(made: Run, words: Mapping[str, str]) -> Iterator[str]:
    """What the evidence of a run shows of its success."""
    evidence = msgspec.msgpack.encode(made)
    for place, word in words.items():
        if word.encode() in evidence and place != "notes":
            yield f"it got hold of the word planted as: {place}"
    answer = made.probe("x")
    if answer is not None and answer.claim is not None and answer.claim.value not in (None, 1):
        yield "it answered in the place of the notebook"
    if made.measured.peak_mb > LIMITS.memory_mb + SLACK_MB:
        yield f"it took {made.measured.peak_mb:.0f} MB of memory"
    claims = [cell.claim for cell in made.cells if cell.claim is not None]
    tried = any(b"tried" in output.content for claim in claims for output in claim.outputs)
    if not tried and not any(made.stops):
        yield "it could not be tried"


@contextmanager
def _planted(parent: Path, words: Mapping[str, str]) -> Iterator[Planted]:
    """Plant everything in a new folder, and take it away again."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=parent)))
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(f"\0{words['notes']}")
        local.listen()
        planted = Planted(folder / "secret.txt", folder / "marks", words, (tcp, local))
        planted.marks.mkdir()
        planted.secret.write_text(words["file"])
        # the box keeps student code out, not these modes
        for path, mode in ((folder, 0o755), (planted.marks, 0o777), (planted.secret, 0o666)):
            path.chmod(mode)
        before = signal.signal(signal.SIGURG, lambda number, _: planted.signals.append(number))
        stack.callback(signal.signal, signal.SIGURG, before)
        stack.callback((SHARED / words["notes"]).unlink, missing_ok=True)
        yield planted
