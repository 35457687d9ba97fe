"""Removes one guard at a time and looks whether the tests that name it fail.

A mark ``# guard: name`` stands behind the line that is guarded, or above it. Without the guard an
``if`` or ``while`` on that line never holds, and another statement is gone; where guards.toml has
an ``old`` text of the line, that is replaced by ``new``.

A program, not a test: ``python tests/support/mutate.py [--only NAME ...] [--jobs N]``. The tree is
copied, so the one that is worked in stays as it is. Covered: the guards in guards.toml.
Not covered: guards that nobody wrote down there.
"""

from __future__ import annotations

import argparse
import ast
import os
import queue
import re
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
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".venv", ".git", "out", "build", "__pycache__", ".*_cache", "*.egg-info")
CONFORMANCE = "tests/sandbox/test_conformance.py::test_a_behaviour_holds_or_is_a_known_failure"
ALONE = (CONFORMANCE, "tests/sandbox/test_guards.py")  # they need nothing of conftest.py: quicker
LIMIT_S = 180
FAILED = 1  # pytest: tests ran, and some failed
MARK = re.compile(r"[ \t]*# guard: (.+)")
MARKED = ("autograder", "assignments")


@dataclass(frozen=True, kw_only=True)
class Guard:
    """One guard, and which tests must fail without it; ``file`` where no mark can stand."""

    name: str
    tests: tuple[str, ...]
    old: str = ""
    new: str = ""
    file: str = ""
    user: str = ""

    def arguments(self) -> list[str]:
        """The tests as pytest takes them."""
        return [argument(test) for test in self.tests]

    def seen(self) -> bool:
        """Whether this user can see the difference."""
        return self.user in ("", "ordinary" if os.geteuid() else "root")


Place = tuple[Path, str, int]  # a file below the tree, its text without marks, and the guarded line
Places = dict[str, Place]  # by the name of the guard


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


def marked(text: str) -> tuple[str, dict[str, int]]:
    """A file's text without marks, and by name the number of the line that each one is for."""
    kept: list[str] = []
    places: dict[str, int] = {}
    waiting: list[str] = []
    for line in text.split("\n"):
        found = MARK.search(line)
        code = line[: found.start()] if found else line
        waiting += [found[1]] if found else []
        if code.strip() or not found:
            kept.append(code)
            places |= dict.fromkeys(waiting, len(kept))
            waiting.clear()
    return "\n".join(kept), places


def guarded_lines(tree: Path) -> Places:
    """Where the marks of a tree are. Raises ``ValueError`` for a name that stands twice."""
    found: Places = {}
    for path in sorted(p for top in MARKED for p in (tree / top).rglob("*") if p.is_file()):
        data = path.read_bytes()
        if b"# guard: " not in data:
            continue
        text, places = marked(data.decode())
        for name, line in places.items():
            if name in found:
                raise ValueError(f"{path}: another guard is {name!r}, in {found[name][0]}")
            found[name] = path.relative_to(tree), text, line
    return found


def without(text: str, line: int, guard: Guard) -> str:
    """The text without the guard of a line. Raises ``ValueError`` where the line has no such text,
    or no statement."""
    lines = text.split("\n")

    def place(row: int, column: int) -> int:
        before = sum(len(one) + 1 for one in lines[: row - 1])
        return before + len(lines[row - 1].encode()[:column].decode())

    if guard.old:
        at = text.find(guard.old, place(line, 0))
        begun = at + len(guard.old) - len(guard.old.lstrip())
        if at < 0 or text.count("\n", 0, begun) + 1 != line:
            raise ValueError(f"line {line} has no {guard.old!r}")
        return text[:at] + guard.new + text[at + len(guard.old) :]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.lineno == line:
            choice = isinstance(node, ast.If | ast.While)
            part: Any = node.test if choice else node  # type: ignore[attr-defined]
            begin = place(part.lineno, part.col_offset)
            end = place(part.end_lineno, part.end_col_offset)
            return text[:begin] + ("False" if choice else "pass") + text[end:]
    raise ValueError(f"no statement begins in line {line}")


def place_of(guard: Guard, tree: Path, marks: Places) -> Place:
    """Where a guard of a tree is, which has these marks. Raises ``LookupError``, ``ValueError``."""
    if not guard.file:
        return marks[guard.name]
    text = (tree / guard.file).read_text()
    if text.count(guard.old) != 1:
        raise ValueError(f"{guard.file} has its text {text.count(guard.old)} times")
    return Path(guard.file), text, text.count("\n", 0, text.index(guard.old)) + 1


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
        command,
        cwd=tree,
        env=environment,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return -1, "it took too long"
    lines = said.splitlines()
    summary = [line for line in lines[:-4] if " failed" in line][-1:]  # threads may speak after it
    return process.returncode, "\n".join([*summary, *lines[-4:]])


def try_without(guard: Guard, marks: Places, free: queue.Queue[Path]) -> Trial:
    tree = free.get()
    began = time.monotonic()
    try:
        own, text, line = place_of(guard, tree, marks)
        path, gone = tree / own, without(text, line, guard)
    except (LookupError, ValueError) as lost:
        free.put(tree)
        return Trial(guard=guard, word=f"it has no place: {lost}", seconds=0)
    whole = path.read_text()
    try:
        path.write_text(gone)
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
        package, marks = where(tree), guarded_lines(tree)
        free.put(tree)
        print(f"package under test: {package}")
        if not Path(package).is_relative_to(tree):
            return 2
        for trial in pool.map(lambda guard: try_without(guard, marks, free), tried):
            print(f"{trial.word:<9} {trial.seconds:5.1f} s  {trial.guard.name}", flush=True)
            if not trial.word.startswith("killed"):
                bad.append(trial)
                print(trial.tail)
    left = len(chosen) - len(tried)
    print(
        f"{len(tried) - len(bad)} of {len(tried)} guards are missed by a test when they are gone"
        + (f"; {left} show only to another user" if left else "")
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
