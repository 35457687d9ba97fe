"""Course (instructors): what students see of each assignment, the queue, and what went wrong."""

from __future__ import annotations

from starlette.responses import Response

from autograder.web.states import EVERY
from autograder.web.visit import NotHereError, RefusedError, Visit, go_to


def overview(visit: Visit) -> Response:
    """Every assignment with its state and its jobs."""
    services = visit.services
    return visit.page(
        "course.html.j2",
        assignments=services.course.assignments(),
        problems=services.course.problems(),
        states=services.states.all(),
        every=EVERY,
        counts=services.queue.counts(),
        errors=services.queue.errors(),
        failed=services.queue.failed(),
        lms=services.ways.lms,
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
    if number >= 2**31 or not visit.services.queue.retry(number):
        raise NotHereError
    visit.services.access.audit(
        visit.who.person, visit.who.role, "queued again", f"attempt {number}"
    )
    return go_to("/course")
