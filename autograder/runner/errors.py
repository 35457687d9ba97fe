"""A student's exception as data: class names, text, and the line in the cell."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from types import CodeType, TracebackType

from autograder.runner.cell_names import AS_WRITTEN, CELLS
from autograder.wire.convert import sendable
from autograder.wire.messages import Error

TEXT_LIMIT = 1000
MAX_FRAMES = 8
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def describe(error: BaseException) -> Error:
    """An exception as data. Never raises, whatever the exception's class does."""
    types = tuple(sendable(c.__name__[:100]) for c in type(error).__mro__[:12] if c is not object)
    try:
        text = sendable(str(error)[:TEXT_LIMIT])
    except BaseException:  # noqa: BLE001  a student's __str__ may do anything
        text = ""
    frames = _cell_frames(error.__traceback__)
    if isinstance(error, SyntaxError):
        return _unparsed(error, types, frames)
    line, source = (frames[-1][1], frames[-1][3]) if frames else (0, "")
    if isinstance(error, KeyboardInterrupt):
        line, source = _interrupted(error.__traceback__)
    trace = "\n".join(f"{name}, line {at}, in {where}: {code}" for name, at, where, code in frames)
    return Error(types, text, line, source, trace)


def _unparsed(
    error: SyntaxError, types: tuple[str, ...], frames: list[tuple[str, int, str, str]]
) -> Error:
    """Code that is not Python: the cell's, by its line, or what the cell's code had compiled
    (``eval``, ``%time``), by the line that did."""
    reason = sendable(str(error.msg or "")[:TEXT_LIMIT])
    file, line = str(error.filename or ""), error.lineno or 0
    # the body of a cell magic has the numbers of the cell
    if frames and not file.startswith(CELLS) and not frames[-1][3].startswith("%%"):
        return Error(types, reason, frames[-1][1], frames[-1][3], "")
    source = _written(file, line) if file.startswith(CELLS) else (error.text or "").strip()
    return Error(types, reason, line, sendable(source[:200]), "")


def _interrupted(traceback: TracebackType | None) -> tuple[int, str]:
    """The loop that was interrupted, or the statement where there is no loop: line and source.

    The outermost loop of the outermost frame that has one. Which line of the loop was running is
    chance, and equal notebooks must get equal messages.
    """
    first = (0, "")
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(CELLS):
            try:
                found, loops = _statement(code, traceback.tb_lineno)
            except Exception:  # noqa: BLE001  a magic, or a student who patched the parser
                found, loops = (0, ""), False
            if loops:
                return found
            first = first if first[0] else found
        traceback = traceback.tb_next
    return first


def _statement(code: CodeType, line: int) -> tuple[tuple[int, str], bool]:
    """The outermost loop around a line of this code, or else its statement; and whether it is a
    loop."""
    name = code.co_filename
    cell = ast.parse("".join(linecache.getlines(name)))
    functions = (n for n in ast.walk(cell) if isinstance(n, _FUNCTIONS) and n.name == code.co_name)
    own = next((n for n in functions if _begins(n) == code.co_firstlineno), cell)
    around = [n for n in _within(own) if n.lineno <= line <= (n.end_lineno or 0)]
    loop = next((n for n in around if isinstance(n, _LOOPS)), None)
    at = (loop or around[-1]).lineno
    return (at, sendable(_written(name, at)[:200])), loop is not None


def _begins(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The line at which a function begins for the compiler: that of its first decorator."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _within(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a body, outer ones first, without those of nested functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, _FUNCTIONS):
            yield from _within(node)


def _written(name: str, line: int) -> str:
    """A line of a cell, as its author wrote it."""
    return (linecache.getline(name + AS_WRITTEN, line) or linecache.getline(name, line)).strip()


def _cell_frames(traceback: TracebackType | None) -> list[tuple[str, int, str, str]]:
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(CELLS):
            name, at = code.co_filename, traceback.tb_lineno
            source = _written(name, at)[:200]
            frames.append((name.strip("<>"), at, code.co_name[:100], source))
        traceback = traceback.tb_next
    return frames[:1] + frames[1:][-MAX_FRAMES:]
