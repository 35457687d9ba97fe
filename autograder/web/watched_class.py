"""How a worker follows the submissions that it grades, and tells how far they are.

Covered: nothing that a hidden check finds is told; a look takes a small share of the worker's time;
a fault in looking or in the database costs a look, and no grade.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.gradebook.grade import SubmittedFile
from autograder.grading.context import Personal, PreparedClass
from autograder.grading.partial_grade import NOT_REACHED, grade_so_far
from autograder.grading.watched_run import WatchableRunner, WatchedBox
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import Located, owned_cells
from autograder.notebook.submission import Submission
from autograder.reports.feedback.feedback import ExerciseFeedback, feedback
from autograder.web.live_progress import LiveProgress, public_part

SHARE = 20.0  # seconds of a submission's run for each second of looking at it

TellProgress = Callable[[str, LiveProgress], None]  # the student, and how far the attempt is


@dataclass(frozen=True, slots=True)
class WatchedClass:
    """Tells how far each submission of a class is. ``own``: what differs from student to student
    otherwise; ``box`` runs their jobs."""

    own: Personal
    box: WatchableRunner
    tell: TellProgress

    def of(self, prepared: PreparedClass, student: str) -> PreparedClass:
        """What this student's submission is compared with, in a context that is watched."""
        found = self.own.of(prepared, student)
        context = found.context
        if context.devices:  # their records come later: what is judged before them may change
            return found
        runner = WatchedBox(self.box, context, found.expected, share=SHARE)
        watcher = _Watcher(context.loaded.spec, student, runner, self.tell)
        return replace(found, context=replace(context, runner=runner, watcher=watcher))


@dataclass(slots=True)
class _Watcher:
    """Tells of the first run of one submission; further runs improve some results."""

    assignment: Assignment
    student: str
    runner: WatchedBox
    tell: TellProgress
    cells: int = 0
    begun: bool = False
    over: bool = False

    def begins(self, submission: Submission, located: Located) -> None:
        if not self.begun:
            self.begun = True
            self.cells = len(owned_cells(submission, located))
            self.runner.located, self.runner.tell = located, self._look

    def judged(self, verdicts: Sequence[Verdict], run: Run) -> None:
        if not self.over:
            self.over, self.runner.tell = True, None
            self._look(verdicts, run)

    def _look(self, verdicts: Sequence[Verdict], run: Run) -> None:
        # What is told of an attempt costs no grade.
        with suppress(Exception):
            self.tell(self.student, progress_of(self.assignment, verdicts, run, self.cells))


def progress_of(
    assignment: Assignment, verdicts: Sequence[Verdict], run: Run, cells: int
) -> LiveProgress:
    """How far an attempt with this many cells is."""
    automatic = {e.id for e in assignment.exercise if any(c.kind not in BY_HAND for c in e.check)}
    open_ = {verdict.exercise for verdict in verdicts if verdict.message == NOT_REACHED}
    grade = grade_so_far(assignment, SubmittedFile("", ""), verdicts, run)
    return LiveProgress(
        cells=len(run.cells),
        all_cells=max(cells, len(run.cells)),
        judged=len(automatic - open_),
        exercises=len(automatic),
        public=_told(feedback(public_part(grade), assignment).exercises),
    )


def _told(exercises: Sequence[ExerciseFeedback]) -> tuple[ExerciseFeedback, ...]:
    """The exercises of which a public check is judged, without pictures and sums."""
    told = []
    for one in exercises:
        judged = [check for check in one.public if check.message != NOT_REACHED]
        public = tuple(msgspec.structs.replace(check, picture=None) for check in judged)
        if public:
            told.append(msgspec.structs.replace(one, public=public, score=None))
    return tuple(told)
