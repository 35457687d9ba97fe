"""Grades one submission within a time limit and posts intermediate results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import overload

from autograder.classroom.known_mistakes import bank_of
from autograder.classroom.reference import NothingRuns, prepare_reference
from autograder.errors import SubmissionError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import unscored
from autograder.grading.context import FoundSubmission, GradingContext, PreparedClass
from autograder.grading.watched_run import WatchedBox
from autograder.interop.gradescope.choice import chosen
from autograder.interop.gradescope.live_results import Board, LiveSubmission
from autograder.interop.gradescope.timed_reference import timed_here
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.sandbox.lazy import LazyBox

LEAST_S = 5.0  # a second run of a notebook is not begun with less


class NoTimeLeft(Exception):
    """There was not enough time to run the notebook again, or to its end."""


def hand_in_of(case: LiveSubmission) -> FoundSubmission:
    """The one file that counts among all that were submitted."""
    brought = case.assignment.brought
    name = case.settings.notebook or (brought.notebook if brought else "") or case.assignment.id
    assignment = case.assignment
    return FoundSubmission(
        chosen(case.layout.submission, name, assignment.id, assignment.submitted_files)
    )


def rejection(case: LiveSubmission, handed: FoundSubmission) -> Grade | None:
    """The grade of a submission that cannot be read; None if it can."""
    try:
        handed.read()
    except SubmissionError as bad:
        hand_in = SubmittedFile(handed.name, "")
        return unscored(case.assignment, hand_in, student="", status="rejected", reason=str(bad))
    return None


class WatchedGrading:
    """Posts what is known about a submission while it is graded, and ends grading when time is up:
    further runs of the notebook are then left out."""

    def __init__(self, board: Board, file: str, runner: WatchedBox) -> None:
        self._board, self._file, self._runner = board, file, runner
        self._runs = 0
        self.first: Grade | None = None  # by the first run of the notebook

    def begins(self, submission: Submission, located: Located) -> None:
        """Raises ``NoTimeLeft``."""
        self._runs += 1
        # No run is begun with too little time.
        if self._runs > 1 and self._board.case.left() < LEAST_S:
            raise NoTimeLeft
        self._board.hand_in = SubmittedFile(self._file, submission.sha256, submission.repairs)
        self._runner.located = located
        self._runner.tell = self._board.tell if self._runs == 1 else None

    def judged(self, verdicts: Sequence[Verdict], run: Run) -> None:
        """Raises ``NoTimeLeft``."""
        if self._runs == 1:
            self.first = self._board.graded(verdicts, run)
        elif self._board.case.left() <= 0:
            raise NoTimeLeft  # a run that ends too late does not count


def graded_in_time(
    board: Board, source: FoundSubmission, context: GradingContext, box: LazyBox, own: Path
) -> Grade:
    """The grade of a submission. ``own``: an empty folder. Raises ``AutograderError``.

    What was run is posted at once, before wrong results are compared with known mistakes. If there
    is no time for another run of the notebook, the first one counts.
    """
    stored = replace(context, runner=NothingRuns())
    expected = timed_here(replace(_reference(context, stored), context=context))
    runner = WatchedBox(box, context, expected, board.case.left)
    watcher = WatchedGrading(board, source.name, runner)
    fresh = replace(context, store=EvidenceFolder(own), runner=runner, watcher=watcher)
    prepared = PreparedClass(fresh, expected, StoredBank(PreparedClass(stored, expected)))
    try:
        return grade_submission(prepared, source, time.monotonic()).grade
    except NoTimeLeft:
        assert watcher.first is not None
        return watcher.first


def _reference(context: GradingContext, stored: GradingContext) -> PreparedClass:
    """The solution's evidence in the image; if that does not match, the solution is run now."""
    try:
        return prepare_reference(stored, Inline(), _unsaid, mistakes=False)
    except UsageError:
        return prepare_reference(context, Inline(), _unsaid, mistakes=False)


class StoredBank(Sequence[KnownMistake]):
    """The known mistakes in the image, read on first use: after the student's code has ended, so
    that both need not fit into memory at once. Empty if what is stored does not match."""

    def __init__(self, stored: PreparedClass) -> None:
        self._stored = stored

    @overload
    def __getitem__(self, place: int) -> KnownMistake: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[KnownMistake]: ...
    def __getitem__(self, place: int | slice) -> KnownMistake | Sequence[KnownMistake]:
        return self._known[place]

    def __len__(self) -> int:
        return len(self._known)

    @cached_property
    def _known(self) -> tuple[KnownMistake, ...]:
        spec = self._stored.context.loaded.spec
        if spec.brought is not None:
            return ()
        ids = {exercise.id for exercise in spec.exercise}
        try:
            return bank_of(self._stored, ids, Inline(), _unsaid)
        except UsageError:
            return ()


def _unsaid(what: str, total: int) -> None:
    """Nobody watches this progress."""
