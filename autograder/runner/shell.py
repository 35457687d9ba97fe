"""An IPython shell for notebook cells: accepts magics, refuses commands, has no terminal."""

from __future__ import annotations

import ast
import builtins
import codeop
import linecache
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from IPython.core.compilerop import CachingCompiler
from IPython.core.displaypub import DisplayPublisher
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.runner.cell_names import AS_WRITTEN
from autograder.runner.output import Collector, add_formats, display_hook

# magics that would start programs, open an editor or a debugger, or choose a window system
REFUSED = frozenset(
    """
    alias bash cmd conda debug ed edit gui javascript js killbgscripts mamba micromamba pdb perl
    pip pylab rehashx ruby sc script sh svg sx system tensorboard uv
    """.split()
)
QUIET = frozenset(
    {
        "autoreload",
        "colors",
        "config",
        "load_ext",
        "matplotlib",
        "pylab",
        "reload_ext",
    }
)
# with this flag the compiler does not say which bracket or text is left open
_INCOMPLETE: int = codeop.PyCF_ALLOW_INCOMPLETE_INPUT  # type: ignore[attr-defined]
_parse, _TO_TREE = compile, ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_CHECKED = re.compile(r"(\s*)%%check\b.*")  # runs the cell, then checks: here it only runs the cell
_PROMPT = re.compile(r"\s*In \[\d+\]:")  # pasted output; alone, such a line is an annotation
NOTE = "Note: the grader does not run {what}; the rest of the cell runs.\n"


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    """Takes what display() publishes into the collector."""

    collector: Collector

    def publish(self, data: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        add_formats(self.collector, "display", data)

    def clear_output(self, wait: bool = False) -> None:
        """Does nothing: a run is shown only once."""


class _SameLines(TransformerManager):  # type: ignore[misc]
    """Turns magics into Python, and leaves every other line at its number."""

    def do_one_token_transform(self, lines: list[str]) -> tuple[bool, list[str]]:
        """Replaces one magic; where it took several lines, empty ones follow."""
        changed, made = super().do_one_token_transform(lines)
        if lost := len(lines) - len(made):
            at = next(
                n for n, (was, now) in enumerate(zip(lines, made, strict=False)) if was != now
            )
            made = [*made[: at + 1], *["\n"] * lost, *made[at + 1 :]]
        return changed, made


class _Compiler(CachingCompiler):  # type: ignore[misc]
    """Compiles the code of a cell magic (``%%time``, ``%%timeit``) under the name of its cell."""

    cell = ""  # the name of the cell whose magic is running

    def __call__(self, source: Any, filename: str, symbol: str, **flags: Any) -> Any:
        return super().__call__(source, self.cell or filename, symbol, **flags)


class _Body(NamedTuple):
    """The lines below a cell magic, and how many there are above them in the cell."""

    text: str
    above: int
    profiled: bool


class NotebookShell(InteractiveShell):  # type: ignore[misc]
    """Runs cells as a kernel would, without a kernel. ``cell_number`` names the cell."""

    collector: Collector
    compiler_class = _Compiler
    cell_number = 0
    body: _Body | None = None  # of the cell magic that is running
    above = 0  # empty lines above the code of the cell that runs
    shown: BaseException | None = None  # the first exception shown since it was last reset
    quiet = False  # the cell ends with a semicolon: its value is not shown

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Keeps the exception. A cell's errors are read from its result, never from text; but the
        result of a cell within a cell (``%%capture``, ``%%time``) is not available to us."""
        self.shown = self.shown or sys.exc_info()[1]

    showsyntaxerror = showtraceback

    def showindentationerror(self) -> None:
        """See showtraceback."""
        self.showtraceback()

    def ask_exit(self) -> None:
        """exit() and quit() end nothing here."""

    def enable_gui(self, gui: Any = None) -> None:
        """There is no window system."""

    def system(self, cmd: str) -> None:
        self._refuse(f"shell commands (!{cmd[:60]})")

    system_raw = system_piped = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        self._refuse(f"shell commands (!{cmd[:60]})")
        return [] if split else ""

    def transform_cell(self, raw_cell: str) -> Any:
        """A cell as Python; the lines below a cell magic keep their numbers."""
        if self.body is None or not raw_cell.endswith(self.body.text):
            return self._as_python(raw_cell)
        before = raw_cell.removesuffix(self.body.text).count("\n")  # %%prun adds the magic's line
        made = self._as_python("\n" * (self.body.above - before) + raw_cell)
        linecache.cache[self.cell_name] = _lines(made, self.cell_name)
        # a profiler takes code too; of text, it would not know the name
        return self.compile(made, self.cell_name, "exec") if self.body.profiled else made

    def _as_python(self, raw_cell: str) -> str:
        """Skips the search for magics, which costs ten times a parse, if the cell is already
        Python."""
        self.above = 0
        if found := _CHECKED.match(raw_cell):  # a checked cell runs in the box
            raw_cell = found[1] + raw_cell[found.end() :]
        try:
            _parse(raw_cell, "<cell>", "exec", _TO_TREE)
        except (SyntaxError, ValueError):
            return self._with_magics(raw_cell)
        if _PROMPT.match(raw_cell):
            return self._with_magics(raw_cell)
        return raw_cell if raw_cell.endswith("\n") else f"{raw_cell}\n"

    def _with_magics(self, raw_cell: str) -> str:
        lines = raw_cell.splitlines(keepends=True)
        self.above = next((n for n, line in enumerate(lines) if not line.isspace()), 0)
        return "\n" * self.above + str(super().transform_cell("".join(lines[self.above :])))

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        if magic_name in QUIET:
            return None
        if self.find_line_magic(magic_name) is not None and magic_name not in REFUSED:
            with self._running(None):
                return super().run_line_magic(magic_name, line, _stack_depth + 1)
        return self._refuse(f"%{magic_name}")

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        known = self.find_cell_magic(magic_name) is not None
        if known and magic_name not in REFUSED:
            with self._running(_Body(cell, self.above + 1, magic_name == "prun")):
                return super().run_cell_magic(magic_name, line, cell)
        return self._refuse(f"%%{magic_name}")

    @contextmanager
    def _running(self, body: _Body | None) -> Iterator[None]:
        outer = self.body, self.compile.cell
        self.body, self.compile.cell = body, self.cell_name if body is not None else ""
        try:
            yield
        finally:
            self.body, self.compile.cell = outer

    @property
    def cell_name(self) -> str:
        """The cell's file name in tracebacks, under which linecache finds its Python."""
        return f"<cell {self.cell_number or 'of tests'}>"

    def _refuse(self, what: str) -> None:
        note = NOTE.format(what=what).encode("utf-8", "replace")
        self.collector.add("stderr", "text/plain", note, whole=False)


Shell = TypeVar("Shell", bound=NotebookShell)


class ShellOfTests(NotebookShell):
    """Runs test cells among the names of the notebook's shell. What a notebook does to its own
    shell (hooks, transformers, handlers of exceptions, formatters) has no effect on this one."""

    notebook: NotebookShell

    def find_line_magic(self, magic_name: str) -> Any:
        """Also finds magics that the notebook defined, but they replace none of ours."""
        own = super().find_line_magic(magic_name)
        return own or self.notebook.find_line_magic(magic_name)

    def find_cell_magic(self, magic_name: str) -> Any:
        """See find_line_magic."""
        own = super().find_cell_magic(magic_name)
        return own or self.notebook.find_cell_magic(magic_name)


def no_input(prompt: object = "") -> str:
    """Replaces input(): raises ``EOFError`` at once, since nobody can answer."""
    raise EOFError("input() is not available while the notebook is graded")


def make_shell(collector: Collector) -> NotebookShell:
    """The only shell of this process. No history, no profile, no start-up files."""
    shell: NotebookShell = _made(NotebookShell.instance, collector)
    builtins.input = no_input
    return shell


def make_shell_of_tests(shell: NotebookShell, collector: Collector) -> ShellOfTests:
    """A second shell, on the names of the first."""
    names = dict(shell.user_ns)
    made = _made(ShellOfTests, collector, user_module=shell.user_module, user_ns=shell.user_ns)
    made.notebook = shell
    shell.user_ns.update(names)  # get_ipython and exit belong to the first one
    return made


def _made(make: Callable[..., Shell], collector: Collector, **own: Any) -> Shell:
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.cache_size = 0
    config.InteractiveShell.autoindent = False
    config.InteractiveShell.xmode = "Minimal"
    with tempfile.TemporaryDirectory() as folder:
        shell = make(config=config, ipython_dir=folder, display_pub_class=_Publisher, **own)
    shell.collector = shell.display_pub.collector = collector
    shell.display_trap.hook = display_hook(shell, collector)
    shell.input_transformer_manager = _SameLines()
    shell.compile.flags &= ~_INCOMPLETE
    shell.compile.get_code_name = lambda raw, code, number: _name(shell, raw)
    return shell


def _name(shell: NotebookShell, raw: str) -> str:
    """The name of a cell that is compiled, whose text linecache gets. Below a cell magic, that of
    the whole cell is there already."""
    if shell.body is None:
        written = shell.cell_name + AS_WRITTEN
        linecache.cache[written] = _lines(raw, written)
    return shell.cell_name


def _lines(text: str, name: str) -> tuple[int, None, list[str], str]:
    """An entry of linecache."""
    return len(text), None, text.splitlines(keepends=True), name
