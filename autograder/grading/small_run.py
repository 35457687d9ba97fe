"""A further run for what went wrong: its cells again, and small calls of the exercises that failed.

It only explains. If it cannot be made, nothing is explained by it, and no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from autograder.errors import NotStoredError, SandboxError
from autograder.grading.context import GradingContext
from autograder.grading.device_runs import EvidenceResult, joined, obtained
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_trial import WRONG
from autograder.judging.diagnosis.small_calls import asked_again, asked_of
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import Located
from autograder.notebook.structure.needed_cells import narrowed
from autograder.wire.messages import Call, Job, Probe

CALL_S = 0.3  # of processor time, of one further call


def with_small_calls(
    context: GradingContext, first: EvidenceResult, small: Job | None
) -> EvidenceResult:
    """The evidence of a submission, joined with its answers to small calls; without them where
    they cannot be had. Raises ``StoreError``."""
    if small is None:
        return first
    # A small run that fails costs nothing.
    with suppress(SandboxError, NotStoredError):
        more = obtained(context, small)
        return first.followed_by(more, joined(first.run, [more.run], first.run.lost))
    return first


def small_job(
    context: GradingContext,
    job: Job,
    located: Located,
    verdicts: Sequence[Verdict],
    reference: Reference,
) -> Job | None:
    """The job of the small calls for what is wrong; None if there are none."""
    probes: dict[str, Probe] = {}
    for exercise in context.loaded.spec.exercise:
        failed = [v.check for v in verdicts if v.exercise == exercise.id and v.status in WRONG]
        trials = asked_of(exercise, failed, reference) if failed else ()
        probes |= {probe.id: _traced(probe) for trial in trials for probe in trial.probes}
        probes |= {probe.id: probe for probe in asked_again(trials)}
    asked = {probe.id for probe in job.probes}
    new = tuple(probe for id_, probe in probes.items() if id_ not in asked)
    if not new:
        return None
    limits = msgspec.structs.replace(job.limits, call_cpu_s=min(job.limits.call_cpu_s, CALL_S))
    return msgspec.structs.replace(narrowed(job, located, new), limits=limits)


def _traced(probe: Probe) -> Probe:
    assert isinstance(probe.request, Call), "nothing else is asked in a small trial"
    return msgspec.structs.replace(
        probe, request=msgspec.structs.replace(probe.request, trace=True)
    )
