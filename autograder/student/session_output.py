"""Records what each cell of a live notebook showed: its figures as data, and its printed output.

A figure is taken when it is displayed, by whatever means; when a cell ends, figures that pyplot
still holds are taken if the cell made or changed them. A cell that is run again replaces what it
showed before.

Covered: matplotlib inline, agg and widget backends; ``display(figure)``; figures that are the value
of a cell. Not covered: cells that ran before recording began; text that a cell displays other than
by print or as its last value.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from IPython.core.formatters import BaseFormatter

from autograder.runner.figure_owners import MAX_FIGURES, PRINTED, shown_by, told_by
from autograder.wire.convert import sendable
from autograder.wire.messages import Figures, Outcome
from autograder.wire.values import Figure, Items

KEY = "autograder"  # our key in the shell's dictionary for extensions
MAX_CELLS = 300
MAX_BYTES = 64 * 1024**2  # for all figures; beyond that the oldest cell's are dropped first
_RICH = tuple(f"_repr_{kind}_" for kind in ("mimebundle", "html", "markdown", "latex", "png"))


@dataclass
class ShownCell:
    """One cell: its id in the notebook, its source, what it showed. ``owner``: the exercise that it
    was declared to belong to."""

    id: str
    source: str
    figures: list[Figure] = field(default_factory=list)
    text: str = ""
    owner: str = ""


class SessionOutput:
    """What the cells of one session showed, the latest last. ``listens``: also what they print."""

    def __init__(self) -> None:
        self.cells: list[ShownCell] = []
        self.listens = False
        self._now: list[ShownCell] = []  # a cell, and one that it runs itself
        self._drawn: list[Any] = []  # the objects of its figures
        self._open: list[tuple[Any, Figure | None]] = []  # those that a cell left open
        self._streams: list[tuple[Any, Any]] = []

    def begin(self, id_: str, source: str) -> None:
        """A cell begins; a cell inside another one belongs to it."""
        self._now.append(self._now[-1] if self._now else ShownCell(id_, source))
        if len(self._now) == 1:
            self._drawn = []
            self._listen()

    def end(self) -> None:
        """The cell has ended; figures that are still open and have changed count as shown."""
        if not self._now:
            return
        seen = self._now[-1]
        still = [(figure, _taken(figure)) for figure in _open_figures()]
        for figure, taken in still:
            before = next((then for known, then in self._open if known is figure), None)
            if taken is not None and _bytes(taken) != _bytes(before):
                self._keep(seen, figure, taken)
        self._open = still
        self._now.pop()
        if self._now:
            return
        self._drawn = []
        self._deaf()
        others = [cell for cell in self.cells if cell.id != seen.id or not seen.id]
        self.cells = [*others, seen][-MAX_CELLS:]
        held = sum(_size(figure) for cell in self.cells for figure in cell.figures)
        for cell in self.cells[:-1]:
            if held > MAX_BYTES:
                held -= sum(map(_size, cell.figures))
                cell.figures = []

    def take(self, thing: Any) -> None:
        """Something is displayed."""
        if not self._now:
            return
        seen = self._now[-1]
        if _is_figure(thing):
            taken = _taken(thing)
            if taken is not None:
                self._keep(seen, thing, taken)
        elif not any(hasattr(type(thing), name) for name in _RICH):
            with contextlib.suppress(Exception):  # a student's repr
                self.say(f"{thing!r}\n")

    def _keep(self, seen: ShownCell, figure: Any, taken: Figure) -> None:
        place = next((n for n, other in enumerate(self._drawn) if other is figure), None)
        if place is not None:  # shown again: take its present state
            seen.figures[place] = taken
        elif len(seen.figures) < MAX_FIGURES:
            self._drawn.append(figure)
            seen.figures.append(taken)

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """What is shown inside belongs to no cell."""
        now, self._now = self._now, []
        try:
            yield
        finally:
            self._now = now

    def say(self, text: str) -> None:
        """Something is printed."""
        if self._now:
            seen = self._now[-1]
            seen.text = (seen.text + text)[:PRINTED]

    def belongs(self, exercise: str) -> None:
        """The cell that runs now is this exercise's."""
        if self._now:
            self._now[0].owner = exercise

    def answer(self, request: Figures, owner: Callable[[ShownCell], str]) -> Outcome:
        """What an exercise's cells showed: its own figures, else those of no exercise, else all
        that are not given, as in grading."""
        owned = [(owner(cell), cell) for cell in self.cells]
        every = [(whose, figure) for whose, one in owned for figure in one.figures]
        drew = shown_by(request.exercise, {whose for whose, _ in every})
        chosen = [figure for whose, figure in every if whose in drew]
        if not chosen:
            return Outcome("missing")
        shown = Items("list", tuple(chosen[-MAX_FIGURES:]))
        if not request.printed:
            return Outcome("returned", shown)
        said = "".join(
            "".join(one.text for owner, one in owned if owner == whose)[:PRINTED]
            for whose in told_by(request.exercise, drew)
        )
        return Outcome("returned", Items("tuple", (shown, sendable(said))))

    def _listen(self) -> None:
        if not self.listens:
            return
        self._streams = [(name, getattr(sys, name)) for name in ("stdout", "stderr")]
        for name, stream in self._streams:
            setattr(sys, name, _Heard(stream, self))

    def _deaf(self) -> None:
        """Restore the streams, unless the cell has replaced them itself."""
        for name, stream in self._streams:
            if isinstance(getattr(sys, name), _Heard):
                setattr(sys, name, stream)
        self._streams = []


def _is_figure(thing: Any) -> bool:
    drawn = sys.modules.get("matplotlib.figure")  # without loading it, which takes a second
    return drawn is not None and isinstance(thing, drawn.Figure)


def _open_figures() -> list[Any]:
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from autograder.runner.figures import open_figures  # noqa: PLC0415  it loads pyplot

    return open_figures()


def _taken(figure: Any) -> Figure | None:
    """A figure as data; None for a half-built one, which is not an answer."""
    from autograder.runner.figures import figure_to_wire  # noqa: PLC0415  it loads pyplot

    try:
        return figure_to_wire(figure)
    except Exception:  # noqa: BLE001  a figure can hold anything
        return None


def _bytes(figure: Figure | None) -> bytes:
    return msgspec.msgpack.encode(figure)  # where NaN equals itself


def _size(figure: Figure) -> int:
    every = (array for p in figure.panels for array in (*p.images, *p.points, *p.lines))
    return sum(len(array.data) for array in every)


class _Heard:
    """A stream that also passes what is written to a listener; otherwise the stream itself."""

    def __init__(self, stream: Any, shown: SessionOutput) -> None:
        self._stream, self._shown = stream, shown

    def write(self, text: str) -> Any:
        self._shown.say(text)
        return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)


class _Listener(BaseFormatter):  # type: ignore[misc]
    """Registered as a formatter: receives what is displayed, and adds nothing to it."""

    shown: SessionOutput

    def __call__(self, thing: Any) -> None:
        self.shown.take(thing)


def shown_in(shell: Any) -> SessionOutput:
    """What the cells of this shell showed since the first call of this function."""
    known: SessionOutput | None = shell.meta.get(KEY)
    if known is not None:
        return known
    shown = SessionOutput()
    shell.meta[KEY] = shown
    listener = _Listener(parent=shell.display_formatter)
    listener.shown = shown
    shell.display_formatter.formatters["application/x-autograder"] = listener

    def begin(info: Any) -> None:
        shown.begin(str(getattr(info, "cell_id", None) or ""), str(info.raw_cell or ""))

    def end(result: Any) -> None:
        shown.end()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)
    return shown
