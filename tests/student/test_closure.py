"""What students get of the program: what judges public checks, and nothing that grades."""

from __future__ import annotations

import subprocess
import sys

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
PARTS = {  # and of these, pure types and sentences about them
    "evidence": {"__init__", "records", "stops"},
    "grading": {"__init__", "runs", "timing"},
    "judging": {"__init__", "checks", "diagnosis", "judge", "verdict"},
    "notebook": {"__init__", "formats", "structure", "submission"},
    "reports": {"__init__", "feedback", "templates"},
}
DIAGNOSIS = {  # what shows a smallest call, and nothing that makes calls small or names a mistake
    "__init__",
    "case_trial",
    "decoded_run",
    "frame_literals",
    "likeness",
    "literals",
    "numbers",
    "smallest",
}
HEAVY = ("sqlalchemy", "nbconvert", "typer", "jupytext", "rich", "nh3")


def test_the_closure_holds_no_trusted_part() -> None:
    files = modules_of("autograder.student")
    parts = [name.split("/")[1:] for name in files]
    assert {part[0] for part in parts} & TRUSTED == set()
    for package, held in PARTS.items():
        assert {part[1].removesuffix(".py") for part in parts if part[0] == package} == held
    diagnosis = {part[-1].removesuffix(".py") for part in parts if "diagnosis" in part}
    assert diagnosis == DIAGNOSIS
    assert {part[-1] for part in parts} & {"store.py", "export.py", "variant.py"} == set()
    needed = {"student/grader.py", "judging/judge.py", "judging/checks/registry.py"}
    assert needed <= {"/".join(part) for part in parts}


def test_importing_it_loads_nothing_that_only_grading_needs() -> None:
    code = f"import sys, autograder.student; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
