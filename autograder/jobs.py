"""What is asked of one hand-in: its cells, and every question of the assignment once."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from autograder.brought.arrange import arrange
from autograder.checks.registry import probes
from autograder.devices import real_device
from autograder.notebook.accelerators import asks_for_one
from autograder.notebook.locate import Located, locate, owned_cells
from autograder.notebook.submission import Submission
from autograder.sandbox.account import is_simulated
from autograder.setting import Setting, notebook_seed
from autograder.wire.messages import Job, Known, Limits, Probe, Test


def plan(setting: Setting) -> tuple[Probe, ...]:
    """What to ask, each question once; the public ones first, because what a student's code
    says after it has met a hidden input must not be quoted to the student. Tests of
    other tools keep their order: the hidden ones have a child of their own."""
    asked = [
        (check, probe)
        for exercise in setting.loaded.spec.exercise
        if exercise.id not in setting.unavailable
        for check in exercise.check
        for probe in probes(check, exercise.id, setting.cases)
    ]
    chosen: dict[str, Probe] = {}
    ordered = sorted(asked, key=lambda e: not (e[0].public or isinstance(e[1].request, Test)))
    for check, probe in ordered:
        named = f"{probe.exercise}/{check.id}"
        chosen.setdefault(probe.id, msgspec.structs.replace(probe, check=named))
    return tuple(chosen.values())


def make_job(setting: Setting, submission: Submission) -> tuple[Job, Located]:
    """Cells, questions, seed and limits. No answer is in it."""
    if setting.loaded.spec.brought is not None:
        return _brought_job(setting, submission)
    located = locate(setting.loaded.spec, submission, setting.outline)
    limits = Limits(**setting.loaded.spec.limits.model_dump())
    cells = owned_cells(submission, located)
    asked = tuple(p for p in plan(setting) if real_device(p) in ("", *setting.devices))
    simulated = any(is_simulated(probe) for probe in asked)
    job = Job(
        cells, located.keep_after, asked, notebook_seed(setting.seed), limits, setting.draw,
        models=setting.models, pretend=simulated and asks_for_one(cell.source for cell in cells),
    )  # fmt: skip
    return job, located


def _brought_job(setting: Setting, submission: Submission) -> tuple[Job, Located]:
    """The same for a notebook of another tool, whose tests run where they stand in it."""
    spec = setting.loaded.spec
    found = arrange(spec, submission, setting.loaded.folder)
    asked = tuple(_told(probe, found.texts) for probe in plan(setting))
    apart = any(isinstance(p.request, Test) and p.request.hidden for p in asked)
    job = Job(
        found.cells, found.located.keep_after, asked, notebook_seed(setting.seed),
        Limits(**spec.limits.model_dump()), setting.draw, models=setting.models, apart=apart,
    )  # fmt: skip
    return job, found.located


def _told(probe: Probe, texts: Mapping[str, str | None]) -> Probe:
    """A question whose answer is a cell's text, with that text."""
    if not isinstance(probe.request, Known):
        return probe
    return msgspec.structs.replace(probe, request=Known(texts.get(probe.exercise)))
