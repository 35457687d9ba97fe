"""Other layouts of a whole notebook: the same code in other cells, and other cells around it.

Each layout takes the cells of a right notebook and returns those of another right one. What a
student may do to cells without changing an answer is here; changes to one answer are in the other
modules.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from autograder.notebook.submission import NotebookCell

Cells = Sequence[NotebookCell]
Defines = Mapping[str, Sequence[str]]  # exercise -> the names that it asks for
Layout = Callable[[Cells, Defines], Iterable[NotebookCell]]

SCRATCH = (
    "1 / 0",
    "print(not_defined_anywhere)",
    "def broken(:",
    "%no_such_magic",
    "import no_such_module",
    "raise SystemExit",
    "assert False, 'try again'",
)


def _displayed(source: str) -> str:
    """The source with the value of its last line passed to ``display``, so that it is shown
    wherever that line is."""
    lines = source.split("\n")
    try:
        body = ast.parse(source).body
    except SyntaxError:  # magics
        return source
    if body and isinstance(body[-1], ast.Expr) and not isinstance(body[-1].value, ast.Call):
        lines[body[-1].lineno - 1 :] = [f"display({ast.unparse(body[-1])})"]
    return "\n".join(lines)


def _answers(cell: NotebookCell) -> bool:
    return cell.kind == "code" and bool(cell.exercise) and not cell.locked


def _code(source: str, exercise: str = "") -> NotebookCell:
    return NotebookCell(0, "code", source, exercise)


def all_in_one(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every answer in one cell at the end; the template's own are gone."""
    yield from (cell for cell in cells if not _answers(cell))
    yield _code("\n\n".join(_displayed(cell.source) for cell in cells if _answers(cell)))


def all_in_the_last(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every answer in the last exercise's cell; the others are left empty."""
    own = [cell for cell in cells if _answers(cell)]
    for cell in cells:
        if cell is own[-1]:
            source = "\n\n".join(_displayed(answer.source) for answer in own)
            yield msgspec.structs.replace(cell, source=source)
        elif _answers(cell):
            yield msgspec.structs.replace(cell, source="# all answers are in the last cell")
        else:
            yield cell


def one_statement_a_cell(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every cell split at its statements, each with the tag."""
    for cell in cells:
        yield from _split(cell, lambda n, of: True) if _answers(cell) else (cell,)


def tag_on_the_first(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every cell split at its statements; the first keeps the tag."""
    for cell in cells:
        yield from _split(cell, lambda n, of: n == 0) if _answers(cell) else (cell,)


def tag_on_the_last(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every cell split at its statements; the last keeps the tag."""
    for cell in cells:
        yield from _split(cell, lambda n, of: n == of - 1) if _answers(cell) else (cell,)


def _split(cell: NotebookCell, tagged: Callable[[int, int], bool]) -> Iterator[NotebookCell]:
    parts = list(_statements(cell.source))
    for number, part in enumerate(parts):
        yield _code(part, cell.exercise if tagged(number, len(parts)) else "")


def _statements(source: str) -> Iterator[str]:
    """The text of each top-level statement, decorators and the comments before it included; all
    from the start of a figure on stays together, because a cell's figures are shown at its end."""
    lines = source.split("\n")
    try:
        body = ast.parse(source).body
    except SyntaxError:
        yield source
        return
    begin, drawing = 0, False
    for node in body:
        drawing = drawing or "plt." in ast.unparse(node)
        together = drawing or isinstance(node, ast.Expr | ast.For | ast.With)
        if together and node is not body[-1]:
            continue
        assert node.end_lineno is not None
        if any(later.lineno == node.end_lineno for later in body if later is not node):
            continue
        end = len(lines) if node is body[-1] else node.end_lineno
        yield "\n".join(lines[begin:end])
        begin = end


def helpers_between(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Functions, classes and imports that are not asked for, in a cell before the answer."""
    for cell in cells:
        if not _answers(cell):
            yield cell
            continue
        wanted = {name.split(".")[0] for name in defines[cell.exercise]}
        tree = ast.parse(cell.source)
        helpers = [node for node in tree.body if _is_helper(node, wanted)]
        if helpers:
            rest = [node for node in tree.body if node not in helpers]
            yield _code("\n".join(ast.unparse(node) for node in helpers))
            source = "\n".join(ast.unparse(node) for node in rest)
            yield msgspec.structs.replace(cell, source=source)
        else:
            yield cell


def _is_helper(node: ast.stmt, wanted: set[str]) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in wanted


def names_used_again(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """At the end, every name that was asked for is used for something else."""
    yield from cells
    # for the last names that are asked for the last definition counts
    *asked, _ = filter(None, defines.values())
    names = sorted({name.split(".")[0] for several in asked for name in several})
    yield _code("\n".join(f"{name} = None" for name in names))


def scratch_cells(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """A cell that fails after every answer."""
    number = 0
    for cell in cells:
        yield cell
        if _answers(cell):
            yield _code(SCRATCH[number % len(SCRATCH)])
            number += 1


def under_main(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """What is neither a definition nor an import goes under ``if __name__ == "__main__"``."""
    for cell in cells:
        yield _under(cell, 'if __name__ == "__main__":') if _answers(cell) else cell


def tried(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """What is neither a definition nor an import is tried, and a failure is printed."""
    for cell in cells:
        end = "except Exception as problem:\n    print(problem)"
        yield _under(cell, "try:", end) if _answers(cell) else cell


def _under(cell: NotebookCell, head: str, end: str = "") -> NotebookCell:
    tree = ast.parse(_displayed(cell.source))
    loose = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom
    lines = []
    for node in tree.body:
        text = ast.unparse(node)
        if not isinstance(node, loose):
            inner = "\n".join(f"    {line}" for line in text.split("\n"))
            text = "\n".join(filter(None, (head, inner, end))) if '"""' not in text else text
        lines.append(text)
    return msgspec.structs.replace(cell, source="\n".join(lines))


def magics(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Magics and shell commands, as many notebooks have them."""
    yield _code("%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n!pip install torch")
    for cell in cells:
        line = "%config InlineBackend.figure_format = 'retina'\n"
        yield msgspec.structs.replace(cell, source=line + cell.source) if _answers(cell) else cell


def timed(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every answer under ``%%time``."""
    for cell in cells:
        line = "%%time\n"
        yield msgspec.structs.replace(cell, source=line + cell.source) if _answers(cell) else cell


def star_imports(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Everything of ``math`` and of ``torch.nn.functional`` by name."""
    yield _code("from math import *\nfrom torch.nn.functional import *")
    yield from cells


def no_tags(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """The tags of the cells are lost, as when a notebook is retyped."""
    for cell in cells:
        yield msgspec.structs.replace(cell, exercise="", id="") if _answers(cell) else cell


def no_given_cells(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Given cells that only look at answers are deleted."""
    for cell in cells:
        if not (cell.locked and "wait_for(" in cell.source and "def wait_for" not in cell.source):
            yield cell


def functions_first(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """All functions and classes again in a cell right after the first one."""
    code = [cell for cell in cells if cell.kind == "code"]
    for cell in cells:
        yield cell
        if cell is code[0]:
            trees = [ast.parse(own.source) for own in cells if _answers(own)]
            made = [n for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef)]
            yield _code("\n\n".join(ast.unparse(node) for node in made))


def pairs_in_one(cells: Cells, defines: Defines) -> Iterator[NotebookCell]:
    """Every second answer in the cell of the one before it, if no given cell is between them."""
    waiting: NotebookCell | None = None
    between: list[NotebookCell] = []
    for cell in cells:
        if not _answers(cell):
            if waiting is not None and cell.kind == "code":
                yield waiting
                yield from between
                waiting, between = None, []
            if waiting is None:
                yield cell
            else:
                between.append(cell)
        elif waiting is None:
            waiting = cell
        else:
            source = f"{_displayed(waiting.source)}\n\n{cell.source}"
            yield msgspec.structs.replace(waiting, source=source)
            yield from between
            waiting, between = None, []
    yield from (waiting, *between) if waiting is not None else ()


LAYOUTS: dict[str, Layout] = {
    "all answers in one cell": all_in_one,
    "all answers in the last cell": all_in_the_last,
    "one statement a cell": one_statement_a_cell,
    "the tag on the first part": tag_on_the_first,
    "the tag on the last part": tag_on_the_last,
    "helpers between": helpers_between,
    "names used again": names_used_again,
    "scratch cells that fail": scratch_cells,
    "under main": under_main,
    "tried": tried,
    "magics": magics,
    "timed": timed,
    "star imports": star_imports,
    "no tags": no_tags,
    "no given cells": no_given_cells,
    "functions first": functions_first,
    "pairs in one cell": pairs_in_one,
}


def laid_out(cells: Cells, defines: Defines, name: str) -> tuple[NotebookCell, ...]:
    """The cells in the layout of this name, renumbered."""
    changed = LAYOUTS[name](cells, defines)
    return tuple(
        msgspec.structs.replace(cell, number=number) for number, cell in enumerate(changed, 1)
    )
