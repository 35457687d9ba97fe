"""Solution regions in an author's cell, and the prompts that students see in their place.

``# BEGIN SOLUTION`` and ``# END SOLUTION`` are on lines of their own. The lines between them are
replaced by ``# YOUR CODE HERE``; where a function would end there, or a class body be empty,
``raise NotImplementedError`` follows, and ``pass`` in any other block that would be empty. ``#
PROMPT: text`` lines right after BEGIN are kept as comments. A line that ends in ``# SOLUTION``
keeps its left side: ``x = ...  # YOUR CODE HERE``. In place of a line that ends in ``# SOLUTION:
code``, students get that code: ``y = x @ ... + b  # YOUR CODE HERE``.

In a Markdown cell the marks are ``<!-- BEGIN SOLUTION -->`` and ``<!-- END SOLUTION -->``, and
``YOUR_TEXT`` replaces the lines between them.

Covered: unbalanced and nested marks, malformed marks, code that is not Python, code for students
that still says all that the author's line does. Not covered: marks inside strings; they count as
marks. Code for students that says the same in other words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.notebook.structure.names import not_python, parse

YOUR_CODE = "# YOUR CODE HERE"
YOUR_TEXT = "*Write your answer here.*"
TODO = 'raise NotImplementedError("Write your code here, then delete this line.")'

_BEGIN = re.compile(r"\s*(?:#+ ?BEGIN SOLUTION|(?:# ?)?<!-- *BEGIN SOLUTION *-->)\s*")
_END = re.compile(r"\s*(?:#+ ?END SOLUTION|(?:# ?)?<!-- *END SOLUTION *-->)\s*")
_LINE = re.compile(r"(.*\S)\s*# SOLUTION\s*")
_INSTEAD = re.compile(r"(\s*)(\S.*?)\s*# SOLUTION:\s*((?!.*# SOLUTION)\S.*?)\s*")
_PROMPT = re.compile(r"\s*# PROMPT:\s*(.*\S)\s*")
_ALMOST = re.compile(r"(?:#|<!--).*(?i:\b(?:BEGIN|END)[ _-]*SOLUTION)|#\s*SOLUTION\b")


class MarkError(Exception):
    """Marks of a cell are wrong: the line in the cell (from 1) and the problem."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class Region:
    """Lines ``begin`` to ``end`` (from 1, marks included; equal for a line with its own mark)."""

    begin: int
    end: int

    def holds(self, node: ast.stmt) -> bool:
        """Whether the statement begins within the region."""
        return self.begin <= node.lineno <= self.end


def find_regions(source: str) -> tuple[Region, ...]:
    """The regions of a cell in order; raises MarkError."""
    regions = []
    open_at = 0
    for number, line in enumerate(source.split("\n"), start=1):
        if _BEGIN.fullmatch(line):
            if open_at:
                raise MarkError(
                    number, (f"BEGIN SOLUTION inside the region that begins on line {open_at}")
                )
            open_at = number
        elif _END.fullmatch(line):
            if not open_at:
                raise MarkError(number, "END SOLUTION without a BEGIN SOLUTION before it")
            regions.append(Region(open_at, number))
            open_at = 0
        elif _LINE.fullmatch(line) or _INSTEAD.fullmatch(line):
            if open_at:
                raise MarkError(
                    number, (f"# SOLUTION inside the region that begins on line {open_at}")
                )
            regions.append(Region(number, number))
        elif _ALMOST.search(line):
            raise MarkError(
                number,
                "malformed solution mark: write '# BEGIN SOLUTION' and '# END SOLUTION' alone on "
                "their lines, or '# SOLUTION' at the end of a line, optionally followed by code "
                "for students: '# SOLUTION: x = ...'",
            )
    if open_at:
        raise MarkError(open_at, "BEGIN SOLUTION without an END SOLUTION after it")
    return tuple(regions)


def outside(source: str) -> Iterator[str]:
    """The lines of a cell outside its regions; raises MarkError."""
    regions = find_regions(source)
    for number, line in enumerate(source.split("\n"), start=1):
        if not any(region.begin <= number <= region.end for region in regions):
            yield line


def secrets(source: str) -> Iterator[str]:
    """The stripped lines of a cell's regions without marks and prompts; raises MarkError."""
    for answer in answers_in(source):
        yield from answer


def answers_in(source: str) -> Iterator[tuple[str, ...]]:
    """For each region of a cell its stripped lines, as ``secrets``; raises MarkError."""
    lines = source.split("\n")
    for region in find_regions(source):
        if region.begin == region.end:
            yield (_own_code(lines[region.begin - 1]).strip(),)
        else:
            inside = lines[region.begin : region.end - 1]
            yield tuple(line.strip() for line in inside if not _PROMPT.fullmatch(line))


def strip_regions(source: str) -> str:
    """The cell as students get it; raises MarkError."""
    regions = find_regions(source)
    tree = parse(source)
    if tree is None:
        number, reason = not_python(source)
        raise MarkError(number, f"not valid Python ({reason}); correct this line")
    lines = source.split("\n")
    result: list[str] = []
    done = 0
    replaced: list[tuple[int, int]] = []  # of a line that has code for students: where it was, is
    for region in regions:
        result += lines[done : region.begin - 1]
        line = lines[region.begin - 1]
        if region.begin < region.end:
            result += _prompt(lines, region, regions, tree)
        elif instead := _INSTEAD.fullmatch(line):
            result.append(f"{instead[1]}{instead[3]}  {YOUR_CODE}")
            replaced.append((region.begin, len(result)))
        else:
            result.append(_stub_line(line, region, tree))
        done = region.end
    stripped = "\n".join([*result, *lines[done:]])
    left = parse(stripped)
    if left is None:
        raise MarkError(
            regions[0].begin,
            "the cell is not valid Python without its solution regions "
            f"({not_python(stripped)[1]}); move the marks to whole statements",
        )
    for was, now in replaced:
        kept = [ast.dump(node) for node in _read_on(left, now, inner=True)]
        # Code for students may not say what the line says.
        _check_told(lines[was - 1], was, tree, kept)
    return stripped


def strip_text(source: str) -> str:
    """A Markdown cell as students get it; raises MarkError."""
    lines = source.split("\n")
    result: list[str] = []
    done = 0
    for region in find_regions(source):
        result += [*lines[done : region.begin - 1], YOUR_TEXT]
        done = region.end
    return "\n".join([*result, *lines[done:]])


def without_marks(source: str) -> str:
    """The cell with its answers, as a student would have written it; raises MarkError."""
    lines = source.split("\n")
    result = []
    done = 0
    for region in find_regions(source):
        result += lines[done : region.begin - 1]
        if region.begin == region.end:
            result.append(_own_code(lines[region.begin - 1]))
        for line in lines[region.begin : region.end - 1]:
            told = _PROMPT.fullmatch(line)
            result.append(f"{_indent(line)}# {told[1]}" if told else line)
        done = region.end
    return "\n".join([*result, *lines[done:]])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _own_code(line: str) -> str:
    """A line without the mark at its end."""
    if instead := _INSTEAD.fullmatch(line):
        return instead[1] + instead[2]
    found = _LINE.fullmatch(line)
    return found[1] if found else line


def _check_told(line: str, number: int, tree: ast.Module, left: list[str]) -> None:
    """Raise MarkError if the code for students says all of what the author's line says.

    ``left`` are the expressions of the line as students get it.
    """
    found = _INSTEAD.fullmatch(line)
    # Code for students may not repeat a line without expressions.
    copied = found is not None and found[2] in found[3]
    wanted = [ast.dump(node) for node in _read_on(tree, number, inner=False)]
    if copied or (wanted and all(part in left for part in wanted)):
        raise MarkError(number, "the code after '# SOLUTION:' still contains the answer")


def _read_on(tree: ast.Module, number: int, *, inner: bool) -> Iterator[ast.expr]:
    """The largest expressions that are on one line and are read there; with ``inner`` also those
    within them."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        whole = getattr(node, "lineno", 0) == getattr(node, "end_lineno", 0) == number
        read = not isinstance(getattr(node, "ctx", None), ast.Store)
        if whole and read and isinstance(node, ast.expr):
            yield node
            if not inner:
                continue
        pending.extend(ast.iter_child_nodes(node))


def _stub_line(line: str, region: Region, tree: ast.Module) -> str:
    """``x = 1 + 1  # SOLUTION`` -> ``x = ...  # YOUR CODE HERE``."""
    for node in ast.walk(tree):
        whole = isinstance(node, ast.stmt) and node.lineno == node.end_lineno == region.begin
        if whole and isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return):
            if node.value is None:
                continue
            before = line.encode()[: node.value.col_offset].decode().rstrip(" (")
            return f"{before} ...  {YOUR_CODE}"
    raise MarkError(
        region.begin, ("# SOLUTION works only on a line 'name = value' or 'return value'")
    )


def _prompt(
    lines: list[str], region: Region, regions: tuple[Region, ...], tree: ast.Module
) -> list[str]:
    """The replacement of a region: its prompts, the default one, a statement if needed."""
    indent = _indent(lines[region.begin - 1])
    body = lines[region.begin : region.end - 1]
    prompts = []
    for line in body:
        found = _PROMPT.fullmatch(line)
        if not found:
            break
        prompts.append(f"{indent}# {found[1]}")
    filler = _filler(region, regions, tree)
    return [*prompts, f"{indent}{YOUR_CODE}", *([f"{indent}{filler}"] if filler else [])]


def _filler(region: Region, regions: tuple[Region, ...], tree: ast.Module) -> str:
    """The statement that replaces a region, so that the rest remains a valid program."""
    for owner, block in _blocks(tree):
        inside = [node for node in block if region.holds(node)]
        if not inside:
            continue
        if isinstance(owner, ast.Module) or any(
            later.begin > region.end and any(map(later.holds, block)) for later in regions
        ):
            return ""
        left = [node for node in block if not any(r.holds(node) for r in regions)]
        if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            return "" if any(node.lineno > region.end for node in left) else TODO
        if isinstance(owner, ast.ClassDef):
            return "" if any(not _is_docstring(node) for node in left) else TODO
        return "" if left else "pass"
    return ""


def _blocks(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Every list of statements with the node it belongs to, outer ones first."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield node, block


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
