"""Course (instructors): what students see of each assignment, open work, the queue and its workers,
and what went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from starlette.responses import Response

from autograder.gradebook.decisions import in_force
from autograder.gradebook.late import duration
from autograder.reports.class_report.page import class_report
from autograder.reports.class_report.results import ClassResults
from autograder.web.pages.students import gradebook
from autograder.web.states import EVERY
from autograder.web.visit import NotHereError, RefusedError, Visit, framed, go_to


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What graders have to do, and have done. ``left``: answers without points; ``graders``: how
    many answers have points by whom."""

    left: int
    answers: int
    graders: dict[str, int]
    requests: int


def overview(visit: Visit) -> Response:
    """Every assignment with its state, its jobs and its open work."""
    services = visit.services
    assignments, oldest = services.course.assignments(), services.queue.oldest()
    waits = Counter(one.assignment for one in services.requests.all() if one.waits)
    return visit.page(
        "course.html.j2",
        assignments=assignments,
        problems=services.course.problems(),
        states=services.states.all(),
        every=EVERY,
        counts=services.queue.counts(),
        errors=services.queue.errors(),
        failed=services.queue.failed(),
        lms=services.ways.lms,
        work={name: _open_work(visit, name, waits[name]) for name in assignments},
        workers=services.workers.all(),
        age=_age(oldest) if oldest is not None else "",
    )


def report(visit: Visit) -> Response:
    """The class report over today's points, without the search for similar submissions."""
    book = gradebook(visit)
    name = book.assignment.id
    pages = {
        one.student: f"/students/{name}/page/{quote(one.student, safe='')}" for one in book.grades()
    }
    if not pages:
        raise NotHereError
    results = ClassResults(book.grades(), book.standings(), book.roster(), pages)
    note = "`autograder report` also compares the submissions with each other."
    return framed(class_report(book.assignment.title, results, notes=(note,)))


def _open_work(visit: Visit, name: str, requests: int) -> OpenWork:
    services, assignment = visit.services, visit.services.course.assignments()[name]
    decisions = services.store.decisions(name)
    rows = services.answers.rows(assignment, decisions).values()
    counted = [row for row in rows if not row.hidden]
    return OpenWork(
        left=sum(row.points is None for row in counted),
        answers=len(counted),
        graders=dict(Counter(d.who for d in in_force(decisions) if d.kind == "points")),
        requests=requests,
    )


def set_state(visit: Visit) -> Response:
    """Open, close or release an assignment."""
    services, name, wanted = visit.services, visit.part("assignment"), visit.sent("state")
    if name not in services.course.assignments():
        raise NotHereError
    state = next((one for one in EVERY if one == wanted), None)
    if state is None:
        raise RefusedError(422, "Choose a state.")
    services.states.set(name, state, who=visit.who.person)
    services.access.audit(visit.who.person, visit.who.role, f"set to {state}", name)
    return go_to("/course")


def grade_again(visit: Visit) -> Response:
    """Queue a job again that failed through the grader's fault."""
    number = int(visit.part("attempt"))
    if not visit.services.queue.retry(number):
        raise NotHereError
    visit.services.access.audit(
        visit.who.person, visit.who.role, "queued again", f"attempt {number}"
    )
    return go_to("/course")


def _age(moment: datetime) -> str:
    seconds = int((datetime.now(UTC) - moment).total_seconds())
    return duration(seconds) if seconds >= 60 else "less than a minute"
