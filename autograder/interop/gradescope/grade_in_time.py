"""Grades one submission within a time limit and posts intermediate results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import overload

import msgspec

from autograder.classroom.known_mistakes import bank_of, read_solution
from autograder.classroom.reference import NothingRuns, prepare_reference
from autograder.errors import SubmissionError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import unscored
from autograder.grading.context import FoundSubmission, GradingContext, PreparedClass
from autograder.grading.job import make_job
from autograder.grading.watched_run import WatchedBox
from autograder.interop.downloads.names import folded
from autograder.interop.downloads.pick import is_notebook, pick
from autograder.interop.downloads.source import DownloadEntry, list_entries
from autograder.interop.gradescope.live_results import Board, LiveSubmission
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.verdict import Verdict
from autograder.notebook.formats.find import NOTEBOOK, FoundFile
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call

LEAST_S = 5.0  # a second run of a notebook is not begun with less
LOOKED_INTO = 20  # notebooks whose stamp is read


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


def timed_here(prepared: PreparedClass) -> Run:
    """The solution's evidence with the cost of its timed calls measured again on this machine:
    stored evidence may come from a faster or a slower processor.

    Raises ``SandboxError``. If nothing is timed, nothing is run.
    """
    context, expected = prepared.context, prepared.expected
    if context.loaded.spec.brought is not None:
        return expected
    job, _ = make_job(context, read_solution(context.loaded))
    timed = tuple(p for p in job.probes if isinstance(p.request, Call) and p.request.discard)
    if not timed:
        return expected
    run = context.runner.run(replace(job, probes=timed, draw=False))
    here = {p.id: p.spent for p in run.probes if p.claim is not None}
    probes = tuple(
        msgspec.structs.replace(p, spent=here.get(p.id, p.spent)) for p in expected.probes
    )
    return msgspec.structs.replace(expected, probes=probes)


def chosen(folder: Path, expected: str, assignment: str, beside: Sequence[str] = ()) -> FoundFile:
    """The submission in its folder, or why there is none. ``expected``: its file's name without the
    ending; ``beside``: patterns of files that may be beside it. Raises nothing.

    The rule is that of downloads: the file with the expected name, then .ipynb before scripts, then
    the largest. If no file has that name, the only notebook made from the assignment's template
    comes first. A note lists the files that were ignored.
    """
    try:
        entries = list_entries([folder])
    except UsageError as bad:
        return FoundFile("", folder.name, folder, error=str(bad))
    expected = _named_by_stamp(entries, expected, assignment) or expected
    picked = pick(entries, expected=expected, beside=beside)
    if picked.entry is None:
        return FoundFile("", folder.name, folder, error=_sentence(picked.error))
    entry, error = picked.entry, picked.error
    shown = "/".join(entry.parts) or entry.leaf
    error = error and _sentence(error)
    return FoundFile("", shown, entry.path, entry.member, error, picked.notes, picked.beside)


def _named_by_stamp(entries: tuple[DownloadEntry, ...], expected: str, assignment: str) -> str:
    """The stem of the only notebook with this assignment's stamp, if there are several notebooks
    and none has the expected name; else empty."""
    notebooks = [entry for entry in entries if is_notebook(entry)]
    if len(notebooks) < 2 or any(
        folded(_stem(notebook)) == folded(expected) for notebook in notebooks
    ):
        return ""
    ours = [notebook for notebook in notebooks[:LOOKED_INTO] if _stamped(notebook) == assignment]
    return _stem(ours[0]) if len(ours) == 1 else ""


def _stem(entry: DownloadEntry) -> str:
    match = NOTEBOOK.fullmatch(entry.leaf)
    return match[1] if match else entry.leaf


def _stamped(entry: DownloadEntry) -> str:
    try:
        stamp = read(Path(entry.leaf), data=entry.load()).stamp
    except SubmissionError:
        return ""
    return stamp.assignment if stamp else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith(("no file", "submitted")) else text
