"""Compares what graders say about every answer of the assignments with the files beside this one.

    python -m tests.golden [--write] [--only ASSIGNMENT[/EXERCISE]] [--jobs N]

An interrupted run continues where it stopped: what was run and what was graded is kept in
build/golden for as long as nothing changes on which it depends.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as in the tests
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.files import write_atomic
from tests.golden import snapshots
from tests.golden.outcomes import (
    Blocks,
    GoldenGrader,
    Source,
    file_of,
    read_blocks,
    same,
    submissions,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "golden"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if nothing differs, or all is written; otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files anew")
    parser.add_argument("--only", default="", metavar="ASSIGNMENT[/EXERCISE] | snapshots")
    parser.add_argument("--jobs", type=int, default=2, help="submissions at a time (2)")
    wish = parser.parse_args(arguments)
    only, _, exercise = wish.only.partition("/")
    names = [only] if only else sorted(p.name for p in (ROOT / "assignments").iterdir())
    names = [name for name in names if name != "snapshots"]
    differs = False
    try:
        for name in names:
            path, golden, now = _outcomes(name, exercise, wish.jobs)
            differs |= _settle(path, file_of(golden), file_of(now), write=wish.write)
        for path, text in snapshots.made() if only in ("", "snapshots") else ():
            before = path.read_text(encoding="utf-8") if path.is_file() else ""
            differs |= _settle(path, before, text, write=wish.write)
    except KeyboardInterrupt:
        _say("stopped; the same command continues")
        return 130
    return int(differs)


def _outcomes(assignment: str, exercise: str, jobs: int) -> tuple[Path, Blocks, Blocks]:
    """The file of an assignment, its submissions' lines in it, and those of today."""
    loaded = load(find(assignment, ROOT))
    every = submissions(loaded)
    wanted = {n: s for n, s in every.items() if not exercise or n.split("/")[1] == exercise}
    path = HERE / f"{assignment}.txt"
    golden = read_blocks(path)
    grader = GoldenGrader(loaded, KEPT, jobs)
    now = _graded(grader, wanted)
    # what differs in a last digit alone stays as it is
    now = {n: golden[n] if same(golden.get(n, ""), block) else block for n, block in now.items()}
    others = {n: block for n, block in golden.items() if n in every and n not in wanted}
    return path, golden, {**others, **now}


def _graded(grader: GoldenGrader, wanted: dict[str, Source]) -> dict[str, str]:
    begun = time.monotonic()
    now: dict[str, str] = {}

    def report(what: str, total: int) -> None:
        _say(
            f"{what}: {total} ({len(now)} of {len(wanted)} after {time.monotonic() - begun:.0f} s)"
        )

    now.update(grader.blocks(wanted, report))
    _say(f"{grader.loaded.spec.id}: {len(now)} in {time.monotonic() - begun:.0f} s")
    return now


def _settle(path: Path, before: str, now: str, *, write: bool) -> bool:
    """Write a file that differs, or print how; returns whether it differs still."""
    if before == now:
        return False
    if write:
        write_atomic(path, now.encode())
        _say(f"written: {path.relative_to(ROOT)}")
        return False
    name = str(path.relative_to(ROOT))
    lines = difflib.unified_diff(
        before.splitlines(), now.splitlines(), name, f"{name}, now", n=1, lineterm=""
    )
    print("\n".join(lines))
    return True


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
