"""A deadline rush: a class hands in within minutes, in a browser's way, while a worker grades.

A server and a worker of their own run on this machine's loopback. With ``kills`` one of them is
killed (SIGKILL) at random moments, or with PostgreSQL all connections to the database; what ended
is started again, and students try again until their upload is acknowledged, as people do.

Covered: the time of every upload; that everything acknowledged is graded, and once.
Not covered: a network, TLS, and a proxy between student and server.
"""

from __future__ import annotations

import http.client
import itertools
import random
import re
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from rich.console import RenderableType
from rich.text import Text
from sqlalchemy import func, select, text

from autograder.assignment.load import Loaded
from autograder.classroom.known_mistakes import WorkProgress
from autograder.errors import StoreError, UsageError
from autograder.gradebook.database import Database
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.schema import ARRIVALS, GRADES
from autograder.web.course import Course, open_course
from autograder.web.queue import PLATFORM
from autograder.web.services import Services, services_of

BROWSERS = 48  # requests at once, at most
AGAIN_S = 0.5  # before a student tries again
PATIENCE_S = 120.0
GRADED_WITHIN_S = 3600.0
GOAL_S = 2.0  # the 99th percentile of uploads
_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_CSRF = re.compile(r'name="csrf" value="(\w+)"')


@dataclass(frozen=True, slots=True)
class Rush:
    """The result. Seconds by the clock: of an upload until it was acknowledged, the median and two
    percentiles; until all was graded after the last one. ``lost`` and ``twice``: students without
    a grade, attempts with more than one."""

    students: int
    over_s: float
    kills: int
    tried_again: int
    median_s: float
    p99_s: float
    most_s: float
    graded_after_s: float
    lost: tuple[str, ...]
    twice: tuple[str, ...]

    @property
    def well(self) -> bool:
        """Whether nothing is lost or graded twice and, without kills, uploads meet the goal."""
        # A rush that lost somebody is told of.
        return not self.lost and not self.twice and (self.kills > 0 or self.p99_s <= GOAL_S)

    def plain(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "goal_s": GOAL_S, "well": self.well}


def rush(
    loaded: Loaded,
    folder: Path,
    *,
    students: int,
    over_s: float,
    kills: int,
    url: str,
    progress: WorkProgress,
) -> Rush:
    """Let ``students`` hand in the solution, each with a comment of their own. ``url``: an empty
    database; a SQLite file if it is empty."""
    services, work = _course(loaded, folder, url), loaded.solution.read_text("utf-8")
    names = [f"student-{number:03}" for number in range(1, students + 1)]
    services.store.enroll(Roster(tuple(map(Person, names))), at=datetime.now(UTC))
    links = services.access.links((name, "student") for name in names)
    drawn = random.Random(1)  # noqa: S311  moments of a measurement
    moments = sorted(drawn.uniform(0, over_s) for _ in names)
    progress.begin("Handing in", students)
    with _Processes(services.course) as running:
        begun = time.monotonic()

        def one(place: int) -> tuple[float, int]:
            time.sleep(max(0.0, begun + moments[place] - time.monotonic()))
            own = f"{work}\n# {names[place]}\n".encode()
            taken = _hand_in(running.port, links[place], loaded.spec.id, own)
            progress.done(taken)
            return taken

        with ThreadPoolExecutor(BROWSERS) as pool:
            killing = threading.Thread(
                target=running.kill, args=([drawn.uniform(0, over_s) for _ in range(kills)],)
            )
            killing.start()
            uploads = list(pool.map(one, range(students)))
            killing.join()
        last = time.monotonic()
        progress.begin("Grading what was handed in", 0)
        while services.queue.waiting() and time.monotonic() < last + GRADED_WITHIN_S:
            running.revive()
            time.sleep(0.2)
        graded_after = time.monotonic() - last
    seconds = sorted(taken for taken, _ in uploads)
    return Rush(
        students,
        over_s,
        kills,
        sum(tries - 1 for _, tries in uploads),
        statistics.median(seconds),
        seconds[int(0.99 * (len(seconds) - 1))],
        seconds[-1],
        graded_after,
        *_accounted(services, loaded.spec.id, names),
    )


def _course(loaded: Loaded, folder: Path, url: str) -> Services:
    course = folder / "course"
    shutil.copytree(loaded.folder, course / "assignments" / loaded.spec.id)
    if loaded.solutions != loaded.folder:
        shutil.copytree(loaded.solutions, course / "solutions" / loaded.spec.id)
    services = services_of(open_course(course, url), per_day=1000)
    services.states.set(loaded.spec.id, "open", who="bench")
    return services


def _accounted(
    services: Services, assignment: str, names: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Students with an attempt without a grade, or without an attempt; attempts with two grades."""
    query = (
        select(ARRIVALS.c.place, ARRIVALS.c.student, func.count().label("n"))
        .join(
            GRADES,
            (GRADES.c.run_id == ARRIVALS.c.run_id) & (GRADES.c.student == ARRIVALS.c.student),
        )
        .where(ARRIVALS.c.platform == PLATFORM, GRADES.c.status != "ungraded")
        .group_by(ARRIVALS.c.place, ARRIVALS.c.student)
    )
    grades = {row.place: row.n for row in services.queue.database.rows(query)}
    attempts = {name: services.queue.attempts(assignment, name) for name in names}
    lost = [
        name
        for name, own in attempts.items()
        if not own or any(one.place not in grades for one in own)
    ]
    return tuple(lost), tuple(place for place, count in grades.items() if count > 1)


class _Processes:
    """A server and a worker, both started again whenever they end."""

    def __init__(self, course: Course) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._begun, self._url = 0.0, course.url
        where, book = str(course.folder), ("--gradebook", course.url) if course.url else ()
        serve = ("serve", where, "--port", str(self.port), "--no-worker", "--attempts", "1000")
        self._commands = ((*serve, *book), ("work", where, "--require", "weak", *book))
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> _Processes:
        self._running = [self._start(command) for command in self._commands]
        give_up = time.monotonic() + PATIENCE_S
        while _asked(self.port, "GET", "/readyz")[0] != 200:
            if time.monotonic() > give_up:
                raise UsageError("the server does not start: pip install 'boxgrader[web]'")
            time.sleep(0.1)
        self._begun = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.terminate()
        for process in self._running:
            process.wait()

    def kill(self, moments: Sequence[float]) -> None:
        """At each of these moments kill the server, the worker or what they have with the database,
        in turn."""
        for number, moment in enumerate(sorted(moments)):
            while time.monotonic() < self._begun + moment:
                self.revive()
                time.sleep(0.05)
            targets: list[subprocess.Popen[bytes] | str] = [*self._running]
            targets += [self._url] if self._url else []
            target = targets[number % len(targets)]
            if isinstance(target, str):
                with suppress(StoreError):  # its own connection may be among them
                    Database(target).rows(text(_CONNECTIONS))
            else:
                target.kill()
                target.wait()
            self.revive()

    def revive(self) -> None:
        """Start again what has ended."""
        for which, process in enumerate(self._running):
            if process.poll() is not None:
                self._running[which] = self._start(self._commands[which])

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  ours
            [sys.executable, "-m", "autograder", *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def _hand_in(port: int, link: str, assignment: str, work: bytes) -> tuple[float, int]:
    """Sign in, open the page, upload: the seconds until it was acknowledged, and how many tries."""
    cookie = ""
    while not cookie:
        form = urlencode({"link": link}).encode()
        status, headers, _ = _asked(port, "POST", "/sign-in", form)
        cookie = (headers.get("set-cookie") or "").partition(";")[0] if status == 303 else ""
        if not cookie:
            time.sleep(AGAIN_S)
    begun, give_up = 0.0, time.monotonic() + PATIENCE_S
    for tries in itertools.count(1):
        status, _, page = _asked(port, "GET", f"/assignments/{assignment}", cookie=cookie)
        token = _CSRF.search(page)
        begun = begun or time.monotonic()
        if status == 200 and token is not None:
            edge = secrets.token_hex(16)
            parts = (
                f'--{edge}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{token[1]}\r\n'
                f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="work.py"\r\n'
                "Content-Type: text/plain\r\n\r\n"
            )
            body = parts.encode() + work + f"\r\n--{edge}--\r\n".encode()
            kind = f"multipart/form-data; boundary={edge}"
            path = f"/assignments/{assignment}"
            status, headers, _ = _asked(port, "POST", path, body, kind=kind, cookie=cookie)
            if status == 303:
                taken = time.monotonic() - begun
                _asked(port, "GET", headers.get("location", "/"), cookie=cookie)  # the place
                return taken, tries
        if time.monotonic() > give_up:
            return time.monotonic() - begun, tries
        time.sleep(AGAIN_S)
    raise AssertionError


def _asked(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    *,
    kind: str = "application/x-www-form-urlencoded",
    cookie: str = "",
) -> tuple[int, http.client.HTTPMessage, str]:
    """Status, headers and text of an answer; status 0 if there is none."""
    headers = {"Content-Type": kind} if body is not None else {}
    headers |= {"Cookie": cookie} if cookie else {}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return 0, http.client.HTTPMessage(), ""
    finally:
        connection.close()


def rush_table(found: Rush) -> RenderableType:
    """What a rush was like, in lines."""
    killed = f", {found.kills} kills of server or worker" if found.kills else ""
    lines = (
        f"{found.students:,} students within {found.over_s / 60:.1f} min{killed}",
        f"acknowledged after {found.median_s:.2f} s (median), {found.p99_s:.2f} s (99 %), "
        f"{found.most_s:.2f} s (longest); {found.tried_again} tried again",
        f"all graded {found.graded_after_s:.0f} s after the last upload",
        f"lost: {', '.join(found.lost) or 'none'}; "
        f"graded twice: {', '.join(found.twice) or 'none'}",
    )
    return Text("\n".join(lines))
