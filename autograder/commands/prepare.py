"""The command `prepare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment import pretrained
from autograder.assignment.load import load
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import mistakes_of, refuse_brought, run_mistakes
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.seed_pool import MOST, SeedPool, pool_of
from autograder.commands.console import CORES, AssignmentArg, RequiredLevel, Workers, err, out, say
from autograder.execution.engines.local import Local
from autograder.execution.interrupts import saying
from autograder.reports.terminal.progress import progress


def prepare(
    assignment: AssignmentArg,
    classes: Annotated[
        int, typer.Option(min=1, max=MOST, help="Number of classes to prepare.")
    ] = 1,
    workers: Workers = CORES,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to run with less isolation than this.")
    ] = RequiredLevel.medium,
) -> None:
    """Run the known mistakes ahead of time, so that the next classes do not wait for them."""
    loaded = load(assignment)
    refuse_brought(loaded, "prepared")
    offer, engine = pretrained.prepare(loaded), Local(workers)
    pool = pool_of(loaded, offer)
    with (
        saying(lambda: f"stopped; {_state(pool)}"),
        box_for(loaded, offer, require=require.value) as box,
        progress(err) as bar,
    ):

        def make(seed: int, evidence: Path) -> dict[str, tuple[str, ...]]:
            context = make_context(loaded, offer, box, seed=seed, draw=False, evidence=evidence)
            mistakes = mistakes_of(context)
            prepared = prepare_reference(context, engine, bar.report, mistakes=False)
            found = run_mistakes(prepared, mistakes, engine, bar.report)
            return {m.name: one.keys for m, one in zip(mistakes, found, strict=True)}

        for _ in range(classes - len(pool.ready())):
            pool.add(make)
    say(out, f"{loaded.spec.id}: {_state(pool)}, in {pool.folder}")


def _state(pool: SeedPool) -> str:
    count = len(pool.ready())
    return f"ready for {count} new {'class' if count == 1 else 'classes'}"
