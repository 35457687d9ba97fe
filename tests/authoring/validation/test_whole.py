"""`autograder validate` tries generated equivalents too, and shows those that lose."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.authoring.validation import equivalent_trials
from autograder.cli import main
from autograder.commands import authoring
from tests.support.courses import MEASURED, SMALL, write_course
from tests.support.in_process import Lent

BEGUN = """
import time
first = time.monotonic()
time.sleep(0.5)
from autograder.commands.authoring import _begun
print(first - _begun())
"""
STRICT = SMALL[MEASURED].replace("4e-6", "1e-12")


@pytest.mark.slow
def test_the_seconds_of_a_command_count_from_the_start_of_its_process() -> None:
    before = time.monotonic()
    said = subprocess.run([sys.executable, "-c", BEGUN], capture_output=True, text=True, check=True)
    assert -0.02 < float(said.stdout) < time.monotonic() - before - 0.5


@pytest.mark.slow
def test_a_right_answer_that_loses_stands_against_the_assignment(
    lent_box: Lent,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    course = write_course(tmp_path / "course", SMALL | {MEASURED: STRICT})
    target = tmp_path / "out"
    monkeypatch.setattr(equivalent_trials, "SAMPLE", 12)
    monkeypatch.setattr(authoring, "_begun", lambda: time.monotonic() - 1000)
    with pytest.raises(SystemExit) as ended:
        main(["validate", str(course.folder), "--quick", "--json", "--out", str(target)])
    assert ended.value.code == 1
    found = json.loads(capsys.readouterr().out)
    assert found["seconds"] > 1000
    lost = {(one["name"], one["check"]) for one in found["generated"]["lost"] if one["diff"]}
    told = {(p["variant"], p["check"]) for p in found["problems"] if p["rule"] == "unfair"}
    assert lost and lost <= told and {check for _, check in lost} == {"center/tables"}
    page = (target / "validation.html").read_text(encoding="utf-8")
    assert "generated equivalents lose points." in page
    assert all(f"<h3><bdi>{name}</bdi></h3>" in page for name, _ in lost)
