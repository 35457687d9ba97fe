"""From an assignment's folder to a validation: box, kept evidence, measured tolerances."""

from __future__ import annotations

import hashlib
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from autograder.assignment.load import Loaded, load
from autograder.assignment.measured import write_measured
from autograder.assignment.pretrained import prepare
from autograder.authoring.validation.equivalent_trials import try_equivalents, unfair
from autograder.authoring.validation.run import measured_tolerances, validate
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import Keys
from autograder.classroom.boxes import box_at, devices_for, site_of
from autograder.classroom.known_mistakes import refuse_brought
from autograder.classroom.reference import make_context
from autograder.errors import SpecError, StoreError
from autograder.evidence.store import EvidenceFolder
from autograder.files import cache_folder
from autograder.grading.context import GradingContext
from autograder.reports.validation.model import Validation
from autograder.sandbox.box import Level

OTHER_SEED = 1  # added to the seed, for inputs that no check uses


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """How an assignment is validated: with which least isolation, and ``seed`` of the inputs.
    ``begun``: when the command began, by the monotonic clock.

    ``changed`` reuses evidence that is still valid, else all is run again. ``measure`` stores
    measured tolerances first and then judges by them. ``quick`` as for ``validate``. ``devices`` as
    ``--devices``: real accelerators to try everything on as well.
    """

    require: Level
    seed: int
    begun: float
    changed: bool = False
    measure: bool = False
    quick: bool = False
    devices: str = "auto"


def validation_of(folder: Path, trials: TrialEngine, wish: ValidationOptions) -> Validation:
    """Validate the assignment in ``folder``. Evidence is kept in the user's cache."""
    loaded = load(folder, measuring=True)
    refuse_brought(loaded, "validated")
    evidence = cache_folder("validate", _own_name(loaded))
    if not wish.changed:
        _clear(evidence)
    offer = prepare(loaded)
    site = site_of(loaded, offer, require=wish.require)
    with box_at(site) as box, devices_for(loaded.spec, site, wish.devices) as there:

        def setting_of(loaded: Loaded, seed: int) -> GradingContext:
            made = make_context(
                loaded, offer, box, seed=seed, draw=False, evidence=evidence, devices=there
            )
            return replace(made, store=keys)

        keys = Keys(EvidenceFolder(evidence))
        context = setting_of(loaded, wish.seed)
        found = validate(context, trials, measuring=wish.measure, quick=wish.quick)
        if wish.measure and found.windows:
            chosen, crowded = measured_tolerances(found, loaded.spec.validate_.margin)
            if crowded:
                raise SpecError(crowded)
            write_measured(loaded.folder, loaded.spec.id, chosen)
            context = setting_of(load(folder), wish.seed)
            found = validate(context, trials, quick=wish.quick)
        if found.rows:  # the solution passes
            other = setting_of(context.loaded, wish.seed + OTHER_SEED)
            made = try_equivalents(context, other, trials, quick=wish.quick)
            # A generated equivalent that loses is a problem.
            problems = (*found.problems, *unfair(made))
            found = msgspec.structs.replace(found, generated=made, problems=problems)
    if not wish.quick:
        keys.drop_others()
    return msgspec.structs.replace(found, seconds=round(time.monotonic() - wish.begun, 1))


def _own_name(loaded: Loaded) -> str:
    """A name for this assignment, unique even if another folder holds one with the same id."""
    where = hashlib.sha256(str(loaded.folder).encode()).hexdigest()[:12]
    return f"{loaded.spec.id}-{where}"


def _clear(folder: Path) -> None:
    """Forget kept evidence; raises ``StoreError``."""
    try:
        for path in folder.iterdir():
            shutil.rmtree(path)
    except OSError as failed:
        raise StoreError(f"{folder}: cannot be cleared ({failed.strerror})") from None
