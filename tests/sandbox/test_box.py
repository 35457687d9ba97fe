"""The box from the outside: what it leaves behind, and where it can stand.

How a child of it behaves is in test_conformance.py.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from shutil import copytree, ignore_patterns

import psutil
import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.child import Child, ChildAnswer
from autograder.sandbox.isolation.premises import sweep
from autograder.wire.messages import Begin, Limits, RunCell
from tests.support.tables import table_beside

LIMITS = Limits(cell_cpu_s=5, cell_wall_s=20, submission_wall_s=60, memory_mb=512, disk_mb=16)


@pytest.fixture(scope="module")
def box(plain_box: Box) -> Box:
    """A box at the best level of this machine."""
    if plain_box.isolation.level != "strong":
        pytest.skip(f"no namespaces here: {plain_box.isolation.missing}")
    return plain_box


def run(child: Child, source: str) -> ChildAnswer:
    return child.ask(RunCell(1, source), cpu_s=5, wall_s=20)


@pytest.mark.slow
def test_nothing_is_left_behind() -> None:
    before = set(psutil.Process().children(recursive=True))
    with Box() as box:
        folder = box._folder
        child = box.spawn(LIMITS)
        child.ask(Begin(1, 1000, False), cpu_s=5, wall_s=20)
        run(child, "import threading as t, time; t.Thread(target=time.sleep, args=(99,)).start()")
        child.end()
    new = set(psutil.Process().children(recursive=True)) - before
    _, alive = psutil.wait_procs(new, timeout=60)
    assert alive == []
    assert not folder.exists()
    assert str(folder) not in Path("/proc/self/mounts").read_text()


@pytest.mark.slow
def test_the_zygote_leaves_with_its_grader(tmp_path: Path) -> None:
    script = (
        "import os, sys, time\nfrom autograder.sandbox.box import Box\n"
        "box = Box()\nprint(box._process.pid, flush=True)\ntime.sleep(60)\n"
    )
    process = psutil.Popen(
        [sys.executable, "-c", script],
        stdout=-1,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    zygote = psutil.Process(int(process.stdout.readline()))
    family = [zygote, *zygote.children(recursive=True)]
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []


LOOK, INSTALLED = table_beside(__file__).values()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["plain", "linked"])
def test_an_interpreter_in_the_scratch_space_is_still_there(box: Box, way: str) -> None:
    """A virtual environment below /tmp, which every child covers with a private one."""
    assert box.isolation.level == "strong"
    with tempfile.TemporaryDirectory(dir="/tmp") as whole:
        folder = f"{whole}/{way}"
        venv.create(f"{whole}/plain", symlinks=True)
        if way == "linked":
            Path(folder).symlink_to(f"{whole}/plain")
        packages = next(Path(folder).glob("lib/python*/site-packages"))
        ours = [p for p in sys.path if p.endswith("site-packages")]
        (packages / "ours.pth").write_text(
            "\n".join([*ours, str(Path(__file__).resolve().parents[2])])
        )
        (packages / "hidden").mkdir()
        (packages / "hidden" / "answers.txt").touch()
        done = subprocess.run(
            [f"{folder}/bin/python", "-c", LOOK, str(packages / "hidden")],
            capture_output=True,
            text=True,
            check=False,
        )
    assert "level='strong'" in done.stdout, done.stdout + done.stderr
    assert "there is []" in done.stdout


def test_the_folder_of_a_killed_grader_is_swept_and_no_other(tmp_path: Path) -> None:
    """Two leftovers: of a process that is gone, and of one that lives."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    temp = Path(tempfile.gettempdir())
    stale, live = temp / f"autograder-box-{gone.pid}-x", temp / "autograder-box-1-x"
    for folder in (stale, live):
        folder.mkdir(exist_ok=True)
    try:
        sweep()
        assert not stale.exists() and live.exists()
    finally:
        live.rmdir()


@pytest.mark.slow
def test_a_grader_that_is_installed_among_other_packages_has_a_box(tmp_path: Path) -> None:
    """As an ordinary `pip install` leaves it, in one folder with torch; and student code finds no
    more of it there than the runner."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    there = next(home.glob("lib/python*/site-packages"))
    here = Path(sysconfig.get_paths()["purelib"])
    for path in here.iterdir():
        if "autograder" in path.name or path.suffix == ".pth" or path.name == "__pycache__":
            continue
        try:
            link = os.link if path.is_file() else functools.partial(copytree, copy_function=os.link)
            link(path, there / path.name)
        except OSError as refused:
            pytest.skip(f"packages cannot be linked into another folder here: {refused}")
    root = Path(__file__).resolve().parents[2]
    copytree(root / "autograder", there / "autograder", ignore=ignore_patterns("__pycache__"))
    done = subprocess.run(
        [home / "bin" / "python", "-I", "-c", INSTALLED], capture_output=True, text=True, cwd="/"
    )
    assert done.returncode == 0, done.stderr[-2000:]
    file, value, error = done.stdout.split()
    assert file.startswith(str(there)) and (value, error) == ("4", "None")
