"""One explanation: the further runs of wrong submissions over their judged runs.

Covered: small calls, edits, mutants that are run once for a class, comparing with known mistakes.
Not covered: the known mistakes themselves, which are run ahead of a class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autograder.assignment.load import Loaded
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.classroom.mutant_bank import MutantBank
from autograder.evidence.store import EvidenceFolder
from autograder.files import scratch_folder
from autograder.notebook.template.variant import apply_variant
from tests.benchmarks.measure import Meter, Ratio, graded, metered, ready


def measured(loaded: Loaded, *, mistakes: int) -> Iterator[Ratio]:
    """Each mistake is unknown to the grader while it is graded."""
    solution = read_solution(loaded)
    ratios: dict[str, list[float]] = {"small": [], "edits": [], "all": [], "calls": []}
    with ready(loaded, mistakes=True) as (prepared, box), scratch_folder() as folder:
        meter = Meter(box)
        ours = metered(prepared, meter, store=EvidenceFolder(folder))
        ours = replace(ours, mutants=MutantBank(ours))
        graded(ours, solution)
        right = meter.jobs.total() - 1
        lacking = prepared.context.unavailable
        every = [one for one in variants_in(loaded, "mistakes") if one.exercise not in lacking]
        count = min(mistakes, len(every))
        for mistake in (every[number * len(every) // count] for number in range(count)):
            before, asked = dict(meter.seconds), meter.questions["small"]
            bank = [known for known in ours.bank if known.said.name != mistake.name]
            graded(replace(ours, bank=bank), apply_variant(solution, mistake))
            spent = {name: total - before.get(name, 0.0) for name, total in meter.seconds.items()}
            judged, small, edits = (spent.get(name, 0.0) for name in ("judged", "small", "edits"))
            ratios["small"].append(small / judged)
            ratios["edits"].append(edits / judged)
            ratios["all"].append((judged + small + edits) / judged)
            ratios["calls"].append(meter.questions["small"] - asked)
        once = meter.seconds["mutants"] / meter.seconds["judged"]
    yield Ratio("small calls over the judged run of a wrong submission", ratios["small"])
    yield Ratio("edits over the judged run", ratios["edits"])
    yield Ratio("everything over the judged run", ratios["all"])
    yield Ratio("mutants, once for a class, over all judged runs of these", [once])
    yield Ratio("further calls of a wrong submission", ratios["calls"])
    yield Ratio("further runs of a right submission", [right])
