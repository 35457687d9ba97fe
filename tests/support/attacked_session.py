"""Runs notebooks and a test of each in a session that is forked for each of them.

In, as JSON: a list of [cells, form, test, guarded]. Out: a list of what the test's outcome was, as
text. Without guards the test meets what the notebook left, as if nothing restored it.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import sys
from multiprocessing.connection import Connection

from autograder.runner import hooks
from autograder.runner.output import Collector
from autograder.runner.session import Session
from autograder.runner.shell import make_shell
from autograder.runner.toolkit import toolkit
from autograder.wire.messages import Begin, RunCell, Test


def main() -> None:
    toolkit(needed=True)  # as in the box of an assignment that uses torch
    collector = Collector()
    session = Session(make_shell(collector), collector)
    gc.freeze()  # a fork copies less
    forked = multiprocessing.get_context("fork")
    outcomes = []
    for cells, form, test, guarded in json.load(sys.stdin):
        here, there = forked.Pipe(duplex=False)
        child = forked.Process(target=answer, args=(session, there, cells, form, test, guarded))
        child.start()
        there.close()
        try:
            outcomes.append(here.recv() if here.poll(60) else "no answer")
        except EOFError:
            outcomes.append("it died")
        child.kill()
        child.join()
    json.dump(outcomes, sys.__stdout__)


def answer(
    session: Session, there: Connection, cells: list[str], form: str, test: str, guarded: bool
) -> None:
    send = there.send
    if not guarded:
        session._tests_shell = session._shell  # type: ignore[assignment]
        session._originals.restore = lambda names, own: []  # type: ignore[method-assign]
        hooks.take_away = list
    session.answer(Begin(seed=1, output_bytes=10_000, draw=False))
    for number, cell in enumerate(cells, 1):
        done = session.answer(RunCell(number, cell))
        if done.error is not None:  # type: ignore[union-attr]
            send(f"cell {number}: {done.error}")  # type: ignore[union-attr]
            return
    outcome = session.answer(Test("e", form, (test,)))  # type: ignore[arg-type]
    error = getattr(outcome, "error", None)
    send(f"{outcome.status} {outcome.value} {error.types[0] if error else ''}")  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
