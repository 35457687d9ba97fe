"""Commands that run a course in the browser: serve, work, serve-links."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from autograder.classroom.results_folder import ResultsFolder
from autograder.commands.console import (
    CORES,
    DevicesOption,
    RequiredLevel,
    UrlOption,
    Who,
    Workers,
    err,
    out,
    say,
    say_now,
)
from autograder.commands.recording import decider, now
from autograder.errors import UsageError
from autograder.execution.interrupts import Interrupts
from autograder.files import write_atomic
from autograder.gradebook.export import cell_text
from autograder.gradebook.store import GradeStore
from autograder.interop.downloads.roster import read_roster
from autograder.web.access import Role
from autograder.web.adopt import adopt as adopt_results
from autograder.web.backup import back_up
from autograder.web.backup import restore as restore_course
from autograder.web.course import Course, open_course
from autograder.web.services import services_of
from autograder.web.sign_in.settings import ONLY_LINKS, read_settings

AGAIN_S = 2.0  # before a worker that ended is started again

CourseArg = Annotated[Path, typer.Argument(help="The course folder that `new` made.")]


def serve(
    folder: CourseArg,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    attempts: Annotated[
        int, typer.Option(min=1, help="Attempts of a student at an assignment in 24 hours.")
    ] = 10,
    worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Start a process that grades.")
    ] = True,
    workers: Workers = CORES,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to grade with less isolation than this.")
    ] = RequiredLevel.medium,
    log: Annotated[
        bool, typer.Option("--log", help="Print a line of JSON for each request, without names.")
    ] = False,
    sign_in: Annotated[
        Path | None,
        typer.Option(help="Settings of other ways to sign in than links (docs/sign-in.md)."),
    ] = None,
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Serve a course: students hand in, graders grade, in the browser."""
    try:
        import uvicorn  # noqa: PLC0415  an extra

        from autograder.web.app import application  # noqa: PLC0415
    except ModuleNotFoundError as lacking:
        raise UsageError(
            f"serve needs the web server ({lacking.name} is missing): pip install 'boxgrader[web]'"
        ) from None
    course = open_course(folder, url)
    settings = read_settings(sign_in) if sign_in is not None else ONLY_LINKS
    services = services_of(course, per_day=attempts, settings=settings)
    if log:
        services.log.write = partial(print, flush=True, file=sys.stderr)
    secret = services.access.link(decider(who), "instructor", once=True)
    here = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  every address
    address = f"http://{here}:{port}{services.prefix}"
    say(out, f"{course.folder.name} is served at {address}")
    say(out, f"To sign in as instructor, once: {_sign_in(address, secret)}")
    config = uvicorn.Config(
        application(services),
        host=host,
        port=port,
        access_log=False,  # it would hold the secrets of links
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    arguments = ["--workers", str(workers), "--require", require.value]
    arguments += ["--gradebook", url] if url else []
    with _WorkerProcess([str(course.folder), *arguments], wanted=worker):
        uvicorn.Server(config).run()


def work(
    folder: CourseArg,
    workers: Workers = CORES,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to grade with less isolation than this.")
    ] = RequiredLevel.medium,
    devices: DevicesOption = "auto",
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="End when nothing is left to grade.")
    ] = False,
    url: UrlOption = "",
    parent: Annotated[bool, typer.Option("--parent", hidden=True)] = False,
) -> None:
    """Grade what students hand in to `serve`; more than one may run."""
    # the web process, which imports this module, must not load what grades
    from autograder.web.worker import Worker, WorkerOptions  # noqa: PLC0415

    course = open_course(folder, url)
    asked = Interrupts(partial(say_now, err))
    if parent:
        os.nice(10)  # on the server's machine pages come first
        _end_with_parent()
    options = WorkerOptions(workers, require.value, devices)
    with asked:
        asked.finish(lambda count: f"stopping: {count} in progress")
        Worker(course, options, partial(say, err), stop=asked.stop).run(until_idle=until_idle)
        asked.end_if_asked("stopped: what was not graded stays in the queue")


def serve_links(
    folder: CourseArg,
    file: Annotated[Path, typer.Option("--out", help="The .csv file to write.")],
    roster: Annotated[
        Path | None, typer.Option(help="Roster as CSV; replaces the last one.")
    ] = None,
    grader: Annotated[
        list[str] | None, typer.Option(help="Name of a grader; may be repeated.")
    ] = None,
    instructor: Annotated[
        list[str] | None, typer.Option(help="Name of an instructor; may be repeated.")
    ] = None,
    address: Annotated[
        str, typer.Option(help="Address under which people reach the server.")
    ] = "http://127.0.0.1:8000",
    url: UrlOption = "",
) -> None:
    """Write personal sign-in links for everybody; earlier links and sessions end."""
    course = open_course(folder, url)
    _enroll(course, roster)
    with GradeStore(course.database) as store:
        students = [(person.id, person.full_name, person.email) for person in store.roster()]
    if not students and not grader and not instructor:
        raise UsageError("there is nobody to make links for: give --roster, --grader, --instructor")
    staff: list[tuple[str, Role]] = [(name, "grader") for name in grader or ()]
    staff += [(name, "instructor") for name in instructor or ()]
    people: list[tuple[str, str, str, Role]] = [(*one, "student") for one in students]
    people += [(name, "", "", role) for name, role in staff]
    services = services_of(course, per_day=1)
    services.access.revoke()
    secrets = services.access.links((one[0], one[3]) for one in people)
    services.access.audit(decider(""), "operator", "made links", f"{len(people)} people")
    write_atomic(file, _links_csv(people, secrets, address), private=True)
    say(out, f"wrote {file}: {len(people)} links; each is as secret as a password")


def adopt(
    folder: CourseArg,
    results: Annotated[list[Path], typer.Argument(help="Results folders that `grade` wrote.")],
    url: UrlOption = "",
) -> None:
    """Take results that `grade` wrote into a course that is served."""
    course = open_course(folder, url)
    for one in results:
        say(out, f"{adopt_results(course, ResultsFolder(one))}: taken in from {one}")


def backup(
    folder: CourseArg,
    file: Annotated[Path, typer.Option("--out", help="The .tar file to write.")],
    url: UrlOption = "",
) -> None:
    """Write what `serve` keeps of a course into one file, also while it is served."""
    size = back_up(open_course(folder, url), file)
    say(out, f"wrote {file}: {size / 1e6:.1f} MB; it holds everybody's work: keep it private")


def restore(
    file: Annotated[Path, typer.Argument(help="The file that `backup` wrote.")],
    folder: CourseArg,
    url: UrlOption = "",
) -> None:
    """Restore what `backup` wrote, beside the course's assignments."""
    restore_course(file, open_course(folder, url))
    say(out, f"restored; run `autograder serve {folder}`")


def _enroll(course: Course, roster: Path | None) -> None:
    if roster is not None:
        with GradeStore(course.database) as store:
            store.enroll(read_roster(roster), at=now())


def _links_csv(people: list[tuple[str, str, str, Role]], secrets: list[str], address: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["id", "name", "email", "role", "link"])
    for (person, name, email, role), secret in zip(people, secrets, strict=True):
        shown = [cell_text(cell) for cell in (person, name, email)]
        rows.writerow([*shown, role, _sign_in(address, secret)])
    return text.getvalue().encode("utf-8", "replace")


def _sign_in(address: str, secret: str) -> str:
    return f"{address.rstrip('/')}/sign-in?{urlencode({'link': secret})}"


class _WorkerProcess:
    """A worker beside the server: started again when it ends, and ended with the server."""

    def __init__(self, arguments: list[str], *, wanted: bool) -> None:
        self._command = [sys.executable, "-m", "autograder", "work", *arguments, "--parent"]
        self._wanted = wanted
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker", daemon=True)

    def __enter__(self) -> None:
        if self._wanted:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._wanted:
            self._thread.join()

    def _keep(self) -> None:
        while not self._ended.is_set():
            # the worker ends when the pipe does: however the server ends
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE)  # noqa: S603  ours
            while process.poll() is None and not self._ended.wait(0.2):
                pass
            if not self._ended.is_set():
                say(err, f"the worker ended with status {process.returncode}; starting it again")
                self._ended.wait(AGAIN_S)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            if process.poll() is None:
                process.kill()


def _end_with_parent() -> None:
    """Ask this process to end when the pipe from its parent is closed."""

    def watch() -> None:
        with suppress(OSError):
            while os.read(0, 1024):
                pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()
