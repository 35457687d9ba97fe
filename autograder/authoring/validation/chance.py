"""How often right code fails a check of training and a known mistake passes it: measured over
many seeds, and worked out for the plan by which the check stops early."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, comb
from typing import NamedTuple

import msgspec

from autograder.assignment.kinds import TrainingCheck
from autograder.assignment.load import make_cases
from autograder.assignment.model import Exercise
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import TrialResult
from autograder.grading.context import PreparedClass
from autograder.grading.job import evidence, make_job
from autograder.judging.checks.finding import Trial
from autograder.judging.checks.registry import every_probe
from autograder.judging.checks.training import good_runs, settled
from autograder.judging.verdict import Status
from autograder.notebook.structure.locate import up_to
from autograder.reports.validation.model import Problem, TrainedVariant, TrainingRates
from autograder.wire.values import Value

RUNS = 100  # trainings of each variant
AT_ONCE = 25  # trainings in one process
CONFIDENCE = 0.95


class PassProbability(NamedTuple):
    """For code whose runs are each good with a given probability: the probability that it
    passes, and the mean number of trainings."""

    passes: float
    trainings: float


def training_rates(
    prepared: PreparedClass, tried: Sequence[TrialResult], trials: TrialEngine
) -> tuple[TrainingRates, ...]:
    """The measured rates of each check of training. Wrong code: the known mistakes that fail it
    with the usual seed."""
    context = prepared.context
    return tuple(
        _rates(prepared, exercise, check, tried, trials)
        for exercise in context.loaded.spec.exercise
        for check in exercise.check
        if isinstance(check, TrainingCheck) and exercise.id not in context.unavailable
    )


def training_problems(rates: Sequence[TrainingRates]) -> list[Problem]:
    """A problem for each stated rate that is below the measured one."""
    return [problem for rate in rates for problem in (*_alarms(rate), *_misses(rate))]


def _alarms(rates: TrainingRates) -> list[Problem]:
    right = rates.right
    if rates.false_alarm <= rates.stated_false_alarm:
        return []
    bad = right.runs - right.good
    text = (
        f"false_alarm = {rates.stated_false_alarm:g}, but {bad} of {right.runs} trainings of the "
        f"solution were not good enough: with {CONFIDENCE:.0%} confidence at most "
        f"{at_most(bad, right.runs):.1%} are bad, and so right code may fail with probability "
        f"{rates.false_alarm:.2g}. State that, ask for fewer good runs, or make the goal easier"
    )
    return [Problem("training", text, right.variant, rates.check)]


def _misses(rates: TrainingRates) -> list[Problem]:
    if not rates.wrong:  # a miss rate needs a known mistake
        text = (
            f"miss = {rates.stated_miss:g}, but no known mistake fails this check, so nothing "
            "shows how often wrong code passes. Add one that does"
        )
        return [Problem("training", text, "", rates.check)]
    if rates.miss <= rates.stated_miss:
        return []
    near = max(rates.wrong, key=lambda one: one.good)
    text = (
        f"miss = {rates.stated_miss:g}, but {near.good} of {near.runs} trainings of this mistake "
        f"were good enough: with {CONFIDENCE:.0%} confidence at most "
        f"{at_most(near.good, near.runs):.1%} are good, and so it may pass with probability "
        f"{rates.miss:.2g}. State that, ask for more runs at first, or make the goal harder"
    )
    return [Problem("training", text, near.variant, rates.check)]


def _rates(
    prepared: PreparedClass,
    exercise: Exercise,
    check: TrainingCheck,
    tried: Sequence[TrialResult],
    trials: TrialEngine,
) -> TrainingRates:
    name = f"{exercise.id}/{check.id}"
    failed = Status.FAILED.value
    chosen = [
        one.what
        for one in tried
        if one.what.sort == "solution"
        or (
            one.what.sort == "mistake"
            and one.what.exercise == exercise.id
            and one.row.statuses.get(name) == failed
        )
    ]
    drawn = _drawn(prepared, check)
    trials.report(f"Training over seeds: {check.id}", len(chosen) * len(drawn))

    def train(place: tuple[int, int]) -> int:
        number, part = place
        submission = chosen[number].submission
        context = replace(prepared.context, cases={check.inputs: drawn[part]})
        job, located = make_job(prepared.context, submission)
        times = ceil(AT_ONCE / len(prepared.context.cases[check.inputs]))
        limits = msgspec.structs.replace(
            job.limits, submission_wall_s=job.limits.submission_wall_s * times
        )
        alone = msgspec.structs.replace(
            job,
            cells=up_to(exercise.id, job.cells, located),
            draw=False,
            limits=limits,
            probes=every_probe(check, exercise.id, context.cases),
        )
        run, _ = evidence(context, alone)
        trial = Trial(exercise.id, run, run, context.cases, context.loaded.relations)
        return good_runs(check, trial)

    places = [(number, part) for number in range(len(chosen)) for part in range(len(drawn))]
    good = [0] * len(chosen)
    for at, count in trials.engine.map(train, places):
        good[places[at][0]] += count
    variants = [TrainedVariant(one.name, n, RUNS) for one, n in zip(chosen, good, strict=True)]
    right = next(v for v, one in zip(variants, chosen, strict=True) if one.sort == "solution")
    return rates_of(
        name,
        check,
        right,
        tuple(v for v in variants if v is not right),
        runs=len(prepared.context.cases[check.inputs]),
    )


def _drawn(prepared: PreparedClass, check: TrainingCheck) -> list[tuple[tuple[Value, ...], ...]]:
    """Cases from other seeds than the run's, ``AT_ONCE`` together."""
    context = prepared.context
    each = len(context.cases[check.inputs])
    seeds = range(context.seed + 1, context.seed + 1 + ceil(RUNS / each))
    cases = [case for seed in seeds for case in make_cases(context.loaded, seed)[check.inputs]]
    return [tuple(cases[at : min(at + AT_ONCE, RUNS)]) for at in range(0, RUNS, AT_ONCE)]


def rates_of(
    name: str,
    check: TrainingCheck,
    right: TrainedVariant,
    wrong: tuple[TrainedVariant, ...],
    *,
    runs: int,
) -> TrainingRates:
    """The rates of a plan, bounded with confidence, and the mean numbers of trainings at the
    shares of good runs that were seen."""

    def outlook(good: float) -> PassProbability:
        return foreseen(good, first=check.first, runs=runs, passing=check.passing)

    bad = at_most(right.runs - right.good, right.runs)
    means = [outlook(one.good / one.runs).trainings for one in wrong]
    return TrainingRates(
        check=name,
        right=right,
        wrong=wrong,
        stated_false_alarm=check.false_alarm,
        stated_miss=check.miss,
        false_alarm=1 - outlook(1 - bad).passes,
        miss=max((outlook(at_most(one.good, one.runs)).passes for one in wrong), default=1.0),
        right_trainings=outlook(right.good / right.runs).trainings,
        wrong_trainings=sum(means) / len(means) if means else 0.0,
        most=runs,
    )


def at_most(found: int, runs: int) -> float:
    """Upper confidence bound of a probability, given ``found`` hits (Clopper and Pearson 1934,
    one-sided)."""
    if found >= runs:
        return 1.0
    low, high = found / runs, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        few = sum(comb(runs, k) * middle**k * (1 - middle) ** (runs - k) for k in range(found + 1))
        low, high = (middle, high) if few > 1 - CONFIDENCE else (low, middle)
    return high


def foreseen(good: float, *, first: int, runs: int, passing: int) -> PassProbability:
    """The outcome for code whose runs are good with probability ``good``, independently."""
    asked = min(first, runs)
    passes = trainings = 0.0
    for count in range(asked + 1):
        chance = _exactly(count, asked, good)
        now = settled(count, asked, runs=runs, passing=passing)
        if now is None:
            rest = runs - asked
            needed = range(max(passing - count, 0), rest + 1)
            passes += chance * sum(_exactly(more, rest, good) for more in needed)
        else:
            passes += chance * now
        trainings += chance * (runs if now is None else asked)
    return PassProbability(passes, trainings)


def _exactly(count: int, runs: int, good: float) -> float:
    return comb(runs, count) * good**count * (1 - good) ** (runs - count)
