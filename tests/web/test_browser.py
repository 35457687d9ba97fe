"""Whole walks in a real browser: a student, a grader at the keyboard, an instructor, a request."""

from __future__ import annotations

import csv
import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from autograder.gradebook.people import Person, Roster
from autograder.web.pages import hand_in as hand_in_pages
from tests.support.accessibility import AXE, axe_findings
from tests.support.browser import CHROMIUM, NO_CHROMIUM, Page, browser, until
from tests.support.in_process import Lent
from tests.support.served_course import (
    PEOPLE,
    RUBRIC,
    RUBRIC_ITEMS,
    ServedCourse,
    hand_in,
    script,
    served_course,
    serving,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)
STUDENTS = [f"{number:03}" for number in range(1, 11)]
# what a grader presses for each answer, after which the next one is there
KEYS = ("1s", "1s", "12s", "12s", "2s", "0s", "13s", "1s", "2s", "12s")
TOURS = {
    "003": ("/assignments", "/assignments/tiny", "/attempts/3"),
    "Gil": ("/grade", "/grade/tiny/why/reason/rubric", "/requests", "/requests/1"),
    "Ina": ("/course", "/course/tiny", "/students/tiny", "/students/tiny/of/003", "/export/tiny"),
}
HOSTILE = """<!DOCTYPE html><title>A page</title><p id="here">A page</p><script>
parent.document.title = "owned"; top.location = "/"; document.cookie = "owned=1";
</script><img src="data:," onerror="parent.document.title = 'owned'">
<meta http-equiv="refresh" content="0; url=/">"""


@dataclass
class Walker:
    """Somebody at the browser. ``pages``: the addresses that were seen, all accessible."""

    page: Page
    address: str
    course: ServedCourse
    pages: set[str] = field(default_factory=set)

    def sign_in(self, person: str) -> None:
        """Open a personal link, and sign in by its button."""
        self.page.command("Network.clearBrowserCookies")
        role = PEOPLE.get(person, "student")
        secret = self.course.services.access.link(person, role, once=True)
        self.open(f"/sign-in?link={secret}")
        self.submit("main button")

    def open(self, path: str) -> None:
        self.page.open(self.address + path)
        self.page.wait_for(f"location.pathname == {json.dumps(path.partition('?')[0])}")
        self.look()

    def submit(self, selector: str) -> None:
        """Click on what leads to another page, and wait for that."""
        self.leaving(lambda: self.page.click(selector))

    def leaving(self, act: Any) -> None:
        """Do what leads to another page, and look at it."""
        self.page.evaluate("window.before = true")
        act()
        self.page.wait_for("!window.before")
        self.look()

    def look(self) -> None:
        """The page is whole, and has nothing that stands in anybody's way."""
        self.page.wait_for("document.readyState == 'complete'")
        here = self.page.evaluate("location.pathname")
        if AXE is not None and here not in self.pages:
            for width, scheme in itertools.product((390, 1280), ("dark", "light")):
                self.page.looks(width, scheme)
                # nothing sticks out
                assert self.page.evaluate("document.documentElement.scrollWidth") <= width, here
                assert axe_findings(self.page) == [], (here, width, scheme)
        self.pages.add(here)

    def fill(self, selector: str, text: str) -> None:
        self.page.click(selector)
        self.page.insert(text)

    @property
    def text(self) -> str:
        """What can be read on the page."""
        return str(self.page.evaluate("document.querySelector('main').innerText"))


@pytest.fixture
def walker(tmp_path: Path, lent_box: Lent) -> Iterator[Walker]:
    """A course with rubric items and ten students, and a browser in front of it."""
    course = served_course(tmp_path / "course")
    toml = course.folder / "assignments/tiny/assignment.toml"
    toml.write_text(toml.read_text().replace(RUBRIC, RUBRIC_ITEMS))
    people = tuple(Person(student, f"Student {student}") for student in STUDENTS)
    course.services.store.enroll(Roster(people), at=datetime(2026, 3, 1, tzinfo=UTC))
    with serving(course) as address, browser(tmp_path / "browser") as page:
        yield Walker(page, address, course)


@pytest.mark.slow
def test_the_walks_of_a_course(
    walker: Walker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_student_hands_in(walker, tmp_path / "work.py")
    for student in STUDENTS[1:]:
        hand_in(walker.course.client(student), script(f"Reason {student}."))
    walker.course.grade()
    a_grader_grades_by_keys(walker)
    an_instructor_overrides_releases_and_exports(walker, tmp_path / "downloads")
    a_request_is_asked_and_answered(walker)
    everybody_looks_around(walker)
    monkeypatch.setattr(hand_in_pages, "page_today", lambda *_: HOSTILE)
    a_page_in_a_frame_reaches_nothing(walker)


def a_student_hands_in(walker: Walker, file: Path) -> None:
    """The place in the queue and the results come without a touch."""
    file.write_text(script("Because."))
    page = walker.page
    walker.sign_in("001")
    walker.submit("main h2 a")
    page.choose_file("#file", file)
    walker.submit("main form button")
    page.wait_for("document.querySelector('.stage').innerText == 'Waiting: number 1 in the queue'")
    queue = walker.course.services.queue
    queue.claim("tiny", "slow", most=1)  # a worker that takes its time
    page.wait_for("document.querySelector('.stage').innerText == 'Being graded'")
    walker.course.tell_progress(1, "slow")
    page.wait_for("document.querySelector('.stage').innerText.includes('2 of 3 cells run')")
    page.wait_for("document.querySelector('#so-far h3').innerText == 'Add up'")
    queue.release("slow")
    walker.course.grade()
    page.wait_for("document.querySelector('.stage').innerText == 'Graded'")
    walker.look()
    assert "2 of 2" in walker.text


def a_grader_grades_by_keys(walker: Walker) -> None:
    """From the first page to the last of ten answers, the mouse is not touched."""
    page, pressed = walker.page, {"to the first answer": 0, "points": 0, "comments": 0}
    walker.sign_in("Gil")

    def press(key: str, purpose: str, modifier: str = "") -> None:
        page.press(key, modifier)
        pressed[purpose] += 1

    task = json.dumps("/grade/tiny/why/reason")
    while not page.evaluate(f"document.activeElement.pathname == {task}"):
        assert pressed["to the first answer"] < 20
        press("Tab", "to the first answer")
    walker.leaving(lambda: press("Enter", "to the first answer"))
    for number, keys in enumerate(KEYS):
        assert f"{len(KEYS) - number} of 10 left" in page.evaluate("document.body.innerText")
        if number == 2:
            for key in "cWhy?":
                press(key, "comments")
            press("Escape", "comments")
        for key in keys[:-1]:
            press(key, "points")
        walker.leaving(lambda: press("s", "points"))
    assert "All 10 answers have points" in walker.text
    made = walker.course.services.store.decisions("tiny")
    points = sorted(d.amount for d in made if d.kind == "points" if d.amount is not None)
    assert points == [0, *[500] * 3, *[1500] * 3, *[2000] * 3]
    assert [d.text for d in made if d.kind == "comment"] == ["Why?"]
    print(f"keys pressed for {len(KEYS)} answers: {pressed}")


def an_instructor_overrides_releases_and_exports(walker: Walker, folder: Path) -> None:
    """What Canvas gets has the override."""
    page = walker.page
    page.command("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    walker.sign_in("Ina")
    walker.submit("main a[href='/students/tiny']")
    walker.submit("main a[href$='/of/002']")
    page.click("main summary")
    walker.fill("#points", "1.5")
    walker.fill("#why-override", "Agreed in the office hour.")
    walker.submit("main details button")
    assert "Result: 1.5 of 8" in walker.text
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None
    walker.submit("nav a[href='/course']")
    walker.submit("main a[href='/export/tiny']")
    walker.submit("main button[value=released]")
    assert walker.course.services.states.of("tiny") == "released"
    walker.submit("main a[href='/export/tiny']")
    walker.submit("main a[href^='?format=canvas#']")
    walker.fill("#title", "Tiny")
    walker.fill("#item_id", "7")
    walker.submit("button[value=look]")
    assert "10 rows to write" in walker.text
    page.click("button[value=download]")
    file = folder / "tiny-canvas.csv"
    until(file.is_file, what="the download", within=30)
    rows = {row[0]: row[-1] for row in csv.reader(file.read_text().splitlines())}
    assert rows["Student 002"] == "1.5"
    assert len([name for name in rows if name.startswith("Student 0")]) == 10


def a_request_is_asked_and_answered(walker: Walker) -> None:
    """The student sees the answer and the new points."""
    page = walker.page
    walker.sign_in("003")
    walker.submit("main h2 a")
    assert "Your result" in walker.text
    page.click("main summary")
    page.evaluate("document.getElementById('exercise').value = 'why'")
    walker.fill("#text", "I did give an example.")
    walker.submit("main details button")
    thread = page.evaluate("location.pathname")

    walker.sign_in("Gil")
    walker.submit("nav a[href='/requests']")
    walker.submit(f"main a[href='{thread}']")
    assert "I did give an example." in walker.text
    walker.fill("#text", "So you did.")
    walker.fill("#points", "1.75")
    walker.submit("button[value=close]")
    assert "closed" in walker.text

    walker.sign_in("003")
    walker.open(thread)
    assert "So you did." in walker.text
    assert "Points for this exercise: 1.75" in walker.text


def everybody_looks_around(walker: Walker) -> None:
    """The pages to which no walk leads, or only before there was something on them."""
    walker.pages.clear()
    for person, pages in TOURS.items():
        walker.sign_in(person)
        for path in pages:
            walker.open(path)


def a_page_in_a_frame_reaches_nothing(walker: Walker) -> None:
    """A released page that is hostile, in a frame and alone."""
    page = walker.page
    walker.sign_in("001")
    cookies = page.command("Network.getCookies")["cookies"]
    for path in ("/assignments/tiny", "/assignments/tiny/feedback"):
        page.open(walker.address + path)
        page.wait_for(f"location.pathname == {json.dumps(path)}")
        page.wait_for("document.readyState == 'complete'")
        time.sleep(1)  # for a script or a refresh to act
        assert page.evaluate("location.pathname") == path
        assert page.evaluate("document.title") != "owned"
        assert page.command("Network.getCookies")["cookies"] == cookies
    assert page.evaluate("document.getElementById('here').innerText") == "A page"
    assert page.evaluate("self.origin") == "null"
