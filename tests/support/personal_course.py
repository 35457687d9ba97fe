"""A small assignment with an exercise that gives each student values of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from autograder.student.personal_file import PersonalFile
from autograder.wire.convert import data_from_wire
from autograder.wire.types import resolved
from tests.support.cases import read_files

ID = "own"
FILES = read_files("courses/own.txt")
LOADS = (
    'from autograder.student import Grader\ngrader = Grader("own")\ndata = grader.data("centred")'
)
RIGHT = "centred = data - data.mean()"
DOUBLE = "def double(x): return 2 * x"


def notebook(centred: str, double: str = DOUBLE) -> str:
    """A submission with these answers."""
    sources = (("", LOADS), ("centred", centred), ("double", double))
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {"exercise": exercise} if exercise else {},
            "outputs": [],
            "execution_count": None,
            "source": source,
        }
        for number, (exercise, source) in enumerate(sources)
    ]
    kernel = {"kernelspec": {"name": "python3", "language": "python"}}
    whole = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole)


def values_in(path: Path) -> Any:
    """The values of the exercise in a student's file."""
    found = msgspec.msgpack.decode(path.read_bytes(), type=resolved(PersonalFile))
    return data_from_wire(dict(found.values)["centred"])


def centred(path: Path) -> str:
    """The right answer for the values in a student's file, written out as numbers."""
    data = values_in(path)
    return f"import numpy\ncentred = numpy.array({(data - data.mean()).tolist()!r})"
