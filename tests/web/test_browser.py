"""A real browser: a student sees the place in the queue change, a grader grades by keys alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from autograder.web.app import application
from tests.support.browser import CHROMIUM, NO_CHROMIUM, Page, browser, until
from tests.support.in_process import Lent
from tests.support.served_course import PEOPLE, ServedCourse, hand_in, script, served_course

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


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


def sign_in(page: Page, address: str, course: ServedCourse, person: str) -> None:
    page.command("Network.clearBrowserCookies")
    secret = course.services.access.link(person, PEOPLE[person], once=True)
    page.open(f"{address}/sign-in?link={secret}")
    page.wait_for("!!document.querySelector('main button')")
    page.click("main button")
    page.wait_for("location.pathname != '/sign-in' && document.readyState == 'complete'")


def type_key(page: Page, key: str) -> None:
    for kind in ("keyDown", "keyUp"):
        page.command(
            "Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else ""
        )


def test_a_walk_from_the_upload_to_the_points(tmp_path: Path, lent_box: Lent) -> None:
    course = served_course(tmp_path / "course")
    with serving(course) as address, browser(tmp_path / "browser") as page:
        hand_in(course.client("001"), script("Because."))
        sign_in(page, address, course, "001")
        page.open(f"{address}/attempts/1")
        page.wait_for(
            "document.querySelector('.stage').innerText == 'Waiting: number 1 in the queue'"
        )
        course.grade()  # the page is not touched, and shows the results
        page.wait_for("document.querySelector('.stage').innerText == 'Graded'")
        assert "2 of 2" in page.evaluate("document.body.innerText")

        hand_in(course.client("002"), script("For two reasons."))
        course.grade()
        sign_in(page, address, course, "Gil")
        page.open(f"{address}/grade/tiny/why/reason")
        for points in ("1", "2"):
            page.wait_for("!!document.getElementById('grading')")
            here = page.evaluate("location.href")
            type_key(page, points)
            type_key(page, "s")
            page.wait_for(f"location.href != '{here}' && document.readyState == 'complete'")
        page.wait_for("document.body.innerText.includes('All 2 answers have points')")
    made = course.services.store.decisions("tiny")
    assert sorted((d.kind, d.amount) for d in made) == [("points", 1000), ("points", 2000)]
