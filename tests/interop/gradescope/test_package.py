"""autograder.zip for Gradescope: what is in it, and what its harness leaves whatever is handed in.

Pip does not run: the environment is the tests' own.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import UsageError
from autograder.interop.gradescope.export import PackageOptions, course_files, made_package
from autograder.interop.gradescope.grade_in_time import chosen
from autograder.interop.gradescope.harness import main
from autograder.interop.gradescope.layout import Layout
from autograder.interop.gradescope.package import zipped
from autograder.notebook.formats.find import FoundFile
from autograder.sandbox.box import Box
from tests.support.courses import write_course
from tests.support.gradescope_place import (
    CENTER,
    COURSE,
    IMPORT,
    LAST,
    POSSIBLE,
    ROWS,
    hand_in,
    notebook,
    package,
    results,
    scores,
    tell,
    unpack,
)
from tests.support.in_process import lending
from tests.support.strict_readers.gradescope import Results, read_model

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 90  # for a process on a busy machine


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return package(tmp_path_factory.mktemp("course"), packages=("einops",))


@pytest.fixture(scope="module")
def layout(built: bytes, plain_box: Box, tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """The documented layout, its image made, in a folder."""
    made = unpack(built, tmp_path_factory.mktemp("place") / "autograder")
    with lending(plain_box):
        assert main(["--root", str(made.root), "--prepare"]) == 0
    return made


@pytest.fixture
def _lent(plain_box: Box) -> Iterator[None]:
    """What is graded is graded in the tests' own box."""
    with lending(plain_box):
        yield


def graded(layout: Layout, *cells: str) -> Results:
    """The strict reading of what the harness leaves for a notebook of these cells; without any,
    for what was handed in."""
    if cells:
        hand_in(layout, {"rows.ipynb": notebook(*cells)})
    layout.results.unlink(missing_ok=True)
    assert main(["--root", str(layout.root)]) == 0
    found = results(layout)
    read_model(layout.results.read_bytes())
    assert found.worth == POSSIBLE
    assert b"canary" not in layout.results.read_bytes()
    return found


# ---------------------------------------------------------------- what is in the package


def test_equal_parts_give_equal_bytes(built: bytes, tmp_path: Path) -> None:
    assert package(tmp_path, packages=("einops",)) == built


def test_the_root_holds_both_scripts_which_can_be_run(built: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(built)) as archive:
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
        scripts = {name: archive.read(name) for name in ("setup.sh", "run_autograder")}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert modes["gradescope.json"] == 0o644
    assert "course/solutions/rows/solution.py" in modes
    assert not [name for name in modes if "examples" in name or "__pycache__" in name]
    for text in scripts.values():
        assert text.startswith(b"#!") and b"\r" not in text
        subprocess.run(["bash", "-n"], input=text, check=True)


def test_setup_makes_an_environment_of_its_own_from_pinned_versions(built: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(built)) as archive:
        setup = archive.read("setup.sh").decode()
        wanted = archive.read("requirements.txt").decode().splitlines()
        pins = archive.read("constraints.txt").decode().splitlines()
        wheel = next(name for name in archive.namelist() if name.endswith(".whl"))
        with zipfile.ZipFile(io.BytesIO(archive.read(wheel))) as inner:
            names = inner.namelist()
            (info,) = (name for name in names if name.endswith("/METADATA"))
            needs = inner.read(info).decode()
    pinned = "--constraint constraints.txt"
    apart = '--target "$grader/code" wheels/*.whl'
    for part in (f"{pinned} --requirement requirements.txt", f"{pinned} torch", "whl/cpu", apart):
        assert part in setup
    assert 'chmod -R go= "$source"' in setup and "autograder doctor" in setup
    installs = [line for line in setup.splitlines() if "pip" in line and "install" in line]
    assert len(installs) == 4 and all('"$grader/' in line for line in installs)
    assert "einops" in wanted and any(line.startswith("nh3") for line in wanted)
    assert {line.partition("==")[0] for line in pins} >= {"numpy", "torch", "msgspec"}
    assert all("+" not in line and "#" not in line for line in pins)
    assert "autograder/interop/gradescope/harness.py" in names
    assert "autograder/reports/templates/style.css" in names
    for name in ("alembic", "msgspec", "pyyaml"):
        assert f"Requires-Dist: {name}" in needs
    assert "torch>=2.13,<3" not in needs and "torch<3,>=2.13" not in needs
    assert "torch>=2.13,<3" in wanted  # the course uses it


def test_no_name_leads_out_of_the_package() -> None:
    for name in ("../x", "/x", "a/../../x", "a\\b", "a/./b", "x\0"):
        with pytest.raises(UsageError, match="rename"):
            zipped({name: b""})


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (PackageOptions(hidden="all"), "--hidden all"),  # type: ignore[arg-type]
        (PackageOptions(limit_s=5), "--limit 5"),
        (PackageOptions(limit_s=float("nan")), "--limit nan"),
        (PackageOptions(limit_s=float("inf")), "--limit inf"),
        (PackageOptions(late=True), "no late policy"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(wish: PackageOptions, said: str, tmp_path: Path) -> None:
    late = '\n[late]\ndue = "2026-10-01T12:00:00+00:00"\nper_day = 10\n'
    loaded = write_course(tmp_path, COURSE, assignment=(late, ""))
    with pytest.raises(UsageError, match=said):
        made_package(loaded, wish)


def test_files_beside_a_notebook_are_all_in_the_package(tmp_path: Path) -> None:
    loaded = write_course(tmp_path, COURSE)
    for name in ("files/examples/a.csv", "files/.hidden", "examples/student-01.ipynb", ".git/x"):
        (loaded.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (loaded.folder / name).write_text("1")
    names = {name.partition(f"{loaded.spec.id}/")[2] for name, _ in course_files(loaded)}
    assert {"files/examples/a.csv", "files/.hidden"} <= names
    assert not {"examples/student-01.ipynb", ".git/x"} & names


# ---------------------------------------------------------------- what students hand in


@pytest.mark.slow
def test_a_right_notebook(layout: Layout) -> None:
    tell(layout, created_at="2026-10-09T12:00:01+00:00")  # Gradescope's own lateness counts
    hand_in(layout, {"week1/rows.ipynb": notebook(IMPORT, ROWS, CENTER, LAST)})
    found = graded(layout)
    assert found.total == POSSIBLE
    assert found.output == "6 of 6 points."
    assert all(test["status"] == "passed" for test in found.tests)
    kept = json.loads(layout.results.read_bytes())["extra_data"]
    assert kept["state"] == "graded" and kept["isolation"]["level"] in ("medium", "strong")
    assert "seed" not in kept
    modes = [path.stat().st_mode & 0o777 for path in (layout.source, layout.metadata)]
    assert modes == [0o700, 0o600]


@pytest.mark.usefixtures("_lent")
def test_a_wrong_notebook_is_told_why(layout: Layout) -> None:
    layout.metadata.write_text("{")  # which costs nothing
    wrong = CENTER.replace("-1", "0")
    found = graded(layout, IMPORT, "rows = 4", wrong, LAST)
    assert found.total == 2
    outputs = {test["name"]: test["output"] for test in found.tests}
    assert "Count them by eye." in outputs["How many rows: `rows` is right"]
    hidden = outputs["Rows with mean zero: further checks"]
    assert "0 of 2 passed." in hidden and "You took the mean of each column" in hidden
    tell(layout)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "No file was submitted."),
        ({"report.pdf": b"%PDF-1.7"}, "report.pdf"),
        ({"rows.ipynb": b'{"cells": [{"cell_type": "co'}, "rows.ipynb"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(
    files: dict[str, bytes], said: str, layout: Layout
) -> None:
    hand_in(layout, files)
    assert main(["--root", str(layout.root)]) == 0
    found = results(layout)
    assert said in found.output and said in found.tests[0]["output"]
    assert (found.total, found.worth) == (0, POSSIBLE)
    assert found.tests[0]["status"] == "failed"


def test_of_several_notebooks_the_one_of_the_right_name_or_template_counts(layout: Layout) -> None:
    """Sub-folders, another notebook that is larger, a hidden folder, a link out."""

    def counts(files: dict[str, str]) -> FoundFile:
        hand_in(layout, files)
        return chosen(layout.submission, "rows", "rows")

    large = notebook("x = 1" + " " * 10_000)
    ours, other = notebook(ROWS, stamp="rows"), notebook(ROWS, stamp="columns")
    files = {"README.md": "# My course\n", "week1/Rows.ipynb": notebook(ROWS), "src/rows.py": "1\n"}
    found = counts({**files, "week2/other.ipynb": large, ".git/rows.ipynb": ours})
    assert (found.name, found.error) == ("week1/Rows.ipynb", "")
    assert "Rows.ipynb is graded" in found.notes[0] and ".git" not in found.notes[0]
    (layout.submission / "rows.ipynb").symlink_to("/etc/passwd")
    assert chosen(layout.submission, "rows", "rows").name == "week1/Rows.ipynb"
    assert counts({"a.ipynb": large, "b.ipynb": ours, "c.ipynb": other}).name == "b.ipynb"
    assert counts({"a.ipynb": large, "b.ipynb": ours, "c.ipynb": ours}).name == "a.ipynb"
    assert counts({"a.ipynb": large, "rows.ipynb": other}).name == "rows.ipynb"


# ---------------------------------------------------------------- policies


@pytest.mark.slow
@pytest.mark.usefixtures("_lent")
def test_our_own_late_policy_where_it_is_asked_for(layout: Layout, tmp_path: Path) -> None:
    """The due time is Gradescope's, which may be the student's own."""
    due = {"due_date": "2026-10-02T12:00:00.000000+00:00"}
    other = _with_settings(layout, tmp_path, late=True)
    tell(other, created_at="2026-10-03T12:00:01+00:00", assignment=due)
    found = graded(other, IMPORT, ROWS, CENTER, LAST)
    assert found.total == Decimal("4.8")  # two begun days of 10 percent each
    assert "Late penalty: 1.2 points" in found.output


# ---------------------------------------------------------------- the end comes early


def _with_settings(layout: Layout, folder: Path, **changes: Any) -> Layout:
    """The same image with other settings; its evidence is shared."""
    root = folder / "autograder"
    root.mkdir()
    for name in ("grader", "source"):
        subprocess.run(["cp", "-r", layout.root / name, root / name], check=True)
    other = Layout(root)
    other.submission.mkdir()
    tell(other)
    settings = json.loads(other.settings.read_bytes())
    other.settings.write_text(json.dumps({**settings, **changes}))
    return other


def _started(layout: Layout) -> subprocess.Popen[bytes]:
    layout.results.unlink(missing_ok=True)
    env = {**os.environ, "AUTOGRADER_ROOT": str(layout.root), "AUTOGRADER_PYTHON": sys.executable}
    return subprocess.Popen(
        ["sh", layout.source / "run_autograder"],
        env={**env, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )


def _until(layout: Layout, process: subprocess.Popen[bytes], points: int) -> None:
    """Wait until so many points stand in results.json, which is valid all the time."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end and process.poll() is None:
        if layout.results.is_file():
            found = results(layout)
            if found.total is not None and found.total >= points:
                return
        time.sleep(0.02)
    pytest.fail(f"never came to {points} points: {layout.results.read_text()}")


SLOW = notebook(IMPORT, ROWS, CENTER, "import time\ntime.sleep(3)", "while True: pass", LAST)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_was_graded_stays_when_the_harness_is_ended(how: int, layout: Layout) -> None:
    hand_in(layout, {"rows.ipynb": SLOW})
    process = _started(layout)
    _until(layout, process, 1)
    process.send_signal(how)
    assert process.wait(WAIT_S) == (-how if how == signal.SIGKILL else 0)
    found = results(layout)
    read_model(layout.results.read_bytes())
    assert found.worth == POSSIBLE
    assert "did not finish" in found.output
    assert scores(found)["How many rows: `rows` is right"] == (1, 1)
    told = {test["name"]: test for test in found.tests}
    late = "The last number: `last` is right"
    for name in (late, "Rows with mean zero: `center` works on a small table"):
        assert told[name]["score"] == 0 and "Not reached" in told[name]["output"]
    if how == signal.SIGTERM:
        assert json.loads(layout.results.read_bytes())["extra_data"]["state"] == "SIGTERM"


@pytest.mark.slow
def test_the_harness_ends_before_the_limit(layout: Layout, tmp_path: Path) -> None:
    """Every cell sleeps; what the limit cuts off is stopped, and nothing is lost."""
    other = _with_settings(layout, tmp_path, limit_s=300.0, margin_s=280.0)
    hand_in(other, {"rows.ipynb": notebook(ROWS, *["import time\ntime.sleep(60)"] * 8, LAST)})
    begun = time.monotonic()
    assert main(["--root", str(other.root)]) == 0
    assert time.monotonic() - begun < 200  # eight minutes of sleep
    found = results(other)
    assert (found.total, found.worth) == (1, POSSIBLE)
    assert json.loads(other.results.read_bytes())["extra_data"]["state"] == "graded"


def test_results_are_there_when_the_grader_cannot_start(layout: Layout, tmp_path: Path) -> None:
    other = _with_settings(layout, tmp_path)
    env = {**os.environ, "AUTOGRADER_ROOT": str(other.root), "AUTOGRADER_PYTHON": "/no/python"}
    done = subprocess.run(["sh", other.source / "run_autograder"], env=env, stderr=-3, check=False)
    assert done.returncode != 0
    found = results(other)
    assert (found.total, found.worth) == (0, POSSIBLE)
    assert "did not finish" in found.output


@pytest.mark.usefixtures("_lent")
def test_a_fault_of_ours_is_no_silent_zero(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a course nothing can be graded; the file says whose fault that is."""
    other = _with_settings(layout, tmp_path)
    (other.source / "course" / "solutions" / "rows" / "solution.py").write_text("rows = ")
    hand_in(other, {"rows.ipynb": notebook(ROWS)})
    assert main(["--root", str(other.root)]) == 0
    found = results(other)
    assert "no fault of yours" in found.output
    assert all("score" not in test for test in found.tests)
    other.settings.write_text("{}")
    assert main(["--root", str(other.root)]) == 0
    assert "no fault of yours" in results(other).output
