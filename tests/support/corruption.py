"""Damages a right hand-in in many ways and grades each: what costs points that should not?

``python -m tests.support.corruption`` prints the table; ``--seeds N`` (5), ``--assignment ID``,
``--only KIND ...``, ``--write FILE`` puts the table into FILE, between its marks. Status 1 when
a score changed elsewhere than where an answer's own code, or what it builds on, was taken away.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline, Local
from autograder.gradebook.grade import Grade
from autograder.grading.context import (
    FoundSubmission,
    GradedSubmission,
    GradingContext,
    PreparedClass,
)
from autograder.judging.verdict import Status
from autograder.notebook.formats.find import find as find_hand_ins
from autograder.pipeline import grade_class
from tests.support.damage.catalogue import KINDS
from tests.support.damage.hand_in import Base, Damaged, Kind, right_hand_in

ROOT = Path(__file__).resolve().parents[2]
START, END = "<!-- corruption -->", "<!-- /corruption -->"
COMMAND = "make corruption"
FINE = (Status.PASSED, Status.MANUAL, Status.SKIPPED)
CELL_CPU_S, CELL_WALL_S = 1.0, 6.0  # endless cells end soon
SEED = 20_170_612


@dataclass(frozen=True)
class Trial:
    """One damaged hand-in and its grade. ``lost``: exercise -> what became of its checks."""

    kind: Kind
    seed: int
    damaged: Damaged
    kept: float
    lost: Mapping[str, str]
    earned: frozenset[str]
    refused: str = ""

    @property
    def wrong(self) -> tuple[str, ...]:
        """What should not have become of it, in clauses; none when all is as it should be."""
        if self.refused:
            return (self.refused,)
        fair = self.damaged.removed.keys() | self.damaged.spoiled.keys()
        said = [f"{e} lost {what}" for e, what in self.lost.items() if e not in fair]
        said += [f"{e} was removed and earned" for e in self.damaged.removed if e in self.earned]
        return tuple(said)


def short_limits(context: GradingContext) -> GradingContext:
    """The same setting, where endless cells end soon."""
    loaded = context.loaded
    update = {"cell_cpu_s": CELL_CPU_S, "cell_wall_s": CELL_WALL_S}
    spec = loaded.spec.model_copy(update={"limits": loaded.spec.limits.model_copy(update=update)})
    return replace(context, loaded=replace(loaded, spec=spec))


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


def attempt(prepared: PreparedClass, base: Base, kind: Kind, seed: int, folder: Path) -> Trial:
    """Damage the hand-in and grade the file as every file is graded."""
    damaged = kind.make(base, Random(f"{kind.name} {seed}"))
    path = folder / damaged.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(damaged.data)
    found = find_hand_ins([path])
    if len(found) != 1:
        return Trial(kind, seed, damaged, 0, {}, frozenset(), f"{len(found)} hand-ins were found")
    handed = [FoundSubmission(found[0])]
    (graded,) = grade_class(
        PreparedClass(prepared.context, prepared.expected), handed, Inline(), lambda h, g: None
    )
    return _trial(kind, seed, damaged, graded)


def _trial(kind: Kind, seed: int, damaged: Damaged, graded: GradedSubmission) -> Trial:
    grade = graded.grade
    if grade.status != "graded" or grade.score is None:
        return Trial(kind, seed, damaged, 0, {}, frozenset(), f"{grade.status}: {grade.reason}")
    earned = frozenset(e.id for e in grade.exercises if any(_earns(c.status) for c in e.checks))
    return Trial(
        kind, seed, damaged, grade.score / (grade.max_score + grade.bonus_max), _lost(grade), earned
    )


def _earns(status: Status) -> bool:
    return status in (Status.PASSED, Status.MANUAL)


def _lost(grade: Grade) -> dict[str, str]:
    """Exercise -> its checks that did not pass, with the first reason."""
    found = {}
    for exercise in grade.exercises:
        wrong = [check for check in exercise.checks if check.status not in FINE]
        if wrong:
            ids = ", ".join(f"{check.id} {check.status.value}" for check in wrong)
            found[exercise.id] = f"{ids} ({wrong[0].message.rstrip('.')})"
    return found


def attempts(
    prepared: PreparedClass, kinds: Sequence[Kind], seeds: Sequence[int], workers: int
) -> Iterator[Trial]:
    """Every kind with every seed, as they are done."""
    bases = {seed: right_hand_in(prepared.context.loaded, seed) for seed in seeds}

    def work(wanted: tuple[Kind, int]) -> Trial:
        kind, seed = wanted
        with tempfile.TemporaryDirectory() as folder:
            return attempt(prepared, bases[seed], kind, seed, Path(folder))

    wanted = [(kind, seed) for kind in kinds for seed in seeds]
    yield from (trial for _, trial in Local(workers).map(work, wanted))


# ------------------------------------------------------------------ the table


def table(trials: Sequence[Trial], about: str) -> str:
    """One row for each kind, in the order of the catalogue."""
    wrong = sum(bool(trial.wrong) for trial in trials)
    said = f"{wrong} scores are wrong" if wrong else "every score is right"
    lines = [
        f"{about}: {len({t.kind.name for t in trials})} kinds of damage, "
        f"{len(trials)} submissions; {said}.",
        "",
        "| kind | what was done | seeds | code removed from | score kept | note |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for kind in KINDS:
        own = sorted((t for t in trials if t.kind.name == kind.name), key=lambda t: t.seed)
        if own:
            lines.append(_row(kind, own))
    return "\n".join(lines)


def _row(kind: Kind, trials: Sequence[Trial]) -> str:
    removed = {len(t.damaged.removed) for t in trials}
    count = _span(removed)
    what = "none" if removed == {0} else f"{count} exercise{'s' if count != '1' else ''}"
    kept = _span({round(100 * t.kept) for t in trials})
    cells = (kind.name, kind.about, str(len(trials)), what, f"{kept} %", _note(trials))
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


def put_between(text: str, middle: str) -> str:
    """A page with what stands between its marks replaced; raises ``ValueError`` without them."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the page has no {START} ... {END}")
    return f"{before}{START}\n{middle}\n{END}{after}"


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
    made = table(trials, f"`{COMMAND}`, {asked.assignment}")
    print(made)
    page: Path | None = asked.write
    if page is not None:
        page.write_text(put_between(page.read_text(), made))
    return int(any(trial.wrong for trial in trials))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
