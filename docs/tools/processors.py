"""Whether an assignment's verdicts depend on the processor: recorded on one, judged on another. The
numbers are in docs/validation.md.

``python -m docs.tools.processors ASSIGNMENT`` prints the table; ``--quick`` leaves the mutants out,
``--seed N``, ``--jobs N``, ``--json``. Status 1 when a verdict changes.

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
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from autograder.assignment.load import Loaded, make_cases
from autograder.authoring.validation.trials import bank_entry
from autograder.authoring.validation.variants import VariantSubmission, tries
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.reference import prepare_reference
from autograder.errors import SandboxError, SubmissionError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import key_of
from autograder.files import scratch_folder
from autograder.grading.context import PreparedClass
from autograder.grading.job import evidence, run_solution
from autograder.notebook.formats.find import find, read_found
from autograder.sandbox.lazy import LazyBox
from autograder.sandbox.processor import capabilities, held_to
from docs.tools.measuring import Course, markdown, options, shown
from docs.tools.outcomes import JudgingReference, Recorded, asked_of, bare, results, stored

SAMPLES = "examples"  # folder of sample submissions in an assignment's folder
AGAIN = 3  # runs of a variant that may differ from run to run
SEEDS = 5  # other draws of inputs, where training may be good by luck
WRONG = frozenset({"trivial", "mistake", "mutant"})


class ProcessorChange(msgspec.Struct, frozen=True):
    """A check whose result differs from that of one machine recording and judging everything."""

    variant: str
    check: str
    recorded: str
    judged: str
    usual: str
    changed: str


class ProcessorTable(msgspec.Struct, frozen=True):
    """What was compared. ``checks`` counts the verdicts of one pair of capabilities; ``unsteady``
    names variants that differ from run to run on one processor, too, and do not count; ``lost``
    names the variants that could not be run, and why."""

    assignment: str
    capabilities: tuple[str, ...]
    variants: int
    mutants: int
    checks: int
    changes: tuple[ProcessorChange, ...]
    unsteady: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether everything was run and nothing depends on the processor."""
        return not self.changes and not self.lost


def compare_processors(course: Course, *, quick: bool) -> ProcessorTable:
    """Record and judge under every pair of capabilities; ``quick`` leaves the mutants out.

    Raises ``UsageError`` on a processor with a single capability, ``SpecError`` where the solution
    does not pass under one of them.
    """
    names = capabilities()
    if len(names) == 1:
        raise UsageError("this machine's processor cannot be restricted to another capability")
    every = tries(course.loaded, course.solution, mutated=not quick)
    variants = [v for v in every if v.exercise not in course.offer.unavailable]
    variants += _samples(course.loaded)
    with scratch_folder() as scratch:
        recorded = [_record(course, name, variants, scratch / name) for name in names]
        changes, checks = _compare(course, recorded, variants)
        apart = unsteady(course, recorded, variants, changes)
    return ProcessorTable(
        course.loaded.spec.id,
        names,
        len(variants),
        sum(variant.sort == "mutant" for variant in variants),
        checks,
        tuple(change for change in changes if change.variant not in apart),
        tuple(sorted(apart)),
        tuple(f"{one.capability}: {text}" for one in recorded for text in one.lost),
    )


def _samples(loaded: Loaded) -> Iterator[VariantSubmission]:
    """The sample submissions that can be read, each a whole notebook like the solution."""
    folder = loaded.folder / SAMPLES
    for found in find([folder]) if folder.is_dir() else ():
        try:
            yield VariantSubmission("solution", found.name, "", "", read_found(found))
        except SubmissionError:
            continue


def _record(
    course: Course, capability: str, variants: Sequence[VariantSubmission], kept: Path
) -> Recorded:
    """Run the reference and every variant with the libraries restricted to a capability; the
    evidence is ``kept`` in a folder."""
    trials = course.trials
    with _box(course, capability) as box:
        found = box.box().capability.lower()
        if found != capability:  # libraries are what they are held to
            raise SandboxError(f"{found} is used although it was restricted to {capability}")
        context = course.context(box, kept, course.seed)
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


def _box(course: Course, capability: str) -> LazyBox:
    """With the libraries restricted to a capability."""
    site = site_of(course.loaded, course.offer, require=course.require)
    return box_at(site, libraries=held_to(capability))


def _compare(
    course: Course, recorded: Sequence[Recorded], variants: Sequence[VariantSubmission]
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
                for exercise in course.loaded.spec.exercise
                if any(check.timed for check in exercise.check)
                or own.get(exercise.id) != answers[-1].get(exercise.id)
                or reference.answers[exercise.id] != references[-1].answers[exercise.id]
            }
            for check, result in results(reference, asked, run, affected).items():
                if not result.agrees(usual[check]):
                    where = (variant.student, check, one.capability, reference.capability)
                    changes.append(ProcessorChange(*where, str(usual[check]), str(result)))
        return changes, len(usual)

    compared = course.trials.in_order("Judging", variants, compare)
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


def unsteady(
    course: Course,
    recorded: Sequence[Recorded],
    variants: Sequence[VariantSubmission],
    changes: Sequence[ProcessorChange],
) -> set[str]:
    """Of the variants whose results changed, those whose results also vary on one processor: when
    run again or, for a wrong answer that trains, from other seeds."""
    changed: dict[str, set[str]] = {}
    for change in changes:
        changed.setdefault(change.variant, set()).add(change.check)
    doubtful = [v for v in variants if v.student in changed]
    found: set[str] = set()
    for one in recorded if doubtful else ():
        prepared, alone = one.prepared, bare(one.capability, one.prepared)
        with _box(course, one.capability) as box:
            for variant in doubtful:
                asked = asked_of(prepared, variant)
                first = results(alone, asked, stored(one, variant))
                again = (results(alone, asked, box.run(asked.job)) for _ in range(AGAIN))
                if any(not first[check].agrees(new[check]) for new in again for check in first):
                    # Variants that differ from run to run are named apart.
                    found.add(variant.student)
            trained = [v for v in doubtful if v.sort in WRONG and v.student not in found]
            # Wrong answers that train well by luck are named apart.
            found |= _by_luck(course, one, trained, changed, box)
    return found


def _by_luck(
    course: Course,
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
        cases = make_cases(course.loaded, seed)
        drawn = replace(context, seed=seed, cases=cases, runner=box)
        expected = run_solution(drawn, course.solution)
        prepared = PreparedClass(drawn, expected, ())
        for variant, checks, first in lucky:
            asked = asked_of(prepared, variant)
            other = results(bare(one.capability, prepared), asked, box.run(asked.job))
            if any(first[check].status != other[check].status for check in checks):
                found.add(variant.student)
    return found


def view(table: ProcessorTable) -> str:
    """How many verdicts changed for each pair of capabilities, then what changed."""
    changed = Counter((change.recorded, change.judged) for change in table.changes)
    names = table.capabilities
    rows = [(one, *(changed[one, other] for other in names)) for one in names]
    lines = [f"{table.assignment}:", markdown(("recorded with, judged with", *names), rows)]
    lines += [
        f"{change.variant}, {change.check}: recorded with {change.recorded}, judged with "
        f"{change.judged}: {change.changed!r} instead of {change.usual!r}"
        for change in table.changes
    ]
    lines += [f"differs from run to run: {name}" for name in table.unsteady]
    lines += [f"not run: {text}" for text in table.lost]
    lines.append(
        f"{len(table.changes)} of {table.checks * len(names) ** 2} verdicts depend on the "
        f"processor ({table.variants} variants, {table.mutants} of them mutants)"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Compare; returns the exit status."""
    parser = options(__doc__)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(arguments)
    table = shown(asked, lambda course: compare_processors(course, quick=asked.quick), view)
    return int(not table.valid)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
