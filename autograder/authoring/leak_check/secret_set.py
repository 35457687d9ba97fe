"""All secrets of one assignment, and which of them the files for students give away.

Covered: every distinctive line of a solution region, of a known mistake and of an equivalent; the
titles and hints of hidden checks. In a program of ours, which may share a short line with an
answer by chance, a line of ``MIN_LONG`` characters or a whole answer.
Not covered: what the notebook's text or given code also shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment
from autograder.authoring.leak_check.search import (
    EVERYWHERE,
    Secret,
    Sort,
    found,
    sort_of,
    stripped,
)
from autograder.authoring.leak_check.values import hidden_values, told_by
from autograder.authoring.small_calls import rows_of
from autograder.evidence.records import Run
from autograder.judging.diagnosis.case_trial import is_small
from autograder.judging.diagnosis.small_calls import trials_of
from autograder.notebook.structure.regions import answers_in, outside
from autograder.notebook.submission import Submission
from autograder.notebook.template.release import MIN_SECRET
from autograder.notebook.template.variant import Variant
from autograder.student.public_evidence import is_public

MIN_LONG = 40  # characters of a line that no other program has by chance
_NOTEBOOK: frozenset[Sort] = frozenset(("notebook",))
_OTHERS = EVERYWHERE - _NOTEBOOK


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


def told_by_small(data: bytes, assignment: Assignment, cases: Cases) -> Iterator[str]:
    """What small calls in public evidence give away, one sentence each.

    Covered: only calls that were made anew for a public check are in it, word for word, and only
    answers to these. Not covered: a small call that an author wrote (``NAME_small``).
    """
    trials = [
        (exercise.id, trial)
        for exercise in assignment.exercise
        for trial in trials_of(exercise, cases)
        if is_public(trial.check, exercise)
    ]
    calls = {(e, trial.check.id, _plain(rows_of(trial, cases))) for e, trial in trials}
    ids = {probe.id for _, trial in trials for probe in trial.probes}
    held = msgspec.msgpack.decode(data)
    for exercise, check, rows in held.get("small", ()):
        # Calls that are no small ones of public checks are found.
        if (exercise, check, _plain(rows)) not in calls:
            yield f"a call of '{exercise}/{check}' that is no small call of a public check"
    for id_ in held["outcomes"]:
        # Answers to small calls that no public check asks are found.
        if is_small(id_) and id_ not in ids:
            yield f"the answer to {id_!r}, which no public check asks"


def _plain(rows: Any) -> bytes:
    """Arguments as bytes, whether they were decoded into types or not."""
    return msgspec.msgpack.encode(msgspec.msgpack.decode(msgspec.msgpack.encode(rows)))


def answers(solution: Submission, variants: tuple[Variant, ...]) -> Iterator[Secret]:
    """The lines of the solution's regions and of its variants."""
    shown = set(_shown(solution))
    prose = "\n".join(shown)
    for cell in solution.cells:
        for answer in answers_in(cell.source) if cell.kind == "code" else ():
            what = f"the solution of {cell.exercise!r}"
            yield from _lines(what, [line for line in answer if line not in shown])
            yield from _whole(what, answer)  # whole answers of the solution are found
    for variant in variants:
        own = [line.strip() for line in variant.code.split("\n")]
        # Lines of mistakes and equivalents are found.
        yield from _lines(f"code of {variant.name!r}", [line for line in own if line not in prose])
        yield from _whole(f"code of {variant.name!r}", own)


def hidden_words(assignment: Assignment, solution: Submission) -> Iterator[Secret]:
    """Titles and hints of hidden checks."""
    prose = "\n".join(_shown(solution))
    checks = [check for exercise in assignment.exercise for check in exercise.check]
    public = {text for check in checks if check.public for text in (check.title, check.hint)}
    for exercise in assignment.exercise:
        for check in exercise.check:
            for name, text in (("title", check.title), ("hint", check.hint)):
                if text and not check.public and text not in public and text not in prose:
                    what = f"the {name} of the hidden check {exercise.id}/{check.id}: {text!r}"
                    yield Secret(what, text.encode())


def _shown(solution: Submission) -> Iterator[str]:
    """The lines outside all regions."""
    for cell in solution.cells:
        lines = outside(cell.source) if cell.kind == "code" else cell.source.split("\n")
        yield from (line.strip() for line in lines)


def _lines(what: str, lines: Sequence[str]) -> Iterator[Secret]:
    for line in dict.fromkeys(lines):
        if len(line) >= MIN_SECRET:
            sorts = EVERYWHERE if len(line) >= MIN_LONG else _NOTEBOOK
            yield Secret(f"a line of {what}: {line!r}", line.encode(), sorts)


def _whole(what: str, lines: Sequence[str]) -> Iterator[Secret]:
    text = stripped("\n".join(lines).encode())
    if len(text) >= MIN_SECRET:
        yield Secret(f"{what}, verbatim", text, _OTHERS, lines=True)
