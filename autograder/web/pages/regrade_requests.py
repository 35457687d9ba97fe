"""Regrade requests: students ask about an exercise of released results, graders answer.

Covered: a student reads no other student's thread, and none while results are not released.
New points are the override that `autograder gradebook override` records.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.responses import Response

from autograder.assignment.model import Assignment
from autograder.classroom.feedback_pages import page_today
from autograder.errors import UsageError
from autograder.gradebook.decisions import Decision, new_ones
from autograder.gradebook.entered import points_entered
from autograder.gradebook.grade import Grade
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.standings import counter_of
from autograder.web.pages.grade import hides_names
from autograder.web.pages.hand_in import current_result, offered
from autograder.web.pages.students import CHANGED, LONGEST, newest_decision
from autograder.web.regrade_requests import RegradeRequest
from autograder.web.visit import NotHereError, RefusedError, Visit, framed, go_to


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request with what it is about. ``name``: the student's, "" if it is hidden or unknown."""

    request: RegradeRequest
    assignment: Assignment
    name: str

    @property
    def path(self) -> str:
        return f"/requests/{self.request.id}"

    @property
    def title(self) -> str:
        """The exercise's title."""
        about = self.request.exercise
        return next((e.title or e.id for e in self.assignment.exercise if e.id == about), about)


def overview(visit: Visit) -> Response:
    """Every request, those that wait for an answer first."""
    known, names = visit.services.course.assignments(), _names(visit)
    views = [
        RequestView(one, known[one.assignment], names.get(one.student, ""))
        for one in visit.services.requests.all()
        if one.assignment in known
    ]
    views.sort(key=lambda view: (not view.request.waits, not view.request.open, -view.request.id))
    return visit.page("requests.html.j2", views=views, hide=hides_names(visit))


def ask(visit: Visit) -> Response:
    """Open a request (students)."""
    services, offer, who = visit.services, offered(visit, visit.part("assignment")), visit.who
    if offer.state != "released" or offer.assignment.id in services.requests.refused():
        raise RefusedError(403, "No regrade requests are taken for this assignment.")
    _, standing = current_result(visit, offer.assignment)
    exercise, text = visit.sent("exercise"), _text(visit)
    if exercise not in {one.id for one in standing.exercises} or not text:
        raise RefusedError(422, "Choose an exercise and write what should be looked at again.")
    try:
        number = services.requests.ask(offer.assignment.id, who, exercise, text)
    except UsageError as bad:
        raise RefusedError(409, str(bad)) from None
    services.access.audit(who.person, who.role, "asked for a regrade", f"request {number}")
    return go_to(f"/requests/{number}")


def thread(visit: Visit) -> Response:
    """The messages of a request, and a form to add one."""
    return _thread_page(visit, _view(visit))


def add(visit: Visit) -> Response:
    """Add a message; a grader may set points with it, and close the request."""
    view, services, who = _view(visit), visit.services, visit.who
    request, text, grades = view.request, _text(visit), visit.who.role != "student"
    points = visit.sent("points").strip() if grades else ""
    closes = grades and visit.sent("do") == "close"
    recorded = services.store.decisions(request.assignment)
    try:
        if not text:
            raise UsageError("Write a message first.")
        if not request.open:
            raise UsageError("This request is closed.")
        amount = points_entered(points, least=0) if points else None
        if amount is not None and visit.sent("seen") != newest_decision(recorded, request.student):
            return _thread_page(visit, view, problem=CHANGED, status=409)
        if amount is not None:
            made = Decision(
                request.assignment,
                request.student,
                "override",
                who.person,
                f"regrade request {request.id}",
                datetime.now(UTC),
                exercise=request.exercise,
                amount=amount,
            )
            services.store.decide(new_ones([made], recorded))
        services.requests.add(request.id, who, text, amount=amount, closes=closes)
    except UsageError as bad:
        return _thread_page(visit, view, problem=str(bad), status=422)
    what = "closed a regrade request" if closes else "answered" if grades else "wrote"
    services.access.audit(who.person, who.role, what, f"request {request.id}")
    return go_to("/requests" if closes else view.path)


def whole_page(visit: Visit) -> Response:
    """The student's feedback page as it is today, for a grader's frame."""
    view = _view(visit)
    grade, standing = _result(visit, view)
    results = visit.services.course.results(view.assignment.id)
    page = grade and page_today(
        results, view.assignment, grade, standing, nameless=hides_names(visit)
    )
    if not page:
        raise NotHereError
    return framed(page)


def set_intake(visit: Visit) -> Response:
    """Begin or end to take requests for an assignment (instructors)."""
    services, name, who = visit.services, visit.part("assignment"), visit.who
    if name not in services.course.assignments():
        raise NotHereError
    taken = visit.sent("taken") == "1"
    services.requests.take(name, who.person, taken=taken)
    what = "takes regrade requests" if taken else "takes no regrade requests"
    services.access.audit(who.person, who.role, what, name)
    return go_to(f"/export/{name}")


def _thread_page(
    visit: Visit, view: RequestView, *, problem: str = "", status: int = 200
) -> Response:
    request, assignment = view.request, view.assignment
    _, standing = _result(visit, view)
    recorded = visit.services.store.decisions(assignment.id)
    exercise: ExerciseStanding | None = next(
        (one for one in standing.exercises if one.id == request.exercise), None
    )
    return visit.page(
        "request.html.j2",
        view=view,
        request=request,
        exercise=exercise,
        standing=standing,
        hide=hides_names(visit),
        seen=newest_decision(recorded, request.student),
        form={key: visit.sent(key) for key in ("text", "points")},
        problem=problem,
        status=status,
    )


def _view(visit: Visit) -> RequestView:
    """The request in the address, for those who may read it."""
    found = visit.services.requests.get(int(visit.part("request")))
    if found is None or (visit.who.role == "student" and found.student != visit.who.person):
        raise NotHereError
    assignment = visit.services.course.assignments().get(found.assignment)
    # A thread names points, which are for after the release.
    if visit.who.role == "student" and visit.services.states.of(found.assignment) != "released":
        raise NotHereError
    if assignment is None:
        raise NotHereError
    return RequestView(found, assignment, _names(visit).get(found.student, ""))


def _result(visit: Visit, view: RequestView) -> tuple[Grade | None, Standing]:
    store, student = visit.services.store, view.request.student
    grades = visit.services.grades.of(view.assignment)
    grade = next((one for one in grades if one.student == student), None)
    return grade, counter_of(store, view.assignment)(student, grade)


def _names(visit: Visit) -> dict[str, str]:
    """Full names by student, none of them if the grader has hidden them."""
    if hides_names(visit):
        return {}
    return {person.id: person.full_name for person in visit.services.store.roster()}


def _text(visit: Visit) -> str:
    text = visit.sent("text").replace("\r\n", "\n").strip()
    if len(text) > LONGEST:
        raise RefusedError(422, "This text is too long.")
    return text
