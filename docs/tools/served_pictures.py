"""Pictures of the pages of `autograder serve`, of a course in which the sample class has handed in.

``python -m docs.tools.served_pictures FOLDER`` writes serve.png, three pages side by side, and
each page at two widths, light and dark.
"""

from __future__ import annotations

import base64
import itertools
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder.gradebook.decisions import Decision
from autograder.gradebook.people import Person, Roster
from autograder.web.access import Role
from autograder.web.course import open_course
from autograder.web.live_progress import LiveProgress, read_progress
from autograder.web.queue import Queue
from autograder.web.services import services_of
from autograder.web.worker import Worker, WorkerOptions
from docs.tools.pages import ROOT
from tests.support.browser import Page, browser
from tests.support.served_course import ServedCourse, serving

ID = "embeddings-and-position"
LIVE, GRADED = "student-04", "student-07"
NAMES = (
    "Ada Okafor|Ben Iversen|Chiara Russo|Dana Novak|Emil Sato|Farah Haddad|Goran Petrov|"
    "Hanna Lind|Ivo Costa|Jun Park|Kofi Mensah|Lea Brandt|Mara Quinn|Noor Aziz|Olek Wilk|"
    "Pia Moreau|Quentin Ross"
).split("|")
STAFF: dict[str, Role] = {"Grace": "grader", "Ines": "instructor"}
WIDTHS, SCHEMES = (1280, 390), ("light", "dark")


@dataclass
class PicturedCourse:
    """The course at an address, in a browser. ``pages``: who looks at what, by a name."""

    page: Page
    address: str
    course: ServedCourse
    pages: dict[str, tuple[str, str]]

    def show(self, name: str, width: int, scheme: str) -> int:
        """Open a page and return its height."""
        person, path = self.pages[name]
        self.page.looks(width, scheme)
        self.page.command("Network.clearBrowserCookies")
        secret = self.course.services.access.link(person, STAFF.get(person, "student"), once=True)
        self.page.open(f"{self.address}/sign-in?link={secret}")
        self.page.wait_for("location.pathname == '/sign-in' && document.querySelector('main form')")
        self.page.click("main button")
        self.page.wait_for("location.pathname != '/sign-in' && document.readyState == 'complete'")
        self.page.open(self.address + path)
        at = f"location.href.startsWith({self.address + path!r})"
        self.page.wait_for(f"{at} && document.readyState == 'complete'")
        return int(self.page.evaluate("document.documentElement.scrollHeight"))

    def take(self, name: str, file: Path, width: int, scheme: str, *, most: int = 4000) -> None:
        """A picture of a page, as far as this many pixels down."""
        height = min(self.show(name, width, scheme), most)
        self.page.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.page.screenshot(file, clip=(0, 0, width, height))


@contextmanager
def pictured_course(folder: Path) -> Iterator[PicturedCourse]:
    """The sample class has handed in; one student's next attempt is being graded."""
    course = folder / "course"
    for part in ("assignments", "solutions"):
        shutil.copytree(ROOT / part / ID, course / part / ID)
    services = services_of(open_course(course), per_day=10)
    served = ServedCourse(course, services)
    examples = sorted((ROOT / "assignments" / ID / "examples").glob("*.ipynb"))
    people = (Person(path.stem, name) for path, name in zip(examples, NAMES, strict=True))
    services.store.enroll(Roster(tuple(people)), at=datetime.now(UTC))
    services.states.set(ID, "open", who="Ines")
    for path in examples:
        _hand_in(served, path)
    told = _grade(served)
    _hand_in(served, ROOT / "assignments" / ID / "examples" / f"{LIVE}.ipynb")
    (live,) = services.queue.claim(ID, "worker-1", most=1)
    services.queue.report(live.id, "worker-1", told.written())
    services.workers.report("worker-1", ID)
    _decide(served)
    grade = f"/grade/{ID}/predictions/answer"
    attempt = next(a.id for a in services.queue.attempts(ID, GRADED))
    pages = {
        "sign-in": (LIVE, "/sign-in"),
        "assignments": (LIVE, "/assignments"),
        "hand-in": (LIVE, f"/assignments/{ID}"),
        "live": (LIVE, f"/attempts/{live.id}"),
        "attempt": (GRADED, f"/attempts/{attempt}"),
        "questions": ("Grace", "/grade"),
        "grade": ("Grace", grade),
        "requests": ("Grace", "/requests"),
        "course": ("Ines", "/course"),
        "assignment": ("Ines", f"/course/{ID}"),
        "students": ("Ines", f"/students/{ID}"),
        "student": ("Ines", f"/students/{ID}/of/{GRADED}"),
        "export": ("Ines", f"/export/{ID}?format=canvas"),
    }
    with serving(served) as address, browser(folder / "browser") as page:
        yield PicturedCourse(page, address, served, pages)


def _hand_in(course: ServedCourse, path: Path) -> None:
    services = course.services
    services.queue.accept(
        assignment=ID,
        student=path.stem,
        file=path.name,
        sha256=services.uploads.keep(path.read_bytes()),
        notes=("36 code cells read.",),
        per_day=10,
    )


def _grade(course: ServedCourse) -> LiveProgress:
    """Grade everything, and return how far one attempt was once."""
    told: list[LiveProgress] = []
    real = Queue.report

    def report(queue: Queue, number: int, worker: str, progress: str) -> None:
        found, attempt = read_progress(progress), queue.attempt(number)
        if found is not None and attempt is not None and attempt.student == LIVE:
            told.append(found)
        real(queue, number, worker, progress)

    Queue.report = report  # type: ignore[method-assign]
    try:
        options = WorkerOptions(2, require="weak", devices="none")
        Worker(course.services.course, options, print).run(until_idle=True)
    finally:
        Queue.report = real  # type: ignore[method-assign]
    return told[0]


def _decide(course: ServedCourse) -> None:
    """Some points and a comment, as graders have given them before."""
    now = datetime.now(UTC)
    course.services.store.decide(
        [Decision(ID, GRADED, "comment", who="Grace", why="", at=now, text="Clear.")]
    )


def side_by_side(course: PicturedCourse, file: Path) -> None:
    """An attempt that is being graded, an answer to grade, and the course, in one picture."""
    with tempfile.TemporaryDirectory() as folder:
        shot, parts = Path(folder, "one.png"), ""
        for name, title in SHOWN.items():
            course.take(name, shot, 1000, "light", most=1100)
            data = base64.b64encode(shot.read_bytes()).decode()
            parts += f"<section><h2>{title}</h2><img src='data:image/png;base64,{data}'></section>"
        sheet = Path(folder, "all.html")
        sheet.write_text(SHEET + parts, "utf-8")
        page = course.page
        page.looks(1656, "light")
        page.open(sheet.as_uri())
        page.wait_for(f"location.href == '{sheet.as_uri()}' && document.readyState == 'complete'")
        ends = (
            "[...document.querySelectorAll('section')].map(e => e.getBoundingClientRect().bottom)"
        )
        height = page.evaluate(f"Math.max(...{ends})")
        page.screenshot(file, clip=(0, 0, 1656, height + 20))


SHOWN = {
    "live": "a student hands in",
    "grade": "a grader grades",
    "course": "an instructor sees the course",
}
SHEET = """<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; padding: 20px; display: flex; gap: 20px; align-items: start; }
body { background: #e3e7ec; }
section { flex: 1; background: #fcfdfe; border-radius: 8px; overflow: hidden; }
section { box-shadow: 0 1px 4px #0003; }
h2 { margin: 0; padding: 10px 14px; background: #d9dfe7; font: 15px system-ui, sans-serif; }
img { display: block; width: 100%; }
</style>"""


def main(folder: Path) -> None:
    """Write three pages side by side, and every page at both widths, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, pictured_course(Path(scratch)) as course:
        side_by_side(course, folder / "serve.png")
        for name, width, scheme in itertools.product(course.pages, WIDTHS, SCHEMES):
            course.take(name, folder / f"{name}-{width}-{scheme}.png", width, scheme)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
