"""What a machine refuses decides the level: each refusal is made for real, by the kernel.

A process puts a filter on itself that answers some system calls with EPERM, as container
profiles do, and then asks for a box.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.cli import app
from autograder.errors import SandboxError, UsageError
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.sandbox.isolation import cgroup
from autograder.sandbox.isolation.kernel import MACHINE
from autograder.sandbox.isolation.world import closed_to_others, interpreter_folders
from autograder.wire.messages import Cell, Job, Limits, Probe, Read
from tests.support.tables import table_beside
from tests.support.tiny_course import write_assignment, write_class

ROOT = Path(__file__).resolve().parents[2]
DEFAULTS = dict(Box.__init__.__kwdefaults__ or {})
CALLS = {  # x86_64, aarch64
    "unshare": (272, 97),
    "mount": (165, 40),
    "pivot_root": (155, 41),
    "setns": (308, 268),
    "landlock_create_ruleset": (444, 444),
    "umount2": (166, 39),
}
CONTAINER = ("unshare", "mount", "umount2", "pivot_root", "setns")
REFUSE, EXAMINE, COMMAND, MOUNTS = table_beside(__file__).values()


def refusing(*names: str, then: str, arguments: tuple[str, ...] = ()) -> Any:
    """A finished process in which the kernel refused these calls."""
    column = ("x86_64", "aarch64").index(MACHINE)
    numbers = ",".join(str(CALLS[name][column]) for name in names)
    return subprocess.run(
        [sys.executable, "-c", f"{REFUSE}\n{then}", numbers, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def examined(*names: str) -> tuple[str, dict[str, dict[str, Any]]]:
    """The level, and the layers by name, of a machine that refuses these calls."""
    done = refusing(*names, then=EXAMINE)
    assert done.returncode == 0, done.stderr
    health = json.loads(done.stdout)
    return health["level"], {layer["name"]: layer for layer in health["layers"]}


@pytest.mark.slow
def test_a_container_that_refuses_namespaces_is_medium_and_says_what_is_lost() -> None:
    level, layers = examined(*CONTAINER)
    assert level == "medium"
    lost = layers["namespaces"]
    assert not lost["enforced"] and lost["reason"] == "unshare: Operation not permitted (EPERM)"
    assert "--cap-add SYS_ADMIN" in lost["remedy"]
    if os.geteuid() == 0:  # unless root's home hides the interpreter from other users
        closed = closed_to_others(interpreter_folders())
        assert layers["uid"]["enforced"] is (closed == "")
        assert f"interpreter is in {closed}" in layers["uid"]["reason"] or not closed
    else:
        assert not layers["uid"]["enforced"]
    assert all(layers[name]["enforced"] for name in ("limits", "landlock", "seccomp"))


@pytest.mark.slow
def test_where_the_private_root_cannot_be_built_the_level_is_medium() -> None:
    """User namespaces are allowed and mounts in them are not: hardened desktops, masked /proc."""
    level, layers = examined("pivot_root")
    assert level == "medium"
    assert layers["namespaces"]["reason"] == (
        "private root: pivot_root: Operation not permitted (EPERM)"
    )


@pytest.mark.slow
def test_an_old_kernel_without_landlock_is_weak() -> None:
    level, layers = examined("landlock_create_ruleset")
    assert level == "weak"
    assert layers["landlock"]["reason"] == "landlock version: Operation not permitted (EPERM)"


@pytest.mark.slow
def test_a_level_below_the_required_one_runs_no_student_code(tmp_path: Path) -> None:
    """The hand-in would be noticed: a run leaves evidence."""
    course, out = write_assignment(tmp_path), tmp_path / "out"
    hand_in = write_class(tmp_path / "class", {"student-01.py": "print('here I am')\n"})
    arguments = ("grade", str(course), str(hand_in), "--out", str(out), "--require", "strong")
    done = refusing(*CONTAINER, then=COMMAND, arguments=arguments)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "isolation on this machine is 'medium', but 'strong' is required" in said
    assert "namespaces: unshare: Operation not permitted (EPERM)" in said
    assert not list(out.rglob("*.evidence")) and not (out / "results").exists()


@pytest.mark.slow
def test_a_child_without_a_promised_layer_is_not_used() -> None:
    with Box(without=("landlock", "cgroup")) as box:
        box.spawn(Limits()).end()
        box._probed = (*box._probed, "landlock")
        with pytest.raises(SandboxError, match="could not enter a promised layer"):
            box.spawn(Limits())


# ------------------------------------------------------------------ control groups


def test_the_mounted_hierarchies_are_found() -> None:
    first, second, third = cgroup.mounts(MOUNTS)
    assert (first.version, first.controllers) == (1, {"cpu", "cpuacct"})
    assert (second.root, str(second.point)) == ("/docker/ab", "/sys/fs/cgroup/memory")
    assert (third.version, third.controllers) == (2, frozenset())


def test_our_own_group_is_found_by_controller() -> None:
    text = "9:cpu,cpuacct:/a\n4:memory:/docker/ab/c\n0::/user.slice\n"
    assert cgroup.memberships(text) == {
        "cpu": "/a",
        "cpuacct": "/a",
        "memory": "/docker/ab/c",
        "": "/user.slice",
    }


@pytest.mark.parametrize(
    ("root", "path", "expected"), [("/", "/a", "a"), ("/x", "/x/a", "a"), ("/x", "/y", "")]
)
def test_our_own_group_is_looked_for_below_what_is_mounted(
    tmp_path: Path, root: str, path: str, expected: str
) -> None:
    (tmp_path / "a").mkdir()
    mount = cgroup.Mount(2, root, tmp_path, frozenset())
    assert cgroup.own_folder(mount, path) == tmp_path / expected


def test_groups_are_gone_with_their_children() -> None:
    try:
        groups = cgroup.Groups()
    except OSError as missing:
        pytest.skip(f"no control groups can be made here: {missing}")
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    group = groups.enter(sleeper.pid, memory_mb=512, processes=16)
    made = list(group._made)
    assert made and all(str(sleeper.pid) in (f / "cgroup.procs").read_text().split() for f in made)
    sleeper.communicate(b"\n")
    assert not group.ran_out_of_memory()
    group.close()
    groups.close()
    assert not any(folder.exists() for folder in made)


def test_the_kernel_says_that_memory_ran_out() -> None:
    try:
        groups = cgroup.Groups()
    except OSError as missing:
        pytest.skip(f"no control groups can be made here: {missing}")
    source = "input()\nx = bytearray(200_000_000)\nprint(len(x))"
    greedy = subprocess.Popen(
        [sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    group = groups.enter(greedy.pid, memory_mb=64, processes=16)
    printed, _ = greedy.communicate(b"\n")
    try:
        assert printed == b"" and greedy.returncode == -9
        assert group.ran_out_of_memory()
    finally:
        group.close()
        groups.close()


# ------------------------------------------------------------------ without Linux


@pytest.mark.slow
def test_elsewhere_than_on_linux_hand_ins_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As macOS does it: the box is made portable, and its level is not enough."""
    monkeypatch.setattr(Box.__init__, "__kwdefaults__", {**DEFAULTS, "portable": True})
    course, out = write_assignment(tmp_path), tmp_path / "out"
    hand_in = write_class(tmp_path / "class", {"student-01.py": "x = 1\n"})
    with pytest.raises(UsageError) as refused:
        app(["grade", str(course), str(hand_in), "--out", str(out)], standalone_mode=False)
    said = str(refused.value)
    assert "is 'weak', but 'medium' is required" in said
    assert "namespaces: only Linux has it; run the grader in a Linux container" in said
    assert "Use --require weak to run anyway, but only for submissions that you trust" in said
    assert not list(out.rglob("*.evidence"))


@pytest.mark.slow
def test_who_trusts_the_hand_ins_can_run_them_elsewhere_too() -> None:
    """The portable box runs, interrupts, kills and reports, with nothing that only Linux has."""
    limits = Limits(cell_cpu_s=1, cell_wall_s=1, submission_wall_s=300)
    deaf = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    sources = ("x = 6", deaf, "while True: pass", "import os; os._exit(3)", "y = x * 7")
    cells = tuple(Cell(n, source, "e") for n, source in enumerate(sources, 1))
    asked = (Probe("y", "e", Read("e", "y")),)
    with Box(portable=True) as box:
        assert box.isolation.level == "weak" and box.isolation.layers == ("limits",)
        made = run(Job(cells, (("e", 5),), asked, 1, limits, draw=False), box)
    stops = [None if cell.stop is None else cell.stop.cause for cell in made.cells]
    assert stops == [None, "wall", "wall", "died", None]
    claim = made.probes[0].claim
    assert claim is not None and claim.value == 42
