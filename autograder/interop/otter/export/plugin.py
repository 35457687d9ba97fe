"""The plugin that otter-grader calls when it grades an exported assignment: it runs our grader.

Otter loads ``Graded`` by its name in otter_config.json. The plugin runs the submission as
`autograder grade` does: in the sandbox, with the answers removed from disk. It leaves the results
for the tests and gives otter a notebook with no code left to run, so tests and answers never meet
the student's code.
Covered: an unreadable submission or an error of ours raises; otter then gives no score.
Not covered: with ``require`` "none" there is no sandbox; the unchanged notebook runs in otter's own
kernel without limits, and the tests check its names.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from importlib.machinery import all_suffixes
from pathlib import Path

import msgspec
import nbformat

from autograder.errors import SandboxError, SubmissionError, UsageError
from autograder.gradebook.grade import Grade
from autograder.grading.context import PreparedClass
from autograder.interop.stored_reference import prepared_from
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_submission
from autograder.sandbox.box import LEVELS, Level
from autograder.student.cases import CHECKS, SAID, EveryCheck, read_checks
from autograder.student.check_results import FORMAT, CheckResults, said_of

MODELS = "autograder-models"  # folder of the pretrained models, if any
LISTEN = "from autograder.student import cases\n\ncases.listen()"
_OURS = frozenset({"autograder", "otter", "sitecustomize", "usercustomize"})
_OTTERS = re.compile(
    r"from autograder\.student import cases|cases\.listen\(\)|import otter"
    r"|grader = otter\.Notebook\(.*\)|grader\.(check|check_all|export)\(.*\)"
)


class Graded:
    """The plugin. Its only setting is ``require``: the minimum isolation, "weak" by default."""

    def __init__(
        self, submission_path: str, submission_metadata: object, plugin_config: Mapping[str, str]
    ) -> None:
        self._path = Path(submission_path) if submission_path else Path()
        self._require = level_named(plugin_config.get("require", "weak"))

    def before_execution(self, submission: nbformat.NotebookNode) -> nbformat.NotebookNode:
        """The notebook for otter. Raises ``SubmissionError``, ``SandboxError``, ``UsageError``."""
        if self._require == "none":
            submission.cells.insert(0, nbformat.v4.new_code_cell(LISTEN))
            return submission
        folder = self._path.parent
        refuse_shadows(folder)
        every = read_checks(folder / CHECKS)
        (folder / SAID).unlink(missing_ok=True)
        with answers_away(folder):
            grade = graded(every, self._path, require=self._require)
        said = CheckResults(FORMAT, tuple(said_of(grade, every.whole())))
        (folder / CHECKS).unlink()
        (folder / SAID).write_bytes(msgspec.json.encode(said))
        return only_shown(submission)  # otter gets a notebook with nothing left to run


def refuse_shadows(folder: Path) -> None:
    """Raise ``SubmissionError`` for a submitted file with the name of a module: otter's kernel
    searches the notebook's folder first."""
    taken = {*sys.stdlib_module_names, *metadata.packages_distributions(), *_OURS} - {"tests"}
    for path in sorted(folder.iterdir()):
        stem = path.name.partition(".")[0]
        package = path.is_dir() and any(path.glob("__init__.*"))
        module = path.is_file() and path.name.endswith(tuple(all_suffixes()))
        if stem in taken and (package or module):
            raise SubmissionError(
                f"{path.name}: this name hides a module that the grader needs. "
                "Rename the file, or submit only the notebook."
            )


def level_named(word: str) -> Level:
    """The level of isolation with this name. Raises ``UsageError``."""
    for level in LEVELS:
        if level == word:
            return level
    known = ", ".join(LEVELS)
    raise UsageError(f"otter_config.json: require = {word!r}; write one of {known}")


@dataclass(frozen=True, slots=True)
class Submitted:
    """The file that otter grades. Otter's own cells in it are skipped."""

    path: Path

    @property
    def student(self) -> str:
        return self.path.stem

    @property
    def name(self) -> str:
        return self.path.name

    def read(self) -> Submission:
        """The cells; raises ``SubmissionError``."""
        found = read(self.path)
        kept = tuple(cell for cell in found.cells if not is_otters(cell.kind, cell.source))
        return msgspec.structs.replace(found, cells=kept)


def is_otters(kind: str, source: str) -> bool:
    """Whether a cell only calls otter and contains no code of the student's."""
    lines = [line for line in source.split("\n") if line.strip()]
    return kind == "code" and bool(lines) and all(_OTTERS.fullmatch(line.strip()) for line in lines)


def graded(every: EveryCheck, path: Path, *, require: Level) -> Grade:
    """The grade of one submission by the ordinary pipeline, compared with the stored answers.

    Raises ``SubmissionError`` when it cannot be read, ``SandboxError`` when it was not graded for
    a reason other than the student's, ``UsageError`` when this machine lacks something.
    """
    models = path.parent / MODELS
    hidden = [path.parent / "tests", path.parent.parent / "source"]
    with prepared_from(
        every, require=require, hidden=hidden, models=models if models.is_dir() else None
    ) as there:
        done = grade_submission(
            PreparedClass(there.context, there.expected), Submitted(path), time.monotonic()
        )
    if done.grade.status == "rejected":  # no score here is no score in otter
        raise SubmissionError(done.grade.reason)
    if done.grade.status == "ungraded":
        raise SandboxError(f"{path.name} was not graded: {done.grade.reason}")
    return done.grade


@contextmanager
def answers_away(folder: Path) -> Iterator[None]:
    """Remove the known files with answers while student code runs, then restore them."""
    places = [folder / CHECKS, folder.parent / "source" / "files" / CHECKS]
    kept = {place: place.read_bytes() for place in places if place.is_file()}
    try:
        for place in kept:
            place.unlink()  # answers are off the disk while otter's notebook runs
        yield
    finally:
        for place, content in kept.items():
            place.write_bytes(content)


def only_shown(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with its code cells as raw cells, which do not run."""
    cells = [  # metadata of a cell could make otter generate code
        nbformat.v4.new_markdown_cell(cell.source)
        if cell.cell_type == "markdown"
        # Metadata of a hand-in never reaches otter.
        else nbformat.v4.new_raw_cell(cell.source)
        for cell in notebook.cells
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
