"""Small assignments that tests write into a folder, to be broken in one place at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.cases import read_files, write_files

SMALL = read_files("courses/small.txt")
VERBS = read_files("courses/verbs.txt")
TABLES = read_files("courses/tables.txt")  # pandas and scikit-learn
ANSWERS = read_files("courses/answers.txt")  # answers of many kinds
DEVICES = read_files("courses/devices.txt")
MEASURED = "assignments/small/measured.toml"


def write_course(folder: Path, files: Mapping[str, str], **changes: tuple[str, str]) -> Loaded:
    """Write a small assignment with some texts replaced (each must be there), and load it.

    ``changes``: a file's stem -> (text, its replacement).
    """
    written = dict(files)
    for name, text in files.items():
        change = changes.get(Path(name).stem)
        if change is not None:
            assert change[0] in text, f"{name} does not hold {change[0]!r}"
            written[name] = text.replace(*change)
    write_files(folder, written)
    first = next(name for name in files if name.endswith("assignment.toml"))
    return load((folder / first).parent, measuring=True)


def prepare_course(course: Loaded, box: LazyBox, evidence: Path) -> PreparedClass:
    """The reference and the known mistakes of a small assignment, without figures."""
    nothing = Offer(None, "", frozenset(), ())
    context = make_context(course, nothing, box, seed=5, draw=False, evidence=evidence)
    return prepare_reference(context, Inline(), lambda what, total: None)
