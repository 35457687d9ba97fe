"""Mutants: the solution with one small fault, made by rule, that checks ought to notice.

Only the text of the changed node is replaced, so comments and layout stay. Mutants are left out
if they equal the original, or an earlier mutant, once constants are folded and steps that do
nothing are removed; whether a mutant differs from the solution is not known beyond that.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.assignment.kinds import NO_WRONG_ANSWER
from autograder.assignment.model import Assignment, Exercise
from autograder.mutation.canonical import canonical
from autograder.mutation.operators import OPERATORS
from autograder.mutation.page import Edit, Page, open_page
from autograder.mutation.silent import places
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, solution_cells


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed solution cell. ``line`` is where in the cell; ``diff`` is against the original.
    ``explanation`` completes "Your results are what the right solution would give if ..." for a
    student with this mutant's results; "" where it would be vague.

    The name does not depend on line numbers, so what an instructor wrote about a survivor
    stays with it when the cell grows elsewhere.
    """

    name: str
    exercise: str
    operator: str
    line: int
    code: str
    diff: str
    explanation: str = ""

    @property
    def variant(self) -> Variant:
        """This mutant as a variant of the solution."""
        return Variant(
            name=self.name, exercise=self.exercise, title=self.operator, tell="", code=self.code
        )


def mutants(solution: Submission, assignment: Assignment) -> tuple[Mutant, ...]:
    """One mutant per place and operator, for the solution cell of every exercise."""
    found = (mutants_of(solution, exercise) for exercise in assignment.exercise)
    return tuple(itertools.chain.from_iterable(found))


def mutants_of(solution: Submission, exercise: Exercise) -> tuple[Mutant, ...]:
    """The mutants of one exercise; none if its solution is not exactly one cell."""
    cells = solution_cells(solution, exercise.id)
    # An exercise of predictions has no mutants.
    if len(cells) != 1 or all(check.kind in NO_WRONG_ANSWER for check in exercise.check):
        return ()
    return tuple(mutate(cells[0].source, exercise))


def mutate(source: str, exercise: Exercise) -> Iterator[Mutant]:
    """The mutants of one cell."""
    page = open_page(source, exercise)
    if page is None:
        return
    seen = {canonical(page.tree)}
    alike: Counter[str] = Counter()
    for node in places(page):
        for operator, change in OPERATORS.items():
            for edit in change(node, page):
                code = page.apply(edit)
                tree = parse_changed(code)
                if tree is None or (form := canonical(tree)) in seen:
                    continue
                seen.add(form)
                digest = _digest(page, edit, operator)
                alike[digest] += 1
                if alike[digest] > 1:  # the same change to an equal line further down
                    digest = short(f"{digest} {alike[digest]}")
                yield Mutant(
                    name=f"{exercise.id}-{operator}-{digest}",
                    exercise=exercise.id,
                    operator=operator,
                    line=page.line(edit.begin),
                    code=code,
                    diff=diff(source, code),
                    explanation=edit.as_if,
                )


def parse_changed(code: str) -> ast.Module | None:
    """The tree of a changed cell; None where the change does not fit there."""
    try:
        compile(code, "<mutant>", "exec")
        return ast.parse(code)
    except (SyntaxError, ValueError):
        return None


def _digest(page: Page, edit: Edit, operator: str) -> str:
    """What identifies a change: the lines it touches, before and after."""
    begin = page.starts[page.line(edit.begin) - 1]
    end = page.source.find(b"\n", edit.end)
    end = len(page.source) if end < 0 else end
    before = page.source[begin:end]
    after = page.source[begin : edit.begin] + edit.text.encode() + page.source[edit.end : end]
    return short("\0".join((operator, before.decode().strip(), after.decode().strip())))


def short(text: str) -> str:
    """A digest of eight characters, for names."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def diff(before: str, after: str, *, names: tuple[str, str] = ("solution", "mutant")) -> str:
    """The changed lines of a cell, with one around them."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), *names, n=1, lineterm="")
    return "\n".join(lines)
