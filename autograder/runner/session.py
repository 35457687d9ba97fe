"""The state of one notebook inside the sandbox: runs cells, keeps namespaces, answers probes."""

from __future__ import annotations

import builtins
import contextlib
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from autograder.runner import calls, hooks, pristine, tests, traced_call
from autograder.runner.caches import Containers
from autograder.runner.canvas import FigureManager
from autograder.runner.errors import describe
from autograder.runner.gallery import Gallery
from autograder.runner.output import Collector, Writer
from autograder.runner.shell import NotebookShell, make_shell_of_tests
from autograder.runner.shims import student
from autograder.runner.toolkit import Surroundings, toolkit
from autograder.wire.convert import sendable
from autograder.wire.messages import (
    Answer,
    Begin,
    Call,
    CellDone,
    Figures,
    FileBeside,
    Keep,
    Kept,
    Outcome,
    Read,
    Request,
    RunCell,
    StandIn,
    Test,
)
from autograder.wire.values import Items

_BUILTINS = frozenset(dir(builtins))
_STREAMS = (("stdout", "stdout"), ("stderr", "stderr"))


class Session:
    """Answers one request at a time. ``busy`` is true while student code may run."""

    def __init__(self, shell: NotebookShell, collector: Collector) -> None:
        self._shell = shell
        self._collector = collector
        self._kept: dict[str, dict[str, Any]] = {}
        self._rebound: dict[str, dict[str, Any]] = {}  # by exercise: globals that calls assigned
        self._output_bytes = 0
        self._accelerator: Surroundings = contextlib.nullcontext()  # around every cell
        self._device = ""
        self._gallery = Gallery(collector)
        FigureManager.on_show = self._gallery.take_open
        pictures = shell.display_formatter.formatters["image/png"]
        pictures.for_type(Figure, self._gallery.take_displayed)
        # Test cells have a shell of their own.
        self._tests_shell = make_shell_of_tests(shell, collector)
        self._originals, self._own = pristine.Originals(), pristine.Own()
        self._containers: Containers | None = None
        self._stood_in: tuple[StandIn, ...] = ()  # in the last call
        self.busy = False

    def answer(self, request: Request) -> Answer:
        """Carry out one request."""
        handlers: dict[type, Callable[[Any], Answer]] = {
            Begin: self._begin,
            RunCell: self._run_cell,
            Keep: self._keep,
            Read: self._read,
            Call: self._call,
            Figures: self._read_figures,
            Test: self._test,
        }
        self.busy = True
        try:
            return handlers[type(request)](request)
        except KeyboardInterrupt as stop:
            return Outcome("raised", error=describe(stop))
        finally:
            self.busy = False

    def _begin(self, request: Begin) -> Answer:
        _lay_out(request.beside)
        calls.seed_all(request.seed)
        self._output_bytes, self._gallery.draw = request.output_bytes, request.draw
        self._device = request.device
        if request.pretend:  # one for all cells: it keeps their default device
            self._accelerator = toolkit(needed=True).accelerator()
        student.Grader.values = dict(request.data)
        if request.data:  # a solution has no cell that makes one
            self._shell.user_ns["grader"] = student.Grader()
        if not request.device:
            return Kept()
        try:
            kit = toolkit(needed=True)
            kit.begin_device(request.device, request.device_mb)
            kit.seed_device(request.device, request.seed)
        except Exception as failed:  # noqa: BLE001  whatever torch and the driver raise
            return Outcome("raised", error=describe(failed))
        return Kept()

    def _run_cell(self, request: RunCell) -> CellDone:
        return self._run_cell_in(self._shell, request)

    def _run_cell_in(self, shell: NotebookShell, request: RunCell) -> CellDone:
        collector = self._collector
        collector.start(self._output_bytes)
        shell.cell_number = request.number
        shell.quiet = request.source.rstrip().endswith(";")
        for attribute, kind in _STREAMS:
            setattr(sys, attribute, Writer(collector, kind))
        error: BaseException | None = None
        shell.shown = None
        self._gallery.open(request.exercise)
        try:
            # A cell's warning filters are its own.
            with warnings.catch_warnings(), self._accelerator:  # a cell has its own filters
                result = shell.run_cell(request.source, store_history=False)
            error = result.error_before_exec or result.error_in_exec or shell.shown
            if self._device:
                toolkit().settle(self._device)
            self._gallery.close()
        except BaseException as problem:  # noqa: BLE001  a patched shell may raise anything
            error = problem
        described = describe(error) if error is not None else None
        outputs = collector.outputs()
        said = b"".join(o.content for o in outputs if o.mime == "text/plain")
        self._gallery.say(request.exercise, said.decode("utf-8", "replace"))
        return CellDone(outputs, described, collector.dropped)

    def _keep(self, request: Keep) -> Answer:
        present = dict(self._shell.user_ns)
        for kept in self._kept.values():  # helpers may be defined below what calls them
            for name in present.keys() - kept.keys() - _BUILTINS:
                kept[name] = present[name]
        self._kept[request.exercise] = present
        return Kept(tuple(self._read(wish) for wish in request.reads))

    def _read(self, request: Read) -> Outcome:
        return calls.read(self._namespace(request), request.name)

    def _call(self, request: Call) -> Answer:
        """Call with the names that were kept for the exercise, then restore the present ones.

        Names defined after the exercise are visible too, as for any function that is called later.
        """
        names = self._shell.user_ns
        present = dict(names)
        self._own.restore()  # the runner of a call is as it was
        self._collector.start(0)
        for attribute, kind in _STREAMS:
            setattr(sys, attribute, Writer(self._collector, kind))
        if not request.latest:
            kept = self._kept.get(request.exercise, present)
            for name in (names.keys() & _BUILTINS) - kept.keys():
                del names[name]  # a builtin that a later cell has hidden
            names.update(kept)
        self._containers = self._containers or Containers(names)
        # not for each call: what is kept from one device to the next may be the very mistake
        if request.stand_ins != self._stood_in:
            self._containers.restore()
            self._rebound.clear()
        self._stood_in = request.stand_ins
        names.update(self._rebound.get(request.exercise, {}))
        before = dict(names)
        try:
            if self._device:
                return self._call_there(names, request)
            return traced_call.call(names, request, self._own.restore)
        finally:
            self._remember(request, before, names)
            names.clear()
            names.update(present)
            self._gallery.take_open()

    def _remember(self, request: Call, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Keep what a call assigned to global names for the exercise's next calls."""
        if request.latest:
            return
        replaced = {one.name for one in request.stand_ins}
        rebound = self._rebound.setdefault(request.exercise, {})
        for name in after.keys() - replaced:
            if name not in before or before[name] is not after[name]:
                rebound[name] = after[name]

    def _call_there(self, names: dict[str, Any], request: Call) -> Answer:
        """A call on a real device; an error there may only show once the device has settled."""
        try:
            toolkit().seed_device(self._device, request.seed)
            outcome = traced_call.call(names, request, self._own.restore)
            toolkit().settle(self._device)
        except Exception as failed:  # noqa: BLE001  whatever torch and the driver raise
            return Outcome("raised", error=describe(failed))
        return outcome

    def _test(self, request: Test) -> Answer:
        """Run a test now, in place, with the libraries as they were before the notebook."""
        shell = self._tests_shell
        names = shell.user_ns
        taken = hooks.take_away()  # first: they could undo what is restored
        # A magic of a test cell runs in the shell of tests.
        changed = self._originals.restore(names, {"get_ipython": shell.get_ipython})
        try:
            if request.form == "examples":
                outcome = tests.examples(names, request.sources)
            elif request.form == "function":
                outcome = tests.function(names, request.sources[0], request.function)
            else:
                outcome = self._test_cell(request.sources[0])
        finally:
            pristine.give_back(changed)
            hooks.put_back(taken)
        self._gallery.take_open()
        return outcome

    def _test_cell(self, source: str) -> Outcome:
        """Run an instructor's cell: its outputs as (kind, text), and how it ended."""
        done = self._run_cell_in(self._tests_shell, RunCell(0, source))
        shown = tuple(
            Items("tuple", (output.kind, sendable(output.content.decode("utf-8", "replace"))))
            for output in done.outputs
            if output.mime == "text/plain"
        )
        outputs = Items("list", shown)
        if done.error is not None:
            return Outcome("raised", outputs, done.error)
        return Outcome("returned", outputs)

    def _namespace(self, request: Read) -> dict[str, Any]:
        present: dict[str, Any] = self._shell.user_ns
        return present if request.latest else self._kept.get(request.exercise, present)

    def _read_figures(self, request: Figures) -> Outcome:
        chosen, printed = self._gallery.of(request.exercise)
        if not chosen:
            return Outcome("missing")
        shown = Items("list", chosen)
        if not request.printed:
            return Outcome("returned", shown)
        return Outcome("returned", Items("tuple", (shown, sendable(printed))))


def _lay_out(files: Sequence[FileBeside]) -> None:
    """Write the student's own files into the working folder, whose modules can then be imported:
    after all others, so that none of them replaces a library."""
    for file in files:
        path = Path(file.name)
        with contextlib.suppress(OSError):  # the cell that needs it says that it is not there
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
    here = str(Path.cwd())
    if not {"", here} & set(sys.path):
        sys.path.append(here)
