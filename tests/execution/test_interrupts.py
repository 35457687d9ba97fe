"""A class that somebody stops, by Ctrl-C or SIGTERM, once or twice; and how far it tells it is."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn, cast

import psutil
import pytest
from rich.console import Console

import autograder.commands.grade as grade_command
import autograder.commands.regrade as regrade
from autograder.classroom.grade_class import ClassGrader
from autograder.classroom.placement import Placement
from autograder.classroom.results_folder import ResultsFolder, RunFile
from autograder.cli import app
from autograder.errors import EngineError, StoppedError
from autograder.execution.engines.local import Inline, Local
from autograder.execution.interrupts import Interrupted, Interrupts, Stoppable, StopRequest, saying
from autograder.gradebook.store import GradeStore
from autograder.grading.device_runs import NO_DEVICES
from autograder.reports.terminal.progress import Pace, progress
from autograder.sandbox.box import Box
from tests.support.killed import Place, left_behind, run_for

# ---------------------------------------------------------------- signals


def test_the_first_signal_asks_the_second_ends_and_the_third_changes_nothing() -> None:
    said: list[str] = []
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    with Interrupts(said.append) as asked:
        asked.finish(lambda under_way: f"{under_way} left")
        asked.stop.begin()
        os.kill(os.getpid(), signal.SIGTERM)
        assert said == ["1 left"] and asked.stop.wanted and not asked.stop.at_once
        asked.stop.refuse()
        with pytest.raises(Interrupted) as ended:
            os.kill(os.getpid(), signal.SIGINT)
        assert ended.value.status == 128 + signal.SIGTERM  # the first one tells who ended it
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(StoppedError):
            asked.stop.refuse()
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_signal_ends_at_once_where_there_is_nothing_to_finish() -> None:
    with (
        pytest.raises(Interrupted, match=r"^nothing was written$") as ended,
        Interrupts(print) as asked,
        saying(lambda: "nothing was written", asked),
    ):
        os.kill(os.getpid(), signal.SIGINT)
    assert ended.value.status == 130


def fails(*_: object, **__: object) -> NoReturn:
    raise EngineError("no worker is left")


def stops(*_: object, **__: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGTERM)
    raise StoppedError


@pytest.mark.parametrize(
    ("command", "works", "error"),
    [
        ("grade", fails, "no worker"),
        ("grade", stops, "0 of 1 are graded and saved"),
        ("regrade", fails, "no worker"),
    ],
)
def test_a_signal_does_not_cut_the_clean_up_short(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    works: Callable[..., NoReturn],
    error: str,
) -> None:
    """Two signals come while what a command works in is given back."""
    small, cleaned = slow_class(tmp_path, 1), []

    @contextmanager
    def taken(*_: object, **__: object) -> Iterator[Placement]:
        try:
            yield Placement(cast(Box, None), Inline(), NO_DEVICES)
        finally:
            for _i in range(2):
                os.kill(os.getpid(), signal.SIGTERM)
            cleaned.append(True)

    if command == "regrade":
        folder = str(tmp_path / "assignments" / "small")
        ResultsFolder(small.out).begin(RunFile("autograder-run/1", "small", folder, 1, False))
    monkeypatch.setattr(grade_command, "place_for", taken)
    monkeypatch.setattr(grade_command, "prepare_reference", lambda *_, **__: None)
    monkeypatch.setattr(grade_command, "with_personal", lambda prepared: prepared)
    monkeypatch.setattr(ClassGrader, "grade", works)
    monkeypatch.setattr(regrade, "box_at", taken)
    monkeypatch.setattr(regrade, "judged_again", works)
    with pytest.raises(Interrupted if works is stops else EngineError, match=error):
        app(small.words(command), standalone_mode=False)
    assert cleaned


def test_handlers_are_left_alone_in_another_thread() -> None:
    before, seen = signal.getsignal(signal.SIGINT), []

    def enter() -> None:
        with Interrupts(print):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [before]


@pytest.mark.parametrize("engine", [Inline(), Local(2)])
def test_what_is_under_way_is_finished_and_no_more_is_begun(engine: Inline | Local) -> None:
    stop, begun = StopRequest(), []

    def work(item: int) -> int:
        begun.append(item)
        if item == 2:
            assert stop.want() >= 1
        time.sleep(0.01)
        return item

    done = [result for _, result in Stoppable(engine, stop).map(work, range(50))]
    assert sorted(done) == sorted(begun) and 2 in done and len(done) < 8
    assert stop.under_way == 0


def test_an_interrupt_does_not_wait_for_what_is_under_way() -> None:
    release = threading.Event()
    results = Local(1).map(lambda item: item or release.wait(600), range(4))
    with pytest.raises(Interrupted):
        try:
            begun = time.monotonic()
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            with Interrupts(print):
                next(results)
        finally:
            took = time.monotonic() - begun
            release.set()
    assert took < 100


# ---------------------------------------------------------------- a class


def slow_class(folder: Path, count: int) -> Place:
    """A small course, and so many hand-ins that take some time."""
    place = Place(folder, "")
    place.write(2)
    for number, path in enumerate(sorted((folder / "hand-ins").iterdir())):
        slow = path.read_text().replace("attempt", "import time; time.sleep(1.5); attempt")
        path.write_text(slow) if number < count else path.unlink()
    return place


def stopped(place: Place, times: int, ready: Callable[[], bool]) -> tuple[int, str]:
    """Send SIGTERM so many times once it is ready: the status, and what was said."""
    process = psutil.Popen(
        place.command("grade"),
        cwd=place.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 300
    while not ready() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    family = process.children(recursive=True)
    for _ in range(times):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
    said, _ = process.communicate(timeout=300)
    assert left_behind(process.pid, family) == [] == [*place.folder.rglob("*.tmp")]
    assert "Traceback" not in said and "stopped: " in said, said
    return process.returncode, said


@pytest.mark.slow
def test_a_class_is_stopped_twice_and_goes_on(tmp_path: Path) -> None:
    place = slow_class(tmp_path, 6)
    results, gradebook = place.out / "results", place.out / "gradebook.csv"

    status, said = stopped(place, 1, lambda: any(results.glob("*.json")))
    assert status == 143 and "in progress are being finished; press Ctrl-C again" in said
    with GradeStore(place.where) as store:
        kept = len(store.latest("small"))
    assert 0 < kept < 6 and f"stopped: {kept} of 6 are graded and saved" in said
    assert len(list(results.glob("*.json"))) == kept and not gradebook.exists()

    status, _ = stopped(place, 2, lambda: len(list(results.glob("*.json"))) > kept)
    assert status == 143 and not gradebook.exists()

    run_for(place, "grade", None)
    assert gradebook.read_text().count("graded") == 6


# ---------------------------------------------------------------- how far it is


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def one(status: str = "graded", *, fresh: bool = True) -> object:
    """A hand-in that is done."""
    return SimpleNamespace(fresh=fresh, grade=SimpleNamespace(status=status))


def test_the_rate_is_that_of_the_recent_past() -> None:
    clock = Clock()
    pace = Pace(1000, clock)
    for _ in range(60):  # one a second, then one in ten
        clock.now += 1
        pace.count(one())
    assert pace.per_minute() == pytest.approx(60)
    for _ in range(60):
        clock.now += 10
        pace.count(one())
    assert pace.per_minute() == pytest.approx(6, rel=0.1)
    assert "6." in pace.said() and "left" in pace.said()


def test_what_was_stored_makes_neither_a_rate_nor_an_absurd_end() -> None:
    clock = Clock()
    pace = Pace(1000, clock)
    for _ in range(900):
        clock.now += 0.01
        pace.count(one(fresh=False))
    assert pace.said() == ""
    for _ in range(5):
        clock.now += 6
        pace.count(one())
    left = pace.left_s()
    assert left is not None and 95 * 6 <= left < 95 * 10


@pytest.mark.parametrize("width", [20, 160])
def test_a_bar_is_one_line_on_any_terminal(width: int) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True)
    clock = Clock()
    with progress(console, clock=clock) as bar:
        bar.report("Grading", 2000)
        for number in range(40):
            clock.now += 7
            bar.done(one("ungraded" if number % 20 == 0 else "graded"))
        lines = console.render_lines(bar._shown.get_renderable())
    (text,) = ["".join(s.text for s in line) for line in lines if any(s.text.strip() for s in line)]
    if width == 160:
        assert "8.7/min" in text and "2 ungraded" in text and "40/2000" in text


def log_of(count: int, done: int, each_s: float, rejected: int = -1) -> list[str]:
    """What a log says of a class of which some are done."""
    log, clock = io.StringIO(), Clock()
    with progress(Console(file=log, width=60), "Running the solution", clock=clock) as bar:
        assert log.getvalue() == "Running the solution ...\n"  # at once
        bar.report("Running the known mistakes", 0)
        bar.report("Grading", count)
        for number in range(done):
            clock.now += each_s
            bar.done(one("rejected" if number == rejected else "graded"))
    return log.getvalue().splitlines()[1:]


def test_a_log_has_a_plain_line_for_each_step_and_now_and_then_within_a_long_one() -> None:
    begun, *lines = log_of(2000, 400, 1.5, rejected=3)
    assert begun == "Grading (2,000) ..."
    assert len(lines) == 4  # every hundred: 5 % take longer than 10 s
    assert lines[0] == "graded 100 of 2000, 40/min, about 48 min left, 1 rejected"
    lines = [line.split(",")[0] for line in log_of(10, 10, 2.9)]
    assert lines == ["Grading (10) ...", "graded 4 of 10", "graded 8 of 10"]
