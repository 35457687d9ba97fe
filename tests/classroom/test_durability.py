"""What a batch survives: a full or a read-only disk, a clock that jumps, a second grader, and kills
of the processes that student code runs in."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime, tzinfo
from pathlib import Path

import psutil
import pytest

import autograder
from autograder.classroom import boxes, grade_class
from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import StoreError, UsageError
from autograder.evidence.records import Run
from autograder.files import write_atomic
from autograder.gradebook.store import GradeStore
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Cell, Job, Limits, Outcome, Probe, Read
from tests.support.filled import grade, outcome, write_course

ROOT = Path(__file__).resolve().parents[2]

# ---------------------------------------------------------------- disks


def may_mount() -> bool:
    try:
        made = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    except OSError:
        return False
    return made.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not may_mount(), reason="a disk of one's own needs the right to mount")
def test_a_disk_that_fills_at_any_file_loses_nothing(tmp_path: Path) -> None:
    command = ["unshare", "-m", sys.executable, "-m", "tests.support.filled", tmp_path / "there"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == [] and found["same"]
    assert "grades.db" in found["failures"] and len(found["failures"]) >= 4


def test_a_database_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    """Each cause has a remedy of its own: only a damaged file is to be moved away."""
    path = tmp_path / "grades.db"
    GradeStore(path).close()
    path.write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="Move the file away"):
        GradeStore(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match=r"are writable, then run the same command again"):
        GradeStore(path)


def test_an_interrupt_in_the_middle_of_a_file_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(fd: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "file", b"new")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- two graders


def test_a_second_grader_is_refused_until_the_first_has_ended_however_it_ends(
    tmp_path: Path,
) -> None:
    hold = (
        "import sys, time; from pathlib import Path\n"
        "from autograder.classroom.results_folder import ResultsFolder\n"
        "with ResultsFolder(Path(sys.argv[1])).held():\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None and first.stdout.readline() == "held\n"
    with pytest.raises(UsageError, match=f"process {first.pid} on"), ResultsFolder(tmp_path).held():
        pass
    first.kill()
    first.wait()
    first.stdout.close()
    with ResultsFolder(tmp_path).held():
        pass


# ---------------------------------------------------------------- clocks

# the modules that read the clock that can be set: a moment is shown, or stored to be shown
SHOWN = """
    classroom/grade_class classroom/regrade/regrade commands/lms commands/recording
    interop/lti/send student/predictions web/pages/export web/pages/grade web/pages/hand_in
    web/pages/lti web/pages/regrade_requests web/pages/rubric web/pages/students
    web/regrade_requests web/request_log web/sign_in/lms web/states
"""
# ... or one of another process, machine or file is compared with it
SHARED = """
    classroom/seed_pool web/access web/claims web/pages/course web/pages/operate web/queue
    web/sign_in/tokens web/tasks web/workers
"""
SETTABLE = {"time", "now", "utcnow", "today", "time_ns", "gmtime", "localtime", "CLOCK_REALTIME"}
OWNERS = {"time", "datetime", "date"}


def test_no_duration_is_taken_from_a_clock_that_can_be_set() -> None:
    package = Path(autograder.__file__).parent
    may = re.compile(r"\b(time|datetime|date)\b")
    found = set()
    for path in package.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if may.search(text) else ():
            if isinstance(node, ast.ImportFrom) and node.module == "time":
                found |= {path for name in node.names if name.name in SETTABLE}
            elif isinstance(node, ast.Attribute) and node.attr in SETTABLE:
                owner = node.value
                name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                if name in OWNERS:
                    found.add(path)
    names = {path.relative_to(package).with_suffix("").as_posix() for path in found}
    assert names <= {*SHOWN.split(), *SHARED.split()}


# ---------------------------------------------------------------- kills inside


@pytest.mark.slow
@pytest.mark.parametrize(
    ("victim", "how"),
    [
        ("child", signal.SIGKILL),
        ("zygote", signal.SIGKILL),
        ("child", signal.SIGTERM),
    ],
)
def test_a_kill_from_outside_costs_nobody_anything(victim: str, how: signal.Signals) -> None:
    """The run is made again, in a new box if need be: what the notebook did not do is not its."""
    made: list[Box] = []

    def make() -> Box:  # the first process of a namespace is ended by SIGKILL alone
        made.append(Box(without=() if how == signal.SIGKILL else ("namespaces",)))
        return made[-1]

    cells = (Cell(0, "import time\ntime.sleep(3)\nx = 1", "e"),)
    probe = Probe("e/read/x", "e", Read("e", "x"))
    job = Job(cells, (("e", 0),), (probe,), seed=1, limits=Limits(cell_wall_s=30), draw=False)
    with LazyBox(make, require="weak") as box:
        zygote = psutil.Process(box.box().zygote_pid())
        found: list[Run] = []
        runs = threading.Thread(target=lambda: found.append(box.run(job)))
        runs.start()
        deadline = time.monotonic() + 120
        while not (children := zygote.children()) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        (children[0] if victim == "child" else zygote).send_signal(how)
        runs.join(300)
        assert len(made) == (1 if victim == "child" else 2)
    (run,) = found
    assert run.stops == () and run.probes[0].claim == Outcome("returned", 1)


@pytest.mark.slow
def test_a_notebook_that_kills_itself_each_time_is_believed() -> None:
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\nx = 1"
    cells = (Cell(0, text, "e"), Cell(1, "y = 1", "e"))
    wanted = Job(cells, (("e", 1),), (), seed=1, limits=Limits(), draw=False)
    with LazyBox(lambda: Box(without=("namespaces",)), require="weak") as box:
        run = box.run(wanted)
    assert run.cells[0].stop is not None and run.cells[0].stop.cause == "died"
    assert run.cells[1].claim is not None


# ---------------------------------------------------------------- a clock that jumps


@pytest.mark.slow
def test_a_clock_that_jumps_changes_no_grade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back by a year and on by a day while a class is graded, and files from the future."""
    write_course(tmp_path)
    real, year, day = time.time, 365 * 86400.0, 86400.0
    jumps = itertools.cycle((0.0, -year, day))

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.fromtimestamp(real() + next(jumps), tz)

    with Box() as box:
        monkeypatch.setattr(box, "close", lambda: None)
        monkeypatch.setattr(boxes, "Box", lambda **options: box)
        assert grade(tmp_path, tmp_path / "steady")[0] == 0
        monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
        monkeypatch.setattr(grade_class, "datetime", Jumping)
        out = tmp_path / "jumping"
        assert grade(tmp_path, out)[0] == 0
        undisturbed = outcome(tmp_path / "steady")
        assert outcome(out) == undisturbed
        for path in [*out.rglob("*.*"), *(tmp_path / "class").iterdir()]:
            if path.is_file() and path.parent != out:
                os.utime(path, (real() + year, real() + year))
        assert grade(tmp_path, out)[0] == 0 and outcome(out) == undisturbed
        monkeypatch.undo()


STOPPED = """
import threading, time
from autograder.files import scratch_folder

def write(folder):
    for number in range(40):
        (folder / "evidence").mkdir(exist_ok=True, parents=True)
        (folder / "evidence" / str(number)).write_text("late")
        time.sleep(0.01)

with scratch_folder() as folder:
    print(folder, flush=True)
    threading.Thread(target=write, args=(folder,)).start()
    time.sleep(0.1)
    raise SystemExit
"""


def test_a_scratch_folder_goes_although_threads_still_write_into_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STOPPED],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path)) and done.stderr == ""
    assert list(tmp_path.iterdir()) == []
