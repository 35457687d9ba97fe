"""Attacks the grader on this machine, with planted secrets:

    python -m tests.attacks [--only CLASS or CLASS/NAME] [--level strong|medium|all] [ASSIGNMENT]

Prints how many attacks were contained, by class and level, and why others were not. The exit
status is 1 if an attack succeeded that is not known to, and 2 if none could be tried.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.classroom.known_mistakes import WorkProgress
from autograder.commands.console import err
from autograder.errors import AutograderError
from autograder.gradebook.visible import one_line
from autograder.reports.terminal.progress import progress
from tests.attacks.attack import KINDS, SNIPPETS, choose, read_attacks
from tests.attacks.run import AttackResult, AttackRound, run_levels


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("assignment", nargs="?", default="embeddings-and-position")
    parser.add_argument("--only", default="", help="this class of attacks, or this attack")
    parser.add_argument("--level", choices=("strong", "medium", "all"), default="all")
    parser.add_argument("--attacks", type=Path, default=SNIPPETS, help="folder of attacks")
    asked = parser.parse_args()
    try:
        attacks = choose(read_attacks(asked.attacks), asked.only)
        loaded = load(find(asked.assignment, Path.cwd()))
        with progress(err, "Running attacks; this may take minutes") as bar:
            steps = WorkProgress(bar.report, bar.done)
            rounds = run_levels(loaded, attacks, asked.level, steps)
    except AutograderError as wrong:
        parser.error(str(wrong))
    print("\n".join(lines(rounds)))
    sys.exit(0 if all(one.held for one in rounds) else 1)


def lines(rounds: Sequence[AttackRound]) -> Iterator[str]:
    """Contained attacks out of all, by class and level, then those not contained and why."""
    yield _row("class", [one.level for one in rounds])
    for kind in KINDS:
        own = [[r for r in one.results if r.attack.kind == kind] for one in rounds]
        if any(own):
            yield _row(kind, map(_share, own))
    yield _row("all", [_share(one.results) for one in rounds])
    yield _row("seconds", [f"{one.seconds:.0f}" for one in rounds])
    for one in rounds:
        for problem in one.problems:
            yield f"{one.level}: {one_line(problem)}"
        for result in one.results:
            name, why = result.attack.name, one_line("; ".join(result.problems))
            if result.contained and result.known:
                yield f"{one.level}: {name} is contained now; remove its `known: {one.level}`"
            elif not result.contained and result.known:
                yield f"{one.level}: {name} is a known exception: {result.known}"
            elif not result.contained:
                yield f"{one.level}: {name} was not contained: {why}"


def _row(name: str, columns: Iterator[str] | Sequence[str]) -> str:
    return f"{name:10}" + "".join(f"{column:>10}" for column in columns)


def _share(results: Sequence[AttackResult]) -> str:
    return f"{sum(result.contained for result in results)}/{len(results)}"


if __name__ == "__main__":
    main()
