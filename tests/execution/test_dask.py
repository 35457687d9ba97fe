"""A class on a Dask cluster: the same grades as on this machine, whatever happens to workers."""

from __future__ import annotations

import gc
import json
import os
import pickle
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'boxgrader[dask]'")

import msgspec
import psutil
from distributed import Client, Scheduler, SpecCluster, Worker, get_worker

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.classroom.placement import devices_there
from autograder.classroom.reference import NothingRuns
from autograder.errors import EngineError, SandboxError, UsageError
from autograder.evidence.records import Measured, Run
from autograder.evidence.store import versions
from autograder.execution.dask import worker
from autograder.execution.dask.connect import connected
from autograder.execution.dask.runner import DaskRunner
from autograder.execution.dask.site import Site
from autograder.execution.dask.worker import Boxes
from autograder.grading.device_runs import wanted_devices
from autograder.sandbox.accelerators import find_accelerators
from autograder.sandbox.child import Starved
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Cell, Job, Limits, Probe, Read
from tests.support.cases import write_files
from tests.support.filled import outcome
from tests.support.in_process import command, done
from tests.support.killed import Place

SITE = Site("weak", versions=tuple(sorted(versions().items())))


def job(source: str, *, number: int = 1) -> Job:
    probe = Probe("e/read/x", "e", Read("e", "x"))
    cells, limits = (Cell(number, source, "e"),), Limits(cell_cpu_s=2, cell_wall_s=20)
    return Job(cells, (("e", number),), (probe,), seed=number, limits=limits, draw=False)


def known(run: Run) -> tuple[Any, ...]:
    """What a run says, without what was measured."""
    return tuple((c.number, c.claim, c.stop) for c in run.cells), tuple(
        (p.id, p.claim, p.stop) for p in run.probes
    )


def written(folder: Path) -> Path:
    """A small course with a class of twelve."""
    Place(folder, "").write(2)
    return folder


def workers_here() -> list[psutil.Process]:
    """The worker processes of this one: those of its children that are no box."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            words = " ".join(child.cmdline())
            if "multiprocessing" in words and "resource_tracker" not in words:
                found.append(child)
    return found


def graded(out: str, *options: object) -> dict[str, str]:
    """The class of the present folder: all that it comes to, times apart."""
    fixed = ("--seed", 5, "--require", "weak", "--no-figures")
    done("grade", "small", "hand-ins", "--out", out, *fixed, *options)
    return outcome(Path(out))


@pytest.fixture(scope="module")
def runner() -> Iterator[DaskRunner]:
    with connected("dask", SITE, workers=2) as (made, ahead):
        assert ahead == 4
        yield made


@pytest.mark.slow
def test_a_class_gets_the_same_grades_on_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers have the assignment's files."""
    course = written(tmp_path)
    write_files(course / "assignments" / "small" / "files", {"one.txt": "1"})
    for path in (course / "hand-ins").iterdir():
        path.write_text(path.read_text().replace("= 1", "= int(open('one.txt').read())"))
    monkeypatch.chdir(course)
    here = graded("here")
    assert here == graded("there", "--engine", "dask", "--workers", 1)
    assert here["gradebook.csv"].count("graded") == 12 and "No such file" not in repr(here)


@pytest.mark.slow
def test_a_run_says_what_a_run_on_this_machine_says(runner: DaskRunner, warm_box: LazyBox) -> None:
    """A crash of the student's is a run like any other: no retry, and the worker lives. What the
    cluster adds is measured apart."""
    before = pids(runner)
    for source in ("x = 3", "import os\nos._exit(3)", "x = 1\nwhile True: pass", "1/0"):
        one, begun = job(source), time.monotonic()
        there = runner.run(one)
        took = time.monotonic() - begun
        assert 0 < there.measured.transit_s <= took - there.measured.wall_s
        assert known(there) == known(warm_box.run(one)), source
    assert pids(runner) == before


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nobody_anything(runner: DaskRunner) -> None:
    """After every twelfth answer one worker dies, and the one that comes instead while it starts;
    each job has one right run."""
    draw, answers = random.Random(7), dict[int, Run]()
    jobs = [job(f"x = {n}", number=n) for n in range(1, 61)]
    with ThreadPoolExecutor(1) as pool:
        runs = pool.submit(_all, jobs, runner, answers)
        for wanted in range(6, 60, 12):
            while len(answers) < wanted and not runs.done():
                time.sleep(0.05)
            for pause_s in (1.0, 0.0):
                if there := workers_here():
                    draw.choice(there).kill()
                time.sleep(pause_s)
    assert [_value(run) for run in runs.result()] == [*range(1, 61)]


@pytest.mark.slow
def test_dask_keeps_no_log_of_what_was_sent(runner: DaskRunner) -> None:
    size = 200_000
    runner.run(job("x = 1"))
    gc.collect()
    tracemalloc.start()
    for _ in range(40):
        runner.run(job(f"x = 1  # {os.urandom(size // 2).hex()}"))
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept <= 25 * size  # the last ten messages, sent and read


@pytest.mark.slow
def test_nothing_is_left_when_the_cluster_is_closed() -> None:
    with connected("dask", SITE, workers=1) as (made, _):
        made.run(job("x = 1"))
        workers = [psutil.Process(pid) for pid in pids(made)]
        boxes = [process for one in workers for process in one.children(recursive=True)]
        assert boxes
    _, left = psutil.wait_procs([*workers, *boxes], timeout=60)
    assert not [process for process in left if process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.slow
def test_a_worker_with_other_versions_or_too_little_isolation_runs_nothing(
    runner: DaskRunner, warm_box: LazyBox
) -> None:
    other = Site("weak", versions=(("torch", "1.0"),))
    strong = Site("strong", versions=SITE.versions)
    wrong = [(other, SandboxError, "install the same versions everywhere")]
    if warm_box.box().isolation.level != "strong":  # else this machine offers every level
        wrong.append((strong, UsageError, "is required"))
    for site, error, said in wrong:
        grader = DaskRunner(runner._connect, site, where="here", patience_s=20)
        with pytest.raises(error, match=said):
            grader.run(job("x = 1"))


class Outside:
    """A scheduler with one worker, as an operator starts them: processes of their own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, *, resources: str = "box=1") -> None:
        scheduler = ["scheduler", "--port", str(self.port)]
        work = ["worker", self.address, "--nthreads", "1", "--resources", resources]
        for words in (scheduler, work):
            command = [sys.executable, "-m", "dask", *words, "--no-dashboard", "--host"]
            self.processes.append(subprocess.Popen([*command, "127.0.0.1"], cwd=self.folder))
        with Client(self.address, timeout=120, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=120)

    def kill(self, *, gently: bool = False) -> None:
        """The scheduler first, so that nobody takes leave."""
        for process in self.processes:
            process.terminate() if gently else process.kill()
        for process in self.processes:
            process.wait(60)
        self.processes.clear()


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    made = Outside(tmp_path)
    try:
        yield made
    finally:
        made.kill(gently=True)


def test_a_job_waits_for_the_boxes_of_a_worker_that_has_just_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boxes = Boxes(msgspec.msgpack.encode(SITE))
    late = SimpleNamespace(plugins={}, address="tcp://worker")
    monkeypatch.setattr(worker, "get_worker", lambda: late)
    timer = threading.Timer(0.3, late.plugins.setdefault, ("boxes", boxes))
    timer.start()
    assert worker._plugin("boxes") is boxes
    monkeypatch.setattr(worker, "SET_UP_S", 0.1)
    with pytest.raises(worker.Unfit, match="tcp://worker has not been set up for this class"):
        worker._plugin("others")


@pytest.mark.slow
def test_a_scheduler_that_is_killed_and_started_again_costs_nobody_anything(
    outside: Outside,
) -> None:
    outside.start()
    slow = [job(f"import time\ntime.sleep(1)\nx = {n}", number=n) for n in (2, 3, 4, 5)]
    with (
        connected(f"dask://{outside.address}", SITE, workers=2) as (runner, _),
        ThreadPoolExecutor(1) as pool,
    ):
        assert _value(runner.run(job("x = 1"))) == 1
        answers = pool.submit(_all, slow, runner)
        outside.kill()
        outside.start()
    assert [_value(run) for run in answers.result()] == [2, 3, 4, 5]


@pytest.mark.slow
def test_a_scheduler_that_is_gone_ends_the_class_which_goes_on_later(
    tmp_path: Path, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is ungraded for it, and nothing that is done is done again."""
    monkeypatch.setattr("autograder.execution.dask.connect.THERE_S", 10.0)
    monkeypatch.setattr("autograder.execution.dask.connect.CONNECT_S", 10.0)
    course = written(tmp_path)
    outside.start()
    monkeypatch.chdir(course)
    kept = course / "there" / "results"
    fixed = ("--out", "there", "--workers", 1, "--seed", 5, "--require", "weak")
    with ThreadPoolExecutor(1) as pool:
        engine = f"dask://{outside.address}"
        grading = pool.submit(command, "grade", "small", "hand-ins", "--engine", engine, *fixed)
        while len(list(kept.glob("*.json"))) < 2 and not grading.done():
            time.sleep(0.02)
        outside.kill()
    ran = grading.result()
    assert ran.code != 0 and "the same command again" in ran.err
    before = [json.loads(path.read_text())["status"] for path in kept.glob("*.json")]
    assert 2 <= len(before) < 12 and {*before} == {"graded"}
    assert graded("there") == graded("here")


@pytest.mark.slow
def test_a_job_takes_what_a_worker_has_of_memory_and_of_devices(outside: Outside) -> None:
    outside.start(resources="box=1,memory_mb=3000,cuda_mb=4000")
    with connected(f"dask://{outside.address}", SITE, workers=1) as (runner, _):
        assert runner.offer() == {"box": 1, "memory_mb": 3000, "cuda_mb": 4000}
        assert _value(runner.run(job("x = 1"))) == 1
        large = msgspec.structs.replace(job("x = 1"), limits=Limits(memory_mb=4096))
        with pytest.raises(UsageError, match=r"has memory_mb=4608"):
            runner.run(large)
        device = msgspec.structs.replace(job("x = 1"), device="cuda")
        if not find_accelerators().kinds:
            with pytest.raises(SandboxError, match="was started with the resource cuda_mb and has"):
                runner.run(device)
        with pytest.raises(UsageError, match="has mps_mb="):
            runner.run(msgspec.structs.replace(device, device="mps"))


SBATCH = """#!/bin/sh
cp "$1" "$0.job"
setsid sh "$0.job" > "$0.log" 2>&1 &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
kill -TERM -- "-$1"
"""
SLURM = """
kind = "slurm"
jobs = 1
patience_s = 120
[options]
cores = 1
processes = 1
memory = "2GB"
worker_extra_args = ["--resources", "box=1"]
scheduler_options = {host = "127.0.0.1", dashboard_address = "127.0.0.1:0"}
"""


@pytest.mark.slow
def test_a_job_runs_in_a_batch_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """dask-jobqueue for Slurm, with an sbatch that runs the script on this machine."""
    pytest.importorskip("dask_jobqueue", reason="an extra: pip install 'boxgrader[slurm]'")
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    file = tmp_path / "slurm.toml"
    file.write_text(
        f'{SLURM}local_directory = "{tmp_path}"\nshared_temp_directory = "{tmp_path}"\n'
    )
    with connected(str(file), SITE, workers=1) as (runner, ahead):
        assert ahead == 2
        assert _value(runner.run(job("x = 3"))) == 3
        script = (tmp_path / "sbatch.job").read_text()
        assert "--resources box=1" in script and "#SBATCH --cpus-per-task=1" in script
        assert " tls://127.0.0.1:" in script and "--tls-key" in script
    every = psutil.process_iter(["cmdline"])
    working = [one for one in every if str(tmp_path) in " ".join(one.info["cmdline"] or ())]
    assert psutil.wait_procs(working, timeout=60)[1] == []


def test_devices_of_a_cluster_are_what_its_workers_say() -> None:
    spec = load(find("embeddings-and-position", Path.cwd())).spec
    assert wanted_devices(spec) == {"cuda", "mps"}
    for resource, wish, found in (
        ("memory_mb", "auto", ()),
        ("xpu_mb", "auto", ()),
        ("cuda_mb", "auto", ("cuda",)),
        ("mps_mb", "mps", ("mps",)),
    ):
        offer = {"box": 1, resource: 8000}
        assert devices_there(NothingRuns(), offer, spec, wish).names == found
    with pytest.raises(UsageError, match="cuda_mb=80000"):
        devices_there(NothingRuns(), {"box": 1}, spec, "cuda")


def test_who_waits_for_a_scheduler_is_sent_home_when_the_cluster_is_closed() -> None:
    """Else a command that is stopped would wait for it at its very end."""
    tried = threading.Event()

    def nobody() -> Client:
        tried.set()
        raise OSError("nobody is there")

    runner = DaskRunner(nobody, SITE, where="nowhere", patience_s=450)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(runner.run, job("x = 1"))
        tried.wait(120)
        runner.close()
        with pytest.raises(EngineError, match="was closed"):
            waiting.result(timeout=120)


@pytest.mark.parametrize(
    ("engine", "content", "said"),
    [
        ("cloud", "", "use local, dask"),
        ("dask://127.0.0.1:9", "", "no scheduler answers there"),
        ("x.toml", "", "cannot be read"),
        ("x.toml", "kind = 'pbs'", 'x.toml: kind: write "slurm" or "kubernetes", not \'pbs\''),
        ("x.toml", "kind = 'slurm'\njobs = 0", "jobs: write how many to start, from 1 on, not 0"),
        ("x.toml", "kind = ['slurm']", "kind: write"),
        ("x.toml", "kind = 'slurm'\ncores = 4", "cores: unknown key; remove it"),
        ("x.toml", "kind = 'slurm'\njobs = true", "jobs: write"),
        ("x.toml", "kind = 'slurm'\noptions = 4", "options: write a table"),
        ("x.toml", "kind = 'slurm'\npatience_s = 'long'", "patience_s: write how many seconds"),
        ("x.toml", "kind = [", "cannot be read"),
    ],
)
def test_an_engine_that_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, content: str, said: str
) -> None:
    monkeypatch.setattr("autograder.execution.dask.connect.CONNECT_S", 0.5)
    if content:
        (tmp_path / engine).write_text(content)
    where = str(tmp_path / engine) if engine.endswith(".toml") else engine
    error = SandboxError if "://" in engine else UsageError
    with pytest.raises(error, match=said), connected(where, SITE, workers=1):
        pass


def pids(runner: DaskRunner) -> set[int]:
    """The worker processes of a cluster."""
    return {*runner._ready().run(os.getpid).values()}


def _value(run: Run) -> Any:
    claim = run.probes[0].claim
    assert claim is not None
    return claim.value


def _all(jobs: list[Job], runner: DaskRunner, into: dict[int, Run] | None = None) -> list[Run]:
    """The runs of all, four at a time; each is in ``into`` as soon as it is there."""
    found: dict[int, Run] = {} if into is None else into
    with ThreadPoolExecutor(4) as pool:
        futures = {pool.submit(runner.run, one): index for index, one in enumerate(jobs)}
        for future in as_completed(futures):
            found[futures[future]] = future.result()
    return [found[index] for index in range(len(jobs))]


class StandIn:
    """Stands for a warm box, and knows whether it was closed. What it does depends on the worker
    that it is on."""

    def __init__(self, faults: dict[str, Exception], asked: list[str]) -> None:
        self.faults, self.asked, self.open = faults, asked, True

    def box(self) -> None:
        """Nothing is started."""

    def run(self, job: Job) -> Run:
        name = str(get_worker().name)
        self.asked.append(name)
        if name in self.faults:
            raise self.faults[name]
        time.sleep(0.01)
        return Run((), (), Measured(0, 0, 0, 1, "weak", ()))

    def __exit__(self, *_: object) -> None:
        self.open = False


def test_boxes_that_nobody_uses_are_closed_and_the_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: dict[str, StandIn] = {}

    def site(name: str) -> bytes:
        return msgspec.msgpack.encode(Site("weak", models=name))

    def still_open() -> set[str]:
        return {name for name, one in made.items() if one.open}

    def box_for(site: Site, device: str) -> StandIn:
        return made.setdefault(site.models, StandIn({}, []))

    monkeypatch.setattr(worker, "_box_for", box_for)
    monkeypatch.setattr(worker, "KEPT", 3)
    boxes = Boxes(site("first"))
    boxes.setup(cast(Any, None))
    while "first" not in made:
        time.sleep(0.01)
    with boxes.box(site("used"), ""):
        for name in ("second", "third"):
            with boxes.box(site(name), ""):
                pass
        boxes.close_idle()
        assert still_open() == {"used", "second", "third"}
        monkeypatch.setattr(worker, "IDLE_S", -1.0)
        boxes.close_idle()
        assert still_open() == {"used"}
    boxes.teardown(cast(Any, None))
    assert still_open() == set()


# ---------------------------------------------------------------- workers of many kinds


@contextmanager
def mixed(
    monkeypatch: pytest.MonkeyPatch,
    *,
    faults: dict[str, Exception] | None = None,
    patience_s: float = 120,
    **resources: dict[str, float],
) -> Iterator[tuple[DaskRunner, Any, list[str]]]:
    """A runner for workers of these names and resources, in this process; and who was asked."""
    asked: list[str] = []
    monkeypatch.setattr(worker, "_box_for", lambda *_: StandIn(faults or {}, asked))
    every = {
        name: {"cls": Worker, "options": {"resources": own, "nthreads": 1}}
        for name, own in resources.items()
    }
    options = {"dashboard_address": "127.0.0.1:0", "protocol": "inproc://"}
    scheduler = {"cls": Scheduler, "options": options}
    with SpecCluster(workers=every, scheduler=scheduler, silence_logs=50) as cluster:
        runner = DaskRunner(lambda: Client(cluster), SITE, where="there", patience_s=patience_s)
        try:
            yield runner, cluster, asked
        finally:
            runner.close()


BOX = {"box": 1.0}
FAULTS = [SandboxError("a full disk"), UsageError("isolation is required")]


@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_worker_takes_no_hand_ins_from_the_good_ones(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """It fails at once, so that it is always free: it would be given every next job."""
    with mixed(monkeypatch, faults={"bad": fault}, bad=BOX, good=BOX) as (runner, _, asked):
        assert len(_all([job("x = 1", number=n) for n in range(1, 31)], runner)) == 30
    assert asked.count("good") == 30 and asked.count("bad") < 10


@pytest.mark.parametrize("fault", FAULTS)
def test_when_every_worker_is_bad_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    faults = {"one": fault, "two": fault}
    with (
        mixed(monkeypatch, faults=faults, one=BOX, two=BOX) as (runner, _, asked),
        pytest.raises(type(fault), match=str(fault)),
    ):
        runner.run(job("x = 1"))
    assert 3 <= len(asked) <= 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "said"),
    [
        ({}, "start some: `dask worker there "),
        (  # each resource is there, but not on one worker
            {"gpu": {**BOX, "cuda_mb": 9000.0}, "large": {**BOX, "memory_mb": 9000.0}},
            "no worker of there has box=1 cuda_mb=2848 memory_mb=",
        ),
    ],
)
def test_a_job_that_no_worker_fits_ends_the_class(
    monkeypatch: pytest.MonkeyPatch, workers: dict[str, dict[str, float]], said: str
) -> None:
    device = msgspec.structs.replace(job("x = 1"), device="cuda")
    with mixed(monkeypatch, patience_s=1, **workers) as (runner, _, asked):
        for _ in range(2):
            with pytest.raises(EngineError, match=said):
                runner.run(device)
    assert asked == []


def test_a_worker_that_is_too_busy_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lacked time on a worker is run again when the class is done, as on this machine."""
    faults: dict[str, Exception] = {"busy": Starved("no result in 600 seconds")}
    with (
        mixed(monkeypatch, faults=faults, busy=BOX) as (runner, _, asked),
        pytest.raises(Starved, match="no result in 600 seconds") as busy,
    ):
        runner.run(job("x = 1"))
    assert asked == ["busy"]
    assert isinstance(pickle.loads(pickle.dumps(busy.value)), Starved)  # it crosses the network


def test_a_worker_that_is_there_for_something_else_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with mixed(monkeypatch, patience_s=1, ours=BOX, other={}) as (runner, cluster, _):
        runner.run(job("x = 1"))
        del cluster.worker_spec["ours"]
        cluster.sync(cluster._correct_state)
        with pytest.raises(EngineError, match="no worker of there has box=1"):
            runner.run(job("x = 2"))


def test_who_comes_back_first_does_not_say_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    every = {"gpu": {**BOX, "cuda_mb": 9000.0}, "plain": BOX}
    with mixed(monkeypatch, **every) as (runner, cluster, _):
        runner.run(job("x = 1"))
        spec = cluster.worker_spec.pop("gpu")
        cluster.sync(cluster._correct_state)
        runner._forget(runner._ready())
        runner.run(job("x = 2"))
        cluster.worker_spec["gpu"] = spec
        cluster.sync(cluster._correct_state)
        runner.run(msgspec.structs.replace(job("x = 3"), device="cuda"))


@pytest.mark.slow
def test_nobody_else_on_this_machine_can_send_code_to_our_workers(runner: DaskRunner) -> None:
    address = runner._ready().scheduler.address
    assert address.startswith("tls://")
    for stranger in (address, address.replace("tls://", "tcp://")):
        with pytest.raises((OSError, TypeError, RuntimeError)):
            Client(stranger, timeout=2, set_as_default=False)


@pytest.mark.slow
def test_a_terminal_that_interrupts_the_grader_leaves_its_workers_alone(
    runner: DaskRunner,
) -> None:
    """Ctrl-C is sent to the whole group of processes."""
    runner.run(job("x = 1"))
    before = pids(runner)
    for pid in before:
        (ignored,) = re.findall(r"SigIgn:\s+(\w+)", Path(f"/proc/{pid}/status").read_text())
        assert int(ignored, 16) >> (signal.SIGINT - 1) & 1
        os.kill(pid, signal.SIGINT)
    assert _value(runner.run(job("import time\ntime.sleep(1)\nx = 2"))) == 2
    assert pids(runner) == before
