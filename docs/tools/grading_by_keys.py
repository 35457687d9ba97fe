"""What it takes to grade a class's written answers by key, in a real browser.

A program: ``python -m docs.tools.grading_by_keys [STUDENTS]``. Everybody in the class
hands in two answers, one with rubric items and one with points. A grader gives points to all of
them, and a comment to every fifth. Counted are keys, and for each answer the time from leaving its
page until the next one is there. Not counted: reading and thinking.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from autograder.gradebook.people import Person, Roster
from tests.support.browser import Page, browser
from tests.support.served_course import (
    ANSWER,
    RUBRIC,
    RUBRIC_ITEMS,
    WRITTEN,
    ServedCourse,
    script,
    served_course,
    serving,
)

COMMENT, EVERY = "Name the cause", 5
KEYS = {"why": ("1", "12", "13", "2", "0"), "how": ("0", "1", "2")}


def made_course(folder: Path, students: int) -> ServedCourse:
    """A course with two questions, in which everybody's work is graded by checks."""
    course = served_course(folder, per_day=1)
    at = folder / "assignments" / "tiny"
    toml = (at / "assignment.toml").read_text()
    second = WRITTEN.replace('"why"', '"how"').replace('"answer"', '"other"')
    second = second.replace('"Say why"', '"Say how"')
    (at / "assignment.toml").write_text(toml.replace(RUBRIC, RUBRIC_ITEMS) + second)
    answer = ANSWER.replace('"why"', '"how"').replace("answer =", "other =")
    (at / "solution.py").write_text((at / "solution.py").read_text() + answer)
    names = [f"{number:03}" for number in range(1, students + 1)]
    people = tuple(Person(name, f"Student {name}") for name in names)
    services = course.services
    services.store.enroll(Roster(people), at=datetime.now(UTC))
    for name in names:
        text = script(f"Because of {name}.") + f'\n\n# %% exercise="how"\nother = "Like {name}."\n'
        services.queue.accept(
            assignment="tiny",
            student=name,
            file="work.py",
            sha256=services.uploads.keep(text.encode()),
            notes=(),
            per_day=1,
        )
    course.grade()
    return course


def graded(page: Page, address: str, question: str) -> tuple[Counter[str], list[float]]:
    """Grade all answers to a question: the keys by what they are for, and milliseconds of pages."""
    pressed: Counter[str] = Counter()
    took: list[float] = []
    page.open(f"{address}/grade/tiny/{question}/reason")

    def press(key: str, what: str, modifier: str = "") -> None:
        page.press(key, modifier)
        pressed[what] += 1

    number = 0
    while True:
        page.wait_for("document.readyState == 'complete' && performance.timing.loadEventEnd")
        if number:
            took.append(page.evaluate("performance.getEntriesByType('navigation')[0].duration"))
        if not page.evaluate("document.getElementById('grading')"):
            return pressed, took
        for key in KEYS[question][number % len(KEYS[question])]:
            press(key, "points")
        page.evaluate("window.before = true")
        if number % EVERY:
            press("s", "saving")
        elif number == 0:
            for key in f"c{COMMENT}":
                press(key, "a new comment")
            press("Enter", "saving", "Control")
        else:
            for key in ("e", "ArrowDown"):
                press(key, "an earlier comment")
            page.wait_for(f"document.getElementById('comment').value == {COMMENT!r}")
            press("Enter", "saving", "Control")
        page.wait_for("!window.before")
        number += 1


def main(students: int) -> None:
    """Print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        course = made_course(Path(folder, "course"), students)
        with serving(course) as address, browser(Path(folder, "browser")) as page:
            secret = course.services.access.link("Gil", "grader", once=True)
            page.open(f"{address}/sign-in?link={secret}")
            page.click("main button")
            page.wait_for("location.pathname == '/grade'")
            for question in KEYS:
                keys, took = graded(page, address, question)
                points = sum(d.kind == "points" for d in course.services.store.decisions("tiny"))
                print(
                    f"{question}: {len(took)} answers ({points} with points now), "
                    f"{keys.total() / len(took):.2f} keys each ({dict(keys)}), "
                    f"page {statistics.median(took):.0f} ms (median), {max(took):.0f} ms (longest)"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 120)
