"""A class on a Dask cluster: the same grades as on this machine, whatever happens to workers."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'autograder[dask]'")

import psutil
from distributed import Client, LocalCluster

from autograder.cluster.connect import connected
from autograder.cluster.runner import DaskRunner
from autograder.cluster.site import Site
from autograder.errors import SandboxError, UsageError
from autograder.evidence import versions
from autograder.sandbox.lazy import LazyBox
from autograder.sandbox.run import Run
from autograder.wire.messages import Cell, Job, Limits, Probe, Read
from tests.killed import COURSE, SOLUTION

SITE = Site("weak", versions=tuple(sorted(versions().items())))


def job(source: str, *, number: int = 1, wall_s: float = 20) -> Job:
    probe = Probe("e/read/x", "e", Read("e", "x"))
    cells = (Cell(number, source, "e"),)
    limits = Limits(cell_cpu_s=2, cell_wall_s=wall_s)
    return Job(cells, (("e", number),), (probe,), seed=number, limits=limits, draw=False)


def known(run: Run) -> tuple[Any, ...]:
    """What a run says, without what was measured."""
    return tuple((c.number, c.claim, c.stop) for c in run.cells), tuple(
        (p.id, p.claim, p.stop) for p in run.probes
    )


def grown(folder: Path, count: int) -> Path:
    """A small course with a class of so many."""
    (folder / "assignments" / "small").mkdir(parents=True)
    (folder / "solutions" / "small").mkdir(parents=True)
    (folder / "assignments" / "small" / "assignment.toml").write_text(COURSE.replace("POINTS", "2"))
    (folder / "solutions" / "small" / "solution.py").write_text(SOLUTION)
    (folder / "class").mkdir()
    for number in range(count):
        value = 1 if number % 3 else 7
        text = f"# %%\nstudent = 'student-{number:02}'\nattempt = {value}\n"
        (folder / "class" / f"student-{number:02}.py").write_text(text)
    return folder


def graded(folder: Path, out: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "autograder", "grade", "small", "class", "--out", out]
    more = ["--seed", "5", "--require", "weak", "--json", *options]
    done = subprocess.run(
        [*command, *more], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def results(folder: Path) -> dict[str, Any]:
    """Every result file, without times."""
    found = {}
    for path in sorted((folder / "results").glob("*.json")):
        data = json.loads(path.read_text())
        data.pop("timing", None)
        found[path.stem] = data
    return found


@pytest.fixture(scope="module")
def runner() -> Iterator[DaskRunner]:
    with connected("dask", SITE, workers=2) as (made, ahead):
        assert ahead == 4
        yield made


def test_a_class_gets_the_same_grades_on_a_cluster(tmp_path: Path) -> None:
    course = grown(tmp_path, 6)
    graded(course, "here")
    graded(course, "there", "--engine", "dask", "--workers", "2")
    assert results(course / "here") == results(course / "there") != {}


def test_a_run_says_what_a_run_on_this_machine_says(runner: DaskRunner, warm_box: LazyBox) -> None:
    for source in ("x = 3", "import os\nos._exit(3)", "x = 1\nwhile True: pass", "1/0"):
        one = job(source)
        assert known(runner.run(one)) == known(warm_box.run(one)), source


def test_a_student_who_ends_the_process_is_run_once_and_not_again(
    runner: DaskRunner, warm_box: LazyBox
) -> None:
    """A crash of the student's is a run like any other: no retry, and the worker lives."""
    before = {w["pid"] for w in _workers(runner)}
    run = runner.run(job("import os\nos._exit(3)"))
    assert any(c.stop is not None for c in run.cells)
    assert {w["pid"] for w in _workers(runner)} == before


def test_a_worker_that_is_killed_costs_nobody_anything(runner: DaskRunner) -> None:
    """Workers die at random moments while many jobs wait; each job has exactly one right run."""
    draw, stop = random.Random(7), threading.Event()

    def kill() -> None:
        while not stop.wait(2.5):
            pids = [w["pid"] for w in _workers(runner)]
            if pids:
                _end(draw.choice(pids))

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        answers = _all([job(f"x = {n}", number=n) for n in range(1, 61)], runner)
    finally:
        stop.set()
        killer.join()
    assert [run.probes[0].claim.value for run in answers if run.probes[0].claim] == [*range(1, 61)]


def test_nothing_is_left_when_the_cluster_is_closed() -> None:
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    with connected("dask", SITE, workers=1) as (made, _):
        made.run(job("x = 1"))
        family = psutil.Process().children(recursive=True)
        # Python's own tracker of shared memory stays as long as the process that started it
        ours = [p for p in family if "resource_tracker" not in " ".join(p.cmdline())]
        there = {p.pid for p in ours} - before
        assert there
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(_alive(pid) for pid in there):
        time.sleep(0.1)
    assert not [pid for pid in there if _alive(pid)]


def test_a_worker_with_other_versions_runs_nothing(runner: DaskRunner) -> None:
    other = Site("weak", versions=(("torch", "1.0"),))
    with pytest.raises(SandboxError, match="install the same versions everywhere"):
        DaskRunner(runner._client, other, where="here").run(job("x = 1"))


def test_a_worker_with_too_little_isolation_runs_nothing(
    runner: DaskRunner, warm_box: LazyBox
) -> None:
    level = warm_box.box().isolation.level
    if level == "strong":
        pytest.skip("this machine offers every level")
    strong = Site("strong", versions=SITE.versions)
    with pytest.raises(UsageError, match="is required"):
        DaskRunner(runner._client, strong, where="here").run(job("x = 1"))


def test_a_cluster_without_a_worker_says_how_to_start_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.cluster.runner.NOBODY_S", 0.5)
    told = pytest.raises(SandboxError, match="dask worker tcp://nowhere")
    with LocalCluster(n_workers=0, dashboard_address=None) as empty, Client(empty) as client, told:
        DaskRunner(client, SITE, where="tcp://nowhere").run(job("x = 1"))


@pytest.mark.parametrize(
    ("engine", "content", "said"),
    [
        ("cloud", "", "give local, dask"),
        ("x.toml", "", "cannot be read"),
        ("x.toml", "kind = 'pbs'", "must hold kind"),
        ("x.toml", "kind = 'slurm'\njobs = 0", "must hold kind"),
        ("x.toml", "kind = 'slurm'\ncores = 4", "found cores"),
        ("x.toml", "kind = [", "cannot be read"),
    ],
)
def test_an_engine_that_is_none_is_refused(
    tmp_path: Path, engine: str, content: str, said: str
) -> None:
    if content:
        (tmp_path / engine).write_text(content)
    where = str(tmp_path / engine) if engine.endswith(".toml") else engine
    with pytest.raises(UsageError, match=said), connected(where, SITE, workers=1):
        pass


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.cluster.connect.CONNECT_S", 0.5)
    told = pytest.raises(SandboxError, match="no scheduler answers there")
    with told, connected("dask://127.0.0.1:9", SITE, workers=1):
        pass


def _workers(runner: DaskRunner) -> list[dict[str, Any]]:
    pids = runner._client.run(os.getpid)
    return [{"pid": pid} for pid in pids.values()]


def _all(jobs: list[Job], runner: DaskRunner) -> list[Run]:
    found: dict[int, Run] = {}
    queue = list(enumerate(jobs))

    def work() -> None:
        while queue:
            index, one = queue.pop(0)
            found[index] = runner.run(one)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[index] for index in range(len(jobs))]


def _end(pid: int) -> None:
    if psutil.Process(pid).ppid() != 0 and _ours(pid):
        os.kill(pid, signal.SIGKILL)


def _ours(pid: int) -> bool:
    return any(parent.pid == os.getpid() for parent in psutil.Process(pid).parents())


def _alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
