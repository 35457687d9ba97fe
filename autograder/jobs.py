"""What is asked of one hand-in: its cells, and every question of the assignment once."""

from __future__ import annotations

from autograder.checks.registry import probes
from autograder.devices import real_device
from autograder.notebook.accelerators import asks_for_one
from autograder.notebook.locate import Located, locate, owned_cells
from autograder.notebook.submission import Submission
from autograder.sandbox.account import is_simulated
from autograder.setting import Setting, notebook_seed
from autograder.wire.messages import Job, Limits, Probe


def plan(setting: Setting) -> tuple[Probe, ...]:
    """What to ask, each question once; the public ones first, because what a student's code
    says after it has met a hidden input must not be quoted to the student."""
    asked = [
        (not check.public, probe)
        for exercise in setting.loaded.spec.exercise
        if exercise.id not in setting.unavailable
        for check in exercise.check
        for probe in probes(check, exercise.id, setting.cases)
    ]
    chosen: dict[str, Probe] = {}
    for _, probe in sorted(asked, key=lambda entry: entry[0]):
        chosen.setdefault(probe.id, probe)
    return tuple(chosen.values())


def make_job(setting: Setting, submission: Submission) -> tuple[Job, Located]:
    """Cells, questions, seed and limits. No answer is in it."""
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
