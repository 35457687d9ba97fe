"""How a worker does what instructors ask for. A regrade is that of `autograder regrade`: it is
written only if it moves exactly those who were shown before.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import msgspec

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_at, site_of, stored_devices
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context
from autograder.classroom.regrade.regrade import judged_again
from autograder.classroom.regrade.regrade import write as write_again
from autograder.execution.engines.local import Local
from autograder.gradebook.rounding import written
from autograder.interop.arrange import arrange
from autograder.reports.terminal.moves import moved_grades
from autograder.web.course import Course
from autograder.web.tasks import CourseTask
from autograder.web.verdicts import Move, Regrade, read_regrade

POLL_S = 0.5
SHOWN = 20_000  # characters of a command's output


class InterruptedTaskError(Exception):
    """Something more urgent has come."""


def run_command(course: Course, task: CourseTask, urgent: Callable[[], bool]) -> tuple[str, bool]:
    """Run the command of this name; its output and whether it succeeded."""
    command = [sys.executable, "-m", "autograder", task.kind, task.assignment]
    with subprocess.Popen(  # noqa: S603  ours
        command,
        cwd=course.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        while True:
            try:
                output, _ = process.communicate(timeout=POLL_S)
            except subprocess.TimeoutExpired:
                if not urgent():
                    continue
                process.terminate()
                process.communicate()
                raise InterruptedTaskError from None
            text = output.decode("utf-8", "replace").strip()
            return text[-SHOWN:], process.returncode == 0


def regrade(course: Course, task: CourseTask, *, workers: int) -> str:
    """Judge a class again, whose results folder is held; the result as JSON. Raises
    ``AutograderError``."""
    shown = read_regrade(task.given) if task.given else None
    workspace = course.results(task.assignment)
    run = workspace.open_run()
    loaded = load(course.assignment_folder(task.assignment))
    offer, engine = prepare(loaded), Local(workers)
    site = site_of(loaded, offer, require="weak", hide=[course.served])
    progress = WorkProgress(lambda *_: None, lambda *_: None)
    with stored_devices(site, "auto", run.devices) as devices, box_at(site) as box:
        context = make_context(
            loaded,
            offer,
            box,
            seed=run.seed,
            draw=run.draw,
            evidence=workspace.evidence_at(),
            devices=devices,
            arrange=arrange,
        )  # only the solution and known mistakes may be run; submissions may not
        judged = judged_again(context, workspace, engine, progress, where=course.database)
        moves = [
            Move(one.student, _said(was.score, was.status), _said(one.score, one.status))
            for one in moved_grades(judged.before, judged.grades)
            if (was := judged.before[one.student])
        ]
        # A regrade moves those who were shown.
        agreed = shown is not None and shown.moves == moves
        if agreed:
            write_again(judged, engine, progress, command=("work", "regrade"))
    return msgspec.json.encode(Regrade(moves, written=agreed)).decode()


def _said(score: int | None, status: str) -> str:
    return status if score is None else written(score)
