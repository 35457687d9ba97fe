"""Memory, threads, files, time, output: what a child may use, and how it is ended."""

from __future__ import annotations

from tests.support.conformance.kind import (
    LIMITS,
    OUTPUT_BYTES,
    WORKED,
    Behaviour,
    Place,
    Seen,
    bounded,
    cannot,
    prints,
    refused,
    run,
    stops,
)

_MEMORY = ("limits", "cgroup")
_DISK = ("namespaces", "watch")
BOMB = (
    "import threading, time\nthreading.stack_size(32768)\nmade = []\n"
    "for _ in range($count):\n"
    "    t = threading.Thread(target=time.sleep, args=(3,), daemon=True); t.start(); made.append(t)"
)
FULL_DISK = "for n in range(8):\n    open(f'f{n}', 'wb').write(b'x' * 3_000_000)\n"
MANY_FILES = "for n in range(400):\n    open(f'f{n}', 'w').close()\n"
STAY = "import time; time.sleep(3.5)\n"
UNASKED = {
    "unasked": "import os; os.write(3, b'\\0' * 7 + b'\\5' + b'junk!')",
    "oversized": "import os; os.write(3, b'\\xff' * 64)",
    "from a thread": "import os, threading\n"
    "late = threading.Timer(0, os.write, (3, b'\\0' * 8)); late.start()",
    "behind a right answer": "import os\nfrom autograder.runner import serve\n"
    "write = serve._write\nserve._write = lambda fd, data: write(fd, bytes(data) + b'x') - 1",
}


def no_memory(seen: Seen) -> bool:
    return "got it" not in seen.text and "memory" in (seen.text + seen.sentence).lower()


def little_output(seen: Seen) -> bool:
    return seen.kept <= OUTPUT_BYTES and seen.dropped > 900_000


def interrupted(seen: Seen) -> bool:
    return seen.stop == "cpu" and seen.alive and seen.cpu_s < 10


def noticed(seen: Seen) -> bool:
    return seen.stop in ("died", "protocol") and not seen.answered and not seen.alive


def told(sentence: str) -> Seen:
    return Seen(text=sentence, sentence=sentence)


def others_have_threads(place: Place) -> Seen:
    """One child takes all the threads that it can get; the next one still has four."""
    greedy, honest = place.spawn(), place.spawn()
    try:
        run(greedy, BOMB.replace("$count", str(LIMITS.processes - 4)))
        return run(honest, FOUR_THREADS)
    finally:
        greedy.end()
        honest.end()


def same_sentences(place: Place) -> Seen:
    """The sentence of a stop says nothing that differs from run to run."""
    endings = {
        "while True: pass": {"cpu_s": 0.1},
        "import time; time.sleep(600)": {"wall_s": 0.1},
        "import os; os._exit(3)": {},
        "import os; os.abort()": {},
        "import os; os.write(3, b'\\xff' * 64); os._exit(0)": {},
        MANY_FILES + STAY: {},
    }
    odd = []
    for source, limits in endings.items():
        sentences = set()
        for _ in range(2):
            child = place.spawn()
            seen = run(child, source, **limits)
            sentences.add(seen.sentence or seen.text)
            child.end()
        if len(sentences) != 1 or "" in sentences:
            odd.append(sorted(sentences))
    return Seen(text=str(odd))


def is_killed_within_a_second(place: Place) -> Seen:
    child = place.spawn()
    source = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    seen = run(child, source, cpu_s=0.1)
    return Seen(text=f"{seen.stop} {seen.alive} {0.9 < seen.cpu_s < 4}")


FOUR_THREADS = (
    "import threading\ndone = []\n"
    "made = [threading.Thread(target=done.append, args=(n,)) for n in range(4)]\n"
    "[t.start() for t in made]; [t.join() for t in made]\nprint(sorted(done))"
)

ALL: tuple[Behaviour, ...] = (
    Behaviour(
        name="memory by one tensor",
        cells=("import torch; x = torch.ones(400_000_000); print('got it')",),
        holds=no_memory,
        by=_MEMORY,
        harmless=False,
    ),
    Behaviour(
        name="memory by one big allocation",
        cells=("import numpy; x = numpy.empty(3_000_000_000, 'uint8'); print('got it')",),
        holds=lambda seen: "MemoryError" in seen.text,
        by=("limits",),
    ),
    Behaviour(
        name="memory by many small allocations",
        cells=("x = []\nfor _ in range(15_000): x.append(bytearray(100_000))\nprint('got it')",),
        holds=no_memory,
        by=_MEMORY,
        harmless=False,
    ),
    Behaviour(
        name="memory by a shared mapping",
        cells=("import mmap; m = mmap.mmap(-1, 2_000_000_000); print('it worked')",),
        holds=lambda seen: WORKED not in seen.text,
        by=("limits",),
    ),
    Behaviour(
        name="memory by a shared mapping that is used",
        cells=(
            "import mmap; m = mmap.mmap(-1, 800_000_000)\n"
            "for at in range(0, len(m), 4096): m[at] = 1\nprint('it worked')",
        ),
        holds=lambda seen: WORKED not in seen.text,
        by=_MEMORY,
        harmless=False,
    ),
    Behaviour(
        name="memory by files in memory",
        cells=(
            "import os\nfor folder in ('/dev/shm', '/tmp', '.'):\n"
            "    for n in range(9):\n"
            "        try: open(f'{folder}/f{n}', 'wb').write(b'x' * 9_000_000)"
            "\n        except OSError: pass\n"
            "size = sum(os.path.getsize(f'{f}/{e}') for f in ('/dev/shm', '/tmp', '.') "
            "for e in os.listdir(f))\nprint(size <= 1.5 * 16 * 2**20)",
        ),
        holds=prints("True\n"),
        by=("namespaces",),
        harmless=False,
    ),
    cannot(
        "one big file",
        "open('big', 'wb').write(b'x' * 60_000_000)",
        by=("limits", "namespaces"),
        harmless=False,
    ),
    cannot(
        "a file beyond its size",
        "import os\nwith open('f', 'wb') as f:\n"
        "    os.posix_fallocate(f.fileno(), 0, 1)\n    os.truncate('f', 60_000_000)\n"
        "    f.seek(50_000_000); f.write(b'x'); f.flush()",
        by=("limits",),
    ),
    Behaviour(
        name="the sum of its files",
        cells=(f"{FULL_DISK}{STAY}print('it worked')",),
        holds=lambda seen: refused(seen) or stops("disk")(seen),
        by=_DISK,
    ),
    Behaviour(
        name="the number of its files",
        cells=(f"{MANY_FILES}{STAY}print('it worked')",),
        holds=lambda seen: refused(seen) or stops("disk")(seen),
        by=_DISK,
    ),
    cannot(
        "more than its number of open files",
        "files = [open('/dev/null') for _ in range(80)]",
        by=("limits",),
    ),
    cannot(
        "a memory image on disk",
        "import resource; assert resource.getrlimit(4)[1] != 0",
        by=("limits",),
        sure=False,
    ),
    cannot(
        "endless processor time by itself",
        "import resource; assert resource.getrlimit(0)[1] == resource.RLIM_INFINITY",
        by=("limits",),
        sure=False,
    ),
    cannot(
        "endless threads by the kernel's count",
        f"import resource; assert resource.getrlimit(6)[1] != {LIMITS.processes}",
        by=("uid",),
    ),
    Behaviour(
        name="threads without end",
        cells=(f"{BOMB.replace('$count', '200')}\n{STAY}print('it worked')",),
        holds=bounded,
        by=("watch",),
    ),
    Behaviour(
        name="threads without end, counted by the kernel",
        cells=(BOMB.replace("$count", "200").replace("(3,)", "(0.05,)") + "\nprint('it worked')",),
        holds=lambda seen: "can't start new thread" in seen.text,
        by=("uid", "cgroup"),
    ),
    Behaviour(
        name="threads within the bound leave some to others",
        question=others_have_threads,
        holds=prints("[0, 1, 2, 3]\n"),
    ),
    Behaviour(
        name="a cell that loops is interrupted and the child goes on",
        cells=("x = 1\nwhile True: pass",),
        holds=interrupted,
        cpu_s=0.1,
    ),
    Behaviour(
        name="what a loop made before is still there",
        cells=(
            "import threading, _thread\nx = 1\n"
            "threading.Timer(0.1, _thread.interrupt_main).start()\n"
            "while True: pass",
            "print(x)",
        ),
        holds=prints("1\n"),
    ),
    Behaviour(
        name="a cell that ignores the interrupt is killed a second later",
        question=is_killed_within_a_second,
        holds=prints("cpu False True"),
        once=True,
    ),
    Behaviour(
        name="a cell that sleeps is stopped by the clock",
        cells=("import time; time.sleep(600)",),
        holds=lambda seen: seen.stop == "wall" and seen.wall_s < 60,
        wall_s=0.1,
    ),
    *(
        Behaviour(
            name=f"a child that ends itself is noticed: {source[-22:]}",
            cells=(source,),
            holds=noticed,
        )
        for source in (
            "import os; os._exit(0)",
            "import os; os.kill(os.getpid(), 9); os.abort()",
            "import ctypes; ctypes.string_at(0)",
            "import os; os.close(3)",
        )
    ),
    *(
        Behaviour(
            name=f"saying more than was asked ends the child: {name}",
            cells=(source, "'late' in globals() and late.join()\nprint('x')"),
            holds=stops("protocol", "output"),
        )
        for name, source in UNASKED.items()
    ),
    Behaviour(
        name="a reply with another nonce is refused",
        cells=(
            "import os\nfrom autograder.wire.messages import *\n"
            "os.write(3, frame(encode(Reply(7, CellDone((), None)))))\nos._exit(0)",
        ),
        holds=lambda seen: not seen.answered and bool(seen.stop),
    ),
    Behaviour(
        name="output is bounded",
        cells=("for _ in range(200_000): print('spam')",),
        holds=little_output,
    ),
    Behaviour(
        name="a reply is bounded",
        cells=(
            "from autograder.runner import output\n"
            "output.Collector.outputs = lambda self: (output.Output('stdout', 'text/plain', "
            "b'x' * 9_000_000),)\nprint('x')",
        ),
        holds=stops("output"),
    ),
    Behaviour(
        name="a reply is bounded as it takes memory",
        cells=(
            "from autograder.runner import output\n"
            "one = output.Output('stdout', 'a', b'')\n"
            "output.Collector.outputs = lambda self: (one,) * 100_000\n"
            "print('x')",
        ),
        holds=stops("output"),
    ),
    Behaviour(
        name="the sentence of a stop is always the same",
        question=same_sentences,
        holds=prints("[]"),
        once=True,
    ),
)
