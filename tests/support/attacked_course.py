"""A served course in which everything that people write is markup, and what attacks on it need."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from autograder.gradebook.people import Person, Roster
from autograder.web.access import CourseAccess
from autograder.web.app import PAGES, PageRoute, application
from tests.support.elements import Elements
from tests.support.notebooks import code, written
from tests.support.served_course import (
    BASE,
    HOSTILE,
    RUBRIC,
    RUBRIC_ITEMS,
    ServedCourse,
    hand_in,
    send,
    send_as_seen,
    served_course,
)

COOKIE, HAND_IN, TASK = "autograder_session", "/assignments/tiny", "/grade/tiny/why/reason"
PLACES = (  # where people write
    *("student id", "name", "file", "text cell", "submitted output"),
    *("code", "output", "printed", "error", "answer"),
    *("request", "reply", "comment", "decision", "reason"),
    *("assignment title", "exercise title", "check title", "hint", "rubric item"),
)
UNSEEN = {"text cell", "submitted output"}


def markup(place: str) -> str:
    """What runs if it is not escaped; the place can be found again."""
    return (
        f"<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>"
        f"</textarea><a href=javascript:alert(4)>in the {place}</a>"
    )


class AttackedCourse:
    """What an attack has to work with: a browser of everybody, and what there is to change."""

    def __init__(self, course: ServedCourse) -> None:
        self.course = course
        self.one, self.two = course.client("001"), course.client("002")
        self.gil, self.ina = course.client("Gil"), course.client("Ina")
        self.nobody = course.client()

    @property
    def access(self) -> CourseAccess:
        return self.course.services.access

    def of(self, row: PageRoute) -> TestClient:
        """Somebody who may use a route."""
        if not row.roles:
            return self.nobody
        return {"student": self.one, "grader": self.gil}.get(row.roles[0], self.ina)

    def with_session(self, secret: str) -> TestClient:
        """A browser that sends this session."""
        client = self.course.client()
        client.cookies.set(COOKIE, secret)
        return client

    def later(self, seconds: float) -> TestClient:
        """A browser without a session, some time from now."""
        access = replace(self.access, clock=lambda: time.time() + seconds)
        services = replace(self.course.services, access=access)
        return TestClient(application(services), BASE, follow_redirects=False)

    def state(self) -> tuple[object, ...]:
        """What an attack could have changed."""
        services = self.course.services
        return (
            services.states.all(),
            services.store.decisions("tiny"),
            [services.queue.attempts("tiny", one) for one in ("001", "002", "003")],
            services.requests.all(),
            services.requests.refused(),
            services.tasks.newest("tiny"),
            [person.id for person in services.store.roster()],
        )


def attacked_course(folder: Path) -> AttackedCourse:
    """A released course in which everything that people write is markup."""
    made = served_course(folder)
    toml = made.folder / "assignments/tiny/assignment.toml"
    text = toml.read_text().replace(RUBRIC, RUBRIC_ITEMS)
    for old, place in (
        ("A tiny assignment", "assignment title"),
        ("Add up", "exercise title"),
        ("`total` is the sum", "check title"),
        ("Add all of them.", "hint"),
        ("names <the> cause", "rubric item"),
    ):
        assert old in text
        text = text.replace(old, markup(place).replace('"', '\\"'))
    toml.write_text(text)
    odd, name = markup("student id"), f"\u202e{markup('name')}"
    people = (Person("001", name), Person("002"), Person("003"), Person(odd))
    made.services.store.enroll(Roster(people), at=datetime(2026, 3, 1, tzinfo=UTC))
    for student in ("001", "002", odd):
        file = f"{markup('file').replace('/', '')}.ipynb"
        assert hand_in(made.client(student), notebook(), file).status_code == 303
    made.grade()
    made.set_state("released")
    found = AttackedCourse(made)
    for client in (found.one, found.two):
        form = {"exercise": "sums", "text": markup("request")}
        assert send(client, f"{HAND_IN}/requests", **form).status_code == 303
    assert send(found.gil, "/requests/1", text=markup("reply")).status_code == 303
    path = found.gil.get(TASK).headers["location"]
    graded = {"seen": "None/", "item-cause": "1", "comment": markup("comment")}
    assert send(found.gil, path, **graded).status_code == 303
    for kind in ("comment", "excuse"):
        decided = {"kind": kind, "text": markup("decision"), "why": markup("reason")}
        assert send_as_seen(found.ina, "/students/tiny/of/003", **decided).status_code == 303
    return found


def notebook() -> bytes:
    """A submission with markup in its text, its code, its outputs and its answers."""
    shown = {"text/html": [markup("submitted output")]}
    output = {"output_type": "display_data", "metadata": {}, "data": shown}
    sources = {
        "sums": f"total = {markup('code')!r}\nfrom IPython.display import HTML, display\n"
        f"display(HTML({markup('output')!r}))",
        "doubles": f"print({markup('printed')!r})\nraise ValueError({markup('error')!r})",
        "why": f"answer = {HOSTILE + markup('answer')!r}",
    }
    text = HOSTILE + markup("text cell")
    said = {"cell_type": "markdown", "metadata": {}, "id": "m", "source": text}
    ran = {"outputs": [output], "execution_count": 1}
    return written([said, *(code(s, name) | ran for name, s in sources.items())]).encode()


def every_page(course: ServedCourse, client: TestClient, role: str) -> Iterator[tuple[str, Any]]:
    """Every page of the table that a role may see, with addresses of what is there."""
    services = course.services
    assignment = services.course.assignments()["tiny"]
    keys = list(services.answers.rows(assignment, ()))
    students = [person.id for person in services.store.roster()]
    own = {"student": ["1"]}.get(role, ["1", "2", "3"])
    values = {
        "assignment": ["tiny"],
        "exercise": ["why"],
        "task": ["reason"],
        "answer": keys,
        "attempt:number": own,
        "request:number": own[:2],
        "student:path": [quote(student, safe="") for student in students],
        "name": ["notebook", "public", "validation", "course.js"],
    }
    for row in PAGES:
        if row.method == "GET" and (not row.roles or role in row.roles):
            for path in _addresses(row, values):
                yield path, client.get(path)


def filled(row: PageRoute) -> str:
    """A route's address, of what is there."""
    there = {"assignment": "tiny", "exercise": "why", "task": "reason", "answer": "x"}
    there |= {"attempt:number": "2", "request:number": "2", "student:path": "002", "name": "public"}
    return _addresses(row, {name: [value] for name, value in there.items()})[0]


def _addresses(row: PageRoute, values: Mapping[str, Sequence[str]]) -> list[str]:
    """A route's addresses with each of the values in its places."""
    paths = [row.path]
    for name, given in values.items():
        if f"{{{name}}}" in row.path:
            paths = [path.replace(f"{{{name}}}", value) for path in paths for value in given]
    return paths


RUN = ("script", "object", "embed", "base", "svg", "math", "style", "applet")


def run_parts(page: str) -> list[str]:
    """What a browser would run of a page of the course, beside its own script."""
    found = []
    for tag, attributes in Elements(page).found:
        given = {name: value or "" for name, value in attributes.items()}
        if (tag, given) != ("script", {"src": "/static/course.js", "defer": ""}) and tag in RUN:
            found.append(f"<{tag}>")
        if tag == "iframe" and (given.get("sandbox") != "" or "srcdoc" in given):
            found.append("a frame without a sandbox")
        for name, value in given.items():
            if name.startswith("on") or name in ("style", "formaction", "srcdoc"):
                found.append(f"{name} of <{tag}>")
            script = re.match(r"[\s\x00-\x20]*(javascript|vbscript|data):", value, re.IGNORECASE)
            if name in ("href", "src", "action", "data-events") and script:
                found.append(f"{name}={value[:30]} of <{tag}>")
    return found
