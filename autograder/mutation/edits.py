"""Small edits of a student's own cell: each undoes one ordinary fault, if that fault is there.

Most are the operators that make mutants, which are their own inverses. Likely kinds of fault have
more places among the edits that are tried than unlikely ones, and none takes all of them.

Covered: what the functions in question reach in the cell. Not covered: cells with magics; faults
that leave nothing of what was meant, such as a missing statement.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from autograder.assignment.model import Exercise
from autograder.mutation import remedies
from autograder.mutation.mutants import parse_changed
from autograder.mutation.operators import OPERATORS, Operator
from autograder.mutation.page import Edit, Page, open_page
from autograder.mutation.silent import places

NO_CONDITION = ("True", "False")  # a test that is always or never true undoes nothing


class Remedy(NamedTuple):
    """Edits against one kind of fault. ``weight``: how many are tried before one of a kind with
    weight 1."""

    words: str
    operators: tuple[Operator, ...]
    weight: int = 1


def _own(*names: str) -> tuple[Operator, ...]:
    return tuple(OPERATORS[name] for name in names)


REMEDIES: Mapping[str, Remedy] = MappingProxyType(
    {
        "axis": Remedy("the axis", (remedies.other_axis, remedies.missing_axis), 6),
        "kept axis": Remedy("an axis that has to be kept", (remedies.kept_axis,), 3),
        "function": Remedy(
            "the function that is called", (*_own("swapped-function"), remedies.other_function), 4
        ),
        "operation": Remedy(
            "the operation", (*_own("swapped-operation"), remedies.other_operation), 6
        ),
        "by one": Remedy("off by one", (*_own("off-by-one"), remedies.one_less), 6),
        "too much": Remedy("something that does not belong there", _own("missing-operand"), 5),
        "arguments": Remedy("the order of the arguments", _own("swapped-arguments"), 3),
        "sign": Remedy("the sign", (*_own("missing-sign", "negative-result"),), 3),
        "missing sign": Remedy("the sign", (remedies.missing_sign,), 3),
        "slice": Remedy("the slice", _own("other-slice"), 3),
        "number": Remedy("the number", (remedies.other_number,), 6),
        "name": Remedy("the name", (remedies.other_name,), 6),
        "new axis": Remedy("where the new axis goes", _own("moved-axis"), 2),
        "pair": Remedy("the order of two values", (remedies.exchanged_pair,), 3),
        "turned": Remedy("which axes are exchanged", _own("turned-axes", "transposed-result"), 2),
        "needless step": Remedy(
            "a step too many", (remedies.needless_step, *_own("missing-step")), 4
        ),
        "missing step": Remedy("a missing step", (remedies.missing_step,), 2),
        "comparison": Remedy(
            "the comparison", (*_own("other-comparison"), remedies.turned_comparison), 3
        ),
        "condition": Remedy("the condition", _own("other-condition"), 2),
        "flag": Remedy("a flag", _own("flipped-flag"), 2),
        "keyword": Remedy("a keyword argument too many", _own("missing-keyword"), 2),
        "missing keyword": Remedy("a missing keyword argument", (remedies.missing_keyword,)),
        "in place": Remedy("a value that is changed in place", (remedies.changed_in_place,), 2),
        "device": Remedy("the device", (remedies.missing_device,), 2),
        "buffer": Remedy("how a tensor is kept", (remedies.missing_buffer,)),
        "exception": Remedy("the exception", _own("other-exception")),
        "order": Remedy("the order of two lines", (remedies.neighbouring_statements,), 2),
    }
)


@dataclass(frozen=True, slots=True)
class CellEdit:
    """A cell with one small edit. ``line``: where it begins; ``before`` and ``after``: the lines
    that it changes; ``words``: what is wrong there, if the edit is right."""

    words: str
    line: int
    before: str
    after: str
    code: str


def edits_of(
    source: str, exercise: Exercise, names: Collection[str], most: int
) -> tuple[CellEdit, ...]:
    """At most ``most`` edits of what ``names`` reach in a cell; none if it is not plain Python."""
    page = open_page(source, exercise)
    if page is None:
        return ()
    nodes = list(_reached_places(page, names))
    return tuple(islice(_each_once(page, nodes), most))


def _each_once(page: Page, nodes: Collection[ast.AST]) -> Iterator[CellEdit]:
    """The edits that give Python, in the order in which they are tried."""
    seen = {page.source.decode()}
    for words, edit in _in_turn(page, nodes):
        code = page.apply(edit)
        if code not in seen and parse_changed(code) is not None:
            seen.add(code)
            yield _cell_edit(page, edit, words, code)


def _in_turn(page: Page, nodes: Collection[ast.AST]) -> Iterator[tuple[str, Edit]]:
    """Of each kind as many edits as its weight, and again, until there are no more."""
    waiting = [(remedy, _edits(remedy, page, nodes)) for remedy in REMEDIES.values()]
    while waiting:
        left = []
        for remedy, edits in waiting:
            turn = list(islice(edits, remedy.weight))
            yield from ((remedy.words, edit) for edit in turn)
            if len(turn) == remedy.weight:
                left.append((remedy, edits))
        waiting = left


def _edits(remedy: Remedy, page: Page, nodes: Collection[ast.AST]) -> Iterator[Edit]:
    for node in nodes:
        for operator in remedy.operators:
            found = operator(node, page)
            yield from (edit for edit in found if edit.text not in NO_CONDITION or _is_flag(node))


def _is_flag(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _cell_edit(page: Page, edit: Edit, words: str, code: str) -> CellEdit:
    """An edit with the lines that it changes."""
    old, new = page.source.decode().split("\n"), code.split("\n")
    first = next((n for n, pair in enumerate(zip(old, new, strict=False)) if len(set(pair)) > 1), 0)
    same = 0
    while same < min(len(old), len(new)) - first - 1 and old[-1 - same] == new[-1 - same]:
        same += 1
    before, after = old[first : len(old) - same], new[first : len(new) - same]
    return CellEdit(words, first + 1, "\n".join(before), "\n".join(after), code)


def _reached_places(page: Page, names: Collection[str]) -> Iterator[ast.AST]:
    """The places for edits in the statements of the cell that ``names`` reach."""
    own: dict[str, list[ast.stmt]] = {}
    for statement in page.tree.body:
        for name in _names_bound(statement):
            own.setdefault(name, []).append(statement)
    reached, waiting = set[ast.stmt](), list(names)
    while waiting:
        for statement in own.pop(waiting.pop(), ()):
            reached.add(statement)
            waiting += [n.id for n in ast.walk(statement) if isinstance(n, ast.Name)]
    for node in places(page):
        at = node
        while (up := page.parent(at)) is not None and up is not page.tree:
            at = up
        if at in reached:
            yield node


def _names_bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
