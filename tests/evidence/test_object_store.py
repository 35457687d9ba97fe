"""Evidence elsewhere: what comes of a class is the same; what breaks there costs nobody anything.

The store is a real server of the S3 protocol in this process, or fsspec's own memory.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("s3fs", reason="S3 is an extra: pip install 'boxgrader[s3]'")
pytest.importorskip("moto", reason="the server that S3 is tried with")

import fsspec
import IPython
import matplotlib
import numpy as np
import torch
from fsspec.implementations.memory import MemoryFileSystem
from moto import settings
from moto.core.responses import ActionAuthenticatorMixin
from moto.server import ThreadedMotoServer

from autograder.classroom import boxes
from autograder.commands.conclusion import as_recorded
from autograder.errors import StoreError, UsageError
from autograder.evidence.object_store import EvidenceObjects, store_at, tried_out
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder, key_of, name_of, versions
from autograder.evidence.torch_build import constants
from autograder.evidence.url import parsed, written_down
from autograder.gradebook.store import GradeStore
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Cell, Job, Probe, Read
from tests.support.filled import outcome
from tests.support.in_process import Lent, Ran, command
from tests.support.killed import STUDENTS, Place
from tests.support.made_run import JOB, RUN

SECRET = "wJalr/XUtn@FEMI"  # as such keys are: with letters that a URL cannot have as they are
ENCODED = "wJalr%2FXUtn%40FEMI"
KEY = key_of(JOB)


class Server:
    """An S3 server that can die and come back at its address with what it held."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
        self._server.start()
        self.port = self._server.get_host_and_port()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def die(self) -> None:
        self._server.stop()
        assert not self._server._thread.is_alive()

    def come_back(self) -> None:
        self._server = ThreadedMotoServer("127.0.0.1", port=self.port, verbose=False)
        self._server.start()

    @contextmanager
    def asking_for_keys(self) -> Iterator[None]:
        """Refuse every key, because nobody made one here."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(settings, "INITIAL_NO_AUTH_ACTION_COUNT", 0)
            patch.setattr(ActionAuthenticatorMixin, "request_count", 0)
            yield


class Counted:
    """Counts what boxes run, and does something after a number of runs."""

    def __init__(self) -> None:
        self.ran, self.at = 0, -1
        self.then: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def run(self, box: LazyBox, job: Job, **options: Any) -> Run:
        made = RUN_IN_BOX(box, job, **options)
        with self._lock:
            self.ran += 1
            if self.ran == self.at:
                self.then()
        return made


RUN_IN_BOX = LazyBox.run


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    server = Server()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", server.url)
        patch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_MAX_ATTEMPTS", "1")
        patch.setitem(EvidenceObjects.__init__.__kwdefaults__, "pauses_s", (0.01, 0.02))
        fsspec.filesystem("s3").mkdir("class")
        yield server
    server.die()


@pytest.fixture(scope="module")
def lent(s3: Server) -> Iterator[Lent]:
    with Box() as box:
        yield Lent(box)


@pytest.fixture
def box(lent: Lent, monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted = Counted()
    monkeypatch.setattr(boxes, "Box", lambda **options: lent)
    monkeypatch.setattr(LazyBox, "run", lambda *given, **options: counted.run(*given, **options))
    return counted


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = Place(tmp_path_factory.mktemp("small"), "")
    made.write(2)
    return made


def graded(place: Place, out: Path, *more: object) -> Ran:
    folder = place.folder
    fixed = ("--out", out, "--seed", 1, "--no-figures", "--workers", 2)
    return command("grade", folder / "assignments" / "small", folder / "hand-ins", *fixed, *more)


def came_to(out: Path) -> tuple[dict[str, str], list[object]]:
    """All that a class came to, times apart, and the scores in its gradebook."""
    with GradeStore(out / "grades.db") as store:
        return outcome(out), [(g.student, g.status, g.score) for g in store.latest("small")]


def objects(prefix: str) -> list[str]:
    fs = fsspec.filesystem("s3")
    fs.invalidate_cache()
    return [name for name in fs.find(prefix) if name.endswith(".evidence")]


# ---------------------------------------------------------------- a class


@pytest.mark.slow
def test_a_class_comes_to_the_same_as_with_a_folder(
    place: Place, tmp_path: Path, box: Counted
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert graded(place, here).code == 0
    ran = box.ran
    assert graded(place, there, "--evidence", "s3://class/same/").code == 0
    assert came_to(here) == came_to(there) and len(came_to(there)[1]) == STUDENTS
    assert box.ran == 2 * ran == 2 * len(objects("class/same"))
    assert not list(there.rglob("*.evidence"))
    assert json.loads((there / "run.json").read_text())["evidence"] == "s3://class/same"

    assert graded(place, there).code == 0  # where it is, is known
    assert box.ran == 2 * ran and came_to(here) == came_to(there)

    before = came_to(there)
    place.write(5)
    for out in (here, there):
        again = command("regrade", out, "--yes", "--workers", 2)
        assert again.code == 0, again.err
    assert came_to(here) == came_to(there) != before
    assert box.ran == 2 * ran
    place.write(2)


@pytest.mark.slow
def test_a_server_that_dies_in_the_middle_costs_nothing_that_is_finished(
    place: Place, tmp_path: Path, box: Counted, s3: Server
) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    box.at, box.then = 7, s3.die
    broken = graded(place, out, "--evidence", "s3://class/dies")
    s3.come_back()
    assert broken.code != 0 and "s3://class/dies: evidence cannot be" in broken.err
    assert "the same command again" in broken.err and "Traceback" not in broken.err
    stored, box.ran, box.at = len(objects("class/dies")), 0, -1
    assert 0 < stored < STUDENTS
    assert graded(place, out, "--evidence", "s3://class/dies").code == 0
    assert box.ran == STUDENTS + 1 - stored  # and the solution
    assert graded(place, whole).code == 0
    assert came_to(out) == came_to(whole)


@pytest.mark.slow
def test_another_place_than_before_is_told_and_runs_again(
    place: Place, tmp_path: Path, box: Counted
) -> None:
    out, folder = tmp_path / "out", tmp_path / "elsewhere"
    assert graded(place, out).code == 0
    ran = box.ran
    moved = graded(place, out, "--evidence", folder.as_uri())
    assert moved.code == 0 and box.ran == 2 * ran
    assert f"evidence is in {out / 'evidence'} and is not used" in moved.err
    assert len(list(folder.rglob("*.evidence"))) == ran
    assert "is not used" not in graded(place, out).err and box.ran == 2 * ran
    back = graded(place, out, "--evidence", out / "evidence")
    assert back.code == 0 and json.loads((out / "run.json").read_text())["evidence"] == ""


def test_a_secret_in_a_url_is_nowhere_afterwards(
    place: Place, tmp_path: Path, box: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, out = f"s3://AKIAOTHERS:{ENCODED}@class/secret", tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["autograder", "grade", "--evidence", url])
    said = [graded(place, out, "--evidence", url)]
    assert said[0].code == 0 and objects("class/secret")
    for lost in (
        "s3://AKIAOTHERS:%s@lost/x",
        "s3://AKIAOTHERS:%s@class/x?sig=%s",
        "sftp://AKIAOTHERS:%s@127.0.0.1:1/x",
    ):
        said.append(graded(place, out, "--evidence", lost.replace("%s", ENCODED)))
        assert said[-1].code != 0, said[-1].err
    said.append(graded(place, out, "--evidence", f"s3://AKIAOTHERS:{SECRET}@class/x"))
    assert said[-1].code != 0
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert b"s3://class/secret" in written
    for text in (written.decode("latin-1"), *(ran.out + ran.err for ran in said)):
        for secret in (SECRET, ENCODED, "wJalr", "AKIAOTHERS"):
            assert secret not in text


# ---------------------------------------------------------------- what is wrong is found first


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("s3://nobody-made-this/x", "create the bucket"),
        ("nosuch://class/x", "unknown file system 'nosuch'"),
        ("gs://class/x", "a package is missing"),
        ("simplecache::s3://class/x", "one file system"),
        ("s3://class/x#part", "is not supported"),
    ],
)
def test_a_place_that_cannot_be_used_is_told_before_anything_runs(
    place: Place, tmp_path: Path, box: Counted, url: str, says: str
) -> None:
    ran = graded(place, tmp_path / "out", "--evidence", url)
    assert ran.code != 0 and says in ran.err and "Traceback" not in ran.err
    assert box.ran == 0 and not (tmp_path / "out" / "run.json").exists()


def test_a_store_that_refuses_the_keys_or_is_not_there_is_told(
    s3: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tried_out("s3://class/x") == ()
    fs = fsspec.filesystem("s3")
    fs.invalidate_cache()
    assert fs.find("class/x") == []  # nothing is left of a trial
    with s3.asking_for_keys(), pytest.raises(StoreError, match=r"PermissionError.*credent") as bad:
        tried_out("s3://class/x")
    assert str(bad.value).startswith("s3://class/x: ") and SECRET not in str(bad.value)
    monkeypatch.setitem(fsspec.config.conf, "s3", {"endpoint_url": "http://127.0.0.1:1"})
    with pytest.raises(StoreError, match="check its address"):
        tried_out("s3://class/x")


# ---------------------------------------------------------------- one record


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What fsspec's memory raises, one for each call, before it does anything."""
    left: list[Exception] = []

    def failing(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*given: Any, **options: Any) -> Any:
            if left:
                raise left.pop(0)
            return call(*given, **options)

        return instead

    for name in ("cat_file", "pipe_file"):
        call = getattr(MemoryFileSystem, name)
        monkeypatch.setattr(MemoryFileSystem, name, failing(call))
    return left


class Theirs(Exception):
    """An error of a library that knows no OSError."""


RESET = ConnectionResetError(104, "reset")
SHAKY = "memory://somewhere/evidence"


@pytest.mark.parametrize("fault", [RESET, OSError(16, "Slow Down"), Theirs("503")])
def test_a_fault_that_passes_is_tried_again_and_one_that_stays_is_an_error(
    faults: list[Exception], fault: Exception
) -> None:
    store = EvidenceObjects(SHAKY, pauses_s=(0.0, 0.0))
    faults[:] = [fault] * 2
    store.save(KEY, RUN)
    faults[:] = [fault] * 2
    assert store.load(KEY) == RUN
    for call in (lambda: store.load(KEY), lambda: store.save(KEY, RUN)):
        faults[:] = [fault] * 3
        with pytest.raises(StoreError, match=f"{SHAKY}: .* cannot be"):
            call()
        assert faults == []
    faults[:] = [PermissionError("no"), fault]
    with pytest.raises(StoreError, match="credentials"):
        store.load(KEY)
    assert faults == [fault]  # what does not pass is not tried again


@pytest.mark.parametrize("url", ["s3://class/one", "memory://one/two"])
def test_a_record_is_the_same_as_in_a_folder_and_damage_counts_as_absent(
    s3: Server, tmp_path: Path, url: str
) -> None:
    store, folder = store_at(url), store_at(tmp_path.as_uri())
    assert isinstance(store, EvidenceObjects) and isinstance(folder, EvidenceFolder)
    assert store.load(KEY) is None
    folder.save(KEY, RUN)
    store.save(KEY, RUN)
    assert store.load(KEY) == RUN
    fs, root = fsspec.core.url_to_fs(f"{url}/{name_of(KEY)}")
    whole = folder.path(KEY).read_bytes()
    assert fs.cat_file(root) == whole
    for damage in (b"", whole[:-1], whole[:-1] + b"x"):
        fs.pipe_file(root, damage)
        assert store.load(KEY) is None
    store.save(KEY, RUN)
    assert store.load(KEY) == RUN


# ---------------------------------------------------------------- URLs


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://bucket/a/b/", "s3://bucket/a/b"),
        ("s3://KEY:word@bucket/a@b", "s3://bucket/a@b"),
        ("sftp://me@host:22/x", "sftp://host:22/x"),
        ("abfs://box@account.example/x", "abfs://box@account.example/x"),
        ("abfs://box:word@account.example/x", "abfs://account.example/x"),
        ("file:///a/b%20c", "/a/b c"),
        ("/a/b", "/a/b"),
        ("", ""),
    ],
)
def test_a_url_is_written_down_without_what_is_secret(
    url: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert written_down(url) == shown
    book = "postgresql://grader:hunter2@db.example/grades"
    words = ["autograder", "grade", f"--evidence={url}", "--gradebook", book]
    monkeypatch.setattr(sys, "argv", words)
    told = as_recorded(url, book)
    assert told[1] == f"--evidence={shown}"
    assert told[3] == "postgresql+psycopg://grader@db.example/grades"


def test_a_url_that_is_none_is_refused_without_telling_it() -> None:
    for url in (
        "s3://K:a/Pss@bucket/x",
        "s3://K:Pss@[bucket/x",
        "x y://Pss",
        "s3://a b/Pss",
        "s3:/bucket/Pss",
        "s3:Pss",
    ):
        with pytest.raises(UsageError) as bad:
            parsed(url)
        assert "Pss" not in str(bad.value)


# ---------------------------------------------------------------- what stays outside


def test_the_box_sees_no_key_of_the_store(s3: Server, lent: Lent) -> None:
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == SECRET
    source = (
        "import glob, os\nseen = repr(dict(os.environ))\n"
        "for path in glob.glob('/proc/*/environ'):\n"
        "    try:\n        seen += open(path).read()\n    except OSError:\n        pass\n"
        "asked = 'PATH' in seen\ntold = 'AWS' in seen or 'wJalr' in seen"
    )
    probes = tuple(Probe(name, "e", Read("e", name)) for name in ("asked", "told"))
    job = Job((Cell(1, source, "e"),), (("e", 1),), probes, 7, draw=False)
    run = LazyBox(lambda: lent, require="weak").run(job)  # type: ignore[arg-type, return-value]
    assert [p.claim.value for p in run.probes if p.claim] == [True, False]


def test_versions_are_the_modules_own_and_no_module_is_loaded_for_them() -> None:
    pytest.importorskip("distributed", reason="Dask is an extra: pip install 'boxgrader[dask]'")
    program = (
        "import json, sys\nimport autograder.execution.dask.worker\n"
        "from autograder.evidence.store import versions\nfound = dict(versions())\n"
        "heavy = {'torch', 'matplotlib', 'IPython'} & set(sys.modules)\n"
        "print(json.dumps([found, sorted(heavy)]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    found, loaded = json.loads(done.stdout)
    assert loaded == [] and found == dict(versions())
    own = {"torch": torch, "numpy": np, "matplotlib": matplotlib, "ipython": IPython}
    assert {n: found[n] for n in own} == {n: str(m.__version__) for n, m in own.items()}


def test_what_torch_was_built_for_is_read_as_it_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "version.py"
    path.write_text(
        "from typing import Optional\n__version__ = '2.9.1+cu130'\ndebug = False\n"
        "cuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n"
    )
    assert constants(path) == {"__version__": "2.9.1+cu130", "cuda": "13.0"}
    path.write_text("__version__ = (")
    assert constants(path) == constants(tmp_path / "none.py") == {}
