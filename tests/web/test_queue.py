"""Attempts and jobs: nothing that was acknowledged is lost, and nothing is graded twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.gradebook.database import Database
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.web.queue import LEASE_S, MAX_TRIES, Queue, TooManyAttemptsError
from autograder.web.uploads import Uploads
from tests.support.made_grades import grade

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Clock:
    now = NOON.timestamp()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(tmp_path: Path, clock: Clock) -> Iterator[Queue]:
    database = Database(tmp_path / "course.db")
    yield Queue(database, clock)
    database.close()


def accept(queue: Queue, student: str = "001", sha256: str = "aa", per_day: int = 10) -> int:
    attempt = {"assignment": "a1", "student": student, "file": "a.py", "sha256": sha256}
    return queue.accept(**attempt, notes=("3 code cells read.",), per_day=per_day)


def claimed(queue: Queue, worker: str = "w1", most: int = 10) -> list[int]:
    return [one.id for one in queue.claim("a1", worker, most=most)]


def give_grade(where: Path, number: int, *, status: str = "graded", student: str = "001") -> int:
    """What a worker commits for an attempt."""
    with GradeStore(where / "course.db") as store:
        run = store.begin_run(assignment="a1", seed=1, command="work", versions={}, started_at=NOON)
        place = f"attempt {number}"
        store.arrive(run, [ArrivalRecord("a1", student, "serve", "a.py", place)])
        return store.record(run, grade(student, status=status))


def test_the_oldest_attempts_are_claimed_first_and_one_of_each_student(queue: Queue) -> None:
    first, other = accept(queue), accept(queue, "002")
    second = accept(queue, sha256="bb")
    assert queue.waiting() == {first: 1, other: 2, second: 3}
    assert claimed(queue) == [first, other]
    assert queue.waiting() == {first: 0, other: 0, second: 1}
    assert claimed(queue, "w2") == []  # attempts of one student count in their order


def test_an_upload_that_is_sent_twice_is_one_attempt(queue: Queue) -> None:
    first = accept(queue)
    assert accept(queue) == first
    claimed(queue)
    assert accept(queue) != first  # it may be wanted again


def test_attempts_of_a_day_are_limited(queue: Queue, clock: Clock) -> None:
    accept(queue, sha256="aa", per_day=2)
    accept(queue, sha256="bb", per_day=2)
    with pytest.raises(TooManyAttemptsError):
        accept(queue, sha256="cc", per_day=2)
    assert queue.left_today(queue.attempts("a1", "001"), 2) == 0
    clock.now += 24 * 3600 + 1
    assert queue.attempt(accept(queue, sha256="cc", per_day=2)).number == 3  # type: ignore[union-attr]


def test_what_a_killed_worker_held_is_claimed_again(queue: Queue, clock: Clock) -> None:
    number = accept(queue)
    assert claimed(queue) == [number]
    clock.now += LEASE_S - 1
    assert claimed(queue, "w2") == []
    queue.renew("w1")
    clock.now += LEASE_S - 1
    assert claimed(queue, "w2") == []
    clock.now += 2
    assert queue.wanted() == ("a1",)
    assert claimed(queue, "w2") == [number]
    queue.settle(number, "w1")  # it comes back: the job is not its own any more
    assert queue.attempt(number).state == "claimed"  # type: ignore[union-attr]


def test_a_grade_that_was_committed_before_the_kill_is_not_given_again(
    queue: Queue, clock: Clock, tmp_path: Path
) -> None:
    number = accept(queue)
    claimed(queue)
    graded = give_grade(tmp_path, number)
    clock.now += LEASE_S + 1
    assert claimed(queue, "w2") == []
    found = queue.attempt(number)
    assert found is not None and (found.state, found.grade_id) == ("done", graded)


def test_a_fault_of_the_grader_is_no_result(queue: Queue, clock: Clock, tmp_path: Path) -> None:
    number = accept(queue)
    for _ in range(MAX_TRIES):
        assert claimed(queue) == [number]
        give_grade(tmp_path, number, status="ungraded")
        queue.settle(number, "w1")
        assert claimed(queue) == []  # not at once
        clock.now += 3600
    assert claimed(queue) == []
    assert [one.id for one in queue.failed()] == [number]
    assert queue.retry(number)
    assert claimed(queue) == [number]
    assert not queue.retry(number)


def test_what_is_released_was_no_try(queue: Queue) -> None:
    number = accept(queue)
    for _ in range(2 * MAX_TRIES):
        assert claimed(queue) == [number]
        queue.release("w1")


def test_why_jobs_wait_is_told(queue: Queue) -> None:
    accept(queue)
    queue.note("a1", "the solution fails")
    assert queue.errors() == {"a1": "the solution fails"}
    queue.note("a1", "")
    assert queue.errors() == {}
    assert queue.counts() == {("a1", "queued"): 1}


def test_uploads_are_kept_by_digest(tmp_path: Path) -> None:
    kept = Uploads(tmp_path / "uploads")
    digest = kept.keep(b"work")
    assert kept.keep(b"work") == digest
    assert kept.path(digest).read_bytes() == b"work"
    kept.path(digest).write_bytes(b"")  # as a crash of the machine may leave it
    kept.keep(b"work")
    assert kept.path(digest).read_bytes() == b"work"
