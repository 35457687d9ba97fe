"""One assignment in a pytest session: its checks, and grades of submissions from the pipeline.

The box is started and the solution run with the first check; without one, neither is.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from autograder.assignment.kinds import BY_HAND, Check
from autograder.assignment.load import Loaded, load
from autograder.assignment.model import Assignment, Exercise
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.classroom.boxes import box_for
from autograder.classroom.personal_values import refuse_personal
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SpecError
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.gradebook.grade import Grade
from autograder.grading.context import PreparedClass, SubmissionSource
from autograder.interop.arrange import arrange
from autograder.interop.stored_reference import prepared_from
from autograder.pipeline import grade_submission
from autograder.sandbox.box import Level
from autograder.student.cases import EveryCheck, read_checks

SUFFIX = ".agw"


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Command line options that apply to every assignment."""

    seed: int
    require: Level
    public: bool = False
    hidden: bool = False
    mistakes: bool = False


class SessionAssignment:
    """An assignment. ``named``: its id, its folder, or a file of public checks.

    Raises ``SpecError``, ``StoreError``, ``UsageError``.
    """

    def __init__(self, named: str, wish: SessionOptions, *, hide: tuple[Path, ...] = ()) -> None:
        self._wish, self._hide, self._open = wish, hide, ExitStack()
        self._loaded: Loaded | None = None
        self._every: EveryCheck | None = None
        self._file = Path(named)
        if self._file.suffix == SUFFIX:
            self._every = read_checks(self._file)
            self.spec = self._every.whole()
        else:
            loaded = load(find(named, Path.cwd()))
            refuse_personal(loaded, "by pytest")
            self.spec = public_part(loaded.spec) if wish.public else loaded.spec
            self._loaded = replace(loaded, spec=self.spec)

    def graded(self, handed: SubmissionSource) -> Grade:
        """The grade of one submission. Raises ``AutograderError`` if nothing can be graded."""
        there = self._prepared
        return grade_submission(there, handed, time.monotonic()).grade

    def close(self) -> None:
        """Stop the box."""
        self._open.close()

    @property
    def later(self) -> int:
        """How many hidden checks a file of public checks lacks."""
        return sum(e.later.checks for e in self._every.exercises) if self._every else 0

    @property
    def place(self) -> Path:
        """The folder that the assignment, or the file of its checks, is in."""
        return self._loaded.folder if self._loaded is not None else self._file.parent

    @cached_property
    def _prepared(self) -> PreparedClass:
        wish = self._wish
        if self._loaded is None:
            assert self._every is not None
            return self._open.enter_context(
                prepared_from(self._every, require=wish.require, hidden=self._hide)
            )
        offer = prepare(self._loaded)
        kept = self._open.enter_context(scratch_folder())
        box = self._open.enter_context(
            box_for(self._loaded, offer, require=wish.require, hide=self._hide)
        )
        context = make_context(
            self._loaded, offer, box, seed=wish.seed, draw=False, evidence=kept, arrange=arrange
        )
        return prepare_reference(context, Local(1), _quiet, mistakes=wish.mistakes)


def public_part(spec: Assignment) -> Assignment:
    """The assignment without its hidden checks and without exercises that have no others."""
    exercises = [_public(exercise) for exercise in spec.exercise]
    kept = tuple(exercise for exercise in exercises if exercise.check)
    if not kept:
        raise SpecError([f"{spec.id}: no check is public; leave out --autograder-public"])
    return spec.model_copy(update={"exercise": kept})


def _public(exercise: Exercise) -> Exercise:
    kept = [check for check in exercise.check if check.public or check.kind in BY_HAND]
    ids = {check.id for check in kept}
    return exercise.model_copy(update={"check": tuple(_needing(check, ids) for check in kept)})


def _needing(check: Check, ids: set[str]) -> Check:
    needs = tuple(other for other in check.needs if other in ids)
    return check.model_copy(update={"needs": needs})


def _quiet(what: str, total: int) -> None:
    """Pytest shows its own progress."""
