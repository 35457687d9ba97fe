"""Runs an instructor's test among a notebook's names, as the tool that it was written for does.

"examples" and "function" follow Python's doctest and otter-grader: examples run in a copy of the
names and print with ``repr``, a function is called with the names that its parameters have.
"""

from __future__ import annotations

import builtins
import code
import inspect
import io
import linecache
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from traceback import format_exception_only
from types import CodeType
from typing import Any

from autograder.runner.errors import describe
from autograder.wire.convert import sendable
from autograder.wire.messages import Outcome
from autograder.wire.values import Items

MAX_PRINTED = 50_000  # characters of one example
FILE = "<cell of tests>"  # where an exception's line is looked up, as for a cell
_compile, _show = compile, sys.__displayhook__


class _Prompt(code.InteractiveInterpreter):
    """Runs code objects in a namespace and keeps the exception, if there was one."""

    raised: BaseException | None = None

    def run(self, compiled: CodeType) -> BaseException | None:
        self.raised = None
        try:
            self.runcode(compiled)
        except SystemExit as left:
            return left
        return self.raised

    def showtraceback(self) -> None:
        self.raised = sys.exc_info()[1]


class _Bounded(io.StringIO):
    """Keeps the first characters that are written, whatever else comes."""

    def write(self, text: str) -> int:
        return super().write(text[: max(MAX_PRINTED - self.tell(), 0)])


def examples(names: dict[str, Any], sources: tuple[str, ...]) -> Outcome:
    """What each example printed, and the last line of its exception or None, in pairs."""
    prompt = _Prompt({**names, "__name__": "__main__"})
    found = []
    hook, sys.displayhook = sys.displayhook, _show
    try:
        for source in sources:
            printed = _Bounded()
            with redirect_stdout(printed), redirect_stderr(io.StringIO()):
                error = _run(prompt, source, "single")
            last = None if error is None else format_exception_only(error)[-1][:MAX_PRINTED]
            text = sendable(printed.getvalue())
            found.append(Items("tuple", (text, None if last is None else sendable(last))))
    finally:
        sys.displayhook = hook
        vars(builtins).pop("_", None)
    return Outcome("returned", Items("list", tuple(found)))


def function(names: dict[str, Any], source: str, name: str) -> Outcome:
    """Load a file of test functions and call one of them; returns if the test raised nothing."""
    own: dict[str, Any] = {"__name__": "tests", "__file__": FILE}
    prompt = _Prompt(own)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings():
        error = _run(prompt, source, "exec")
        if error is None:
            try:
                _called(own[name], names)
            except BaseException as raised:  # noqa: BLE001  whatever it raises is the outcome
                error = raised
    return Outcome("returned") if error is None else Outcome("raised", error=describe(error))


def _called(found: Any, names: dict[str, Any]) -> None:
    test = getattr(found, "test_func", found)
    wanted = inspect.signature(test).parameters
    test(**{name: names if name == "env" else names.get(name) for name in wanted})


def _run(prompt: _Prompt, source: str, mode: str) -> BaseException | None:
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    with warnings.catch_warnings():
        try:
            return prompt.run(_compile(source, FILE, mode, dont_inherit=True))
        except (SyntaxError, ValueError, OverflowError) as bad:
            return bad
