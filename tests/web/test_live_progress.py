"""How far an attempt is while it is graded, as its student sees it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autograder.web.live_progress import LiveProgress, read_progress
from autograder.web.pages import hand_in as hand_in_pages
from autograder.web.queue import LEASE_S, Queue
from tests.support.served_course import (
    HOSTILE,
    ServedCourse,
    hand_in,
    read_page,
    script,
)

SECRETS = ("kept-back", "a title that nobody shall see", "Try larger numbers", "multiply")


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_a_worker_tells_how_far_an_attempt_is_and_a_fault_in_telling_costs_no_grade(
    course: ServedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    real = Queue.report

    def report(queue: Queue, number: int, worker: str, progress: str) -> None:
        if number == 2:
            raise RuntimeError("no")
        real(queue, number, worker, progress)
        one = queue.attempt(number)
        assert one is not None and one.progress == progress
        texts.append(progress)

    monkeypatch.setattr(Queue, "report", report)
    slow = script(HOSTILE, right=False).replace("answer =", "import time; time.sleep(6)\nanswer =")
    hand_in(course.client("001"), slow)
    hand_in(course.client("002"), script("Because."))
    course.grade()

    told = [progress for progress in map(read_progress, texts) if progress is not None]
    last, first = told[-1], next(one for one in told if one.cells == 2)
    assert (first.all_cells, first.judged, first.exercises) == (3, 1, 2)
    assert [check.title for e in first.public for check in e.public] == ["`total` is the sum"]
    assert (last.cells, last.judged) == (3, 2)
    assert [check.title for e in last.public for check in e.public] == [
        "`total` is the sum",
        "`double` doubles small numbers",
    ]
    assert all(secret not in text for secret in SECRETS for text in texts)
    assert course.services.queue.attempt(1).progress == ""  # type: ignore[union-attr]
    (only,) = course.services.store.history("002", assignment="tiny")
    assert (only.grade.status, only.grade.score) == ("graded", 6000)


def test_the_page_and_its_events_say_how_far_an_attempt_is(
    graded: ServedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, client = graded.services.queue, graded.client("003")
    grade = graded.services.store.history("002", assignment="tiny")[-1].grade
    assignment = graded.services.course.assignments()["tiny"]
    shown = hand_in_pages.feedback(hand_in_pages.public_part(grade), assignment).exercises
    hand_in(client, script("A"))
    queue.claim("tiny", "w", most=1)
    assert "<strong>Being graded</strong>" in read_page(client, "/attempts/3")
    queue.report(3, "another", "{}")
    (check,) = shown[0].public
    hostile = (replace(check, message="<b>\r\n\rdata: x\n\nevent: done"),)
    exercises = (replace(shown[0], public=hostile), *shown[1:])
    queue.report(3, "w", LiveProgress(2, 3, 1, 2, exercises).written())
    page = read_page(client, "/attempts/3")
    assert "Being graded: 2 of 3 cells run, 1 of 2 exercises judged" in page
    assert "Public checks so far" in page

    monkeypatch.setattr(hand_in_pages, "EVENTS_S", 0.01)
    monkeypatch.setattr(hand_in_pages, "EVENTS_MOST_S", 0.03)
    events = client.get("/attempts/3/events").text
    message, checks = events.strip().split("\n\n")
    assert message.splitlines() == [
        "event: message",
        "data: Being graded: 2 of 3 cells run, 1 of 2 exercises judged",
    ]
    assert checks.startswith("event: checks\ndata: <h2>Public checks so far</h2>")
    assert all(line.startswith("data: ") for line in checks.splitlines()[1:])
    assert "<b>" not in page + events
    assert all(secret not in page + events for secret in SECRETS)


def test_a_killed_workers_progress_begins_anew(course: ServedCourse) -> None:
    queue, client = course.services.queue, course.client("001")
    hand_in(client, script("A"))
    queue.claim("tiny", "killed", most=1)
    queue.report(1, "killed", LiveProgress(2, 3, 1, 2).written())
    later = Queue(queue.database, lambda: queue.clock() + LEASE_S + 1)
    assert [one.progress for one in later.claim("tiny", "other", most=1)] == [""]
    assert "<strong>Being graded</strong>" in read_page(client, "/attempts/1")
    queue.report(1, "killed", LiveProgress(3, 3, 2, 2).written())  # it only slept
    assert "<strong>Being graded</strong>" in read_page(client, "/attempts/1")
