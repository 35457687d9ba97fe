"""Hand in (students): what is asked, an upload, its place in the queue, and the results.

Covered: another student's attempt is not there; before a release only public checks are shown.
Not covered: what a student's own code printed during hidden checks, see ``reports.feedback``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import FileResponse, Response, StreamingResponse

from autograder.assignment.late import LateSpec, time_zone
from autograder.assignment.model import Assignment
from autograder.classroom.feedback_pages import page_today
from autograder.errors import StoreError, SubmissionError
from autograder.gradebook.decisions import in_force
from autograder.gradebook.grade import Grade
from autograder.gradebook.late import duration, lateness
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import counter_of
from autograder.notebook.formats.read import read
from autograder.notebook.formats.text import without_surrogates
from autograder.notebook.submission import Submission, code_cells
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.words import plural
from autograder.web.live_progress import LiveProgress, public_part, read_progress
from autograder.web.queue import HandIn, TooManyAttemptsError
from autograder.web.states import State
from autograder.web.visit import FULL, NotHereError, RefusedError, Visit, framed, go_to, markup

EVENTS_S = 1.0
EVENTS_MOST_S = 600.0  # the browser connects again
ACCEPTED = (".ipynb", ".py")


@dataclass(frozen=True, slots=True)
class OfferedAssignment:
    """An assignment as one student sees it now. ``due`` and ``lateness`` are in words."""

    assignment: Assignment
    state: State
    due: str
    lateness: str
    closed: bool  # whether nothing can be handed in now
    attempts: tuple[HandIn, ...]
    left: int

    @property
    def newest(self) -> HandIn | None:
        return self.attempts[-1] if self.attempts else None


def assignments(visit: Visit) -> Response:
    """Everything that the student can see."""
    states = visit.services.states.all()
    offers = [
        _offer(visit, found, states[name])
        for name, found in visit.services.course.assignments().items()
        if states.get(name, "draft") != "draft"
    ]
    return visit.page("assignments.html.j2", offers=offers, places=visit.services.places.now())


def assignment(visit: Visit) -> Response:
    """One assignment: the upload, the attempts, and once they are released the results."""
    return _assignment_page(visit)


def upload(visit: Visit) -> Response:
    """Take a file, read it, store it, and queue it."""
    services, offer, student = visit.services, _seen(visit), visit.who.person
    if offer.closed:
        raise RefusedError(403, "Nothing can be handed in any more.")
    file = visit.form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _assignment_page(visit, problem="Choose a file first.", status=422)
    name = _plain_name(file.filename)
    if not name.lower().endswith(ACCEPTED):
        problem = f"{name}: hand in a notebook (.ipynb) or a script (.py)."
        return _assignment_page(visit, problem=problem, status=422)
    data = file.file.read()
    file.file.close()
    try:
        with services.reading:
            notes = _notes(offer.assignment, read(Path(name), data=data))
    except SubmissionError as bad:
        return _assignment_page(visit, problem=str(bad), status=422)
    try:
        digest = services.uploads.keep(data)  # on the disk before anybody is told
        number = services.queue.accept(
            assignment=offer.assignment.id,
            student=student,
            file=name,
            sha256=digest,
            notes=notes,
            per_day=services.per_day,
        )
        services.places.read_again()
    except TooManyAttemptsError as bad:
        return _assignment_page(visit, problem=f"Not handed in: {bad}.", status=429)
    except StoreError:
        raise RefusedError(507, FULL) from None
    return go_to(f"/attempts/{number}")


def attempt(visit: Visit) -> Response:
    """One attempt: its place in the queue, or its results."""
    found = _own_attempt(visit)
    offer, progress = offered(visit, found.assignment), read_progress(found.progress)
    grade = visit.services.store.grade(found.grade_id) if found.grade_id else None
    return visit.page(
        "attempt.html.j2",
        attempt=found,
        offer=offer,
        stage=_stage(found, visit.services.places.now().get(found.id), _how_far(progress)),
        progress=progress,
        graded=feedback(public_part(grade), offer.assignment) if grade is not None else None,
    )


def file(visit: Visit) -> Response:
    """What was handed in, as it was."""
    found = _own_attempt(visit)
    path = visit.services.uploads.path(found.sha256)
    if not path.is_file():
        raise NotHereError
    return FileResponse(path, filename=found.file, media_type="application/octet-stream")


async def events(visit: Visit) -> Response:
    """Where the attempt is as server-sent events: its place in the queue, how far it is, and
    public checks as HTML (event ``checks``); ends with the event ``done``."""
    found = await run_in_threadpool(_own_attempt, visit)
    return StreamingResponse(_stages(visit, found), media_type="text/event-stream")


def feedback_frame(visit: Visit) -> Response:
    """The whole feedback page, with what graders have added, for a frame."""
    offer = _seen(visit)
    # The whole page is for after the release.
    if offer.state != "released":
        raise NotHereError
    grade, standing = current_result(visit, offer.assignment)
    results = visit.services.course.results(offer.assignment.id)
    page = grade and page_today(results, offer.assignment, grade, standing)
    if not page:
        raise NotHereError
    return framed(page)


async def _stages(visit: Visit, found: HandIn) -> AsyncIterator[str]:
    sent: dict[str, str] = {}
    for _ in range(int(EVENTS_MOST_S / EVENTS_S)):
        places = await run_in_threadpool(visit.services.places.now)
        now: HandIn | None = found
        if not places.get(found.id):  # nothing of an attempt that waits changes but its place
            now = await run_in_threadpool(visit.services.queue.attempt, found.id)
        if now is None or now.state in ("done", "failed"):
            yield _event("done", "done")
            return
        for event, data in _told(now, places.get(found.id)).items():
            if sent.get(event, "") != data:
                sent[event] = data
                yield _event(event, data)
        await asyncio.sleep(EVENTS_S)


def _told(now: HandIn, place: int | None) -> dict[str, str]:
    """What is told of an attempt that has no result yet, by event."""
    progress = read_progress(now.progress)
    checks = progress.public if progress is not None else ()
    return {
        "message": _stage(now, place, _how_far(progress)),
        "checks": markup("attempt_so_far.html.j2", exercises=checks).strip(),
    }


def _event(event: str, data: str) -> str:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {event}\n{lines}\n"


def _stage(found: HandIn, place: int | None, how_far: str = "") -> str:
    """Where an attempt is, in words."""
    if found.state == "failed":
        return "Could not be graded, through no fault of yours. Your instructor will look into it."
    if found.state == "done":
        return "Graded"
    if found.state == "claimed" or place == 0:
        return f"Being graded{how_far}"
    return f"Waiting: number {place} in the queue" if place else "Waiting"


def _how_far(progress: LiveProgress | None) -> str:
    """How far an attempt is, in words."""
    if progress is None:
        return ""
    cells = f"{progress.cells} of {plural(progress.all_cells, 'cell')} run"
    return f": {cells}, {progress.judged} of {plural(progress.exercises, 'exercise')} judged"


def _assignment_page(visit: Visit, *, problem: str = "", status: int = 200) -> Response:
    offer = _seen(visit)
    standing = None
    if offer.state == "released":
        standing = current_result(visit, offer.assignment)[1]
    requests = visit.services.requests
    places = visit.services.places.now()
    return visit.page(
        "assignment.html.j2",
        offer=offer,
        problem=problem,
        standing=standing,
        requests=requests.of(offer.assignment.id, visit.who.person) if standing else (),
        titles={one.id: one.title for one in offer.assignment.exercise},
        asks=standing is not None and offer.assignment.id not in requests.refused(),
        per_day=visit.services.per_day,
        stages={one.id: _stage(one, places.get(one.id)) for one in offer.attempts},
        status=status,
    )


def _seen(visit: Visit) -> OfferedAssignment:
    return offered(visit, visit.part("assignment"))


def offered(visit: Visit, name: str) -> OfferedAssignment:
    """An assignment that the student can see."""
    found, state = visit.services.course.assignments().get(name), visit.services.states.of(name)
    # A draft is not there for students.
    if found is None or state == "draft":
        raise NotHereError
    return _offer(visit, found, state)


def _offer(visit: Visit, assignment: Assignment, state: State) -> OfferedAssignment:
    services, student, now = visit.services, visit.who.person, datetime.now(UTC)
    attempts = services.queue.attempts(assignment.id, student)
    held = in_force(services.store.decisions(assignment.id))
    extended = next((d.until for d in held if d.kind == "extend" and d.student == student), None)
    policy = assignment.late
    due = extended or (policy.due_at if policy is not None else None)
    late = lateness(policy, now, extended)
    return OfferedAssignment(
        assignment,
        state,
        due=_moment(due, policy) + (" (extended for you)" if extended else "") if due else "",
        lateness=_lateness(policy, late.late_s, late.days, closed=late.closed)
        if state == "open"
        else "",
        closed=state != "open" or late.closed,
        attempts=attempts,
        left=services.queue.left_today(attempts, services.per_day),
    )


def _moment(moment: datetime, policy: LateSpec | None) -> str:
    zone = time_zone(policy.timezone) if policy is not None and policy.timezone else UTC
    return moment.astimezone(zone).strftime("%A, %-d %B %Y, %H:%M %Z")


def _lateness(policy: LateSpec | None, late_s: int, days: int, *, closed: bool) -> str:
    """What handing in now costs, in words."""
    if not late_s or policy is None:
        return ""
    if closed:
        return f"It was due {duration(late_s)} ago, and nothing can be handed in any more."
    percent = min(policy.per_day * days, policy.most)
    of = "the assignment's points" if policy.of == "maximum" else "the points you earn"
    costs = f"costs {percent.normalize():f} % of {of}" if percent else "costs nothing"
    return f"It was due {duration(late_s)} ago. Handing in now {costs}."


def current_result(visit: Visit, assignment: Assignment) -> tuple[Grade | None, Standing]:
    """The student's current grade and what counts."""
    store, student = visit.services.store, visit.who.person
    history = store.history(student, assignment=assignment.id)
    grade = history[-1].grade if history else None
    return grade, counter_of(store, assignment)(student, grade)


def _own_attempt(visit: Visit) -> HandIn:
    found = visit.services.queue.attempt(int(visit.part("attempt")))
    if found is None or found.student != visit.who.person:
        raise NotHereError
    return found


def _notes(assignment: Assignment, submission: Submission) -> tuple[str, ...]:
    """What reading the file found, for the student."""
    count = len(code_cells(submission))
    stamp = submission.stamp
    other = (
        (f"The notebook is made for the assignment '{stamp.assignment}'; is it the right file?",)
        if stamp is not None and stamp.assignment != assignment.id
        else ()
    )
    return (f"{plural(count, 'code cell')} read.", *other, *submission.repairs)


def _plain_name(name: str) -> str:
    """The file's own name, whatever the browser has sent."""
    leaf = PureWindowsPath(PurePosixPath(without_surrogates(name)).name).name
    clean = "".join(c for c in leaf if c.isprintable()).strip()
    return clean[-120:] or "unnamed"
