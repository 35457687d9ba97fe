"""An assignment (instructors): its validation, files for students, and a regrade of the class.

A worker does what is asked for here; this process only reads what came of it.
"""

from __future__ import annotations

import msgspec
from starlette.responses import FileResponse, Response

from autograder.errors import UsageError
from autograder.reports.validation.kept import kept_in, last_validation
from autograder.web.tasks import TASK_KINDS
from autograder.web.verdicts import kept_files, read_regrade
from autograder.web.visit import NotHereError, RefusedError, Visit, framed, go_to


def show(visit: Visit) -> Response:
    """One assignment."""
    services, course, name = visit.services, visit.services.course, _name(visit)
    tasks = services.tasks.newest(name)
    regrade = tasks.get("regrade")
    done = regrade is not None and regrade.state == "done"
    return visit.page(
        "assignment_tasks.html.j2",
        assignment=course.assignments()[name],
        state=services.states.of(name),
        verdict=last_validation(
            course.folder / kept_in(name),
            (course.assignment_folder(name), course.folder / "solutions" / name),
        ),
        files=kept_files(course, name),
        tasks=tasks,
        regrade=read_regrade(regrade.result) if regrade is not None and done else None,
        graded=bool(services.store.current(name)),
    )


def file(visit: Visit) -> Response:
    """A file for students, or the page of the validation."""
    path = kept_files(visit.services.course, _name(visit)).get(visit.part("name"))
    if path is None:
        raise NotHereError
    if path.suffix == ".html":
        return framed(path.read_text("utf-8", "replace"))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


def ask(visit: Visit) -> Response:
    """Ask a worker for something; ``of`` is the number of the regrade that was shown."""
    services, name, who = visit.services, _name(visit), visit.who
    kind = next((one for one in TASK_KINDS if one == visit.sent("kind")), None)
    if kind is None:
        raise RefusedError(422, "Choose what to do.")
    given, of = "", visit.sent("of")
    if kind == "regrade" and of:
        shown = services.tasks.newest(name).get("regrade")
        # What is written is what was shown.
        if shown is None or str(shown.id) != of or shown.state != "done":
            raise RefusedError(409, "There is a newer regrade. Look at it first.")
        given = msgspec.json.encode(read_regrade(shown.result)).decode()
    try:
        services.tasks.ask(name, kind, who.person, given)
    except UsageError as bad:
        raise RefusedError(409, str(bad)) from None
    services.access.audit(who.person, who.role, f"asked for: {kind}{' to write' * bool(of)}", name)
    return go_to(f"/course/{name}")


def _name(visit: Visit) -> str:
    name = visit.part("assignment")
    if name not in visit.services.course.assignments():
        raise NotHereError
    return name
