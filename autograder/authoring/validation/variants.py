"""Everything that an assignment is tried with: the solution, each time with one change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.packages import TORCH
from autograder.authoring.validation.trivial import trivial_answers
from autograder.classroom.known_mistakes import variants_in
from autograder.mutation.mutants import Mutant, mutants, mutate, short
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.notebook.template.release import template_bytes
from autograder.notebook.template.variant import Variant, apply_variant
from autograder.reports.validation.model import Sort

THREADS = "two threads"  # the solution with another order of additions


@dataclass(frozen=True, slots=True)
class VariantSubmission:
    """A submission made from the solution; a whole notebook has no ``exercise``."""

    sort: Sort
    name: str
    exercise: str
    title: str
    submission: Submission
    variant: Variant | None = None
    mutant: Mutant | None = None

    @property
    def student(self) -> str:
        """A name that is unique among all tries."""
        return f"{self.sort}/{self.exercise}/{self.name}"

    def read(self) -> Submission:
        """The cells."""
        return self.submission


def tries(
    loaded: Loaded, solution: Submission, *, mutated: bool = True
) -> tuple[VariantSubmission, ...]:
    """All tries in the order of reports; raises ``SpecError`` for files that are wrong."""
    return (*_written(loaded, solution), *(_mutated(loaded, solution) if mutated else ()))


def _written(loaded: Loaded, solution: Submission) -> Iterator[VariantSubmission]:
    yield VariantSubmission("solution", "solution", "", "the solution itself", solution)
    yield VariantSubmission("template", "template", "", "the blank template", _template(loaded))
    made: tuple[tuple[Sort, tuple[Variant, ...]], ...] = (
        ("trivial", trivial_answers(solution, loaded.spec)),
        ("mistake", variants_in(loaded, "mistakes")),
        ("equivalent", variants_in(loaded, "equivalents")),
    )
    for sort, variants in made:
        for one in variants:
            changed = apply_variant(solution, one)
            yield VariantSubmission(sort, one.name, one.exercise, one.title, changed, one)
    if TORCH in loaded.packages:
        threads = _threads(solution)
        yield VariantSubmission("equivalent", THREADS, "", "the solution on two threads", threads)


def _mutated(loaded: Loaded, solution: Submission) -> Iterator[VariantSubmission]:
    for mutant in mutants(solution, loaded.spec):
        changed = apply_variant(solution, mutant.variant)
        title = f"{mutant.operator}, line {mutant.line}"
        yield VariantSubmission(
            "mutant", mutant.name, mutant.exercise, title, changed, mutant=mutant
        )


def broken_equivalents(loaded: Loaded, solution: Submission) -> Iterator[VariantSubmission]:
    """Each equivalent with one fault, chosen among its mutants by its name."""
    exercises = {exercise.id: exercise for exercise in loaded.spec.exercise}
    for one in variants_in(loaded, "equivalents"):
        if several := list(mutate(one.code, exercises[one.exercise])):
            mutant = several[int(short(one.name), 16) % len(several)]
            changed = apply_variant(solution, mutant.variant)
            name = f"{one.name}, broken: {mutant.name}"
            yield VariantSubmission(
                "mutant", name, one.exercise, mutant.operator, changed, mutant=mutant
            )


def _template(loaded: Loaded) -> Submission:
    """The student notebook that the solution generates now."""
    with TemporaryDirectory() as folder:
        path = Path(folder, loaded.template.name)
        path.write_bytes(template_bytes(loaded.solution, loaded.spec))
        return read(path)


def _threads(solution: Submission) -> Submission:
    """The solution with two threads from its first cell on."""
    first = next(cell.number for cell in solution.cells if cell.kind == "code")
    start = "import torch\ntorch.set_num_threads(2)\n"
    cells = tuple(
        msgspec.structs.replace(cell, source=start + cell.source) if cell.number == first else cell
        for cell in solution.cells
    )
    return msgspec.structs.replace(solution, file="threads.py", cells=cells)
