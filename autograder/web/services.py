"""What the pages work with: the course, its database, and what is kept in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Semaphore

from autograder.assignment.model import Assignment
from autograder.gradebook.database import Database
from autograder.gradebook.store import GradeStore
from autograder.web.access import CourseAccess, FailedSignIns
from autograder.web.answers import WrittenAnswers
from autograder.web.claims import Claims
from autograder.web.course import Course
from autograder.web.gradebook import CurrentGrades, ServedGradebook
from autograder.web.queue import Queue
from autograder.web.regrade_requests import RegradeRequests
from autograder.web.request_log import RequestLog
from autograder.web.sign_in.settings import ONLY_LINKS, SignInSettings
from autograder.web.sign_in.ways import ONLY_BY_LINK, SignInWays, ways_to_sign_in
from autograder.web.states import AssignmentStates
from autograder.web.tasks import CourseTasks
from autograder.web.uploads import Uploads
from autograder.web.workers import Workers

MAX_UPLOAD = 20_000_000  # bytes
MAX_FORM = 200_000  # bytes of every other form
READING = 2  # uploads at once, which bounds the memory that reading them takes


@dataclass(frozen=True)
class Services:
    """Everything that a page may need. ``per_day``: attempts of a student in 24 hours."""

    course: Course
    store: GradeStore
    queue: Queue
    access: CourseAccess
    claims: Claims
    states: AssignmentStates
    requests: RegradeRequests
    uploads: Uploads
    workers: Workers
    tasks: CourseTasks
    per_day: int
    log: RequestLog = field(default_factory=RequestLog)
    ways: SignInWays = ONLY_BY_LINK
    failed_sign_ins: FailedSignIns = field(default_factory=FailedSignIns)
    places: QueuePlaces = field(init=False)
    names: StudentNames = field(init=False)
    grades: CurrentGrades = field(init=False)
    answers: WrittenAnswers = field(init=False)
    reading: Semaphore = field(default_factory=lambda: Semaphore(READING))

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", QueuePlaces(self.queue))
        object.__setattr__(self, "names", StudentNames(self.store))
        object.__setattr__(self, "grades", CurrentGrades(self.store))
        answers = WrittenAnswers(self.course, self.store, self.grades)
        object.__setattr__(self, "answers", answers)

    @property
    def prefix(self) -> str:
        """What comes before every path of ours, as a proxy has it; "" if nothing does."""
        return self.ways.prefix

    def gradebook(self, assignment: Assignment) -> ServedGradebook:
        """The gradebook of an assignment, as the commands use it."""
        results = self.course.results(assignment.id)
        return ServedGradebook(results, assignment, self.store, self.grades)


@dataclass
class QueuePlaces:
    """Everybody's place in the queue, read once a second however many pages ask."""

    queue: Queue
    every_s: float = 1.0
    _read: float = 0.0
    _places: Mapping[int, int] = field(default_factory=dict)

    def now(self) -> Mapping[int, int]:
        """What ``Queue.waiting`` returned, at most a second ago."""
        if time.monotonic() > self._read + self.every_s:
            self._read, self._places = time.monotonic(), self.queue.waiting()
        return self._places

    def read_again(self) -> None:
        """Something was queued: whoever did it asks next."""
        self._read = 0.0


@dataclass
class StudentNames:
    """The names of students, read again when the roster changes."""

    store: GradeStore
    _number: int = 0
    _names: Mapping[str, str] = field(default_factory=dict)

    def of(self, person: str) -> str:
        """The name of a student, "" for whom the roster has none."""
        number = self.store.roster_number()
        if number != self._number:
            names = {one.id: one.full_name for one in self.store.roster()}
            self._names, self._number = names, number
        return self._names.get(person, "")


def services_of(course: Course, *, per_day: int, settings: SignInSettings = ONLY_LINKS) -> Services:
    """Open the course's database, and create it if there is none.

    Raises ``StoreError``, and ``UsageError`` for a way to sign in that cannot be offered.
    """
    database = Database(course.database)
    return Services(
        course=course,
        store=GradeStore(course.database),
        queue=Queue(database),
        access=CourseAccess(database),
        claims=Claims(database),
        states=AssignmentStates(database),
        requests=RegradeRequests(database),
        uploads=Uploads(course.served / "uploads"),
        workers=Workers(database),
        tasks=CourseTasks(database),
        per_day=per_day,
        ways=ways_to_sign_in(settings, course, database),
    )
