"""The workflows in docs/examples: well formed, safe for secrets, and their commands do run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import small_public
from tests.support.small_course import ID, RIGHT, SUMS, notebook, write_small_course

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
STUDENTS, COURSES = EXAMPLES / "classroom.yml", EXAMPLES / "classroom-grading.yml"
INSTALLS = "python -m pip install"


def workflow(path: Path) -> dict[str, Any]:
    """A workflow; YAML 1.1 reads the key ``on`` as True."""
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    found["on"] = found.pop(True)
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    (job,) = workflow(path)["jobs"].values()
    return list(job["steps"])


def commands(path: Path) -> list[str]:
    return [step["run"] for step in steps(path) if "run" in step]


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A step as a runner has it, with the Python of the tests."""
    inside = folder / "bin"
    inside.mkdir(exist_ok=True)
    python = inside / "python"
    if not python.exists():
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
    path = f"{inside}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PATH": path} | environment,
    )


@pytest.mark.parametrize("path", [STUDENTS, COURSES])
def test_a_workflow_can_do_no_more_than_read(path: Path) -> None:
    found = workflow(path)
    assert found["permissions"] == {"contents": "read"}
    for step in steps(path):
        assert ("uses" in step) != ("run" in step)
        assert "${{" not in step.get("run", "")  # what others write is no part of a command
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["persist-credentials"] is False
    assert sum(command.startswith(INSTALLS) for command in commands(path)) == 1
    assert len(commands(path)) == 2
    text = STUDENTS.read_text(encoding="utf-8")  # nothing hidden is named there
    assert "secrets." not in text and "--autograder-hidden" not in text
    assert workflow(STUDENTS)["env"]["CHECKS"].endswith(".agw")


@pytest.mark.slow
def test_the_students_workflow_tells_the_public_points(tmp_path: Path) -> None:
    check = {"id": "total", "kind": "value", "name": "total"}
    later = small_public.LaterChecks(checks=2, points=3000)
    public = small_public.made({"sums": [check]}, SUMS, later=later)
    small_public.written(tmp_path, public).rename(tmp_path / "checks.agw")
    (tmp_path / "hand-in.ipynb").write_text(notebook("total = 4", stamp=small_public.ID))
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nothing-like-this\n")
    ran = run(
        commands(STUDENTS)[1],
        tmp_path,
        CHECKS="checks.agw",
        NOTEBOOK="hand-in.ipynb",
        PYTEST_ADDOPTS="--require=weak",
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "2 hidden checks are left to the grading run" in ran.stdout
    assert "points: 0 of 1" in ran.stdout
    assert (tmp_path / "autograder.xml").is_file()


@pytest.mark.slow
def test_the_courses_workflow_finds_the_students_notebook(tmp_path: Path) -> None:
    write_small_course(tmp_path)
    submission = tmp_path / "submission"
    submission.mkdir()
    (submission / "hand-in.ipynb").write_text(notebook(*RIGHT))
    (submission / "conftest.py").write_text("raise RuntimeError('it ran')\n")
    ran = run(
        commands(COURSES)[1],
        tmp_path,
        ASSIGNMENT=ID,
        NOTEBOOK="hand-in.ipynb",
        PYTEST_ADDOPTS="--collect-only -q",
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "submission/hand-in.ipynb::doubles::kept-back" in ran.stdout
