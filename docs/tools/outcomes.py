"""The results of an assignment's variants under one capability of a processor."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from autograder.assignment.model import Assignment
from autograder.authoring.validation.trials import SHORT, question
from autograder.authoring.validation.variants import VariantSubmission
from autograder.evidence.records import Run
from autograder.grading.context import PreparedClass
from autograder.judging.checks.registry import every_probe
from autograder.judging.diagnosis.diagnose import diagnose
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.judge import judge
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import Located
from autograder.wire.messages import Job

QUOTED = 1e-4  # by which a number in a message may differ, of itself or of 1
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_ADDRESS = re.compile(r"\b0x[0-9a-f]+")  # of an object, in the text of an exception


@dataclass(frozen=True, slots=True)
class Recorded:
    """All runs under one capability. ``keys``: the key of the evidence, by variant."""

    capability: str
    prepared: PreparedClass
    keys: Mapping[str, str]
    lost: Sequence[str]


@dataclass(frozen=True, slots=True)
class JudgingReference:
    """What runs are judged with; ``answers`` are digests of it by exercise."""

    capability: str
    prepared: PreparedClass
    bank: Sequence[KnownMistake]
    answers: Mapping[str, tuple[bytes | None, ...]]


class VariantJob(NamedTuple):
    """What a variant is judged on, the job that asks it, where its cells are, and whether its
    mistakes are explained."""

    spec: Assignment
    job: Job
    located: Located
    told: bool


class CheckOutcome(NamedTuple):
    """The result of one check."""

    status: str
    earned: int
    message: str
    causes: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([self.status, *self.causes, self.message]).strip()

    def agrees(self, other: CheckOutcome) -> bool:
        """Whether both results are the same to their readers."""
        same = self[:2] == other[:2] and self.causes == other.causes
        words, numbers = _NUMBER.split(self.message), _NUMBER.findall(self.message)
        others = _NUMBER.findall(other.message)
        return (
            same
            and words == _NUMBER.split(other.message)
            and all(
                math.isclose(float(one), float(two), rel_tol=QUOTED, abs_tol=QUOTED)
                for one, two in zip(numbers, others, strict=True)
            )
        )


def bare(capability: str, prepared: PreparedClass) -> JudgingReference:
    """A reference without known mistakes: nothing is explained."""
    return JudgingReference(capability, prepared, (), {})


def stored(recorded: Recorded, variant: VariantSubmission) -> Run | None:
    """A variant's run; None where it could not be run."""
    key = recorded.keys[variant.student]
    return recorded.prepared.context.store.load(key) if key else None


def asked_of(prepared: PreparedClass, variant: VariantSubmission) -> VariantJob:
    """What is asked of a variant, all in one job; of a mutant, only its own exercise, without
    explanations. Raises ``SubmissionError``."""
    short = variant.sort in SHORT
    spec, job, located = question(prepared, variant, short=short)
    cases, left_out = prepared.context.cases, prepared.context.unavailable
    every = {
        probe.id: probe
        for exercise in spec.exercise
        if exercise.id not in left_out
        for check in exercise.check
        if check.kind == "training"
        for probe in every_probe(check, exercise.id, cases)
    }
    asked = {probe.id: probe for probe in job.probes} | every
    return VariantJob(spec, replace(job, probes=tuple(asked.values())), located, told=not short)


def results(
    reference: JudgingReference,
    asked: VariantJob,
    run: Run | None,
    exercises: Collection[str] | None = None,
) -> dict[str, CheckOutcome]:
    """The result of each check of these exercises, or of all that the variant is asked about."""
    assert run is not None
    prepared = reference.prepared
    spec, _, located, told = asked
    if exercises is not None:
        chosen = tuple(exercise for exercise in spec.exercise if exercise.id in exercises)
        spec = spec.model_copy(update={"exercise": chosen})
    verdicts = judge(spec, run, prepared.reference, located)
    if told:
        verdicts = diagnose(spec, verdicts, run, prepared.reference, reference.bank)
    return {f"{v.exercise}/{v.check}": _result(v) for v in verdicts}


def _result(verdict: Verdict) -> CheckOutcome:
    causes = verdict.cause.mistakes if verdict.cause is not None else ()
    message = _ADDRESS.sub("0x...", verdict.message)
    return CheckOutcome(
        verdict.status.value, verdict.earned, message, tuple(m.name for m in causes)
    )
