"""The known mistakes of an assignment, run or read from evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from autograder.diagnosis.known import Known, known
from autograder.engines.base import Engine
from autograder.errors import SpecError, SubmissionError, UsageError
from autograder.jobs import make_job
from autograder.notebook.locate import up_to
from autograder.notebook.read import read
from autograder.notebook.submission import Submission
from autograder.notebook.variant import Variant, apply_variant, read_variants
from autograder.pipeline import evidence
from autograder.sandbox.run import Run
from autograder.setting import Setting
from autograder.spec.load import Loaded
from autograder.wire.messages import Call


def bank_of(
    setting: Setting, expected: Run, exercises: Collection[str], engine: Engine,
    report: Callable[[str, int], None],
) -> tuple[Known, ...]:  # fmt: skip
    """The known mistakes of these exercises with their evidence. Raises ``SpecError``."""
    spec, cases, relations = setting.loaded.spec, setting.cases, setting.loaded.relations
    asked = {e.id: e for e in spec.exercise}
    return tuple(
        known(asked[variant.exercise], variant, run, expected, cases, relations)
        for variant, run in run_mistakes(setting, exercises, engine, report)
    )


def run_mistakes(
    setting: Setting, exercises: Collection[str], engine: Engine,
    report: Callable[[str, int], None],
) -> tuple[tuple[Variant, Run], ...]:  # fmt: skip
    """The known mistakes of these exercises with their runs, stored or made now: each up to its
    own exercise, and not asked about its cost. Raises ``SpecError``."""
    solution = read_solution(setting.loaded)
    variants = [variant for variant in mistakes_of(setting) if variant.exercise in exercises]
    report("Running the known mistakes", len(variants))

    def run_mistake(variant: Variant) -> tuple[Variant, Run]:
        job, located = make_job(setting, apply_variant(solution, variant))
        cells = up_to(variant.exercise, job.cells, located)
        own = [p for p in job.probes if p.exercise == variant.exercise]
        own = [p for p in own if not (isinstance(p.request, Call) and p.request.discard)]
        short = msgspec.structs.replace(job, cells=cells, probes=tuple(own), draw=False)
        return variant, evidence(setting, short)[0]

    ordered = dict(engine.map(run_mistake, variants))
    return tuple(ordered[i] for i in range(len(variants)))


def mistakes_of(setting: Setting) -> tuple[Variant, ...]:
    """The known mistakes of all exercises that the box can offer."""
    every = variants_in(setting.loaded, "mistakes")
    return tuple(one for one in every if one.exercise not in setting.unavailable)


def variants_in(loaded: Loaded, kind: str) -> tuple[Variant, ...]:
    """The files under mistakes/ or equivalents/; raises ``SpecError`` for one of an exercise
    that is not there."""
    folder = loaded.solutions / kind
    found = read_variants(folder)
    ids = {exercise.id for exercise in loaded.spec.exercise}
    problems = [
        f"{folder / v.name}.py, line 1: the assignment has no exercise {v.exercise!r}; use one "
        f"of {', '.join(sorted(ids))}"
        for v in found
        if v.exercise not in ids
    ]
    if problems:
        raise SpecError(problems)
    return found


def refuse_brought(loaded: Loaded, done: str) -> None:
    """Raise ``UsageError`` for an assignment of another tool: it has no reference of ours."""
    if loaded.spec.brought is not None:
        tool = loaded.spec.brought.tool
        raise UsageError(
            f"{loaded.spec.id} was made for {tool} and cannot be {done} here; change it there and "
            f"`autograder import {tool}` it again. `autograder grade` grades it, its solution too"
        )


def read_solution(loaded: Loaded) -> Submission:
    """The solution's cells; none of an assignment of another tool, whose tests need no reference.
    Raises ``SpecError``."""
    if loaded.spec.brought is not None:
        return Submission("", "", ())
    try:
        return read(loaded.solution)
    except SubmissionError as bad:
        raise SpecError([f"{loaded.solution}: {bad}"]) from None
