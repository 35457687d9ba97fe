"""Removes one guard at a time and looks whether the tests that name it fail.

A program, not a test: ``python tests/mutate.py [--only NAME ...] [--jobs N]``. The tree is
copied, so the one that is worked in stays as it is. Covered: the guards in guards.toml.
Not covered: guards that nobody wrote down there.
"""

from __future__ import annotations

import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = (".venv", ".git", "out", "build", "__pycache__", ".*_cache", "*.egg-info")
CONFORMANCE = "tests/test_conformance.py::test_a_behaviour_holds_or_is_a_known_failure"
ALONE = (CONFORMANCE, "tests/test_sandbox_guards.py")  # they need nothing of conftest.py: quicker
LIMIT_S = 180
FAILED = 1  # pytest: tests ran, and some failed


@dataclass(frozen=True, kw_only=True)
class Guard:
    """One guard: where it stands, what is there without it, and which tests must fail then."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    user: str = ""

    def arguments(self) -> list[str]:
        """The tests as pytest takes them."""
        return [argument(test) for test in self.tests]

    def seen(self) -> bool:
        """Whether this user can see the difference."""
        return self.user in ("", "ordinary" if os.geteuid() else "root")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What the tests said without the guard."""

    guard: Guard
    word: str  # killed, survived, or what went wrong
    seconds: float
    tail: str = ""


def guards() -> tuple[Guard, ...]:
    entries = tomllib.loads((ROOT / "tests" / "guards.toml").read_text())["guard"]
    return tuple(Guard(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries)


def argument(test: str) -> str:
    """``box:BACKEND/BEHAVIOUR`` is a line of the conformance suite."""
    if not test.startswith("box:"):
        return test
    backend, _, behaviour = test.removeprefix("box:").partition("/")
    return f"{CONFORMANCE}[{backend}-{behaviour}]"


@contextmanager
def copies(count: int) -> Iterator[queue.Queue[Path]]:
    """Copies of the tree, each for one trial at a time."""
    free: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory(prefix="autograder-mutants-") as folder:
        Path(folder).chmod(0o755)
        for number in range(count):
            target = Path(folder, str(number))
            shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
            free.put(target)
        yield free


def run_tests(tree: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """pytest's status and its last lines; -1 when it took too long."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
    if all(test.startswith(ALONE) for test in arguments):
        command.append("--noconftest")
    ours = {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(tree)}  # in commands that tests start, too
    environment = {**os.environ, **ours}
    with subprocess.Popen(
        command, cwd=tree, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return -1, "it took too long"
    lines = said.splitlines()
    summary = [line for line in lines[:-4] if " failed" in line][-1:]  # threads may speak after it
    return process.returncode, "\n".join([*summary, *lines[-4:]])


def try_without(guard: Guard, free: queue.Queue[Path]) -> Trial:
    tree = free.get()
    path = tree / guard.file
    whole = path.read_text()
    began = time.monotonic()
    try:
        if whole.count(guard.old) != 1:
            count = whole.count(guard.old)
            return Trial(guard=guard, word=f"its text stands there {count} times", seconds=0)
        path.write_text(whole.replace(guard.old, guard.new))
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)  # two versions, one second
        status, tail = run_tests(tree, guard.arguments())
    finally:
        path.write_text(whole)
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        free.put(tree)
    words = {FAILED: "killed", 0: "survived", -1: "killed (it took too long)"}
    word = words.get(status, f"the tests did not run (status {status})")
    if status == FAILED and " failed" not in tail:
        word = "killed (nothing could start)"
    return Trial(guard=guard, word=word, seconds=time.monotonic() - began, tail=tail)


def where(tree: Path) -> str:
    """The package that tests in a copy meet: it must be the copy's own."""
    script = "import autograder; print(autograder.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tree, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", default=[""], help="guards whose name holds one of these"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = [g for g in guards() if any(word in g.name for word in options.only)]
    tried = [g for g in chosen if g.seen()]
    bad = []
    with copies(options.jobs) as free, ThreadPoolExecutor(options.jobs) as pool:
        tree = free.get()
        package = where(tree)
        free.put(tree)
        print(f"package under test: {package}")
        if not Path(package).is_relative_to(tree):
            return 2
        for trial in pool.map(lambda guard: try_without(guard, free), tried):
            print(f"{trial.word:<9} {trial.seconds:5.1f} s  {trial.guard.name}", flush=True)
            if not trial.word.startswith("killed"):
                bad.append(trial)
                print(trial.tail)
    left = len(chosen) - len(tried)
    print(f"{len(tried) - len(bad)} of {len(tried)} guards are missed by a test when they are gone"
          + (f"; {left} show only to another user" if left else ""))  # fmt: skip
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
