"""A mutation run: one small fault at a time, and whether a test notices.

A report before a release, never a test: ``python -m tests.mutation_run [--sample 400] [--jobs 2]``.
First these packages' quick tests are run once, with the lines that each executes. Then each fault
is put into a copy of the tree, and the tests that execute its line are run, the quickest first. The
same faults are chosen as long as the code they are in stands.

Covered: what this process executes. Not covered: lines that run in a process of their own only;
for them the tests in the folder of the package are run. Faults that change nothing count as missed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
TARGETS = (
    *(f"autograder/{package}" for package in ("wire", "runner", "sandbox", "judging")),
    *(f"autograder/gradebook/{name}.py" for name in ("points", "standings", "late", "rounding")),
)
NOT_COPIED = (".git", ".venv", "out", "build", "dist", ".*_cache", "__pycache__")
IMPORTED_ONCE = ("torch", "numpy", "pandas", "matplotlib.pyplot", "IPython", "sqlalchemy")
WHERE = ("wire", "runner", "sandbox", "judging", "gradebook", "grading")
BUDGET_S, FOLDER_BUDGET_S, PATIENCE = 15.0, 30.0, 5
OPPOSITE: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.Div: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A node of a file in place of another; ``name`` does not depend on the number of its line."""

    name: str
    path: str
    node: ast.AST
    text: str


def faults_in(path: str) -> Iterator[Fault]:
    """The faults of one file."""
    seen: defaultdict[str, itertools.count[int]] = defaultdict(itertools.count)

    def walk(node: ast.AST, scope: str) -> Iterator[Fault]:
        for changed in _changed(node):
            old, text = ast.unparse(node), ast.unparse(changed)
            name = f"{path}::{scope}: {old} -> {text}".replace("\n", " ")
            yield Fault(f"{name} #{next(seen[name])}", path, node, text)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            scope = f"{scope}.{node.name}".strip(".")
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns", "decorator_list"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from walk(child, scope)

    for top in ast.parse((ROOT / path).read_text()).body:
        if isinstance(top, ast.FunctionDef | ast.ClassDef):
            yield from walk(top, "")


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    new: Any = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]) if type(operator) in OPPOSITE:
            new.ops = [OPPOSITE[type(operator)]()]
            yield new
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in OPPOSITE:
            new.op = OPPOSITE[type(operator)]()
            yield new
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.If() | ast.IfExp() | ast.While():
            pass  # its test has its own faults
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Expr(value=ast.Call()) | ast.Raise():
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Continue():
            yield ast.Break()


def chosen(number: int) -> list[Fault]:
    """A sample of the faults of all targets: those with the smallest digests of their names."""
    files = [
        file.relative_to(ROOT).as_posix()
        for target in TARGETS
        for file in ((ROOT / target).rglob("*.py") if (ROOT / target).is_dir() else [ROOT / target])
        if file.is_file()
    ]
    every = [fault for path in files for fault in faults_in(path)]
    return sorted(every, key=lambda fault: sha256(fault.name.encode()).digest())[:number]


def with_fault(text: str, fault: Fault) -> str:
    """The text of the fault's file with the fault in it."""
    node: Any = fault.node
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    data = text.encode()
    new = fault.text if isinstance(node, ast.stmt) else f"({fault.text})"
    return (data[:begin] + new.encode() + data[end:]).decode()


class Recorder:
    """A plugin of pytest's workers: which lines each test executes, and what it costs."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self.folder = folder
        include = [str(ROOT / t / "*") if (ROOT / t).is_dir() else str(ROOT / t) for t in TARGETS]
        self.lines = coverage.Coverage(data_file=folder / f"{os.getpid()}.lines", include=include)
        self.seconds: dict[str, float] = {}
        self.lines.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines.switch_context(item.nodeid)
        began = time.monotonic()
        result = yield
        self.seconds[item.nodeid] = time.monotonic() - began
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.seconds[report.nodeid] = float("inf")  # it cannot notice anything

    def pytest_sessionfinish(self) -> None:
        self.lines.stop()
        self.lines.save()
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(self.seconds))


def pytest_configure(config: pytest.Config) -> None:
    """This module is a plugin too: ``-p tests.mutation_run``."""
    if "AUTOGRADER_LINES" in os.environ and hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(os.environ["AUTOGRADER_LINES"])))


class Tests:
    """Which tests are run for a fault."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self.seconds: dict[str, float] = {}
        for file in folder.glob("*.json"):
            self.seconds |= json.loads(file.read_text())
        self.executed: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for file in folder.glob("*.lines"):
            data = coverage.CoverageData(str(file))
            data.read()
            for name in data.measured_files():
                for line, tests in data.contexts_by_lineno(name).items():
                    self.executed[name.partition("/autograder/")[2], line] |= set(tests)

    def of(self, fault: Fault) -> list[str]:
        """The quickest tests that execute the line, or those of its package."""
        line: int = fault.node.lineno  # type: ignore[attr-defined]
        tests = self.executed[fault.path.removeprefix("autograder/"), line] & self.seconds.keys()
        budget = BUDGET_S
        if not tests:
            folder = f"tests/{fault.path.split('/')[1]}/"
            tests = {test for test in self.seconds if test.startswith(folder)}
            budget = FOLDER_BUDGET_S
        ordered = sorted(tests, key=lambda test: self.seconds[test])
        spent = list(itertools.accumulate(self.seconds[test] for test in ordered))
        return [test for test, sum_ in zip(ordered, spent, strict=True) if sum_ <= budget]


def noticed(tree: Path, fault: Fault, tests: list[str], seconds: float) -> bool:
    """Whether one of the tests fails, or hangs, in the copy of the tree with the fault in it."""
    file = tree / fault.path
    whole = file.read_text()
    try:
        file.write_text(with_fault(whole, fault))
        os.utime(file, (time.time(), time.time_ns() % 10**9))  # never that of its compiled form
        child = os.fork()
        if not child:
            _run_tests(tree, tests)
        return _status(child, 60 + PATIENCE * seconds) != 0
    finally:
        file.write_text(whole)


def _run_tests(tree: Path, tests: list[str]) -> None:
    os.setsid()
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree)
    sys.path[:] = [str(tree), *(entry for entry in sys.path if entry not in ("", str(ROOT)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("autograder", "tests")]:
        del sys.modules[name]
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    status = 2
    with suppress(BaseException):
        status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--rootdir", str(tree), *tests])
    os._exit(int(status))


def _status(child: int, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--sample", type=int, default=400)
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--lines", type=Path, default=ROOT / "build/mutation/lines")
    options = ask.parse_args()
    if not options.lines.is_dir():
        options.lines.mkdir(parents=True)
        record = ["-n", str(options.jobs), "--dist", "loadfile", "-m", "not slow and not nightly"]
        record += [f"tests/{folder}" for folder in WHERE]
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation_run", *record],
            cwd=ROOT,
            env={**os.environ, "AUTOGRADER_LINES": str(options.lines)},
            check=False,
        )
    for name in IMPORTED_ONCE:  # a fork has them
        importlib.import_module(name)
    tests, faults = Tests(options.lines), chosen(options.sample)
    missed: defaultdict[str, list[str]] = defaultdict(list)
    trees: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        Path(folder).chmod(0o755)
        for number in range(options.jobs):
            tree = Path(folder, str(number))
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
            (tree / ".venv").symlink_to((ROOT / ".venv").resolve())
            trees.put(tree)

        def work(fault: Fault) -> None:
            run, tree = tests.of(fault), trees.get()
            try:
                seen = bool(run) and noticed(tree, fault, run, sum(map(tests.seconds.get, run)))
            finally:
                trees.put(tree)
            print("noticed" if seen else "missed ", f"{len(run):4}", fault.name, flush=True)
            if not seen:
                missed[fault.path].append(f"{fault.node.lineno}: {fault.name}")  # type: ignore[attr-defined]

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, faults))
    for path, names in sorted(missed.items()):
        print(path, *sorted(names), sep="\n  ")
    count = sum(map(len, missed.values()))
    print(f"{len(faults) - count} of {len(faults)} faults are noticed")


if __name__ == "__main__":
    main()
