"""The words of an assignment that students must not get: answers, mistakes, hidden checks.

Covered: every distinctive line of a solution region, of a known mistake and of an equivalent; the
titles and hints of hidden checks. In a program of ours, which may share a short line with an
answer by chance, a line of ``MIN_LONG`` characters or a whole answer.
Not covered: what the notebook's text or given code also shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.assignment.model import Assignment
from autograder.authoring.leak_check.search import EVERYWHERE, Secret, Sort, stripped
from autograder.notebook.structure.regions import answers_in, outside
from autograder.notebook.submission import Submission
from autograder.notebook.template.release import MIN_SECRET
from autograder.notebook.template.variant import Variant

MIN_LONG = 40  # characters of a line that no other program has by chance
_NOTEBOOK: frozenset[Sort] = frozenset(("notebook",))
_OTHERS = EVERYWHERE - _NOTEBOOK


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
