"""All secrets of one assignment, and which of them the files for students give away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment
from autograder.authoring.leak_check.search import Secret, found, sort_of
from autograder.authoring.leak_check.small_rows import told_by_small
from autograder.authoring.leak_check.texts import answers, hidden_words
from autograder.authoring.leak_check.values import hidden_values, told_by
from autograder.evidence.records import Run
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant


@dataclass(frozen=True, slots=True)
class SecretSet:
    """An assignment with all that its author knows. ``expected`` is a run of the solution;
    ``variants`` are its known mistakes and equivalents."""

    spec: Assignment
    solution: Submission
    variants: tuple[Variant, ...]
    cases: Cases
    expected: Run

    def secrets(self) -> tuple[Secret, ...]:
        """What no file for students may contain."""
        return (
            *answers(self.solution, self.variants),
            *hidden_words(self.spec, self.solution),
            *hidden_values(self.spec, self.cases, self.expected),
        )


def told(knows: SecretSet, files: Mapping[str, bytes]) -> Iterator[str]:
    """A sentence for each secret of an assignment that a file for students contains."""
    yield from found(files, knows.secrets())
    for name, data in files.items():
        if sort_of(name) == "evidence":
            for look in (told_by, told_by_small):
                yield from (
                    f"{name}: contains {what}" for what in look(data, knows.spec, knows.cases)
                )
