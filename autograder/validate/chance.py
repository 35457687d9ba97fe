"""How often right code fails a check of training, measured over many seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb

import msgspec

from autograder.checks.finding import Trial
from autograder.checks.training import good, statistics
from autograder.classroom import Prepared
from autograder.engines.base import Engine
from autograder.jobs import make_job
from autograder.notebook.locate import up_to
from autograder.notebook.submission import Submission
from autograder.pipeline import evidence
from autograder.spec.kinds import TrainingCheck
from autograder.spec.load import make_cases
from autograder.spec.model import Exercise
from autograder.validate.model import Problem

RUNS = 100  # at least so many trainings of the solution
CONFIDENCE = 0.95


def training_problems(
    prepared: Prepared, solution: Submission, engine: Engine, report: Callable[[str, int], None]
) -> list[Problem]:
    """A problem for each check whose stated false-alarm rate is below what was measured."""
    setting = prepared.setting
    found = []
    for exercise in setting.loaded.spec.exercise:
        for check in exercise.check:
            if isinstance(check, TrainingCheck) and exercise.id not in setting.unavailable:
                values = _values(prepared, solution, exercise, check, engine, report)
                found += _judged(exercise, check, values, len(setting.cases[check.inputs]))
    return found


def _judged(
    exercise: Exercise, check: TrainingCheck, values: list[float], runs: int
) -> list[Problem]:
    bad = sum(not good(check, value) for value in values)
    rate = at_most(bad, len(values))
    alarm = false_alarm(rate, runs=runs, passing=check.passing)
    if alarm <= check.false_alarm:
        return []
    text = (
        f"false_alarm = {check.false_alarm:g}, but {bad} of {len(values)} trainings of the "
        f"solution were not good enough: with {CONFIDENCE:.0%} confidence at most {rate:.1%} are "
        f"bad, and so right code may fail with probability {alarm:.2g}. State that, ask for fewer "
        "good runs, or make the goal easier"
    )
    return [Problem("training", text, "solution", f"{exercise.id}/{check.id}")]


def _values(
    prepared: Prepared, solution: Submission, exercise: Exercise, check: TrainingCheck,
    engine: Engine, report: Callable[[str, int], None],
) -> list[float]:  # fmt: skip
    """The statistic of the solution's trainings at other seeds than the run's."""
    setting = prepared.setting
    each = len(setting.cases[check.inputs])
    seeds = [setting.seed + 1 + n for n in range(-(-RUNS // each))]
    report(f"Training over seeds: {check.id}", len(seeds))

    def train(seed: int) -> list[float]:
        other = replace(setting, seed=seed, cases=make_cases(setting.loaded, seed))
        job, located = make_job(other, solution)
        wanted = f"{exercise.id}/call/{check.call}/{check.inputs}/"
        short = msgspec.structs.replace(
            job, cells=up_to(exercise.id, job.cells, located), draw=False,
            probes=tuple(p for p in job.probes if p.id.startswith(wanted)),
        )  # fmt: skip
        run, _ = evidence(other, short)
        trial = Trial(exercise.id, run, run, other.cases, setting.loaded.relations)
        values = statistics(check, exercise.id, run, trial)
        return values + [float("nan")] * (each - len(values))

    return [value for _, values in engine.map(train, seeds) for value in values]


def at_most(bad: int, runs: int) -> float:
    """Upper bound of the probability of a bad run (Clopper and Pearson 1934, one-sided)."""
    if bad >= runs:
        return 1.0
    low, high = bad / runs, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        few = sum(comb(runs, k) * middle**k * (1 - middle) ** (runs - k) for k in range(bad + 1))
        low, high = (middle, high) if few > 1 - CONFIDENCE else (low, middle)
    return high


def false_alarm(bad: float, *, runs: int, passing: int) -> float:
    """The probability that fewer than ``passing`` of ``runs`` are good, each bad by ``bad``."""
    return sum(comb(runs, k) * (1 - bad) ** k * bad ** (runs - k) for k in range(passing))
