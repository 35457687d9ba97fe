"""results.json while a submission is being graded: rewritten whenever more is known."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from autograder.assignment.model import Assignment
from autograder.evidence.records import Run
from autograder.files import write_atomic
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.late import IN_TIME, Lateness, lateness, penalty
from autograder.gradebook.points import points
from autograder.grading.partial_grade import NOT_REACHED, grade_so_far, nothing_reached
from autograder.interop.gradescope.layout import Layout
from autograder.interop.gradescope.metadata import Metadata
from autograder.interop.gradescope.results import results_bytes
from autograder.interop.gradescope.settings import Settings
from autograder.interop.gradescope.student_results import GradeCircumstances, told
from autograder.judging.verdict import Status, Verdict
from autograder.reports.feedback.feedback import feedback


@dataclass(frozen=True, slots=True)
class LiveSubmission:
    """One submission to grade. ``started``: of the monotonic clock, in seconds."""

    layout: Layout
    settings: Settings
    assignment: Assignment
    metadata: Metadata
    started: float

    def left(self) -> float:
        """Seconds until the last run of student code must be over."""
        return self.settings.end_s - self.seconds()

    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def lateness(self) -> Lateness:
        """How late it is by our own policy, if that applies; Gradescope's due time, which may be
        the student's own, replaces the assignment's."""
        if not self.settings.late:
            return IN_TIME
        return lateness(self.assignment.late, self.metadata.created_at, self.metadata.due)


class Board:
    """Holds the newest verdicts of a case and writes the results. Raises ``StoreError``."""

    def __init__(self, case: LiveSubmission) -> None:
        self.case = case
        self.hand_in = SubmittedFile("", "")
        self._verdicts: Sequence[Verdict] = nothing_reached(case.assignment)
        self._run: Run | None = None
        self._state = "started"
        self.show()

    def tell(self, verdicts: Sequence[Verdict], run: Run) -> None:
        """Post what is known while the run goes on."""
        self._verdicts, self._run, self._state = verdicts, run, "running"
        self.show()

    def show(self, why: str = "") -> None:
        """Post what is known; ``why``: the reason if the work ended early."""
        grade = grade_so_far(self.case.assignment, self.hand_in, self._verdicts, self._run)
        self._post(grade, why or self._state, finished=False)

    def graded(self, verdicts: Sequence[Verdict], run: Run) -> Grade:
        """Post a complete run of the notebook; another may follow."""
        self._verdicts, self._run = verdicts, run
        grade = points(self.case.assignment, self.hand_in, verdicts, run, student="")
        self.final(grade)
        return grade

    def final(self, grade: Grade) -> None:
        """Post a final grade; if grading failed, what was judged is kept."""
        if grade.status == "ungraded" and not grade.exercises:
            self.failed()
        else:
            self._post(grade, grade.status, finished=True)

    def failed(self) -> None:
        """Post what was judged before a fault of the grader; the rest has no score."""
        # What a fault of ours left out has no score.
        lost = [_lost(v) if v.message == NOT_REACHED else v for v in self._verdicts]
        grade = points(self.case.assignment, self.hand_in, lost, self._run, student="")
        self._post(grade, "failed", finished=True)

    def _post(self, grade: Grade, state: str, *, finished: bool) -> None:
        case, late = self.case, self.case.lateness()
        taken = penalty(case.assignment.late, late, earned=grade.score or 0, whole=grade.max_score)
        beside = GradeCircumstances(
            case.settings.hidden, finished, case.seconds(), taken, late.days, _kept(grade, state)
        )
        results = told(feedback(grade, case.assignment), beside)
        write_atomic(case.layout.results, results_bytes(results))


def _kept(grade: Grade, state: str) -> dict[str, Any]:
    """What Gradescope keeps in addition to the tests. Nothing hidden is in it."""
    level, layers = grade.isolation.level, list(grade.isolation.layers)
    return {
        "grader": "autograder",
        "state": state,
        "file_sha256": grade.submission.sha256,
        "isolation": {"level": level, "layers": layers},
    }


def _lost(verdict: Verdict) -> Verdict:
    return msgspec.structs.replace(verdict, status=Status.UNGRADED, message="")
