"""What students get of the program: what judges public checks, and nothing that grades."""

from __future__ import annotations

import subprocess
import sys

from autograder.authoring.packages.needed_files import modules_of

# pure types, and sentences about them
SANDBOX = {"__init__.py", "run.py", "stops.py"}
TRUSTED = {
    "pipeline", "jobs", "setting", "evidence", "classroom", "outcome", "workspace",
    "devices", "engines", "diagnosis", "validate", "redteam", "bench", "release", "secrecy", "cli",
}  # fmt: skip
HEAVY = ("sqlalchemy", "nbconvert", "typer", "jupytext", "rich", "bleach")


def test_the_closure_holds_no_trusted_part() -> None:
    files = modules_of("autograder.student")
    parts = [name.split("/")[1:] for name in files]
    assert {part[0].removesuffix(".py") for part in parts} & TRUSTED == set()
    assert {part[1] for part in parts if part[0] == "sandbox"} == SANDBOX
    assert {part[-1] for part in parts} & {"store.py", "export.py", "variant.py"} == set()
    assert {"student/grader.py", "judge.py", "checks/registry.py"} <= {"/".join(p) for p in parts}


def test_importing_it_loads_nothing_that_only_grading_needs() -> None:
    code = f"import sys, autograder.student; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
