"""The application: the table of its routes, with who may use each, and what holds for all of them.

Covered: nobody reaches a route that the table does not give to their role; a form without its
session's token, or from another site, is refused (but for an LMS's launch, which is
signed); a body larger than its route allows is not read to its end; a database or a disk that
fails is an answer in words.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hmac import compare_digest
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive

from autograder.errors import StoreError
from autograder.web.access import Role, Visitor
from autograder.web.pages import (
    assignments,
    course,
    elsewhere,
    export,
    grade,
    hand_in,
    lti,
    operate,
    regrade_requests,
    rubric,
    sign_in,
    static,
    students,
)
from autograder.web.services import MAX_FORM, MAX_UPLOAD, Services
from autograder.web.sign_in.lti import LAUNCH
from autograder.web.visit import (
    FULL,
    POLICY,
    NotHereError,
    RefusedError,
    ToPage,
    Visit,
    go_to,
    page,
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Handler = Callable[[Visit], Response] | Callable[[Visit], Awaitable[Response]]
STUDENT: tuple[Role, ...] = ("student",)
GRADERS: tuple[Role, ...] = ("grader", "instructor")
INSTRUCTOR: tuple[Role, ...] = ("instructor",)
SIGNED_IN: tuple[Role, ...] = ("student", "grader", "instructor")
ANYBODY: tuple[Role, ...] = ()


class PageRoute(NamedTuple):
    """A route. ``roles``: who may use it; ``ANYBODY`` also before the sign-in."""

    method: str
    path: str
    handler: Handler
    roles: tuple[Role, ...]
    most: int = MAX_FORM
    foreign: bool = False  # another site sends its form, and what it holds proves who has sent it


class _Number(Convertor[int]):
    """The number of a row of the database; another is no address."""

    regex = "[0-9]{1,9}"  # numbers in addresses are those of rows

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", _Number())

UNSEEN = ("/static/{name}", "/healthz", "/readyz", "/metrics")  # they do not ask who comes
TASK = "/grade/{assignment}/{exercise}/{task}"
PAGES = (
    PageRoute("GET", "/healthz", operate.alive, ANYBODY),
    PageRoute("GET", "/readyz", operate.ready, ANYBODY),
    PageRoute("GET", "/metrics", operate.metrics, ANYBODY),
    PageRoute("GET", "/static/{name}", static.file, ANYBODY),
    PageRoute("GET", "/sign-in", sign_in.show, ANYBODY),
    PageRoute("POST", "/sign-in", sign_in.enter, ANYBODY),
    PageRoute("GET", "/openid", elsewhere.to_openid, ANYBODY),
    PageRoute("GET", elsewhere.OPENID_CALLBACK, elsewhere.from_openid, ANYBODY),
    PageRoute("GET", "/lti/login", lti.start, ANYBODY),
    PageRoute("POST", "/lti/login", lti.start, ANYBODY, foreign=True),
    PageRoute("POST", LAUNCH, lti.launch, ANYBODY, foreign=True),
    PageRoute("GET", "/lti/keys", lti.keys, ANYBODY),
    PageRoute("GET", "/lti/configuration", lti.configuration, ANYBODY),
    PageRoute("GET", "/lti", lti.overview, INSTRUCTOR),
    PageRoute("POST", "/lti/roster", lti.update_roster, INSTRUCTOR),
    PageRoute("POST", "/lti/scores/{assignment}", lti.send_scores, INSTRUCTOR),
    PageRoute("GET", "/jupyterhub", elsewhere.to_hub, ANYBODY),
    PageRoute("GET", elsewhere.HUB_CALLBACK, elsewhere.from_hub, ANYBODY),
    PageRoute("POST", "/sign-out", sign_in.leave, SIGNED_IN),
    PageRoute("GET", "/", sign_in.first_page, SIGNED_IN),
    PageRoute("GET", "/assignments", hand_in.assignments, STUDENT),
    PageRoute("GET", "/assignments/{assignment}", hand_in.assignment, STUDENT),
    PageRoute("POST", "/assignments/{assignment}", hand_in.upload, STUDENT, MAX_UPLOAD + MAX_FORM),
    PageRoute("GET", "/assignments/{assignment}/feedback", hand_in.feedback_frame, STUDENT),
    PageRoute("GET", "/attempts/{attempt:number}", hand_in.attempt, STUDENT),
    PageRoute("GET", "/attempts/{attempt:number}/events", hand_in.events, STUDENT),
    PageRoute("GET", "/attempts/{attempt:number}/file", hand_in.file, STUDENT),
    PageRoute("POST", "/assignments/{assignment}/requests", regrade_requests.ask, STUDENT),
    PageRoute("GET", "/requests", regrade_requests.overview, GRADERS),
    PageRoute("GET", "/requests/{request:number}", regrade_requests.thread, SIGNED_IN),
    PageRoute("POST", "/requests/{request:number}", regrade_requests.add, SIGNED_IN),
    PageRoute("GET", "/requests/{request:number}/page", regrade_requests.whole_page, GRADERS),
    PageRoute("GET", "/grade", grade.tasks, GRADERS),
    PageRoute("POST", "/grade", grade.set_names, GRADERS),
    PageRoute("GET", TASK, grade.next_answer, GRADERS),
    PageRoute("GET", TASK + "/rubric", rubric.show, GRADERS),
    PageRoute("POST", TASK + "/rubric", rubric.apply, GRADERS),
    PageRoute("GET", TASK + "/{answer}", grade.answer, GRADERS),
    PageRoute("POST", TASK + "/{answer}", grade.record, GRADERS),
    PageRoute("GET", TASK + "/{answer}/page", grade.whole_page, GRADERS),
    PageRoute("GET", "/course", course.overview, INSTRUCTOR),
    PageRoute("POST", "/course/{assignment}", course.set_state, INSTRUCTOR),
    PageRoute("POST", "/course/attempts/{attempt:number}", course.grade_again, INSTRUCTOR),
    PageRoute("GET", "/course/{assignment}", assignments.show, INSTRUCTOR),
    PageRoute("GET", "/course/{assignment}/files/{name}", assignments.file, INSTRUCTOR),
    PageRoute("POST", "/course/{assignment}/tasks", assignments.ask, INSTRUCTOR),
    PageRoute("GET", "/course/{assignment}/report", course.report, INSTRUCTOR),
    PageRoute("POST", "/course/{assignment}/requests", regrade_requests.set_intake, INSTRUCTOR),
    PageRoute("GET", "/students/{assignment}", students.table, INSTRUCTOR),
    PageRoute("GET", "/students/{assignment}/of/{student:path}", students.student, INSTRUCTOR),
    PageRoute("POST", "/students/{assignment}/of/{student:path}", students.decide, INSTRUCTOR),
    PageRoute("GET", "/students/{assignment}/page/{student:path}", students.preview, INSTRUCTOR),
    PageRoute("GET", "/export/{assignment}", export.overview, INSTRUCTOR),
    PageRoute("POST", "/export/{assignment}", export.make, INSTRUCTOR, MAX_UPLOAD + MAX_FORM),
    PageRoute("POST", "/export/{assignment}/feedback", export.feedback, INSTRUCTOR),
)


def application(services: Services) -> Starlette:
    """The application for one course."""
    rows = [(services.prefix + row.path, row) for row in PAGES]
    if services.prefix:  # as people type it
        rows += [(services.prefix, row) for row in PAGES if row.path == "/"]
    made = Starlette(
        routes=[
            Route(path, _Endpoint(services, row).answer, methods=[row.method]) for path, row in rows
        ],
        exception_handlers={404: partial(_not_found, services)},
    )
    made.router.redirect_slashes = False
    return made


@dataclass(frozen=True)
class _Endpoint:
    """One route of the table."""

    services: Services
    route: PageRoute

    async def answer(self, request: Request) -> Response:
        begun, status = time.monotonic(), 500
        try:
            response = await self._answer(request)
            status = response.status_code
        finally:
            spent = time.monotonic() - begun
            self.services.log.add(self.route.method, self.route.path, status, spent)
        if isinstance(response, ToPage):
            response.headers["location"] = self.services.prefix + response.headers["location"]
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    async def _answer(self, request: Request) -> Response:
        services, route = self.services, self.route
        visitor: Visitor | None = None
        try:
            secret = request.cookies.get(sign_in.COOKIE, "")
            if route.path not in UNSEEN:
                visitor = await run_in_threadpool(services.access.visitor, secret)
            if route.roles and visitor is None:
                return go_to("/sign-in") if route.method == "GET" else self._refused(None, 401)
            if visitor is not None and route.roles and visitor.role not in route.roles:
                return self._refused(visitor, 403)
            form: Mapping[str, Any] = {}
            if route.method == "POST":
                own = not route.foreign
                if own:
                    _check_origin(request)
                form = await _form(request, route.most)
                if own and visitor is not None and not _equal(form.get("csrf", ""), visitor.csrf):
                    raise RefusedError(403, "This form is too old. Go back, reload and try again.")
            visit = Visit(services, request, visitor, form)
            if inspect.iscoroutinefunction(route.handler):
                response: Response = await route.handler(visit)
            else:
                response = await run_in_threadpool(route.handler, visit)  # type: ignore[arg-type]
            return response
        except NotHereError:
            return self._refused(visitor, 404)
        except RefusedError as refused:
            return self._refused(visitor, refused.status, str(refused))
        except StoreError:
            text = "The course's database or disk does not answer. Try again in a minute."
            return self._refused(visitor, 503, text)

    def _refused(self, visitor: Visitor | None, status: int, text: str = "") -> Response:
        return _refused(self.services, visitor, status, text)


WORDS = {
    401: "Sign in first.",
    403: "You have no access to this page.",
    404: "There is no such page.",
}


def _refused(services: Services, visitor: Visitor | None, status: int, text: str = "") -> Response:
    said = text or WORDS[status]
    return page("refused.html.j2", visitor, services.prefix, status=status, text=said)


async def _not_found(services: Services, _: Request, __: Exception) -> Response:
    response = _refused(services, None, 404)
    response.headers.update(HEADERS)
    return response


def _equal(sent: object, wanted: str) -> bool:
    return isinstance(sent, str) and compare_digest(sent.encode(), wanted.encode())


def _check_origin(request: Request) -> None:
    """Refuse a form that another site has sent."""
    origin = request.headers.get("origin", "")
    if origin and origin.partition("://")[2] != request.headers.get("host", ""):
        raise RefusedError(403, "This form was sent from another site.")


async def _form(request: Request, most: int) -> Mapping[str, str | UploadFile]:
    """The fields of a form, and at most one file; no more than ``most`` bytes are read."""
    kind = request.headers.get("content-type", "").lower()
    if "multipart" in kind and "charset" in kind:
        raise RefusedError(400, "Send this form in UTF-8.")
    # A form without a file is small.
    if "multipart" not in kind:
        most = MAX_FORM
    limited = Request(request.scope, _limited(request.receive, most))
    try:
        form = await limited.form(max_files=1, max_fields=30, max_part_size=MAX_FORM)
    except OSError:  # the disk for temporary files
        raise RefusedError(507, FULL) from None
    except (ClientDisconnect, HTTPException):  # the latter is a body that is no form
        raise RefusedError(400, "The upload was cut off. Try again.") from None
    fields = dict(form)
    for value in fields.values():
        if isinstance(value, UploadFile) and (value.size or 0) > MAX_UPLOAD:
            raise _too_large(MAX_UPLOAD)
    return fields


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, f"This is too large: at most {most // 1_000_000 or 1} MB.")


def _limited(receive: Receive, most: int) -> Receive:
    total = 0

    async def more() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise _too_large(most)
        return message

    return more
