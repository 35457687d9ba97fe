"""Validates an assignment: every variant through the ordinary pipeline, then the rules."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from autograder.assignment.document import load_table
from autograder.assignment.kinds import Frozen, Tolerance
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.authoring.validation.chance import training_problems, training_rates
from autograder.authoring.validation.mistake_naming import OUTCOMES, WRONG
from autograder.authoring.validation.personal import personal_problems
from autograder.authoring.validation.promises import (
    large_loss_problems,
    promise_problems,
    read_promises,
)
from autograder.authoring.validation.rules import (
    diagnosis_problems,
    idle_problems,
    kill_problem,
    killed,
    orphan_problems,
    problems,
    untrue_problems,
    window_problems,
)
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import (
    SHORT,
    TrialResult,
    attempt,
    by_exercise,
    diagnosed,
)
from autograder.authoring.validation.variants import VariantSubmission, broken_equivalents, tries
from autograder.authoring.validation.windows import windows
from autograder.classroom.known_mistakes import WorkProgress, read_solution
from autograder.classroom.reference import prepare_reference
from autograder.errors import SpecError
from autograder.grading.context import GradingContext, PreparedClass
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.frame_texts import bare_label
from autograder.judging.checks.registry import probes
from autograder.notebook.submission import Submission
from autograder.reports.validation.model import Problem, Survivor, Validation, Window
from autograder.wire.values import DataFrame, Items
from autograder.wire.values import Mapping as MappingValue

SURVIVORS = "survivors.toml"  # in the assignment's folder: why a mutant is right


def validate(
    context: GradingContext,
    trials: TrialEngine,
    *,
    measuring: bool = False,
    quick: bool = False,
) -> Validation:
    """Try everything. Raises ``SpecError`` for files that are wrong; never for what is found.

    With ``measuring`` a measured tolerance that is not stored yet is no problem. ``quick``
    makes no mutants, so that the kill rate and idle checks are unknown, and asks each variant about
    its own exercise alone, so that what it costs elsewhere is unknown.
    """
    loaded = context.loaded
    solution = read_solution(loaded)
    explained, promises = read_survivors(loaded), read_promises(loaded)
    try:
        prepared = prepare_reference(context, trials.engine, trials.report, mistakes=False)
    except SpecError as bad:
        broken = tuple(Problem("solution", text) for text in bad.problems)
        return _nothing(loaded, broken)
    left_out = context.unavailable
    every = tries(loaded, solution, mutated=not quick)
    chosen = [one for one in every if one.exercise not in left_out]

    def work(one: VariantSubmission) -> TrialResult:
        return attempt(prepared, one, short=quick or one.sort in SHORT)

    made = trials.in_order("Trying variants", chosen, work)
    faulty = (
        ()
        if quick
        else [b for b in broken_equivalents(loaded, solution) if b.exercise not in left_out]
    )
    told_of = trials.in_order("Trying broken equivalents", faulty, work)
    bank = [one.mistake.entry for one in made if one.mistake is not None]
    tried = [diagnosed(prepared, one, bank) for one in made]
    measured = _windows(prepared, tried, trials.progress)
    trained = training_rates(prepared, tried, trials)
    made_mutants = [one.name for one in every if one.mutant is not None]
    found_problems = [
        *problems(loaded, tried),
        *(() if quick else idle_problems(loaded.spec, tried, left_out)),
        *orphan_problems(explained if not quick else (), made_mutants),
        *column_problems(loaded.spec, prepared.reference),
        *window_problems(measured, loaded.wanted.missing, measuring=measuring),
        *itertools.chain.from_iterable(map(untrue_problems, told_of)),
        *training_problems(trained),
        *promise_problems(loaded, promises, _template_of(tried), tried, quick=quick),
        *large_loss_problems(loaded.spec, [one.row for one in tried]),
        *personal_problems(prepared, trials),
    ]
    return msgspec.structs.replace(
        _validation(loaded.spec, tried, found_problems, explained),
        windows=tuple(measured),
        promises=promises.promise,
        trainings=trained,
    )


def _template_of(tried: Sequence[TrialResult]) -> Submission:
    return next(one.what.submission for one in tried if one.what.sort == "template")


def _windows(
    prepared: PreparedClass, tried: Sequence[TrialResult], progress: WorkProgress
) -> list[Window]:
    spec = prepared.context.loaded.spec
    exercises = [e for e in spec.exercise if e.id not in prepared.context.unavailable]
    progress.begin("Measuring tolerances", len(exercises))
    several = by_exercise([one for one in tried if one.what.sort not in ("trivial", "template")])
    whole = [one for one in several.get("", ()) if one.what.sort == "equivalent"]
    found: list[Window] = []
    for exercise in exercises:
        found += windows(prepared, exercise, (*whole, *several.get(exercise.id, ())))
        progress.done(exercise)
    return found


def _validation(
    spec: Assignment,
    tried: Sequence[TrialResult],
    found: Sequence[Problem],
    explained: Mapping[str, str],
) -> Validation:
    """What follows from the trials, without times and measurements."""
    solution = next(one.row for one in tried if one.what.sort == "solution")
    mutants = [one for one in tried if one.what.mutant is not None]
    alive = [mutant for mutant in mutants if not killed(mutant, solution)]
    floor = spec.validate_.kill_rate
    counts, mistaken = told(tried)
    kills = len(mutants) - len(alive)
    return Validation(
        assignment=spec.id,
        title=spec.title,
        seconds=0.0,
        ran=sum(one.fresh for one in tried),
        reused=sum(not one.fresh for one in tried),
        checks=tuple(f"{e.id}/{c.id}" for e in spec.exercise for c in e.check),
        rows=tuple(one.row for one in tried),
        problems=(
            *found,
            *mistaken,
            *diagnosis_problems(counts),
            *kill_problem(kills, len(mutants), floor),
        ),
        windows=(),
        mutants=len(mutants),
        killed=kills,
        floor=floor,
        survivors=tuple(_survivor(one, explained) for one in alive),
        diagnosis=dict(counts),
        operators=_by_operator(mutants, alive),
    )


def _by_operator(
    mutants: Sequence[TrialResult], alive: Sequence[TrialResult]
) -> dict[str, tuple[int, int]]:
    made, lived = (
        Counter(one.what.mutant.operator for one in several if one.what.mutant is not None)
        for several in (mutants, alive)
    )
    return {name: (count - lived[name], count) for name, count in sorted(made.items())}


def _survivor(one: TrialResult, explained: Mapping[str, str]) -> Survivor:
    mutant = one.what.mutant
    assert mutant is not None
    return Survivor(
        mutant.name,
        mutant.exercise,
        mutant.operator,
        mutant.line,
        mutant.diff,
        explained.get(mutant.name, ""),
    )


def _nothing(loaded: Loaded, found: tuple[Problem, ...]) -> Validation:
    """The validation when the solution itself fails, so that nothing can be compared."""
    spec = loaded.spec
    return Validation(
        spec.id,
        spec.title,
        0.0,
        0,
        0,
        (),
        (),
        found,
        (),
        0,
        0,
        spec.validate_.kill_rate,
        (),
        {},
    )


class _Survivor(Frozen):
    mutant: str
    why: str


class _Survivors(Frozen):
    survivor: tuple[_Survivor, ...] = ()


def read_survivors(loaded: Loaded) -> dict[str, str]:
    """Mutant -> why it is right; raises ``SpecError``."""
    path = loaded.folder / SURVIVORS
    found = load_table(_Survivors, path) if path.is_file() else _Survivors()
    return {one.mutant: one.why for one in found.survivor}


def measured_tolerances(found: Validation, margin: float) -> tuple[dict[str, Tolerance], list[str]]:
    """The tolerance for each check that asks for a measured one; and the checks without room."""
    chosen: dict[str, Tolerance] = {}
    crowded = []
    for window in found.windows:
        if window.source != "measured":
            continue
        value = _above(margin * max(window.spread, _ROUNDING))
        if not value * margin <= window.nearest:
            value = math.sqrt(max(window.spread, _ROUNDING) * window.nearest)
            if not max(window.spread, _ROUNDING) < value < window.nearest:
                crowded.append(
                    f"{window.check}: right answers need {window.spread:.2g}, and a wrong one only "
                    f"{window.nearest:.2g}: no tolerance separates them"
                )
                continue
        chosen[window.check] = Tolerance(rtol=0.0, atol=value, why=_why(window, margin))
    return chosen, crowded


_ROUNDING = 2.4e-7  # two float32 roundings of a number near 1


def _above(value: float) -> float:
    """Rounded up to one digit."""
    unit = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / unit - 1e-9) * unit:.1e}")


def _why(window: Window, margin: float) -> str:
    right = max(window.right, key=lambda d: d.size, default=None)
    wrong = min(window.wrong, key=lambda d: d.size, default=None)
    need = (
        f"{len(window.right)} right answers need at most {right.size:.2g} ({right.variant})"
        if right is not None
        else "no right answer other than the solution was tried"
    )
    near = (
        f"the nearest of {len(window.wrong)} wrong ones would need {wrong.size:.2g} "
        f"({wrong.variant})"
        if wrong is not None
        else "no wrong answer differs here"
    )
    return f"{need}; {near}. Margin {margin:g}."


def told(tried: Sequence[TrialResult]) -> tuple[Mapping[str, int], tuple[Problem, ...]]:
    """Counts over all known mistakes, and a problem for each that was named as another one."""
    found = [(one, one.told) for one in tried if one.what.sort == "mistake" and one.told]
    counts = Counter(said for _, said in found)
    return {said: counts[said] for said in OUTCOMES}, tuple(_problems(found))


def _problems(found: Sequence[tuple[TrialResult, str]]) -> Iterator[Problem]:
    for one, said in found:
        if said == WRONG:
            others = ", ".join(name for name in one.row.diagnosed if name != one.what.name)
            text = f"feedback names another mistake instead ({others})"
            yield Problem("diagnosis", text, one.what.name)


def column_problems(spec: Assignment, reference: Reference) -> Iterator[Problem]:
    """A problem for each check with such a tolerance, which changes nothing."""
    for exercise in spec.exercise:
        for check in exercise.check:
            frame = getattr(check, "frame", None)
            if frame is None or not frame.tolerances:
                continue
            asked = probes(check, exercise.id, reference.cases)
            records = filter(None, (reference.run.probe(probe.id) for probe in asked))
            claims = [record.claim.value for record in records if record.claim is not None]
            labels = {label for value in claims for label in _labels(value)}
            # A tolerance is of a column that there is.
            unknown = sorted({*frame.tolerances} - labels)
            if unknown:
                known = ", ".join(map(repr, sorted(labels))) or "none"
                text = (
                    f"`tolerances` has {', '.join(map(repr, unknown))}, which no right result has "
                    f"as a column; there are {known}"
                )
                yield Problem("tolerance", text, check=f"{exercise.id}/{check.id}")


def _labels(value: object) -> Iterator[str]:
    match value:
        case DataFrame():
            yield from (bare_label(value, place) for place in range(len(value.columns)))
        case Items(items=items):
            for item in items:
                yield from _labels(item)
        case MappingValue(items=pairs):
            for _, item in pairs:
                yield from _labels(item)
