"""Protections of the sandbox that no other test would miss."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from autograder.errors import SandboxError, SubmissionError
from autograder.notebook.formats import archive, ipynb
from autograder.notebook.formats.text import Repairs
from autograder.reports.feedback.cleaning import DEPTH_LIMIT, MARKUP_LIMIT, TAGS_LIMIT, Cleaning
from autograder.sandbox.box import Box
from autograder.sandbox.child import FIRST, Child, _Incoming
from autograder.sandbox.driver import run
from autograder.sandbox.isolation import landlock, premises
from autograder.sandbox.isolation.premises import erase
from autograder.sandbox.line import pair
from autograder.sandbox.watch import taken
from autograder.wire.messages import Begin, Cell, CellDone, Job, Limits, Probe, Read, RunCell

ROOT = Path(__file__).resolve().parents[2]


def printed(child: Child, source: str) -> str:
    answer = child.ask(RunCell(1, source), cpu_s=5, wall_s=20).answer
    assert isinstance(answer, CellDone) and answer.error is None, answer
    return b"".join(o.content for o in answer.outputs).decode()


def begun(box: Box) -> Child:
    child = box.spawn(Limits())
    child.ask(Begin(1, 10_000, False), cpu_s=5, wall_s=20)
    return child


def leaves(pid: int) -> bool:
    """Whether a process is gone within a minute (or waits only to be counted)."""
    for _ in range(1200):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


# ---------------------------------------------------------------- users


def test_two_children_share_no_user(plain_box: Box) -> None:
    """Another uid for each, or another user namespace: their threads are counted apart."""
    if "uid" not in plain_box.isolation.layers:
        pytest.skip(f"no layer of users here: {plain_box.isolation.missing}")
    children = [begun(plain_box) for _ in range(2)]
    source = "import os; print(os.getuid(), os.readlink('/proc/self/ns/user'))"
    first, second = (printed(child, source) for child in children)
    for child in children:
        child.end()
    assert first != second


# ---------------------------------------------------------------- nobody is left alone


@pytest.mark.slow
def test_a_child_leaves_with_its_zygote() -> None:
    with Box(without=("namespaces", "cgroup")) as box:
        child = begun(box)
        box._process.kill()
        assert leaves(child.pid)
        child.end()


@pytest.mark.slow
def test_the_zygote_leaves_with_its_launcher() -> None:
    with Box(without=("cgroup",)) as box:
        if "namespaces" not in box.isolation.layers:
            pytest.skip(f"no namespaces here: {box.isolation.missing}")
        zygote = box.zygote_pid()
        assert zygote != box._process.pid
        box._process.kill()
        assert leaves(zygote)


@pytest.mark.slow
@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_a_grader_that_keeps_its_files_to_itself_can_run_code(without: tuple[str, ...]) -> None:
    """A child is another user than the grader, whose umask is no business of it."""
    before = os.umask(0o077)
    try:
        with Box(without=without) as box:
            child = begun(box)
            source = "import os, matplotlib.pyplot\nprint(oct(os.umask(0)), os.listdir('.'))"
            assert printed(child, source) == "0o22 []\n"
            child.end()
    finally:
        os.umask(before)


def test_what_a_box_holds_can_be_read_by_others_than_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grader may have been unpacked for one user alone."""
    source, target = tmp_path / "own", tmp_path / "box" / "library" / "autograder"
    for name in premises.INSIDE:
        path = source / name if name.endswith(".py") else source / name / "module.py"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o600)
    monkeypatch.setattr(premises, "PACKAGE", source)
    premises.copy_inside(target)
    modes = {p.stat().st_mode & 0o777 for p in (target.parent, *target.parent.rglob("*"))}
    assert modes == {0o755, 0o644}


BUSY = """
import os, socket, sys, time
from autograder.sandbox.zygote import _become_init
_become_init(socket.socket(fileno=int(sys.argv[1])))
print(os.getpid(), flush=True)
time.sleep(120)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a launcher")
def test_a_zygote_that_does_not_listen_leaves_with_its_grader() -> None:
    """It is importing, and the grader was killed."""
    ours, theirs = pair()
    command = [sys.executable, "-c", BUSY, str(theirs.fileno())]
    with subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE) as launcher:
        assert launcher.stdout is not None
        zygote = int(launcher.stdout.readline())
        theirs.close()
        ours.close()
        try:
            assert launcher.wait(120) == -signal.SIGKILL & 0xFF  # of what the zygote ended
        finally:
            launcher.kill()
    assert leaves(zygote)


@pytest.mark.slow
def test_a_child_outside_its_control_group_is_not_used() -> None:
    def refuse(pid: int, **bounds: int) -> None:
        raise OSError(errno.EBUSY, "no more groups")

    with Box(without=("cgroup",)) as box:
        box._groups = SimpleNamespace(  # type: ignore[assignment]
            enter=refuse, expect=lambda: None, close=lambda: None
        )
        with pytest.raises(SandboxError, match="a promised layer: cgroup"):
            box.spawn(Limits())


# ---------------------------------------------------------------- files


def test_landlock_lets_nobody_write_where_reading_is_allowed(tmp_path: Path) -> None:
    try:
        landlock.abi()
    except OSError as missing:
        pytest.skip(f"no Landlock here: {missing}")
    (tmp_path / "file").write_text("as it was")
    script = (
        "import sys\nfrom autograder.sandbox.isolation import kernel, landlock\n"
        "kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)\nlandlock.restrict([sys.argv[1]], [])\n"
        "print(open(sys.argv[1] + '/file').read())\nopen(sys.argv[1] + '/file', 'w')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "as it was\n" and "PermissionError" in done.stderr
    assert (tmp_path / "file").read_text() == "as it was"


def test_erasing_follows_no_link(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir(mode=0o755)
    (outside / "kept").write_text("x")
    folder.mkdir()
    (folder / "way").symlink_to(outside)
    (folder / "closed").mkdir(mode=0)
    erase(folder)
    assert not folder.exists()
    assert (outside / "kept").exists() and outside.stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_is_closed_counts_as_too_many(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    assert taken(tmp_path, 10)[0] > 10


# ---------------------------------------------------------------- the channel


def test_an_answer_before_the_question_is_noticed(plain_box: Box) -> None:
    source = (
        "import os, threading\nfrom autograder.wire.messages import *\n"
        "body = frame(encode(Reply(7, CellDone((), None))))\n"
        "threading.Timer(0.2, os.write, (3, body)).start()"
    )
    child = begun(plain_box)
    assert child.ask(RunCell(1, source), cpu_s=5, wall_s=20).alive
    assert child._poller.poll(60_000)  # its thread has written
    second = child.ask(RunCell(2, "1"), cpu_s=5, wall_s=20)
    child.end()
    assert second.stop is not None and second.stop.cause == "protocol"
    assert "without being asked" in second.stop.text


def test_no_memory_is_set_aside_for_a_length_that_is_only_claimed() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.send((2**40).to_bytes(8, "big") + b"x" * 100)
        incoming = _Incoming(1 << 20)
        assert incoming.take(ours)
        assert incoming.too_large and len(incoming._data) <= FIRST + (1 << 20) + 9


def test_all_answers_together_are_bounded(plain_box: Box) -> None:
    names = ("a", "b", "c", "d")
    cell = Cell(1, "import torch\na, b, c, d = torch.zeros(4, 150_000)", "e")
    asked = tuple(Probe(name, "e", Read("e", name)) for name in names)
    limits = Limits(submission_wall_s=30, total_mb=1, reply_mb=1)
    # each exercise keeps its own, so that the names are read one by one
    made = run(Job((cell,), (), asked, 1, limits, draw=False), plain_box)
    stops = [p.stop for p in made.probes if p.stop is not None]
    assert stops and all(s.cause == "budget" and "together" in s.text for s in stops)


# ---------------------------------------------------------------- reading hand-ins


def test_a_notebook_of_brackets_is_refused_before_it_is_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ipynb, "MAX_BRACKETS", 10)
    with pytest.raises(SubmissionError, match="lists and objects"):
        ipynb.read_ipynb('{"cells": [' + "{}," * 10 + "{}]}", "x.ipynb", Repairs())


def test_an_archive_with_a_huge_list_of_entries_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as made:
        made.writestr("a.ipynb", "{}")
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 10)
    with pytest.raises(SubmissionError, match="its list of entries"):
        list(archive.list_members(tmp_path / "class.zip"))


# ---------------------------------------------------------------- what a page may hold


@pytest.mark.parametrize(
    "target",
    [
        "data:text/html;base64,PHNjcmlwdD4=",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "//elsewhere.example/x",
        "grade.html",
    ],
)
def test_a_link_goes_only_where_a_page_may_lead(target: str) -> None:
    inert = Cleaning().clean(f'<a href="{target}">here</a>')
    assert inert is not None and "href" not in inert and "here" in inert


@pytest.mark.parametrize(
    "markup",
    ["a" * (MARKUP_LIMIT + 1), "<i>" * (DEPTH_LIMIT + 1), "<i></i>" * TAGS_LIMIT],
    ids=["long", "deep", "many"],
)
def test_markup_beyond_its_bounds_is_not_parsed(markup: str) -> None:
    cleaning: Any = Cleaning()
    cleaning._cleaner = None  # it would be an error to get as far as this
    assert cleaning.clean(markup) is None
