"""Variants whose results also vary on one processor, so that no processor is to blame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from autograder.assignment.load import make_cases
from autograder.assignment.pretrained import prepare
from autograder.authoring.validation.outcomes import Recorded, asked_of, bare, results, stored
from autograder.authoring.validation.variants import VariantSubmission
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.known_mistakes import read_solution
from autograder.grading.context import PreparedClass
from autograder.grading.job import run_solution
from autograder.reports.validation.processors import ProcessorChange
from autograder.sandbox.box import Level
from autograder.sandbox.lazy import LazyBox
from autograder.sandbox.processor import held_to

AGAIN = 3  # runs of a variant that may differ from run to run
SEEDS = 5  # other draws of inputs, where training may be good by luck
WRONG = frozenset({"trivial", "mistake", "mutant"})


def unsteady(
    recorded: Sequence[Recorded],
    variants: Sequence[VariantSubmission],
    changes: Sequence[ProcessorChange],
    require: Level,
) -> set[str]:
    """Of the variants whose results changed, those whose results also vary on one processor: when
    run again or, for a wrong answer that trains, from other seeds."""
    changed: dict[str, set[str]] = {}
    for change in changes:
        changed.setdefault(change.variant, set()).add(change.check)
    doubtful = [v for v in variants if v.student in changed]
    found: set[str] = set()
    for one in recorded if doubtful else ():
        prepared = one.prepared
        loaded, alone = prepared.context.loaded, bare(one.capability, prepared)
        site = site_of(loaded, prepare(loaded), require=require)
        with box_at(site, libraries=held_to(one.capability)) as box:
            for variant in doubtful:
                asked = asked_of(prepared, variant)
                first = results(alone, asked, stored(one, variant))
                again = (results(alone, asked, box.run(asked.job)) for _ in range(AGAIN))
                if any(not first[check].agrees(new[check]) for new in again for check in first):
                    # Variants that differ from run to run are named apart.
                    found.add(variant.student)
            trained = [v for v in doubtful if v.sort in WRONG and v.student not in found]
            # Wrong answers that train well by luck are named apart.
            found |= _by_luck(one, trained, changed, box)
    return found


def _by_luck(
    one: Recorded,
    variants: Sequence[VariantSubmission],
    changed: Mapping[str, Set[str]],
    box: LazyBox,
) -> set[str]:
    """The wrong answers whose training is good enough from some seeds and not from others."""
    spec, context = one.prepared.context.loaded.spec, one.prepared.context
    training = {f"{e.id}/{c.id}" for e in spec.exercise for c in e.check if c.kind == "training"}
    alone, found = bare(one.capability, one.prepared), set[str]()
    lucky = [
        (variant, checks, results(alone, asked_of(one.prepared, variant), stored(one, variant)))
        for variant in variants
        if (checks := changed[variant.student] & training)
    ]
    for number in range(1, SEEDS + 1) if lucky else ():
        seed = context.seed + number
        cases = make_cases(context.loaded, seed)
        drawn = replace(context, seed=seed, cases=cases, runner=box)
        expected = run_solution(drawn, read_solution(context.loaded))
        prepared = PreparedClass(drawn, expected, ())
        for variant, checks, first in lucky:
            asked = asked_of(prepared, variant)
            other = results(bare(one.capability, prepared), asked, box.run(asked.job))
            if any(first[check].status != other[check].status for check in checks):
                found.add(variant.student)
    return found
