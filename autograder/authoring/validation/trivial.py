"""Trivial answers: form without content, which must not earn a single point.

Covered: zeros, ones, the first and the last argument, constants, noise that changes from call
to call and noise that does not, for functions, classes, objects and values alike; choices that
are empty or the first at hand; figures that are empty or not there. Where the right answer
raises, a trivial one does not. The names that an exercise's own cell binds are transformed; names
that its checks read from other exercises are not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.assignment.kinds import NO_WRONG_ANSWER, ChoiceCheck
from autograder.assignment.model import Assignment, Exercise
from autograder.notebook.structure.names import parse, read_names
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, solution_cells

# name -> arguments for formless.py
KINDS = {
    "zeros": "'zeros'",
    "ones": "'ones'",
    "first-argument": "'first'",
    "last-argument": "'last'",
    "nothing": "'constant', None",
    "constant-zero": "'constant', 0.0",
    "constant-one": "'constant', 1",
    "constant-true": "'constant', True",
    "noise": "'noise'",
    "same-noise": "'same noise'",
}
_OF_CALLS = ("first-argument", "last-argument", "same-noise")
_EMPTY_FIGURE = frozenset({"ones", "first-argument", "constant-one", "noise"})
_QUIET = """\
import contextlib as _contextlib
import io as _io
import matplotlib.pyplot as _plt
_shown, _plt.show = _plt.show, lambda *args, **kwargs: None
_figure_show, _plt.Figure.show = _plt.Figure.show, lambda *args, **kwargs: None
display = lambda *args, **kwargs: None
_printed = _contextlib.redirect_stdout(_io.StringIO())
_printed.__enter__()
"""
_LOUD = """
_printed.__exit__(None, None, None)
_plt.show, _plt.Figure.show = _shown, _figure_show
del display
_plt.close("all")
"""
_SHOW_EMPTY = """\
_plt.subplots()
_plt.show()
"""


def trivial_answers(solution: Submission, assignment: Assignment) -> tuple[Variant, ...]:
    """The trivial answers to every exercise that has automatic checks."""
    found: list[Variant] = []
    for exercise in assignment.exercise:
        cells = solution_cells(solution, exercise.id)
        # An exercise of predictions has no trivial answers.
        if len(cells) == 1 and any(check.kind not in NO_WRONG_ANSWER for check in exercise.check):
            found += _answers(cells[0].source, exercise)
    return tuple(found)


def names_of(exercise: Exercise, source: str) -> tuple[str, ...]:
    """The names that the exercise defines and its checks ask for, as far as its cell binds them.

    For a dotted name that is the class before the dot.
    """
    asked = list(exercise.defines)
    for check in exercise.check:
        asked += [getattr(check, field, "") for field in ("name", "call", "shows")]
        asked += getattr(check, "reads", ())
        asked += [spec.call for spec in getattr(check, "calls", ())]
    bound = read_names(source).defined
    roots = dict.fromkeys(name.partition(".")[0] for name in asked)
    return tuple(name for name in roots if name in bound)


def _answers(source: str, exercise: Exercise) -> Iterator[Variant]:
    names = names_of(exercise, source)
    widths = _widths(source, names)
    for kind, told in KINDS.items():
        if kind in _OF_CALLS and not widths:
            continue
        if kind == "last-argument" and max(widths, default=0) < 2:
            continue
        yield _variant(source, exercise, kind, f"{names!r}, {told}")
    for check in exercise.check:
        if isinstance(check, ChoiceCheck) and (option := _first_wrong(check, source)) is not None:
            yield _variant(
                source,
                exercise,
                f"first-option-{check.name.replace('.', '-')}",
                f"{names!r}, 'zeros'",
                f"{check.name} = {option!r}\n",
            )


def _variant(source: str, exercise: Exercise, kind: str, told: str, after: str = "") -> Variant:
    draws = any(c.kind == "figure" or getattr(c, "figures", False) for c in exercise.check)
    before, ending = (_QUIET, _LOUD) if draws else ("", "")
    if draws and kind in _EMPTY_FIGURE:
        ending += _SHOW_EMPTY
    program = _program()
    code = f"{before}{source}\n{ending}\n{program}\n\n_make_formless(globals(), {told})\n{after}"
    return Variant(
        name=f"{exercise.id}-trivial-{kind}",
        exercise=exercise.id,
        title=kind.replace("-", " "),
        tell="",
        code=code,
    )


def _program() -> str:
    """formless.py from its imports on."""
    text = Path(__file__).with_name("formless.py").read_text(encoding="utf-8")
    start = next(n.lineno for n in ast.parse(text).body if isinstance(n, ast.Import))
    return "\n".join(text.split("\n")[start - 1 :])


def _widths(source: str, names: tuple[str, ...]) -> tuple[int, ...]:
    """How many arguments each function and class method takes; empty for values."""
    tree = parse(source)
    widths = []
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
            methods = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef)]
            widths += [len([a for a in m.args.args if a.arg != "self"]) for m in methods]
    return tuple(widths)


def _first_wrong(check: ChoiceCheck, source: str) -> str | None:
    """The first option, unless it is the right one or the solution does not write it down."""
    for node in ast.walk(parse(source) or ast.Module(body=[], type_ignores=[])):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(right))) if (
                name == check.name
            ):
                same = check.options[0].strip().lower() == right.strip().lower()
                return None if same else check.options[0]
    return None
