"""The process that grades: it takes jobs from the database and grades them as `grade` does.

One worker grades one assignment at a time, several submissions in parallel; another worker takes
another assignment, since only one grader may write into a results folder. The box, the solution's
run and the known mistakes are kept while there is work for their assignment.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import func, select

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_at, devices_for, site_of
from autograder.classroom.grade_class import ClassGrader, ReceivedClass
from autograder.classroom.gradebook_of_class import open_book, rewrite
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.personal import with_personal
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import RunFile
from autograder.errors import AutograderError, StoppedError, StoreError, UsageError
from autograder.execution.engines.local import Local
from autograder.execution.interrupts import StopRequest
from autograder.gradebook.database import Database
from autograder.gradebook.schema import DECISIONS
from autograder.gradebook.store import ArrivalRecord
from autograder.interop.arrange import arrange
from autograder.sandbox.box import Level
from autograder.sandbox.lazy import LazyBox
from autograder.web.course import Course, Stamp, stamp_of
from autograder.web.do_task import InterruptedTaskError, regrade, run_command
from autograder.web.live_progress import LiveProgress
from autograder.web.queue import LEASE_S, PLATFORM, HandIn, Queue
from autograder.web.tasks import CourseTasks
from autograder.web.uploads import UploadedSubmission, Uploads
from autograder.web.watched_class import TellProgress, WatchedClass
from autograder.web.workers import Workers

POLL_S = 0.5
DECIDED_S = 5.0
KEPT_WARM_S = 120.0  # without work for the assignment
RETRY_S = 30.0  # for an assignment that cannot be graded now

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How to grade. ``most``: submissions in parallel."""

    most: int
    require: Level = "medium"
    devices: str = "auto"


@dataclass(frozen=True, slots=True)
class _ReadyToGrade:
    """What grades submissions of an assignment, and the box that runs them."""

    grader: ClassGrader
    box: LazyBox

    def watched(self, tell: TellProgress) -> ClassGrader:
        """The grader, which tells how far each submission is."""
        prepared = self.grader.prepared
        personal = WatchedClass(prepared.personal, self.box, tell)
        return replace(self.grader, prepared=replace(prepared, personal=personal))


@dataclass
class Worker:
    """Grades what arrives until ``stop`` is wanted. ``tell`` prints a line for the operator."""

    course: Course
    options: WorkerOptions
    tell: Tell
    stop: StopRequest = field(default_factory=StopRequest)
    name: str = field(default_factory=lambda: f"worker-{secrets.token_hex(4)}")
    _later: dict[str, float] = field(default_factory=dict)  # assignments to leave alone, until when
    _decided: dict[str, int] = field(default_factory=dict)  # the newest one in gradebook.csv
    _looked: float = -math.inf
    _doing: str = ""

    def run(self, *, until_idle: bool = False) -> None:
        """Work; with ``until_idle``, until there is nothing to grade. Raises ``StoreError``."""
        database = Database(self.course.database)
        queue = Queue(database)
        try:
            with self._reporting(queue):
                self._work(queue, until_idle=until_idle)
        finally:
            with suppress(StoreError):
                queue.release(self.name)
                CourseTasks(database).put_back(self.name)
            database.close()

    def _work(self, queue: Queue, *, until_idle: bool) -> None:
        while not self.stop.wanted:
            assignment = self._next(queue)
            if assignment is not None:
                self._doing = assignment
                self._grade(queue, assignment, leave=until_idle)
                self._doing = ""
            elif not self._do_task(queue):
                if until_idle:
                    return
                self._write_decided(queue.database)
                time.sleep(POLL_S)

    def _do_task(self, queue: Queue) -> bool:
        """Do what an instructor has asked for; whether there was something."""
        tasks = CourseTasks(queue.database)
        task = tasks.claim(self.name)
        if task is None:
            return False
        self._doing = task.assignment
        self.tell(f"{task.assignment}: {task.kind}")
        try:
            if task.kind != "regrade":
                result, good = run_command(self.course, task, lambda: self._is_urgent(queue))
                tasks.end(self.name, result, failed=not good)
                return True
            with ExitStack() as held:
                try:
                    held.enter_context(self.course.results(task.assignment).held())
                except UsageError:  # another worker has it
                    tasks.put_back(self.name, later_s=RETRY_S)
                    return True
                tasks.end(self.name, regrade(self.course, task, workers=self.options.most))
        except InterruptedTaskError:
            tasks.put_back(self.name)
        except StoreError:
            raise
        except AutograderError as bad:
            tasks.end(self.name, str(bad), failed=True)
        finally:
            self._doing = ""
        return True

    def _is_urgent(self, queue: Queue) -> bool:
        """Whether a command of an instructor has to wait."""
        return self.stop.wanted or self._next(queue) is not None

    def _next(self, queue: Queue, *, but: str = "") -> str | None:
        """The assignment to grade next."""
        now = time.monotonic()
        known = self.course.assignments().keys() - {but}
        ready = (a for a in queue.wanted() if a in known and self._later.get(a, 0) <= now)
        return next(ready, None)

    def _grade(self, queue: Queue, assignment: str, *, leave: bool) -> None:
        """Grade an assignment's jobs until others wait, or none has come for a while."""
        with ExitStack() as held:
            try:
                held.enter_context(self.course.results(assignment).held())
            except UsageError:  # another worker has it
                self._later[assignment] = time.monotonic() + RETRY_S
                return
            self._grade_held(queue, assignment, leave=leave)

    def _grade_held(self, queue: Queue, assignment: str, *, leave: bool) -> None:
        try:
            with self._prepared(assignment) as ready:
                queue.note(assignment, "")
                tasks = CourseTasks(queue.database)
                stamp, last = self._stamp(assignment), time.monotonic()
                while not self.stop.wanted and stamp == self._stamp(assignment):
                    claimed = queue.claim(assignment, self.name, most=2 * self.options.most)
                    if claimed:
                        self._grade_claimed(queue, ready, claimed)
                        last = time.monotonic()
                    elif (
                        leave
                        or self._next(queue, but=assignment)
                        or tasks.waiting()
                        or time.monotonic() > last + KEPT_WARM_S
                    ):
                        return
                    else:
                        self._write_decided(queue.database)
                        time.sleep(POLL_S)
        except StoppedError:
            return  # what was claimed is released
        except AutograderError as bad:
            # it holds up no other assignment
            self._later[assignment] = time.monotonic() + (0 if leave else RETRY_S)
            queue.note(assignment, str(bad))
            self.tell(f"{assignment}: cannot be graded now: {bad}")
            if leave:
                raise

    def _grade_claimed(
        self, queue: Queue, ready: _ReadyToGrade, claimed: tuple[HandIn, ...]
    ) -> None:
        uploads = Uploads(self.course.served / "uploads")
        jobs = {one.student: one for one in claimed}

        def done(graded: Any) -> None:
            queue.settle(jobs[graded.grade.student].id, self.name)

        def tell(student: str, how_far: LiveProgress) -> None:
            queue.report(jobs[student].id, self.name, how_far.written())

        received = ReceivedClass(
            [UploadedSubmission(c.student, c.file, uploads.path(c.sha256)) for c in claimed],
            [_arrival(one) for one in claimed],
        )
        progress = WorkProgress(lambda *_: None, done)
        try:
            ready.watched(tell).grade(received, progress)
        finally:
            if not self.stop.wanted:
                for one in claimed:  # those without a result; it is no change for the others
                    queue.settle(one.id, self.name)

    @contextmanager
    def _prepared(self, assignment: str) -> Iterator[_ReadyToGrade]:
        """What grades submissions of an assignment, prepared as `grade` does it."""
        course, options = self.course, self.options
        workspace = course.results(assignment)
        loaded = load(course.assignment_folder(assignment))
        offer = prepare(loaded)
        evidence = workspace.evidence_at()
        # no box shows what students handed in
        site = site_of(loaded, offer, require=options.require, hide=[course.served])
        engine = Local(options.most)
        with devices_for(loaded.spec, site, options.devices) as devices, box_at(site) as box:
            run = workspace.begin(
                RunFile(
                    "autograder-run/1",
                    assignment=loaded.spec.id,
                    folder=str(loaded.folder),
                    seed=workspace.seed(None),
                    draw=True,
                    devices=devices.names,
                    gradebook=course.url or f"sqlite:///{course.database}",
                )
            )
            context = make_context(
                loaded,
                offer,
                box,
                seed=run.seed,
                draw=run.draw,
                evidence=evidence,
                devices=devices,
                arrange=arrange,
            )
            self.tell(f"{assignment}: running the solution and the known mistakes")
            prepared = prepare_reference(context, engine, lambda *_: None)
            self.tell(f"{assignment}: ready")
            grader = ClassGrader(
                with_personal(prepared),
                workspace,
                engine,
                command=("work",),
                where=course.database,
                stop=self.stop,
            )
            yield _ReadyToGrade(grader, box)

    @contextmanager
    def _reporting(self, queue: Queue) -> Iterator[None]:
        """Renew the leases and report what this worker does while the block runs."""
        ended, workers = threading.Event(), Workers(queue.database)
        tasks = CourseTasks(queue.database)

        def report() -> None:
            while True:
                with suppress(StoreError):  # tried again; a lost lease is noticed by ``settle``
                    queue.renew(self.name)
                    tasks.renew(self.name)
                    workers.report(self.name, self._doing)
                if ended.wait(LEASE_S / 4):
                    return

        thread = threading.Thread(target=report, name="leases", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            with suppress(StoreError):
                workers.end(self.name)

    def _write_decided(self, database: Database) -> None:
        """Write gradebook.csv again where graders have decided something on the pages."""
        if time.monotonic() < self._looked + DECIDED_S:
            return
        self._looked = time.monotonic()
        query = select(DECISIONS.c.assignment, func.max(DECISIONS.c.id).label("newest"))
        for row in database.rows(query.group_by(DECISIONS.c.assignment)):
            workspace = self.course.results(row.assignment)
            if self._decided.get(row.assignment) != row.newest and workspace.is_begun:
                with suppress(AutograderError):  # the database has it; tried again
                    with open_book(workspace.folder, self.course.url) as book:
                        rewrite(book)
                    self._decided[row.assignment] = row.newest

    def _stamp(self, assignment: str) -> Stamp:
        """Changes when a file of the assignment or of its solution does."""
        course = self.course
        below = course.assignment_folder(assignment), course.folder / "solutions" / assignment
        return stamp_of(sorted(path for folder in below for path in folder.rglob("*")))


def _arrival(one: HandIn) -> ArrivalRecord:
    return ArrivalRecord(
        assignment=one.assignment,
        student=one.student,
        platform=PLATFORM,
        file=one.file,
        place=one.place,
        attempt=one.number,
        submitted_at=one.at,
    )
