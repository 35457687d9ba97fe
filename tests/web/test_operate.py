"""What operators do: readiness, metrics, a log, backup and restore, results of `grade` taken in."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import yaml
from sqlalchemy import func, select

from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import StoreError, UsageError
from autograder.evidence.url import GRADEBOOK
from autograder.gradebook.database import PASSWORD, Database
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.schema import GRADES
from autograder.gradebook.schema_serve import CLAIMS, SESSIONS, TABLES, WORKERS
from autograder.web.adopt import adopt
from autograder.web.backup import back_up, restore
from autograder.web.course import Course, open_course
from autograder.web.pages.operate import METRICS_TOKEN
from autograder.web.queue import Queue
from autograder.web.services import services_of
from tests.support import postgres
from tests.support.browser import until
from tests.support.in_process import done
from tests.support.served_course import (
    ServedCourse,
    graded_course,
    hand_in,
    read_page,
    script,
    served_course,
)

ROOT = Path(__file__).resolve().parents[2]
KEPT = [table for table in TABLES.sorted_tables if table not in (SESSIONS, CLAIMS, WORKERS)]


def rows(where: Path | str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a backup holds of a database."""
    database = Database(where)
    try:
        return {
            table.name: [tuple(row) for row in database.rows(select(table).order_by(*table.c))]
            for table in KEPT
        }
    finally:
        database.close()


def without_database(source: Path, target: Path) -> Path:
    """The course's assignments elsewhere."""
    for name in ("assignments", "solutions"):
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
    return target


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_a_course_is_backed_up_while_it_is_served_and_restored_anywhere(
    tmp_path: Path, url: str
) -> None:
    made = graded_course(tmp_path / "here")
    assert hand_in(made.client("003"), script("Late.")).status_code == 303  # it waits
    archive = tmp_path / "course.tar"
    assert back_up(made.services.course, archive) == archive.stat().st_size
    assert archive.stat().st_mode & 0o077 == 0
    there = open_course(without_database(made.folder, tmp_path / "there"), url)
    restore(archive, there)
    before = rows(made.services.course.database)
    assert rows(there.database) == before and before["grades"] and before["attempts"]
    again = ServedCourse(there.folder, services_of(there, per_day=10))
    again.grade()  # what waited, with new row numbers
    again.set_state("released")
    for student in ("001", "003"):
        assert "A tiny assignment" in read_page(again.client(student), "/assignments/tiny")
        assert again.client(student).get("/assignments/tiny/feedback").status_code == 200
    with pytest.raises(UsageError, match=r"served here already|has rows already"):
        restore(archive, there)
    if url:
        other = Course(without_database(made.folder, tmp_path / "third"), url)
        with pytest.raises(UsageError, match="has rows already"):
            restore(archive, other)


def test_what_is_no_backup_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    made = served_course(tmp_path / "here")
    archive = tmp_path / "course.tar"
    back_up(made.services.course, archive)
    shutil.copy(archive, tmp_path / "evil.tar")
    (tmp_path / "text.tar").write_text("no archive")
    for name, entries in (
        ("evil.tar", ("../../../outside",)),
        ("empty.tar", ()),
        ("other.tar", ("course.db",)),
    ):
        with tarfile.open(tmp_path / name, "a") as opened:
            for entry in map(tarfile.TarInfo, entries):
                entry.size = 4
                opened.addfile(entry, io.BytesIO(b"evil"))
    outside = tmp_path / "outside"
    for name in ("evil.tar", "text.tar", "empty.tar", "other.tar", "none.tar"):
        there = open_course(without_database(made.folder, tmp_path / f"to {name}"))
        with pytest.raises((UsageError, StoreError)):
            restore(tmp_path / name, there)
        assert not list(there.served.iterdir()) and not outside.exists(), name


@pytest.mark.usefixtures("lent_box")
def test_results_of_grade_are_taken_in_once(tmp_path: Path) -> None:
    made = served_course(tmp_path / "course")
    work = tmp_path / "work"
    work.mkdir()
    for student in ("001", "002"):
        (work / f"{student}.py").write_text(script("Because.", right=student == "001"))
    for run in ("first", "second"):  # two rows of each student
        out = tmp_path / run
        done("grade", made.folder / "assignments/tiny", work, "--out", out, "--no-figures")
    about = ("--exercise", "sums", "--why", "an odd slip", "--who", "Ina")
    done("gradebook", "override", out, "002", "1", *about)
    course = made.services.course
    assert adopt(course, ResultsFolder(out)) == "tiny"
    made.set_state("released")
    table = read_page(made.client("Ina"), "/students/tiny")
    assert "001" in table
    page = read_page(made.client("Ina"), "/students/tiny/of/002")
    assert "an odd slip" in page
    assert made.client("001").get("/assignments/tiny/feedback").status_code == 200
    count = select(func.count().label("n")).select_from(GRADES)
    assert made.services.queue.database.rows(count)[0].n == 2
    with pytest.raises(UsageError, match="already"):
        adopt(course, ResultsFolder(tmp_path / "first"))
    hand_in(made.client("003"), script("Later."))  # the course goes on with the same seed
    made.set_state("open")
    assert hand_in(made.client("003"), script("Later.")).status_code == 303
    made.grade()
    assert made.services.queue.database.rows(count)[0].n == 3


def test_results_of_another_assignment_are_refused(tmp_path: Path) -> None:
    made = served_course(tmp_path / "course")
    results = tmp_path / "out"
    results.mkdir()
    run = {"format": "autograder-run/1", "assignment": "other", "folder": "", "seed": 1}
    (results / "run.json").write_text(json.dumps({**run, "draw": False}))
    with pytest.raises(UsageError, match="no assignment 'other'"):
        adopt(made.services.course, ResultsFolder(results))


def test_readiness_says_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = served_course(tmp_path)
    client = made.client()
    assert (client.get("/healthz").text, client.get("/readyz").text) == ("ok\n", "ready\n")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    assert client.get("/readyz").status_code == 503
    monkeypatch.undo()

    def failing(_: Queue) -> None:
        raise StoreError("no database")

    monkeypatch.setattr(Queue, "counts", failing)
    answer = client.get("/readyz")
    assert answer.status_code == 503 and "does not answer" in answer.text
    assert client.get("/healthz").status_code == 200


def test_metrics_and_the_log_have_routes_and_no_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = served_course(tmp_path)
    lines: list[str] = []
    made.services.log.write = lines.append
    client = made.client("001")
    assert hand_in(client, script("Because.")).status_code == 303
    client.get("/students/tiny/of/001")
    monkeypatch.setenv(METRICS_TOKEN, "a secret")
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer no"}).status_code == 404
    found = client.get("/metrics", headers={"Authorization": "Bearer a secret"})
    told = found.text.splitlines()
    upload = 'method="POST",route="/assignments/{assignment}",status="303"'
    assert f"autograder_request_seconds_count{{{upload}}} 1.0" in told
    assert f'autograder_request_seconds_bucket{{le="+Inf",{upload}}} 1.0' in told
    assert 'autograder_jobs{assignment="tiny",state="queued"} 1.0' in told
    logged = [json.loads(line) for line in lines]
    assert {"at", "method", "route", "status", "ms"} == logged[0].keys()
    assert "/students/{assignment}/of/{student:path}" in [one["route"] for one in logged]
    for text in (found.text, *lines):
        assert not re.search(r'[/"]001', text)


@pytest.mark.nightly
def test_the_compose_file_starts_a_server_and_a_worker_with_postgresql(tmp_path: Path) -> None:
    """Its two commands with its environment, without containers."""
    if postgres.lacking():
        pytest.skip(postgres.lacking())
    services = yaml.safe_load((ROOT / "docs/examples/compose-serve.yaml").read_text())["services"]
    made = served_course(tmp_path)  # the course's assignments
    shutil.rmtree(made.services.course.served)
    with postgres.server() as url, ExitStack() as running, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        for name in ("serve", "work"):
            service = services[name]
            words = [str(tmp_path) if word == "/course" else word for word in service["command"]]
            words += ["--port", str(port)] if name == "serve" else ["--require", "weak"]
            assert set(service["environment"]) == {GRADEBOOK, PASSWORD}
            process = subprocess.Popen(
                [sys.executable, "-m", "autograder", *words],
                env={**os.environ, GRADEBOOK: url, PASSWORD: "unused"},
                stdout=subprocess.PIPE,
                text=True,
            )
            running.callback(process.wait)
            running.callback(process.terminate)
            if name == "serve":
                assert process.stdout is not None
                link = next(line for line in process.stdout if "sign-in" in line).split()[-1]
        course = open_course(tmp_path, url)
        there = ServedCourse(tmp_path, services_of(course, per_day=10))
        there.services.store.enroll(Roster((Person("001"),)), at=datetime(2026, 3, 1, tzinfo=UTC))
        there.set_state("open")
        base = f"http://127.0.0.1:{port}"
        assert link.startswith(f"{base}/sign-in?link=")
        until(lambda: _answers(f"{base}/readyz"), what="the server", within=60)
        with httpx.Client(base_url=base) as client:
            client.get("/sign-in")
            secret = there.services.access.link("001", "student")
            assert client.post("/sign-in", data={"link": secret}).status_code == 303
            assert hand_in(client, script("Because.")).status_code == 303  # type: ignore[arg-type]
        done_ = until(
            lambda: there.services.queue.counts().get(("tiny", "done")), what="a grade", within=120
        )
        assert done_ == 1


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).text == "ready\n"
    except httpx.HTTPError:
        return False
