"""The plain way, for comparison: a process that has imported everything forks, and the
child executes the cells with compile and exec. No box, no IPython, no transport.

Run as a program: reads jobs on standard input (8-byte length, MessagePack), and writes two
numbers for each: processor seconds of the cells alone, and of the cells and the calls.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import sys
from typing import Any

from autograder.runner import calls, figures, warm
from autograder.runner.canvas import FigureManager
from autograder.wire.messages import HEADER, Call, Job, decode

_run = getattr(builtins, "exec")  # noqa: B009  this is what is measured


def main() -> None:
    """Serve jobs until standard input ends."""
    warm.prepare(("torch",), models="", device=False)
    while header := sys.stdin.buffer.read(HEADER):
        job = decode(sys.stdin.buffer.read(int.from_bytes(header, "big")), Job)
        cells, both = _cost(job, call=False), _cost(job, call=True)
        sys.stdout.write(f"{cells} {both}\n")
        sys.stdout.flush()


def _cost(job: Job, *, call: bool) -> float:
    pid = os.fork()
    if pid == 0:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                _work(job, call=call)
        finally:
            os._exit(0)
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime


def _work(job: Job, *, call: bool) -> None:
    calls.seed_all(job.seed)
    namespace: dict[str, Any] = {"__name__": "__main__"}

    def show() -> None:
        for figure in figures.open_figures() if job.draw else ():
            figures.draw(figure)
        figures.close_figures()

    FigureManager.on_show = show
    for cell in job.cells:
        with contextlib.suppress(Exception):
            _run(compile(cell.source, f"<cell {cell.number}>", "exec"), namespace)
        show()
    for probe in job.probes if call else ():
        if isinstance(probe.request, Call):
            calls.call(namespace, probe.request)


if __name__ == "__main__":
    main()
