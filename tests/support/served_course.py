"""A course that is served to test clients: a tiny assignment with a written answer, three students,
two graders and an instructor."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import uvicorn
from starlette.testclient import TestClient

from autograder.gradebook.people import Person, Roster
from autograder.judging.verdict import Status
from autograder.reports.feedback.feedback import ExerciseFeedback, PublicCheck
from autograder.web.access import Role
from autograder.web.app import application
from autograder.web.course import open_course
from autograder.web.live_progress import LiveProgress
from autograder.web.services import Services, services_of
from autograder.web.sign_in.settings import ONLY_LINKS, SignInSettings
from autograder.web.worker import Worker, WorkerOptions
from tests.support.browser import until
from tests.support.cases import read_files
from tests.support.tiny_course import DOUBLES, SOLUTION, SQUARES, SUMS, TOML, write_assignment

# what is added to the tiny course, and what stands in the place of its rubric
WRITTEN, _ITEMS, ANSWER = read_files("courses/served.txt").values()
RUBRIC = 'rubric = "One point for each of two reasons."'
RUBRIC_ITEMS = _ITEMS.rstrip("\n")
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\n\n**bold** [x](javascript:alert(3))"
)
BASE = "http://testserver"
SECURE = "https://testserver"
PEOPLE: dict[str, Role] = {
    "001": "student",
    "002": "student",
    "003": "student",
    "Gil": "grader",
    "Gus": "grader",
    "Ina": "instructor",
}


def script(answer: str, *, right: bool = True) -> str:
    """A submission as a percent script."""
    cells = (
        ("sums", SUMS),
        ("doubles", DOUBLES if right else SQUARES),
        ("why", f"answer = {answer!r}"),
    )
    return "\n\n".join(f'# %% exercise="{exercise}"\n{code}' for exercise, code in cells) + "\n"


@dataclass
class ServedCourse:
    """The course, what its pages work with, and a client for everybody who has signed in."""

    folder: Path
    services: Services
    base: str = BASE

    def client(self, person: str = "") -> TestClient:
        """A browser in which this person has signed in; nobody if empty."""
        client = TestClient(application(self.services), self.base, follow_redirects=False)
        if person:
            secret = self.services.access.link(person, PEOPLE.get(person, "student"), once=True)
            answer = client.post("/sign-in", data={"link": secret})
            assert answer.status_code == 303, answer.text
        return client

    def set_state(self, state: str) -> None:
        self.services.states.set("tiny", state, who="Ina")  # type: ignore[arg-type]

    def tell_progress(self, attempt: int, worker: str) -> None:
        """What a worker tells of an attempt that it has claimed: a public check is judged."""
        check = PublicCheck("`total` is the sum", Status.PASSED, 2000, 2000)
        exercise = ExerciseFeedback(
            *("sums", "Add up", Status.PASSED, None, 2000, False, False, (check,)),
            *(None, (), 0, 0, 0),
        )
        told = LiveProgress(2, 3, 1, 2, (exercise,)).written()
        self.services.queue.report(attempt, worker, told)

    def grade(self) -> None:
        """Grade everything that waits, in this process."""
        options = WorkerOptions(1, require="weak", devices="none")
        Worker(self.services.course, options, print).run(until_idle=True)


def token(client: TestClient, path: str) -> str:
    """The token of the forms of this session, of which the page has one."""
    session = client.cookies.get("autograder_session", "")
    if session not in _TOKENS:
        page = client.get(path)
        found = re.search(r'name="csrf" value="(\w+)"', page.text)
        assert found, (page.status_code, page.text)
        _TOKENS[session] = found[1]
    return _TOKENS[session]


_TOKENS: dict[str, str] = {}


def send(client: TestClient, path: str, **fields: str):  # type: ignore[no-untyped-def]
    """Send a form with the token of the session."""
    own = client.get("/").headers["location"]
    return client.post(path, data={**fields, "csrf": token(client, own)})


def send_as_seen(client: TestClient, path: str, **fields: str):  # type: ignore[no-untyped-def]
    """Send the form of a page as the page is now, unless the fields say what was seen."""
    seen = re.findall(r'name="seen" value="([^"]*)"', client.get(path).text)
    assert seen, path
    return send(client, path, **{"seen": seen[0], **fields})


def hand_in(client: TestClient, text: str | bytes, name: str = "work.py"):  # type: ignore[no-untyped-def]
    """Upload a file."""
    path = "/assignments/tiny"
    data = text.encode() if isinstance(text, str) else text
    return client.post(path, data={"csrf": token(client, path)}, files={"file": (name, data)})


def served_course(
    folder: Path, *, per_day: int = 10, settings: SignInSettings = ONLY_LINKS, url: str = ""
) -> ServedCourse:
    """A new course, whose assignment is open. ``url``: its database, a SQLite file by default."""
    at = write_assignment(folder)
    (at / "assignment.toml").write_text(TOML + WRITTEN)
    (at / "solution.py").write_text(SOLUTION + ANSWER)
    services = services_of(open_course(folder, url), per_day=per_day, settings=settings)
    made = ServedCourse(folder, services, SECURE if settings.address else BASE)
    students = (Person(name) for name, role in PEOPLE.items() if role == "student")
    made.services.store.enroll(Roster(tuple(students)), at=datetime(2026, 3, 1, tzinfo=UTC))
    made.set_state("open")
    return made


def graded_course(folder: Path) -> ServedCourse:
    """A new course in which 001 and 002 have handed in, and their work is graded."""
    made = served_course(folder)
    for student, text in (("001", script("Because.")), ("002", script(HOSTILE, right=False))):
        assert hand_in(made.client(student), text).status_code == 303
    made.grade()
    return made


def read_page(client: TestClient, path: str) -> str:
    """A page, which holds no script or style of its own."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert not re.search(r"<style|style=|<script(?! src=)|\son\w+=", answer.text)
    return answer.text


@contextmanager
def serving(course: ServedCourse) -> Iterator[str]:
    """The course at an address of this machine."""
    config = uvicorn.Config(
        application(course.services), port=0, log_level="warning", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        until(lambda: server.started, what="the server", within=30)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
