"""The table of what damage costs, in docs/notebooks.md: `make corruption`.

``python -m docs.tools.corruption`` prints it; ``--seeds N`` (5), ``--assignment ID``,
``--only KIND ...``, ``--write FILE`` puts the table into FILE, between its marks; what each kind is
stays as FILE says it. Status 1 when a score changed elsewhere than where an answer's own code, or
what it builds on, was taken away.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline, Local
from autograder.grading.context import PreparedClass
from docs.tools.pages import ROOT, put_between
from tests.support.corruption import Trial, attempt, short_limits
from tests.support.damage.kinds import KINDS
from tests.support.damage.submission import Kind, right_submission

MARK, COMMAND = "corruption", "make corruption"
SEED = 20_170_612
PAGE = ROOT / "docs" / "notebooks.md"


@contextmanager
def prepared_for(assignment: str) -> Iterator[PreparedClass]:
    """The assignment with its reference's evidence, in a box of its own."""
    loaded = load(find(assignment, ROOT))
    offer = prepare(loaded)
    with box_for(loaded, offer, require="weak") as box, tempfile.TemporaryDirectory() as folder:
        context = make_context(loaded, offer, box, seed=SEED, draw=False, evidence=Path(folder))
        made = prepare_reference(context, Inline(), _quiet, mistakes=False)
        yield replace(made, context=short_limits(context))


def _quiet(what: str, total: int) -> None:
    """Nothing is said."""


def attempts(
    prepared: PreparedClass, kinds: Sequence[Kind], seeds: Sequence[int], workers: int
) -> Iterator[Trial]:
    """Every kind with every seed, as they are done."""
    bases = {seed: right_submission(prepared.context.loaded, seed) for seed in seeds}

    def work(wanted: tuple[Kind, int]) -> Trial:
        kind, seed = wanted
        with tempfile.TemporaryDirectory() as folder:
            return attempt(prepared, bases[seed], kind, seed, Path(folder))

    wanted = [(kind, seed) for kind in kinds for seed in seeds]
    yield from (trial for _, trial in Local(workers).map(work, wanted))


def table(trials: Sequence[Trial], head: str, abouts: Mapping[str, str]) -> str:
    """One row for each kind, in the order of the catalogue."""
    wrong = sum(bool(trial.wrong) for trial in trials)
    said = f"{wrong} scores are wrong" if wrong else "every score is right"
    lines = [
        f"{head}: {len({t.kind.name for t in trials})} kinds of damage, "
        f"{len(trials)} submissions; {said}.",
        "",
        "| kind | what was done | seeds | code removed from | score kept | note |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for kind in KINDS:
        own = sorted((t for t in trials if t.kind.name == kind.name), key=lambda t: t.seed)
        if own:
            lines.append(_row(kind, own, abouts.get(kind.name, "?")))
    return "\n".join(lines)


def _row(kind: Kind, trials: Sequence[Trial], about: str) -> str:
    removed = {len(t.damaged.removed) for t in trials}
    count = _span(removed)
    what = "none" if removed == {0} else f"{count} exercise{'s' if count != '1' else ''}"
    kept = _span({round(100 * t.kept) for t in trials})
    cells = (kind.name, about, str(len(trials)), what, f"{kept} %", _note(trials))
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def _span(numbers: set[int]) -> str:
    return str(min(numbers)) if len(numbers) == 1 else f"{min(numbers)} to {max(numbers)}"


def _note(trials: Sequence[Trial]) -> str:
    """What is wrong; else which exercises lost with others, and why that is right."""
    wrong = [f"seed {t.seed}: {clause}" for t in trials for clause in t.wrong]
    if wrong:
        return f"WRONG: {_first(wrong, 1)}"
    reasons = {
        f"{exercise} {why}": None
        for trial in trials
        for exercise, why in trial.damaged.spoiled.items()
        if exercise in trial.lost
    }
    return f"lost too: {_first(list(reasons), 4)}" if reasons else ""


def _first(parts: Sequence[str], most: int) -> str:
    more = [f"and {len(parts) - most} more"] if len(parts) > most else []
    return "; ".join([*parts[:most], *more])


def abouts(page: str) -> dict[str, str]:
    """Each kind and what it is, as the table of a page says it."""
    rows = page.partition(f"<!-- {MARK} -->")[2].partition(f"<!-- /{MARK} -->")[0].split("\n| ")[3:]
    cells = [row.split(" | ") for row in rows]
    return {name: about for name, about, *_ in cells}


def main(arguments: Sequence[str]) -> int:
    """Try all kinds; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--assignment", default="embeddings-and-position")
    parser.add_argument("--only", nargs="+", default=[kind.name for kind in KINDS])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args(arguments)
    kinds = [kind for kind in KINDS if kind.name in asked.only]
    if unknown := set(asked.only) - {kind.name for kind in kinds}:
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    trials = []
    with prepared_for(asked.assignment) as prepared:
        for trial in attempts(prepared, kinds, range(asked.seeds), asked.jobs):
            trials.append(trial)
            if trial.wrong:
                wrong = "; ".join(trial.wrong)
                print(f"{trial.kind.name}, seed {trial.seed}: {wrong}", file=sys.stderr)
    text = PAGE.read_text("utf-8")
    made = table(trials, f"`{COMMAND}`, {asked.assignment}", abouts(text))
    print(made)
    page: Path | None = asked.write
    if page is not None:
        page.write_text(put_between(page.read_text("utf-8"), MARK, made), "utf-8")
    return int(any(trial.wrong for trial in trials))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
