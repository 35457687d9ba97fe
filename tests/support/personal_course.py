"""A small assignment with an exercise that gives each student values of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from autograder.student.personal_file import PersonalFile
from autograder.wire.convert import data_from_wire
from autograder.wire.types import resolved
from tests.support.cases import read_files
from tests.support.notebooks import code, written

ID = "own"
FILES = read_files("courses/own.txt")
LOADS = (
    'from autograder.student import Grader\ngrader = Grader("own")\ndata = grader.data("centred")'
)
RIGHT = "centred = data - data.mean()"
DOUBLE = "def double(x): return 2 * x"


def notebook(centred: str, double: str = DOUBLE) -> str:
    """A submission with these answers."""
    return written([code(LOADS), code(centred, "centred"), code(double, "double")])


def values_in(path: Path) -> Any:
    """The values of the exercise in a student's file."""
    found = msgspec.msgpack.decode(path.read_bytes(), type=resolved(PersonalFile))
    return data_from_wire(dict(found.values)["centred"])


def centred(path: Path) -> str:
    """The right answer for the values in a student's file, written out as numbers."""
    data = values_in(path)
    return f"import numpy\ncentred = numpy.array({(data - data.mean()).tolist()!r})"
