"""The course as an instructor sees it, and what a worker is asked for: a regrade that is shown
first, files, a validation."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.gradebook.database import Database
from autograder.web.access import Visitor
from autograder.web.do_task import InterruptedTaskError, run_command
from autograder.web.queue import LEASE_S, MAX_TRIES
from autograder.web.tasks import CourseTask, CourseTasks
from autograder.web.visit import FRAME_POLICY
from autograder.web.workers import SILENT_S, Workers
from tests.support.served_course import (
    ServedCourse,
    hand_in,
    read_page,
    script,
    send,
)

PAGE, TASKS = "/course/tiny", "/course/tiny/tasks"


def test_a_regrade_is_written_once_it_was_shown(graded: ServedCourse) -> None:
    ina, store = graded.client("Ina"), graded.services.store
    before = {name: one.score for name, one in store.current("tiny").items()}
    toml = graded.folder / "assignments/tiny/assignment.toml"
    given = toml.read_text()

    def look() -> str:
        assert send(ina, TASKS, kind="regrade").status_code == 303
        assert "Waits for a worker" in read_page(ina, PAGE)
        assert send(ina, TASKS, kind="regrade").status_code == 409  # one at a time
        graded.grade()
        return read_page(ina, PAGE)

    def write(page: str) -> str:
        of = re.findall(r'name="of" value="(\d+)"', page)[0]
        assert send(ina, TASKS, kind="regrade", of=of).status_code == 303
        graded.grade()
        return read_page(ina, PAGE)

    toml.write_text(given.replace("points = 2", "points = 5", 1))
    page = look()
    assert re.search(r"<bdi>001</bdi></th><td>6</td><td>9</td>", page)
    assert {name: one.score for name, one in store.current("tiny").items()} == before

    toml.write_text(given.replace("points = 2", "points = 4", 1))  # changed in the meantime
    page = write(page)
    assert "Nothing was written" in page
    assert {name: one.score for name, one in store.current("tiny").items()} == before
    assert send(ina, TASKS, kind="regrade", of="1").status_code == 409  # not the newest
    page = write(page)
    assert "Written: 2 scores changed" in page
    assert {name: one.score for name, one in store.current("tiny").items()} == {
        name: score + 2000 for name, score in before.items() if score is not None
    }
    toml.write_text(given)


@pytest.mark.slow
def test_files_are_made_by_a_worker_and_downloaded(graded: ServedCourse) -> None:
    ina = graded.client("Ina")
    assert "Not made yet" in read_page(ina, PAGE)
    assert "Not validated yet" in read_page(ina, PAGE)
    assert ina.get(f"{PAGE}/files/public").status_code == 404
    assert send(ina, TASKS, kind="release").status_code == 303
    graded.grade()
    page = read_page(ina, PAGE)
    assert "It failed" not in page, page
    for name, file in (("notebook", "tiny.ipynb"), ("public", "public.agw")):
        answer = ina.get(f"{PAGE}/files/{name}")
        assert answer.headers["content-disposition"] == f'attachment; filename="{file}"'
        assert answer.content
    assert ina.get(f"{PAGE}/files/assignment.toml").status_code == 404
    kept = graded.folder / "out/validate/tiny"
    kept.mkdir(parents=True)
    (kept / "validation.json").write_text('{"valid": false, "problems": [{}, {}], "rows": []}')
    (kept / "validation.html").write_text("<p>All of it</p>")
    assert "<strong>2 problems</strong>" in read_page(ina, PAGE)
    assert ina.get(f"{PAGE}/files/validation").headers["content-security-policy"] == FRAME_POLICY
    assert send(ina, TASKS, kind="no-such").status_code == 422


def test_a_command_makes_way_for_submissions(graded: ServedCourse) -> None:
    task = CourseTask(1, datetime.now(UTC), "Ina", "tiny", "validate", "", "claimed", "")
    with pytest.raises(InterruptedTaskError):
        run_command(graded.services.course, task, lambda: True)
    gone = CourseTask(1, datetime.now(UTC), "Ina", "no-such", "release", "", "claimed", "")
    said, good = run_command(graded.services.course, gone, lambda: False)
    assert not good
    assert "no-such" in said


def test_a_task_of_a_killed_worker_is_done_by_another(tmp_path: Path) -> None:
    database, now = Database(tmp_path / "course.db"), [0.0]
    tasks = CourseTasks(database, lambda: now[0])
    now[0] = 1.0
    tasks.ask("tiny", "release", "Ina")
    for _ in range(MAX_TRIES):
        assert tasks.waiting()
        assert tasks.claim("worker") is not None
        assert tasks.claim("other") is None
        now[0] += LEASE_S + 1
    assert tasks.claim("worker") is None  # it kills its workers
    assert tasks.newest("tiny")["release"].state == "failed"
    database.close()


def test_the_course_page_shows_open_work_and_the_workers(graded: ServedCourse) -> None:
    ina = graded.client("Ina")
    graded.services.workers.report("worker-1", "tiny")
    graded.services.requests.ask("tiny", Visitor("001", "student", ""), "sums", "Why?")
    page = read_page(ina, "/course")
    assert "2 answers to grade by hand</a>, of 2." in page
    assert "1 regrade request</a> to answer" in page
    assert "worker-1: works on tiny" in page
    later = Workers(graded.services.queue.database, lambda: time.time() + SILENT_S + 1)
    assert [one.alive for one in later.all()] == [False]
    later.end("worker-1")
    hand_in(graded.client("003"), script("Late."))
    page = read_page(ina, "/course")
    assert "The oldest attempt has waited for" in page
    assert "No worker is running" in page


def test_the_class_report_is_of_todays_points(graded: ServedCourse) -> None:
    ina = graded.client("Ina")
    answer = ina.get("/course/tiny/report")
    assert answer.headers["content-security-policy"] == FRAME_POLICY
    assert "Automatic points of 2 students" in answer.text
