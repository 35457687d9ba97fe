"""What the programs share that measure the grader on one assignment (exam, seeds, processors):
options, the assignment with what its answers are tried with, and how tables are printed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.console import Console

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch

from autograder.assignment.load import Loaded, load
from autograder.assignment.model import Exercise
from autograder.assignment.pretrained import Offer, prepare
from autograder.assignment.read import find
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.classroom.known_mistakes import WorkProgress, read_solution, refuse_brought
from autograder.classroom.reference import make_context
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, Runner
from autograder.notebook.submission import Submission
from autograder.reports.terminal.progress import progress
from autograder.sandbox.box import Level

Table = TypeVar("Table", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Course:
    """An assignment, and what its answers are tried with."""

    loaded: Loaded
    offer: Offer
    solution: Submission
    trials: TrialEngine
    require: Level
    seed: int

    @property
    def exercises(self) -> dict[str, Exercise]:
        """Those that can be run on this machine, by id."""
        every = self.loaded.spec.exercise
        return {e.id: e for e in every if e.id not in self.offer.unavailable}

    def context(self, runner: Runner, evidence: Path, seed: int) -> GradingContext:
        """With the inputs of a seed."""
        return make_context(
            self.loaded, self.offer, runner, seed=seed, draw=False, evidence=evidence
        )


def course_of(folder: Path, trials: TrialEngine, *, require: Level, seed: int) -> Course:
    """The assignment in a folder. Raises ``SpecError``."""
    loaded = load(folder)
    refuse_brought(loaded, "measured")
    return Course(loaded, prepare(loaded), read_solution(loaded), trials, require, seed)


def options(about: str | None) -> argparse.ArgumentParser:
    """The options that all have."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("assignment", help="an id below assignments/, or a folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--require", choices=("strong", "medium", "weak"), default="medium")
    parser.add_argument("--json", action="store_true")
    return parser


def shown(
    asked: argparse.Namespace, measure: Callable[[Course], Table], view: Callable[[Table], str]
) -> Table:
    """Measure, and print the table or all that it holds."""
    with progress(Console(stderr=True)) as bar:
        trials = TrialEngine(Local(asked.jobs), WorkProgress(bar.report, bar.done))
        folder = find(asked.assignment, Path.cwd())
        table = measure(course_of(folder, trials, require=asked.require, seed=asked.seed))
    print(as_json(table) if asked.json else view(table))
    return table


def as_json(table: msgspec.Struct) -> str:
    """All that a table holds."""
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode()


def markdown(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The rows below their headings."""
    lines = (" | ".join(map(str, row)) for row in (head, ["---"] * len(head), *rows))
    return "\n".join(f"| {line} |" for line in lines)
