"""Quotes from a submission the lines that ran only where it goes wrong.

The lines are claims of the sandbox. Covered: lines that the submission does not have, or that are
not the student's. Not covered: which of them really ran.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import dedent, indent

from msgspec.structs import replace

from autograder.judging.verdict import RanLine, Verdict
from autograder.notebook.structure.locate import GIVEN
from autograder.notebook.structure.names import parse
from autograder.wire.messages import Cell

MOST_STATEMENTS, MOST_LINES, MOST_TEXT = 3, 8, 200  # that are quoted; characters of a line


def quoted(verdicts: Sequence[Verdict], cells: Iterable[Cell]) -> tuple[Verdict, ...]:
    """The verdicts, with the statements in which these lines are, if they are few."""
    own = {cell.number: cell for cell in cells if cell.exercise != GIVEN}
    return tuple(_quoted(verdict, own) for verdict in verdicts)


def _quoted(verdict: Verdict, cells: Mapping[int, Cell]) -> Verdict:
    call = verdict.smallest
    if call is None or not call.ran:
        return verdict
    found = [
        RanLine(number, *statement)
        for number, ran in groupby(call.ran, lambda one: one.cell)
        if number in cells
        for statement in _statements(cells[number].source, [one.line for one in ran])
    ]
    lines = sum(statement.source.count("\n") + 1 for statement in found)
    few = len(found) <= MOST_STATEMENTS and lines <= MOST_LINES
    return replace(verdict, smallest=replace(call, ran=tuple(found) if few else ()))


def _statements(source: str, ran: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The statements in which lines of a cell are, with the line where each begins. Of one with a
    body it is the line alone; lines that the cell lacks, and empty ones, are left out."""
    lines, tree = source.split("\n"), parse(source)
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and not hasattr(node, "cases")
    ]
    # Only lines of the cell are quoted.
    real = [at for at in ran if 0 < at <= len(lines) and lines[at - 1].split("#")[0].strip()]
    for at in real:
        span = next((span for span in spans if at in span), range(at, at + 1))
        if at == min(other for other in real if other in span):  # once
            kept = (lines[line - 1][:MOST_TEXT] for line in span)
            yield span[0], indent(dedent("\n".join(kept)), "    ")
