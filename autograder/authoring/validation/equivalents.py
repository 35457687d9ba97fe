"""Generated equivalents: right answers with one rewrite each, and whole notebooks that pair all of
an assignment's own equivalents with each other and with each layout, or in which right answers
build on a wrong one."""

from __future__ import annotations

import ast
import hashlib
import random
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import msgspec

from autograder.assignment.kinds import NO_WRONG_ANSWER
from autograder.assignment.model import Assignment
from autograder.authoring.validation.covering import Pair, covering_rows
from autograder.authoring.validation.rewrites.families import CHECKED, SURE
from autograder.authoring.validation.rewrites.layouts import LAYOUTS, laid_out
from autograder.mutation.mutants import diff, short
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant, solution_cells

MEETINGS = 3  # answers to one exercise that a known mistake of an earlier one is tried with
SAME = "solution"  # the level of an exercise that is answered as in the solution
_ATTRIBUTE = re.compile(r"self\.(\w+) = ")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An answer written in another way. ``base`` names the answer that it was made from (the
    solution's or an equivalent's), ``sure`` whether it means the same whatever the types are."""

    name: str
    exercise: str
    family: str
    base: str
    code: str
    original: str
    sure: bool

    @property
    def diff(self) -> str:
        """What was changed."""
        return diff(self.original, self.code, names=("right", "right as well"))

    def submission(self, solution: Submission) -> Submission:
        """The solution with this answer."""
        return apply_variant(solution, _variant(self.name, self.exercise, self.code))

    def origin(self, solution: Submission) -> Submission:
        """The solution with the answer that it was made from."""
        return apply_variant(solution, _variant(self.base, self.exercise, self.original))


@dataclass(frozen=True, slots=True)
class Combination:
    """A whole notebook: the equivalent that answers each exercise, where it is not the solution,
    and the layout, empty for the template's. ``wrong``: exercises that may lose, because their
    answer is a known mistake, or builds on one that allows for it."""

    name: str
    answers: tuple[Variant, ...]
    layout: str
    wrong: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """Its parts."""
        return " + ".join(
            (*(answer.name for answer in self.answers), *filter(None, (self.layout,)))
        )

    def smaller(self) -> Iterator[Combination]:
        """Combinations with one part fewer."""
        for variant in self.answers:
            yield replace(
                self, answers=tuple(answer for answer in self.answers if answer is not variant)
            )
        if self.layout and self.answers:
            yield replace(self, layout="")

    def submission(self, solution: Submission, assignment: Assignment) -> Submission:
        """The notebook."""
        made = solution
        for variant in self.answers:
            made = apply_variant(made, variant)
        if self.layout:
            defines = {exercise.id: exercise.defines for exercise in assignment.exercise}
            cells = laid_out(made.cells, defines, self.layout)
            digest = hashlib.sha256(f"{made.sha256}\0{self.layout}".encode()).hexdigest()
            made = msgspec.structs.replace(made, cells=cells, sha256=digest)
        return msgspec.structs.replace(made, file=f"{self.name}.py")


def rewrites(
    solution: Submission,
    assignment: Assignment,
    equivalents: Sequence[Variant],
    *,
    more: int,
    seed: int,
) -> tuple[Rewrite, ...]:
    """Every rewrite of the solution, and ``more`` rewrites of the equivalents, drawn by seed."""
    sources = {cell.number: cell.source for cell in solution.cells if cell.kind == "code"}
    made: list[Rewrite] = []
    others: list[Rewrite] = []
    for exercise in assignment.exercise:
        cells = solution_cells(solution, exercise.id)
        if len(cells) != 1 or all(check.kind in NO_WRONG_ANSWER for check in exercise.check):
            continue
        elsewhere = "\n".join(text for n, text in sources.items() if n != cells[0].number)
        made += _rewrites(exercise.id, SAME, cells[0].source, elsewhere)
        for variant in equivalents:
            if variant.exercise == exercise.id:
                others += _rewrites(exercise.id, variant.name, variant.code, elsewhere)
    order = random.Random(seed)  # noqa: S311  nothing secret
    return (*made, *order.sample(others, min(more, len(others))))


def _rewrites(exercise: str, base: str, source: str, elsewhere: str) -> Iterator[Rewrite]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return  # magics
    original = ast.unparse(tree)
    seen = {original}
    for sure, families in ((False, CHECKED), (True, SURE)):
        for family, change in families.items():
            for changed in change(tree):
                code = _text(changed)
                if code is None or code in seen or _hides(original, code, elsewhere):
                    continue
                seen.add(code)
                digest = short(f"{base}\0{code}")
                name = f"{exercise}-{family.replace(' ', '-')}-{digest}"
                yield Rewrite(name, exercise, family, base, code, original, sure)


def _text(tree: ast.Module) -> str | None:
    """The program as text; None if the rewrite does not fit there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ast.unparse(ast.fix_missing_locations(tree))
            compile(text, "<equivalent>", "exec")
    except (SyntaxError, ValueError):
        return None
    return text


def _hides(original: str, code: str, elsewhere: str) -> bool:
    """Whether the rewrite renames an attribute that other cells use."""
    gone = set(_ATTRIBUTE.findall(original)) - set(_ATTRIBUTE.findall(code))
    # An attribute that other cells use is not renamed.
    return any(re.search(rf"\.{name}\b", elsewhere) for name in gone)


def combinations(
    assignment: Assignment, equivalents: Sequence[Variant], *, seed: int
) -> tuple[Combination, ...]:
    """Notebooks that together hold every pair of equivalents of different exercises, and of an
    equivalent and a layout, except pairs that are declared not to go together."""
    answers: dict[str, list[Variant | None]] = {e.id: [None] for e in assignment.exercise}
    for variant in equivalents:
        answers[variant.exercise].append(variant)
    factors = [several for several in answers.values() if len(several) > 1]
    layouts = ("", *LAYOUTS)
    # Equivalents that do not go together are not tried together.
    rows = covering_rows([*map(len, factors), len(layouts)], seed=seed, never=list(_apart(factors)))
    return tuple(
        Combination(
            f"combination-{number}",
            tuple(v for f, n in zip(factors, row[:-1], strict=True) if (v := f[n]) is not None),
            layouts[row[-1]],
        )
        for number, row in enumerate(rows, 1)
    )


def carried_forward(
    assignment: Assignment, mistakes: Sequence[Variant], equivalents: Sequence[Variant]
) -> Iterator[Combination]:
    """Notebooks in which each known mistake meets right answers to later exercises that use what
    its exercise defines: up to ``MEETINGS`` of each exercise, in rotation."""
    names = {e.id: frozenset(d.split(".")[0] for d in e.defines) for e in assignment.exercise}
    used = {variant.name: _names_in(variant.code) for variant in equivalents}
    order, number = list(names), 0
    for exercise in order:
        later = order[order.index(exercise) + 1 :]
        users = [
            [
                variant
                for variant in equivalents
                if variant.exercise == e
                and exercise not in variant.apart
                and used[variant.name] & names[exercise] - names[e]
            ]
            for e in later
        ]
        users = [several for several in users if several]
        turns = min(MEETINGS, max(map(len, users), default=0))
        for turn, mistake in enumerate(m for m in mistakes if m.exercise == exercise):
            for at in range(turn * turns, (turn + 1) * turns):
                number += 1
                answers = (mistake, *(several[at % len(several)] for several in users))
                wrong = frozenset({exercise, *mistake.also})
                yield Combination(f"carried-forward-{number}", answers, "", wrong)


def _names_in(code: str) -> frozenset[str]:
    tree = parse(code)
    return frozenset(
        node.id for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.Name)
    )


def _apart(factors: Sequence[Sequence[Variant | None]]) -> Iterator[Pair]:
    """Pairs of which one is named in the other's ``# not with:``, by name or as ``turns_*``."""
    for a, ones in enumerate(factors):
        for b, others in enumerate(factors[a + 1 :], a + 1):
            for i, one in enumerate(ones):
                for j, other in enumerate(others):
                    if one and other and (_names(one, other) or _names(other, one)):
                        yield (a, i), (b, j)


def _names(one: Variant, other: Variant) -> bool:
    return any(fnmatchcase(other.name, name) for name in one.apart)


def _variant(name: str, exercise: str, code: str) -> Variant:
    return Variant(name=name, exercise=exercise, title=name, tell="", code=code)
