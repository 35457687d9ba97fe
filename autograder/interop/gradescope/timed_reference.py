"""Measures the solution's cost on the machine that grades, if a check asks what code costs.

Evidence made in advance may come from a faster or a slower processor.
"""

from __future__ import annotations

from msgspec.structs import replace

from autograder.classroom.known_mistakes import read_solution
from autograder.evidence.records import Run
from autograder.grading.context import PreparedClass
from autograder.grading.job import make_job
from autograder.wire.messages import Call


def timed_here(prepared: PreparedClass) -> Run:
    """The solution's evidence with the cost of its timed calls measured again on this machine.

    Raises ``SandboxError``. If nothing is timed, nothing is run.
    """
    context, expected = prepared.context, prepared.expected
    if context.loaded.spec.brought is not None:
        return expected
    job, _ = make_job(context, read_solution(context.loaded))
    timed = tuple(p for p in job.probes if isinstance(p.request, Call) and p.request.discard)
    if not timed:
        return expected
    run = context.runner.run(replace(job, probes=timed, draw=False))
    here = {p.id: p.spent for p in run.probes if p.claim is not None}
    probes = tuple(replace(p, spent=here.get(p.id, p.spent)) for p in expected.probes)
    return replace(expected, probes=probes)
