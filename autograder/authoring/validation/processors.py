"""Whether an assignment's verdicts depend on the processor: recorded on one, judged on another.

Everything that an assignment is tried with is run once for each capability that this machine's
processor can be held to. Each run is then judged against the reference of every capability, as
happens on a cluster of unlike workers, and must give the same result as on one machine alone.

Covered: status, points, diagnosis and message of every check; a number that a message quotes may
differ in its last digits, and the address of an object entirely. A variant that reads
uninitialized memory differs from run to run, and a wrong answer may train well enough from some
seeds and not from others: such variants are tried again on one processor, and listed separately.
Not covered: processors of other makers, whose libraries choose other kernels.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer, prepare
from autograder.authoring.validation.outcomes import (
    JudgingReference,
    Recorded,
    asked_of,
    results,
    stored,
)
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import bank_entry
from autograder.authoring.validation.unsteady import unsteady
from autograder.authoring.validation.variants import VariantSubmission, tries
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.known_mistakes import read_solution, refuse_brought
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SandboxError, SubmissionError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import key_of
from autograder.files import scratch_folder
from autograder.grading.job import evidence
from autograder.notebook.formats.find import find, read_found
from autograder.reports.validation.processors import ProcessorChange, ProcessorTable
from autograder.sandbox.box import Level
from autograder.sandbox.processor import capabilities, held_to

SAMPLES = "examples"  # folder of sample submissions in an assignment's folder


@dataclass(frozen=True, slots=True)
class _Course:
    """The assignment with everything that it is tried with."""

    loaded: Loaded
    offer: Offer
    variants: Sequence[VariantSubmission]
    require: Level
    seed: int


def compare_processors(
    folder: Path, trials: TrialEngine, *, require: Level, seed: int, quick: bool = False
) -> ProcessorTable:
    """Record and judge the assignment in ``folder`` under every pair of capabilities.

    ``quick`` leaves the mutants out. Raises ``UsageError`` on a processor with a single
    capability, ``SpecError`` where the solution does not pass under one of them.
    """
    loaded = load(folder)
    refuse_brought(loaded, "validated")
    names = capabilities()
    if len(names) == 1:
        raise UsageError(
            "this machine's processor cannot be restricted to another capability; run --processors "
            "on x86-64 with AVX2 or more"
        )
    variants = (*tries(loaded, read_solution(loaded), mutated=not quick), *_samples(loaded))
    offer = prepare(loaded)
    variants = tuple(v for v in variants if v.exercise not in offer.unavailable)
    course = _Course(loaded, offer, variants, require, seed)
    with scratch_folder() as scratch:
        recorded = [_record(course, name, trials, scratch / name) for name in names]
        changes, checks = _compare(recorded, variants, trials)
        apart = unsteady(recorded, variants, changes, require)
    changes = tuple(change for change in changes if change.variant not in apart)
    counts = dict(Counter[str](variant.sort for variant in variants))
    lost = tuple(f"{one.capability}: {text}" for one in recorded for text in one.lost)
    return ProcessorTable(
        loaded.spec.id, names, counts, checks, changes, tuple(sorted(apart)), lost
    )


def _samples(loaded: Loaded) -> Iterator[VariantSubmission]:
    """The sample submissions that can be read."""
    folder = loaded.folder / SAMPLES
    for found in find([folder]) if folder.is_dir() else ():
        try:
            yield VariantSubmission(
                "sample", found.name, "", "a sample submission", read_found(found)
            )
        except SubmissionError:
            continue


def _record(course: _Course, capability: str, trials: TrialEngine, kept: Path) -> Recorded:
    """Run the reference and every variant with the libraries restricted to a capability; the
    evidence is ``kept`` in a folder."""
    loaded, offer, variants = course.loaded, course.offer, course.variants
    site = site_of(loaded, offer, require=course.require)
    with box_at(site, libraries=held_to(capability)) as box:
        found = box.box().capability.lower()
        if found != capability:  # libraries are what they are held to
            raise SandboxError(f"{found} is used although it was restricted to {capability}")
        context = make_context(loaded, offer, box, seed=course.seed, draw=False, evidence=kept)
        prepared = prepare_reference(context, trials.engine, trials.report, mistakes=False)

        def run(variant: VariantSubmission) -> tuple[str, str]:
            """The key of the evidence, or why there is none."""
            try:
                job = asked_of(prepared, variant).job
                evidence(context, job)
                return key_of(job), ""
            except (SandboxError, SubmissionError) as failed:
                return "", f"{variant.student}: {failed}"

        ran = trials.in_order(f"Running variants, {capability}", variants, run)
    keys = {one.student: key for one, (key, _) in zip(variants, ran, strict=True)}
    return Recorded(capability, prepared, keys, [text for _, text in ran if text])


def _compare(
    recorded: Sequence[Recorded], variants: Sequence[VariantSubmission], trials: TrialEngine
) -> tuple[tuple[ProcessorChange, ...], int]:
    """Every run judged against every reference; the usual result is that of the last capability,
    the machine's own, alone. Exercises with identical evidence are not judged again:
    verdicts are a pure function of it."""
    references = [_reference(one, variants) for one in recorded]

    def compare(variant: VariantSubmission) -> tuple[list[ProcessorChange], int]:
        runs = [stored(one, variant) for one in recorded]
        if any(run is None for run in runs):
            return [], 0
        answers = [_answers(run) for run in runs if run is not None]
        asked = asked_of(references[-1].prepared, variant)
        usual = results(references[-1], asked, runs[-1])
        changes: list[ProcessorChange] = []
        for (one, run, own), reference in itertools.product(
            zip(recorded, runs, answers, strict=True), references
        ):
            affected = {
                exercise.id
                for exercise in reference.prepared.context.loaded.spec.exercise
                if any(check.timed for check in exercise.check)
                or own.get(exercise.id) != answers[-1].get(exercise.id)
                or reference.answers[exercise.id] != references[-1].answers[exercise.id]
            }
            for check, result in results(reference, asked, run, affected).items():
                if not result.agrees(usual[check]):
                    where = (variant.student, check, one.capability, reference.capability)
                    changes.append(ProcessorChange(*where, str(usual[check]), str(result)))
        return changes, len(usual)

    compared = trials.in_order("Judging", variants, compare)
    changes = itertools.chain.from_iterable(found for found, _ in compared)
    return tuple(changes), sum(count for _, count in compared)


def _reference(recorded: Recorded, variants: Sequence[VariantSubmission]) -> JudgingReference:
    """The reference under one capability."""
    prepared = recorded.prepared
    mistakes = [(v, stored(recorded, v)) for v in variants if v.sort == "mistake"]
    bank = [bank_entry(prepared, v, run) for v, run in mistakes if run is not None]
    expected = _answers(prepared.expected)
    answers = {
        exercise.id: (
            expected.get(exercise.id),
            *(_answers(e.evidence.run).get(e.exercise) for e in bank if e.exercise == exercise.id),
        )
        for exercise in prepared.context.loaded.spec.exercise
    }
    return JudgingReference(recorded.capability, prepared, bank, answers)


def _answers(run: Run) -> dict[str, bytes]:
    """A digest of a run's answers for each exercise, how the cells ended included."""
    ends = [(c.number, c.stop, c.claim.error if c.claim is not None else None) for c in run.cells]
    begin = msgspec.msgpack.encode(ends)
    digests: dict[str, Any] = {}
    for probe in run.probes:
        exercise = probe.id.partition("/")[0]
        digest = digests.setdefault(exercise, hashlib.sha256(begin))
        digest.update(msgspec.msgpack.encode((probe.id, probe.claim, probe.stop)))
    return {exercise: digest.digest() for exercise, digest in digests.items()}
