"""A class of any size: what is written of it equals what was, and takes no memory of its own."""

from __future__ import annotations

import gc
import io
import random
import re
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from autograder.classroom.results_folder import ResultsFolder
from autograder.classroom.write_results import write_class
from autograder.errors import StoreError
from autograder.gradebook.commits import WAITING, Commits
from autograder.gradebook.grade import Grade, Isolation
from autograder.gradebook.overview import FIRST, WHOLE, overview
from autograder.gradebook.result import read_result, result_json
from autograder.gradebook.store import GradeStore
from autograder.interop.intake import Download, take_in
from autograder.reports.terminal.grades import class_table
from tests.benchmarks.queue import graded_queue, make_assignment, make_hand_ins
from tests.support.made_grades import (
    NOON,
    START,
    gradebook_csv,
    half,
    right,
    summary_json,
    unscored,
)

ODD = (
    "=SUM(1)",
    "A",
    "a",
    "Z",
    "ärger",
    "\ue000",
    "😀",
    "back\\slash",
    "back]",
    "back[",
    "nul\0",
    "lone\udc80",
    "lone\\",
    'comma, and "quote"',
    "x" * 300,
    "student-10",
    "student-2",
)
MOST_KEPT = 0.1  # of the memory of a grade, for each grade of a class that is written


def graded(folder: Path, grades: Iterable[Grade]) -> GradeStore:
    store = GradeStore(folder / "grades.db")
    store.record_all(store.begin_run(started_at=START, **NOON), grades)
    return store


def printed(view: object, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# ---------------------------------------------------------------- the end of a class


def test_a_class_that_is_read_grade_by_grade_gives_the_bytes_of_a_whole_one(
    tmp_path: Path,
) -> None:
    draw = random.Random(7)
    makes: tuple[Callable[[str], Grade], ...] = (
        right,
        half,
        partial(unscored, status="ungraded", reason="the box was lost"),
    )
    grades = [draw.choice(makes)(name) for name in (*ODD, *(f"student-{n:04}" for n in range(99)))]
    draw.shuffle(grades)
    space = ResultsFolder(tmp_path)
    with graded(tmp_path, grades) as store:
        found = write_class(space, store.in_order("a1"))
    assert space.gradebook.read_bytes() == gradebook_csv(grades)
    assert space.summary.read_bytes() == summary_json(grades)
    assert found.summary.students == len(grades)


def test_grades_come_in_pythons_order_of_names_whatever_the_database_can_hold(
    tmp_path: Path,
) -> None:
    draw = random.Random(3)
    names = {"".join(draw.choices("\\]^[aA\0\udc80\ue000😀", k=3)) for _ in range(150)}
    with graded(tmp_path, [right(name) for name in names]) as store:
        assert [g.student for g in store.in_order("a1")] == sorted(names)


def test_only_the_newest_grade_of_a_student_is_read(tmp_path: Path) -> None:
    with graded(tmp_path, [right("student-01"), half("student-02")]) as store:
        store.record(store.begin_run(started_at=START, **NOON), half("student-01"))
        found = store.in_order("a1")
        assert list(found) == list(found) == [half("student-01"), half("student-02")]
        assert len(found) == 2 and right("student-01") not in found


def kept_bytes(folder: Path, count: int) -> int:
    """The most memory that the end of a class took, beyond what is there before."""
    folder.mkdir()
    with graded(folder, [half(f"student-{n:05}") for n in range(count)]) as store:
        return most_memory(lambda: write_class(ResultsFolder(folder), store.in_order("a1")))


def most_memory(work: Callable[[], object]) -> int:
    """The most bytes that this takes while it is done."""
    gc.collect()
    tracemalloc.start()
    kept = work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return peak


@pytest.mark.slow
def test_the_end_of_a_class_takes_a_few_bytes_for_each_grade(tmp_path: Path) -> None:
    few, many = 300, 1500
    kept_bytes(tmp_path / "first", 10)  # everything is imported and warm
    grown = kept_bytes(tmp_path / "many", many) - kept_bytes(tmp_path / "few", few)
    stored = result_json(half("student-00001"))
    whole = most_memory(lambda: [read_result(stored) for _ in range(few)]) / few
    assert grown / (many - few) < MOST_KEPT * whole


def test_a_gradebook_that_cannot_be_read_to_its_end_leaves_the_earlier_file(
    tmp_path: Path,
) -> None:
    class Broken(list[Grade]):
        def __iter__(self) -> Iterator[Grade]:
            yield from super().__iter__()
            if space.gradebook.exists():
                raise StoreError("damaged")

    space = ResultsFolder(tmp_path)
    write_class(space, [right("student-01")])
    before = space.gradebook.read_bytes()
    with pytest.raises(StoreError, match="damaged"):
        write_class(space, Broken([half("student-01")]))
    assert space.gradebook.read_bytes() == before
    assert not list(tmp_path.glob(".*.tmp"))


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize("width", [60, 160])
def test_of_a_large_class_those_are_shown_at_whom_to_look_first(width: int) -> None:
    grades = [right(f"student-{n:04}") for n in range(1000)]
    grades[7] = unscored("student-0007", "ungraded", "the box was lost")
    grades[500] = unscored("student-0500", "rejected", "not a notebook")
    grades[900] = half("student-0900")
    text = printed(class_table(grades), width)
    shown = re.findall("^student-.{4}", text, re.MULTILINE)
    assert shown[:3] == ["student-0007", "student-0500", "student-0900"]
    assert len(shown) == FIRST and max(map(len, text.splitlines())) <= width
    assert "1,000 students: 998 graded, 1 rejected, 1 ungraded." in text
    assert printed(class_table(grades[:WHOLE]), width).count("student-") == WHOLE


def test_what_a_command_says_at_its_end_is_known_without_all_grades() -> None:
    lost = [unscored(f"student-{n:03}", "ungraded", "lost") for n in range(300)]
    weak = msgspec.structs.replace(right("zed"), isolation=Isolation("weak", ()))
    found = overview([*lost, weak])
    assert found.ungraded == tuple(f"student-{n:03}" for n in range(10))
    assert found.summary.status == {"ungraded": 300, "graded": 1}
    assert found.levels == {"strong", "weak"} and not found.is_whole


# ---------------------------------------------------------------- grades as they come in


@dataclass(frozen=True)
class Outcome:
    grade: Grade


def test_grades_are_told_of_in_order_when_they_are_committed(tmp_path: Path) -> None:
    told: list[str] = []
    names = [f"student-{number:03}" for number in range(100)]
    with GradeStore(tmp_path / "grades.db") as store:

        def tell(one: Outcome, _: float) -> None:
            assert one.grade.student in store.current("a1")
            told.append(one.grade.student)

        with Commits(store, store.begin_run(started_at=START, **NOON), tell) as some:
            for name in names:
                some.give(Outcome(right(name)))
    assert told == names


def test_what_was_given_is_committed_when_the_rest_fails(tmp_path: Path) -> None:
    with GradeStore(tmp_path / "grades.db") as store:
        run = store.begin_run(started_at=START, **NOON)
        with (
            pytest.raises(KeyboardInterrupt),
            Commits[Outcome](store, run, lambda one, seconds: None) as some,
        ):
            some.give(Outcome(right("student-01")))
            raise KeyboardInterrupt
        assert [g.student for g in store.in_order("a1")] == ["student-01"]


def test_a_gradebook_that_fails_stops_the_class_and_tells_of_nothing(tmp_path: Path) -> None:
    told: list[Outcome] = []
    with GradeStore(tmp_path / "grades.db") as store:
        with (
            pytest.raises(StoreError),
            Commits[Outcome](store, 99, lambda one, seconds: told.append(one)) as some,
        ):  # there is no such run
            for number in range(10 * WAITING):
                some.give(Outcome(right(f"student-{number:03}")))
        assert told == [] and len(store.in_order("a1")) == 0


# ---------------------------------------------------------------- the queue


def test_a_queued_hand_in_takes_less_than_a_kilobyte_and_none_of_its_content(
    tmp_path: Path,
) -> None:
    loaded = make_assignment(tmp_path / "queue")
    make_hand_ins(tmp_path / "hand-ins", count=200, distinct=3)
    take_in(Download([tmp_path / "hand-ins"]), loaded.spec)  # everything is imported
    gc.collect()
    tracemalloc.start()
    intake = take_in(Download([tmp_path / "hand-ins"]), loaded.spec)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(intake.hand_ins) == len(intake.arrivals) == 200
    assert held / 200 < 1000


def test_a_queue_is_graded_and_everybody_is_accounted_for(tmp_path: Path) -> None:
    found = graded_queue(tmp_path, count=6, distinct=2)
    assert (found.unaccounted, found.evidence, len(found.moments)) == (frozenset(), 3, 6)
