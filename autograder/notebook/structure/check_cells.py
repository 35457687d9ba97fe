"""The cells that a template has besides the author's: one loads the checks, the others run them.

A notebook with these cells runs from top to bottom without the student package, too.
"""

from __future__ import annotations

import re

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.model import Exercise
from autograder.errors import UsageError
from autograder.notebook.structure.names import read_names
from autograder.notebook.submission import Submission

GRADER = "grader"  # the name that our cells define
SET_UP_ID = "autograder-setup"
WHEEL = "autograder_student-*.whl"

_URL = re.compile(r"https?://[\w.~:/?#@!&()*+,;=%-]+")
_FIRST = "# Given: run this cell first. It loads the checks that you can run while you work.\n"
_LOAD = """grader = None
try:
    from autograder.student import Grader

    grader = Grader("{id}")
except ImportError:
    print("No checks yet: {remedy} The rest of this notebook works without them.")"""
_FETCH = """try:
    import autograder.student
except ImportError:
    %pip install -q "{url}"

"""
_UPLOADED = f"""import glob

try:
    import autograder.student
except ImportError:
    if glob.glob("{WHEEL}"):
        %pip install -q {WHEEL}

"""


def set_up(assignment: str) -> str:
    """The first code cell of a template."""
    return _FIRST + _LOAD.format(id=assignment, remedy=f"install your course's {WHEEL}.")


def set_up_in_colab(assignment: str, package_url: str = "") -> str:
    """The first code cell of a template for Colab; it first installs the student package if that is
    missing: from an address, or from a file that the student has uploaded.

    Raises ``UsageError`` for an address that cannot be used in such a cell.
    """
    if not package_url:
        remedy = (
            f"upload your course's {WHEEL} in the Files pane on the left and run this cell again."
        )
        return _FIRST + _UPLOADED + _LOAD.format(id=assignment, remedy=remedy)
    if not _URL.fullmatch(package_url):  # an address that goes into a shell line
        raise UsageError(
            f"--package-url {package_url!r} is not a URL that pip accepts: give the https://... "
            "URL of the wheel, without spaces, quotes, braces or dollar signs"
        )
    remedy = "the student package could not be installed; run this cell again later."
    fetch = _FETCH.format(url=package_url)
    return _FIRST + fetch + _LOAD.format(id=assignment, remedy=remedy)


def ask(exercise: Exercise) -> str:
    """The cell after an exercise's own; empty if there is nothing to check."""
    if exercise.personal:  # there is no answer to compare with
        return ""
    # Only public checks are asked in the notebook.
    kinds = {check.kind for check in exercise.check if check.public} - BY_HAND
    calls = [f'    {GRADER}.check("{exercise.id}")'] if kinds - {"prediction"} else []
    if "prediction" in kinds:
        calls.append(f'    {GRADER}.reveal("{exercise.id}")')
    return "\n".join([f"if {GRADER}:", *calls]) if calls else ""


def takes_the_name(solution: Submission) -> int:
    """The number of the first cell that defines ``grader`` itself; 0 for none."""
    code = (cell for cell in solution.cells if cell.kind == "code")
    return next((c.number for c in code if GRADER in read_names(c.source).defined), 0)
