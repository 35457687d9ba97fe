"""A student's session as a program of its own: a notebook's cells in an IPython shell with figures
inline, and the public checks of each exercise right after it, for every variant of its cell.

Arguments: the assignment's id, the folder of its public evidence. Standard input: a JSON list of
cells [number, source, exercise] and, by exercise, {"first", "end", "variants": {name: source}}.
Standard output: JSON, for exercise, variant and check the status and the message.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any

from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.judging.judge import judge
from autograder.student import Grader, live, verdicts

Cells = list[tuple[int, str, str]]


class _Unseen(DisplayPublisher):
    def publish(self, *args: Any, **kwargs: Any) -> None: ...


def statuses(grader: Grader, exercise: str) -> dict[str, tuple[str, str]]:
    """What the student's side says of each public check, before it is told in words of its own."""
    public = grader._public
    spec = public.spec([exercise])
    assert spec is not None
    with grader._shown.apart():
        plan = verdicts.plan(public, [exercise])
        asked = live.ask(plan, grader._namespace, grader._figures, grader._limits)
    found = judge(spec, asked.run, verdicts.reference_of(public, grader._relations))
    return {verdict.check: (verdict.status.value, verdict.message) for verdict in found}


def run(shell: InteractiveShell, cells: Cells) -> None:
    for _, source, exercise in cells:
        shell.run_cell(source, cell_id=exercise)


def apart(works: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """What each work returns in a copy of this process; two copies at the same time."""
    forked = multiprocessing.get_context("fork")
    results: dict[str, Any] = {}
    running: list[tuple[str, Connection, ForkProcess]] = []
    waiting = list(works.items())
    while waiting or running:
        if waiting and len(running) < 2:
            name, work = waiting.pop(0)
            here, there = forked.Pipe(duplex=False)
            child = forked.Process(target=lambda to, made: to.send(made()), args=(there, work))
            child.start()
            there.close()
            running.append((name, here, child))
            continue
        name, here, child = running.pop(0)
        results[name] = here.recv()
        child.join()
    return results


def main(assignment: str, public: str) -> None:
    cells, exercises = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    config = Config()
    config.HistoryManager.enabled = False  # its thread and its file outlive no fork
    shell = InteractiveShell.instance(config=config)
    shell.display_pub = _Unseen()
    shell.enable_gui = lambda gui=None: None
    shell.showtraceback = lambda *args, **kwargs: None
    shell.run_line_magic("matplotlib", "inline")
    grader = Grader(assignment, public=public)
    gc.freeze()
    found: dict[str, Any] = {}
    done = 0
    for exercise, wish in exercises.items():
        before = [cell for cell in cells if done < cell[0] < wish["first"]]
        run(shell, before)
        done = wish["first"] - 1
        own = [cell for cell in cells if wish["first"] <= cell[0] <= wish["end"]]

        def check(source: str, own: Cells = own, exercise: str = exercise) -> Any:
            run(shell, [(own[0][0], source, exercise), *own[1:]])
            return statuses(grader, exercise)

        variants = wish["variants"].items()
        found[exercise] = apart({name: partial(check, source) for name, source in variants})
    json.dump(found, out)
    out.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
