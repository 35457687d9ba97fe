"""One request as a page sees it: who comes, what was sent, and how to answer.

Covered: every answer has a policy that forbids scripts and styles but our own files'; every text is
escaped, and hidden characters in it are shown.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from autograder.gradebook.rounding import written
from autograder.gradebook.visible import visible
from autograder.reports.feedback.panel import ticked
from autograder.reports.feedback.words import plural, student_words, tone
from autograder.web.access import Visitor
from autograder.web.services import Services

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
FRAME_POLICY = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)

FULL = (
    "There is no room left to store this: nothing was handed in. Tell your instructor, keep your "
    "file, and try again later."
)


class NotHereError(Exception):
    """There is no such page for this visitor."""


class RefusedError(Exception):
    """A request that cannot be done; ``status`` is for programs, the text for people."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True, slots=True)
class Visit:
    """A request. ``visitor`` is None before the sign-in; ``form`` is empty unless one was sent."""

    services: Services
    request: Request
    visitor: Visitor | None
    form: Mapping[str, str | UploadFile]

    @property
    def who(self) -> Visitor:
        """Who has signed in; only for pages that nobody else reaches."""
        assert self.visitor is not None
        return self.visitor

    def part(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    def sent(self, name: str) -> str:
        """A field of the form, "" if it is missing."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """A page from a template."""
        names = self.services.names
        values["named"] = lambda person: named(person, names.of(person))
        return page(template, self.visitor, self.services.prefix, status=status, **values)


def page(
    template: str, visitor: Visitor | None, prefix: str = "", *, status: int = 200, **values: Any
) -> Response:
    """A page from a template, for somebody who may have signed in. ``prefix``: of its links."""
    return HTMLResponse(markup(template, visitor=visitor, prefix=prefix, **values), status)


def markup(template: str, **values: Any) -> str:
    """HTML from a template; what stands in it is escaped."""
    return _templates().get_template(template).render(**values)


def named(person: str, name: str = "") -> Markup:
    """An id, after the name if there is one."""
    if not name:
        return Markup("<bdi>{}</bdi>").format(visible(person))
    return Markup('<bdi>{}</bdi> <span class="soft"><bdi>{}</bdi></span>').format(
        visible(name), visible(person)
    )


class ToPage(RedirectResponse):
    """A redirect to a page of ours; its path is without the prefix."""


def go_to(path: str) -> Response:
    """Go to a page of ours after a form."""
    return ToPage(path, 303)


class _Prefixed(Extension):
    """Puts the prefix before every link of a template: a path of ours, as text or as a value."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r'(\b(?:href|src|action|data-events)=")(?=/|\{\{)', r"\1{{ prefix }}", source)


def framed(page: str) -> Response:
    """A page with a student's work, for a frame without scripts and without our origin."""
    # A student's page is a document without an origin.
    return HTMLResponse(page, headers={"Content-Security-Policy": FRAME_POLICY})


@functools.cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        extensions=[_Prefixed],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    made.globals.update(
        named=named,
        plural=plural,
        points=written,
        student_words=student_words,
        ticked=ticked,
        tone=tone,
    )
    return made
