"""Whether known mistakes lose points with whatever hidden inputs a seed draws. The numbers are in
docs/validation.md.

``python -m docs.tools.seeds ASSIGNMENT`` prints the table; ``--count N`` (50) seeds from ``--seed``
on, ``--jobs N``, ``--json``. Status 1 when a mistake earns full marks, or a right answer is slow.

Each mistake is asked about its own exercise alone: under the first seed all checks, under every
other seed the cheapest check that it lost before, and the others only if it passes that one. Calls
for many seeds are made in one process, so that the cells run only once.

Covered: inputs that are drawn, and the notebook's own seed where names are read.
Not covered: what a mistake costs in other exercises, which a validation tests; a mistake that
keeps state between calls, which may lose here by what it has kept from another seed.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from autograder.assignment.model import Exercise
from autograder.authoring.validation.trials import FINE, question
from autograder.authoring.validation.variants import VariantSubmission, tries
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import NO_REFERENCE, steady
from autograder.errors import SandboxError, SubmissionError
from autograder.evidence.records import Run
from autograder.files import scratch_folder
from autograder.gradebook.visible import one_line
from autograder.grading.context import GradingContext, PreparedClass
from autograder.grading.device_runs import real_device
from autograder.grading.job import evidence
from autograder.judging.checks.registry import every_probe
from autograder.judging.judge import judge
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.structure.locate import Located
from autograder.sandbox.account import is_simulated
from autograder.wire.messages import Call, Job, Probe
from docs.tools.measuring import Course, markdown, options, shown

TOGETHER = 25  # seeds asked about in one process
OF = ": "  # between a seed and the name of a question


class VariantShare(msgspec.Struct, frozen=True):
    """How often a variant loses points in its own exercise, or in checks of cost alone.

    ``checks`` counts, by check, the seeds under which that check was the one seen to fail;
    ``earns`` are the seeds under which it has full marks, ``unclear`` says why a seed is neither.
    """

    name: str
    exercise: str
    checks: dict[str, int]
    earns: tuple[int, ...]
    unclear: dict[int, str]

    @property
    def loses(self) -> int:
        """Under how many seeds."""
        return sum(self.checks.values())


class SeedTable(msgspec.Struct, frozen=True):
    """Every known mistake under ``seeds`` seeds from ``first`` on, and every equivalent in checks
    of cost."""

    assignment: str
    first: int
    seeds: int
    mistakes: tuple[VariantShare, ...]
    costs: tuple[VariantShare, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether each mistake loses under every seed, and no equivalent is called slow."""
        # A mistake that could not be judged is not in order.
        lose = all(mistake.loses == self.seeds for mistake in self.mistakes)
        return lose and all(len(cost.earns) == self.seeds for cost in self.costs)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of one question: ``lost`` maps the checks that cost points to the seconds that
    asking them takes."""

    lost: dict[str, float]
    unclear: str = ""


def try_seeds(course: Course, count: int) -> SeedTable:
    """Ask every known mistake under ``count`` seeds. Raises ``SpecError``."""
    every = tries(course.loaded, course.solution, mutated=False)
    every = tuple(one for one in every if one.exercise in course.exercises)
    timed = {e.id: {c.id for c in e.check if c.timed} for e in course.exercises.values()}
    mistakes = [one for one in every if one.sort == "mistake"]
    equivalents = [one for one in every if one.sort == "equivalent" and timed[one.exercise]]
    with (
        scratch_folder() as scratch,
        box_for(course.loaded, course.offer, require=course.require) as box,
    ):
        seeds = range(course.seed, course.seed + count)
        settings = [course.context(box, scratch / str(seed), seed) for seed in seeds]
        shares = course.trials.in_order(
            "Trying known mistakes", mistakes, lambda one: _share(course, settings, one)
        )
        costs = course.trials.in_order(
            "Timing equivalents",
            equivalents,
            lambda one: _counted(course, settings, one, timed[one.exercise]),
        )
    return SeedTable(course.loaded.spec.id, course.seed, count, tuple(shares), tuple(costs))


def _counted(
    course: Course,
    settings: Sequence[GradingContext],
    one: VariantSubmission,
    checks: Collection[str],
) -> VariantShare:
    """How often a variant loses these checks, each seed in its own process."""
    asked = (_ask(course, [context], one, checks) for context in settings)
    return _as_share(one, dict(itertools.chain.from_iterable(asked)))


def _share(
    course: Course, settings: Sequence[GradingContext], one: VariantSubmission
) -> VariantShare:
    exercise = course.exercises[one.exercise]
    every = frozenset(check.id for check in exercise.check)
    head, *rest = settings
    answers = dict(_ask(course, [head], one, every))
    cost = answers[head.seed].lost
    cheapest = frozenset({min(cost, key=lambda check: cost[check])}) if cost else every
    for checks in (cheapest, every - cheapest):
        for together in _batches(exercise, rest, checks):
            answers |= _ask(course, together, one, checks)
        rest = [context for context in rest if not answers[context.seed].lost]
    return _as_share(one, answers)


def _as_share(one: VariantSubmission, answers: Mapping[int, _Answer]) -> VariantShare:
    caught = Counter(min(a.lost, key=lambda c: a.lost[c]) for a in answers.values() if a.lost)
    unclear = {seed: a.unclear for seed, a in answers.items() if a.unclear and not a.lost}
    earns = tuple(s for s, a in answers.items() if not a.lost and not a.unclear)
    return VariantShare(one.name, one.exercise, dict(caught), earns, unclear)


def _batches(
    exercise: Exercise, settings: Sequence[GradingContext], checks: Collection[str]
) -> Iterator[Sequence[GradingContext]]:
    """The seeds, in groups that share one process."""
    if not checks or not settings:
        return
    size = TOGETHER if _together(_probes(exercise, settings[0], checks)) else 1
    for start in range(0, len(settings), size):
        yield settings[start : start + size]


def _ask(
    course: Course,
    settings: Sequence[GradingContext],
    one: VariantSubmission,
    checks: Collection[str],
) -> Iterator[tuple[int, _Answer]]:
    """The results of a mistake in these checks of its exercise, for each of these seeds."""
    solved = VariantSubmission("solution", "solution", one.exercise, "", course.solution)
    try:
        job, _ = _job(course, settings, solved, checks)
        expected = steady(settings[0], job, evidence(settings[0], job)[0])
        job, located = _job(course, settings, one, checks)
        run, _ = evidence(settings[0], job)
    except (SandboxError, SubmissionError) as failed:
        yield from ((context.seed, _Answer({}, str(failed))) for context in settings)
        return
    exercise = course.exercises[one.exercise]
    chosen = [c.model_copy(update={"needs": ()}) for c in exercise.check if c.id in checks]
    alone = exercise.model_copy(update={"check": tuple(chosen)})
    spec = settings[0].loaded.spec.model_copy(update={"exercise": (alone,)})
    for context in settings:
        own, usual = (_of_seed(several, context.seed) for several in (run, expected))
        verdicts = judge(spec, own, context.reference(usual), located)
        unclear = [v.message for v in verdicts if v.status is Status.UNGRADED]
        lost = {v.check: _spent(alone, v.check, context, own) for v in verdicts if _loses(v)}
        yield context.seed, _Answer(lost, "; ".join(unclear[:1]))


def _loses(verdict: Verdict) -> bool:
    known = verdict.status is not Status.UNGRADED and verdict.status.value not in FINE
    return known and verdict.earned < verdict.possible


def _job(
    course: Course,
    settings: Sequence[GradingContext],
    one: VariantSubmission,
    checks: Collection[str],
) -> tuple[Job, Located]:
    """The cells once, and the questions of every seed, each under its seed's name. Raises
    ``SubmissionError``."""
    _, job, located = question(PreparedClass(settings[0], NO_REFERENCE, ()), one, short=True)
    asked = tuple(
        replace(probe, id=f"{context.seed}{OF}{probe.id}")
        for context in settings
        # Each seed is asked with its own inputs.
        for probe in _probes(course.exercises[one.exercise], context, checks)
    )
    limits = replace(job.limits, submission_wall_s=job.limits.submission_wall_s * len(settings))
    pretend = job.pretend and any(map(is_simulated, asked))
    return replace(job, probes=asked, limits=limits, pretend=pretend), located


def _of_seed(run: Run, seed: int) -> Run:
    """A run's answers for one seed, under their usual names."""
    begin = f"{seed}{OF}"
    own = (replace(p, id=p.id[len(begin) :]) for p in run.probes if p.id.startswith(begin))
    return replace(run, probes=tuple(own))


def _probes(
    exercise: Exercise, context: GradingContext, checks: Collection[str]
) -> tuple[Probe, ...]:
    """What these checks may ask under one seed, each question once."""
    chosen = [check for check in exercise.check if check.id in checks]
    asked = (p for check in chosen for p in every_probe(check, exercise.id, context.cases))
    return tuple({p.id: p for p in asked if not real_device(p)}.values())


def _spent(exercise: Exercise, check: str, context: GradingContext, run: Run) -> float:
    """Seconds of processor time that the questions of a check took; infinite where they cannot
    be asked for many seeds at once."""
    asked = _probes(exercise, context, {check})
    records = (run.probe(probe.id) for probe in asked)
    spent = sum(record.spent.cpu_s for record in records if record is not None)
    return spent if _together(asked) else math.inf


def _together(asked: Sequence[Probe]) -> bool:
    """Whether one process may answer for many seeds: not what names hold, which may depend on the
    notebook's own seed, and not the cost of a call, which is lower the second time."""
    # Where names are read each seed has a notebook of its own.
    return all(isinstance(p.request, Call) and not p.request.discard for p in asked)


def view(table: SeedTable) -> str:
    """A row for each mistake; then the seeds under which one does not lose, and false alarms."""
    head = ("mistake", "exercise", f"loses under, of {table.seeds}", "full marks under")
    rows = [(m.name, m.exercise, m.loses, ", ".join(map(str, m.earns))) for m in table.mistakes]
    always = sum(mistake.loses == table.seeds for mistake in table.mistakes)
    lines = [f"{table.assignment}:", markdown(head, rows)]
    for one in (*table.mistakes, *table.costs):
        for seed, why in [*one.unclear.items()][:1]:
            lines.append(one_line(f"{one.name}, seed {seed}: {why}"))
    lines += [
        f"{cost.name} is right and called slow under {cost.loses} of {table.seeds} seeds"
        for cost in table.costs
        if cost.loses
    ]
    lines.append(
        f"{always} of {len(table.mistakes)} known mistakes lose under each of {table.seeds} seeds"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Try all mistakes; returns the exit status."""
    parser = options(__doc__)
    parser.add_argument("--count", type=int, default=50)
    asked = parser.parse_args(arguments)
    table = shown(asked, lambda course: try_seeds(course, asked.count), view)
    return int(not table.valid)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
