"""A progress bar on a console that is given; silent when that is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class Bar:
    """What is going on now, and how much of it is done."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown
        self._task = shown.add_task("Starting", total=None)

    def report(self, what: str, total: int) -> None:
        """Something else begins, of so many parts."""
        self._shown.reset(self._task, description=what, total=total)

    def done(self, part: object) -> None:
        """One part is done."""
        self._shown.advance(self._task)


@contextmanager
def progress(console: Console) -> Iterator[Bar]:
    """A bar that goes away at the end."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        yield Bar(shown)
