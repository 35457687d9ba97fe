"""What students get of the program: what judges public checks, and nothing that grades."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import autograder
from autograder.authoring.packages.needed_files import modules_of

TRUSTED = {  # packages of which students get nothing
    "authoring",
    "classroom",
    "cli.py",
    "commands",
    "execution",
    "interop",
    "pipeline.py",
    "sandbox",
    "similarity",
}
GRADING = (  # of the others, what grades, makes calls small or names a mistake
    "evidence/store.py",
    "gradebook/database.py",
    "gradebook/store.py",
    "grading/job.py",
    "judging/diagnosis/by_mutants.py",
    "judging/diagnosis/diagnose.py",
    "judging/diagnosis/known.py",
    "judging/diagnosis/small_calls.py",
    "judging/diagnosis/smaller.py",
    "judging/diagnosis/transforms",
    "notebook/template",
    "reports/class_report",
    "reports/terminal",
    "reports/validation",
)
HEAVY = ("sqlalchemy", "nbconvert", "typer", "jupytext", "rich", "nh3")


@pytest.mark.slow
def test_the_closure_holds_no_trusted_part() -> None:
    files = modules_of("autograder.student")
    held = {name.removeprefix("autograder/") for name in files}
    assert {name.partition("/")[0] for name in held} & TRUSTED == set()
    assert [name for name in held if name.startswith(GRADING)] == []
    package = Path(autograder.__file__).parent
    assert [name for name in (*TRUSTED, *GRADING) if not (package / name).exists()] == []
    assert not [name for name in held if name.endswith(("/store.py", "/export.py", "/variant.py"))]
    assert {"student/grader.py", "judging/judge.py", "judging/checks/registry.py"} <= held


def test_importing_it_loads_nothing_that_only_grading_needs() -> None:
    code = f"import sys, autograder.student; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
