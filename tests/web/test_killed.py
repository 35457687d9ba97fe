"""Workers, and connections to the database, that are killed at random moments: every attempt gets
its one result."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from autograder.errors import StoreError
from autograder.gradebook.database import Database
from autograder.gradebook.schema import ARRIVALS, GRADES
from tests.support.served_course import script, served_course

KILLS = 8
LEASE_S = 2.0
WORK = f"""
import sys
from pathlib import Path
from autograder.web import queue
queue.LEASE_S = {LEASE_S}
queue.MAX_TRIES = 1000
from autograder.web.course import open_course
from autograder.web.worker import Worker, WorkerOptions
options = WorkerOptions(2, require="weak", devices="none")
Worker(open_course(Path(sys.argv[1]), sys.argv[2]), options, print).run()
"""
CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.mark.nightly
def test_nothing_is_lost_and_nothing_is_graded_twice(tmp_path: Path, url: str) -> None:
    course, drawn = served_course(tmp_path, per_day=1000, url=url), random.Random(7)
    queue, uploads = course.services.queue, course.services.uploads
    accepted = []

    def accept(number: int) -> None:
        text = script(f"Because of {number}.")
        accepted.append(
            queue.accept(
                assignment="tiny",
                student=f"00{number % 3 + 1}",
                file="work.py",
                sha256=uploads.keep(text.encode()),
                notes=(),
                per_day=1000,
            )
        )

    for number in range(6):
        accept(number)
    for kill in range(KILLS + 1):
        worker = subprocess.Popen([sys.executable, "-c", WORK, str(tmp_path), url])
        give_up = time.monotonic() + 120
        while "claimed" not in {state for _, state in queue.counts()}:  # it has begun
            assert time.monotonic() < give_up
            time.sleep(0.02)
            if not queue.waiting():
                accept(len(accepted))
        if kill < KILLS:
            time.sleep(drawn.uniform(0, 1.5))
            if url and kill % 2:
                with suppress(StoreError):  # its own connection may be among them
                    Database(url).rows(text(CONNECTIONS))
                time.sleep(drawn.uniform(0, 1.5))
        else:
            while queue.waiting():
                assert time.monotonic() < give_up
                time.sleep(0.1)
        worker.kill()
        worker.wait()
        for _ in range(2):
            accept(len(accepted))
        if kill == KILLS:
            break
    time.sleep(LEASE_S + 0.5)
    course.grade()
    states = {one.id: one for one in (queue.attempt(number) for number in accepted) if one}
    assert {one.state for one in states.values()} == {"done"}
    graded = queue.database.rows(
        select(ARRIVALS.c.place, func.count().label("n"))
        .join(
            GRADES,
            (GRADES.c.run_id == ARRIVALS.c.run_id) & (GRADES.c.student == ARRIVALS.c.student),
        )
        .group_by(ARRIVALS.c.place)
    )
    assert {row.place: row.n for row in graded} == {f"attempt {n}": 1 for n in accepted}
