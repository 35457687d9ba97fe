"""What runs on Gradescope: `python -m autograder.interop.gradescope.harness --root /autograder`.

Grades the one submission and keeps results.json valid from start to end, so that it contains the
results so far whenever this program is stopped. Its printed output is for instructors. With
--prepare, when the image is built, it makes the solution's evidence in advance.

Covered: SIGTERM, the time limit, a lost box, a fault of the grader, a submission without a
notebook.
Not covered: what was graded between the last look at a run and a SIGKILL, a few seconds at most.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from autograder.assignment.load import Loaded, load
from autograder.assignment.model import POINT
from autograder.assignment.pretrained import Offer, prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import AutograderError
from autograder.execution.engines.local import Inline
from autograder.files import scratch_folder, write_atomic
from autograder.gradebook.grade import Grade
from autograder.gradebook.rounding import written
from autograder.grading.context import FoundSubmission, GradingContext
from autograder.interop.arrange import arrange
from autograder.interop.gradescope.grade_in_time import graded_in_time, hand_in_of, rejection
from autograder.interop.gradescope.layout import Layout
from autograder.interop.gradescope.live_results import Board, LiveSubmission
from autograder.interop.gradescope.metadata import read_metadata
from autograder.interop.gradescope.results import results_bytes
from autograder.interop.gradescope.settings import Require, Settings, read_settings
from autograder.interop.gradescope.student_results import (
    OUR_FAULT,
    GradeCircumstances,
    nothing_told,
)
from autograder.sandbox.lazy import LazyBox

FIRST_KILLED = 800  # oom_score_adj of the box: the kernel ends it before this program
ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGALRM)
LAST_WORDS_S = 5.0  # at least, between the end of all work and Gradescope's limit


class WorkEnded(BaseException):
    """A signal or the clock ended the work; only ``grade_submission`` may catch it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Status 0 whenever results.json has the outcome."""
    parser = argparse.ArgumentParser(prog="autograder.interop.gradescope.harness")
    parser.add_argument("--root", type=Path, default=Path("/autograder"))
    parser.add_argument("--prepare", action="store_true")
    options = parser.parse_args(arguments)
    layout = Layout(options.root.resolve())
    return prepare_image(layout) if options.prepare else grade_submission(layout)


def prepare_image(layout: Layout) -> int:
    """Make the evidence of the solution and of the known mistakes; status 1 if that fails."""
    try:
        settings = read_settings(layout.settings)
        loaded = _loaded(layout, settings)
        offer = prepare(loaded)
        with _box(layout, loaded, offer, "weak") as box:  # the instructor's own code
            prepared = prepare_reference(
                _setting(layout, settings, loaded, offer, box), Inline(), _step
            )
            _say(_isolation(box))
    except AutograderError as bad:
        _say(f"error: {bad}")
        return 1
    _say(f"ready: {loaded.spec.id}, {len(prepared.bank)} known mistakes")
    return 0


def grade_submission(layout: Layout) -> int:
    """Grade the submission folder; results.json exists whatever happens."""
    started = time.monotonic()
    try:
        settings = read_settings(layout.settings)
        loaded = _loaded(layout, settings)
        case = LiveSubmission(
            layout, settings, loaded.spec, read_metadata(layout.metadata), started
        )
        board = Board(case)
    except AutograderError as bad:
        _say(f"error: {bad}")
        write_atomic(
            layout.results, results_bytes(nothing_told(OUR_FAULT, 0, GradeCircumstances()))
        )
        return 0
    last = settings.limit_s - max(settings.margin_s / 3, LAST_WORDS_S)
    try:
        with _until(last - case.seconds()):
            _close(layout)
            _grade(board, loaded)
    except WorkEnded as end:
        _say(f"ended after {case.seconds():.1f} s: {end}")
        board.show(str(end))
    except Exception:  # noqa: BLE001  whatever goes wrong here is no student's fault
        _say(traceback.format_exc())
        board.failed()
    return 0


def _grade(board: Board, loaded: Loaded) -> None:
    case = board.case
    handed = hand_in_of(case)
    grade = rejection(case, handed) or _run(board, handed, loaded)
    board.final(grade)
    _tell_instructor(case, grade)


def _run(board: Board, handed: FoundSubmission, loaded: Loaded) -> Grade:
    case, offer = board.case, prepare(loaded)
    with (
        _box(case.layout, loaded, offer, case.settings.require) as box,
        scratch_folder() as own,
    ):
        context = _setting(case.layout, case.settings, loaded, offer, box)
        _say(_isolation(box))
        _end_first(box)
        try:
            return graded_in_time(board, handed, context, box, own)
        except WorkEnded as end:
            board.show(str(end))  # before the box is closed, which takes its time
            raise


def _loaded(layout: Layout, settings: Settings) -> Loaded:
    """The assignment, with the package's own limit of memory. Raises ``SpecError``."""
    loaded = load(layout.assignment(settings.assignment))
    if not settings.memory_mb:
        return loaded
    limits = loaded.spec.limits.model_copy(update={"memory_mb": settings.memory_mb})
    return replace(loaded, spec=loaded.spec.model_copy(update={"limits": limits}))


def _box(
    layout: Layout, loaded: Loaded, offer: Offer, require: Require
) -> AbstractContextManager[LazyBox]:
    hide = (layout.source, layout.submission, layout.results.parent, layout.evidence)
    return box_for(loaded, offer, require=require, hide=hide)


def _setting(
    layout: Layout, settings: Settings, loaded: Loaded, offer: Offer, box: LazyBox
) -> GradingContext:
    seed, evidence = settings.seed, layout.evidence
    return make_context(
        loaded, offer, box, seed=seed, draw=False, evidence=evidence, arrange=arrange
    )


def _close(layout: Layout) -> None:
    """Close what other users must not read, in case setup.sh's modes were lost."""
    for path, mode in ((layout.source, 0o700), (layout.evidence, 0o700), (layout.metadata, 0o600)):
        with contextlib.suppress(OSError):
            path.chmod(mode)  # the package is closed to student code on Gradescope


def _end_first(box: LazyBox) -> None:
    """Make the kernel end student code rather than this program if memory runs out."""
    with contextlib.suppress(OSError):
        adjusted = Path("/proc", str(box.box().zygote_pid()), "oom_score_adj")
        adjusted.write_text(str(FIRST_KILLED))


@contextlib.contextmanager
def _until(seconds: float) -> Iterator[None]:
    """Raise ``WorkEnded`` inside after so many seconds, or when somebody ends this program."""

    def end(number: int, frame: FrameType | None) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)
        raise WorkEnded("time limit" if number == signal.SIGALRM else signal.Signals(number).name)

    before = {one: signal.signal(one, end) for one in ENDS}
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.1))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before.items():
            signal.signal(one, handler)


def _isolation(box: LazyBox) -> str:
    found = box.box().isolation
    missing = f"; missing: {'; '.join(found.missing)}" if found.missing else ""
    return f"isolation: {found.level} ({', '.join(found.layers)}){missing}"


def _tell_instructor(case: LiveSubmission, grade: Grade) -> None:
    """Print what only instructors see: Gradescope hides printed text from students."""
    who, total = ", ".join(case.metadata.users), case.metadata.total
    _say(f"submission {case.metadata.id or '?'} of {who or '?'}: {grade.submission.file}")
    points = f"{written(grade.score) or 'no score'} of {written(grade.max_score)} points"
    _say(f"{grade.status}, {points}, after {case.seconds():.1f} s")
    _say(f"peak memory of the submission: {grade.timing.peak_mb:.0f} MB")
    if grade.reason:
        _say(f"reason: {grade.reason}")
    if total is not None and total * POINT != grade.max_score:
        _say(
            f"the assignment has {total} points on Gradescope, and the grader gives "
            f"{written(grade.max_score)}: the rest must be graded by hand there"
        )


def _step(what: str, total: int) -> None:
    _say(f"{what} ({total})")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
