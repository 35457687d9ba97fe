"""What grading costs, as ratios that are taken within one run on one machine:

    python -m tests.benchmarks [submission|class|queue|explanation ...] [--assignment NAME]

Each ratio is of processor seconds (user and system, children included), since other work on the
machine affects them less than elapsed time; still, only the ratios say anything elsewhere.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.assignment.load import Loaded, load
from autograder.assignment.read import find
from tests.benchmarks import explanation, queue, submission, whole_class
from tests.benchmarks.measure import Ratio

ROOT = Path(__file__).resolve().parents[2]
PARTS: dict[str, Callable[[Loaded, int], Iterator[Ratio]]] = {
    "submission": lambda loaded, count: submission.measured(loaded, rounds=count or 5),
    "class": lambda loaded, count: whole_class.measured(loaded, students=count or 12),
    "queue": lambda loaded, count: queue.measured(count=count or 2000),
    "explanation": lambda loaded, count: explanation.measured(loaded, mistakes=count or 9),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="default: all")
    parser.add_argument("--assignment", default="embeddings-and-position")
    parser.add_argument("--count", type=int, default=0, help="rounds, students or mistakes")
    asked = parser.parse_args()
    loaded = load(find(asked.assignment, ROOT))
    for part in asked.parts or PARTS:
        print(part, flush=True)
        for ratio in PARTS[part](loaded, asked.count):
            print(shown(ratio), flush=True)


def shown(ratio: Ratio) -> str:
    """The median, the smallest and the largest, and what they are."""
    least, median, most = (f(ratio.values) for f in (min, statistics.median, max))
    spread = f"({least:.2f} to {most:.2f})" if len(ratio.values) > 1 else ""
    return f"{median:9.2f} {spread:20} {ratio.text}"


if __name__ == "__main__":
    main()
